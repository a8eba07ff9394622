"""The node among others: namespaces, prefixes, remapping, quality of service, one clock."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import WrenchStamped
from helpers.laboratory import laboratory, node_command, running
from rclpy.qos import ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState, PointCloud2
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray


def test_two_simulations_share_a_domain_and_one_clock(domain, ros_environment):
    left = node_command('bouncing_circle', ros=['-r', '__ns:=/left'], frame_prefix='left/')
    right = node_command(
        'circle_circle',
        ros=['-r', '__ns:=/right'],
        frame_prefix='right/',
        publish_clock='false',
    )
    topics = {
        '/tf': TFMessage,
        '/clock': Clock,
        '/left/symcontact/bodies/ball/contact_wrench': WrenchStamped,
        '/right/symcontact/bodies/left/contact_wrench/right': WrenchStamped,
        '/left/joint_states': JointState,
    }
    with (
        laboratory(domain, ros_environment, left, topics) as lab,
        running(right, ros_environment),
    ):
        lab.hear(*topics)

        def frames():
            return {t.child_frame_id for m in lab.messages['/tf'] for t in m.transforms}

        assert lab.spin_until(lambda: {'left/ball', 'right/left'} <= frames())
        assert lab.spin_until(lambda: len(lab.node.get_publishers_info_by_topic('/tf')) == 2)
        assert len(lab.node.get_publishers_info_by_topic('/clock')) == 1
        assert {name.split('/')[0] for name in frames()} == {'left', 'right'}
        parents = {t.header.frame_id for m in lab.messages['/tf'] for t in m.transforms}
        assert parents == {'world'}
        wrench = lab.messages['/right/symcontact/bodies/left/contact_wrench/right'][-1]
        assert wrench.header.frame_id == 'right/left/right/contact'


def test_topics_can_be_remapped_and_their_quality_overridden(domain, ros_environment, tmp_path):
    file = tmp_path / 'qos.yaml'
    file.write_text("""\
/**:
  ros__parameters:
    qos_overrides:
      /symcontact/contacts: {publisher: {reliability: best_effort, depth: 3}}
""")
    remaps = ('/tf:=/elsewhere', 'joint_states:=joints', '/symcontact/markers:=/shapes')
    words = [word for remap in remaps for word in ('-r', remap)]
    command = node_command('bouncing_circle', ros=[*words, '--params-file', str(file)])
    topics = {'/elsewhere': TFMessage, '/joints': JointState, '/shapes': MarkerArray}
    with laboratory(domain, ros_environment, command, topics) as lab:
        lab.hear(*topics)
        contacts = '/symcontact/contacts'
        assert lab.spin_until(lambda: lab.node.get_publishers_info_by_topic(contacts))
        (info,) = lab.node.get_publishers_info_by_topic(contacts)
        assert info.qos_profile.reliability == ReliabilityPolicy.BEST_EFFORT
        assert lab.get('qos_overrides./symcontact/contacts.publisher.depth') == 3
        assert not lab.node.get_publishers_info_by_topic('/tf')


SHAPES = """\
name: shapes
dimension: 3
gravity: [0, 0, -9.81]
parameters: {r: {value: 0.1, min: 0.05, max: 0.5}}
bodies:
  ground: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  ball: {mass: 1, shapes: [{type: sphere, radius: r}], initial: {position: [0, 0, 0.0999]}}
  can: {mass: 1, shapes: [{type: cylinder, radius: 0.1, half_length: 0.2}],
        initial: {position: [1, 0, 1]}}
  pill: {mass: 1, shapes: [{type: capsule, radius: 0.1, half_length: 0.2}],
         initial: {position: [2, 0, 1], rpy: [0, 1.5707963267948966, 0]}}
  hull: {mass: 1, shapes: [{type: convex_hull,
         vertices: [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]]}],
         initial: {position: [3, 0, 1]}}
collide: [[ball, ground]]
"""


FIELD = """\
dimension: 3
bodies:
  ground:
    fixed: true
    shapes: [{type: height_field, function: 0 * x, size: [9, 9], points: [41, 41]}]
  ball: {mass: 1, shapes: [{type: sphere, radius: 0.1}], initial: {position: [0, 0, 1]}}
"""


def latest_markers(lab):
    """Return the markers of the last message by name and number."""
    return {(m.ns, m.id): m for m in lab.messages['/symcontact/markers'][-1].markers}


def test_markers_show_shapes_where_they_are_and_forces_where_they_act(
    domain, ros_environment, write_model
):
    topics = {'markers': MarkerArray, 'proximities': PointCloud2}
    command = node_command(write_model(SHAPES), start_paused='true', marker_rate=1000)
    with laboratory(domain, ros_environment, command, topics) as lab:
        lab.hear('markers', 'proximities')
        found = latest_markers(lab)
        check_shapes(found)
        arrow = found['forces', 0]
        assert arrow.action == Marker.ADD
        # on B: the ball is A, so the force pushes the ground down
        assert arrow.points[1].z < arrow.points[0].z
        assert len(found['contacts', 0].points) == 1

        assert lab.set(symbols__r=0.09) == ''  # it does not touch any more
        seen = lab.spin_until(lambda: latest_markers(lab)['ball', 0].scale.x < 0.19)
        assert seen, 'also while it is paused'
        cloud = lab.step('proximities')
        stepped = lab.spin_until(lambda: latest_markers(lab)['ball', 0].header.stamp.nanosec)
        assert stepped
        found = latest_markers(lab)
        assert found['ball', 0].scale.x == pytest.approx(0.18)
        assert found['forces', 0].action == Marker.DELETE
        assert found['contacts', 0].action == Marker.DELETE
        check_proximities(cloud, lab.get('body_names'))


def test_ground_of_many_triangles_is_drawn_once_for_everybody_who_listens(
    domain, ros_environment, write_model
):
    model = write_model(FIELD)
    with laboratory(domain, ros_environment, node_command(model), {'markers': MarkerArray}) as lab:

        def drawings(messages):
            return [len(m.points) for array in messages for m in array.markers if m.ns == 'ground']

        assert drawings(lab.collect('markers', 10)) == [3 * 2 * 40**2]
        later = []
        lab.node.create_subscription(MarkerArray, lab.full('markers'), later.append, 10)
        assert lab.spin_until(lambda: drawings(later)), 'it came later, and sees the ground too'
        assert lab.set(symbols__gravity__z=-1.0) == ''
        count = len(drawings(later))
        assert lab.spin_until(lambda: len(drawings(later)) > count), 'something has changed'


def check_shapes(found):
    assert all(m.header.frame_id == 'world' for m in found.values())
    assert found['ball', 0].type == Marker.SPHERE
    assert found['ball', 0].scale.x == pytest.approx(0.2)
    assert found['ball', 0].pose.position.z == pytest.approx(0.0999)
    assert found['can', 0].scale.z == pytest.approx(0.4)
    ends = sorted(found['pill', i].pose.position.x for i in (1, 2))
    assert ends == pytest.approx([1.8, 2.2])
    triangles = np.array([[p.x, p.y, p.z] for p in found['hull', 0].points]).reshape(-1, 3, 3)
    assert len(triangles) == 4
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    outwards = triangles.mean(axis=1) - triangles.mean(axis=(0, 1))
    assert (np.einsum('ij,ij->i', normals, outwards) > 0.0).all()
    ground = found['ground', 0]
    assert ground.pose.position.z + ground.scale.z / 2 == pytest.approx(0.0)


def check_proximities(cloud, body_names):
    names = [field.name for field in cloud.fields]
    numbers = np.frombuffer(bytes(cloud.data), '<f4').reshape(cloud.width, -1)
    bodies = np.frombuffer(bytes(cloud.data), '<i4').reshape(cloud.width, -1)
    rows = bodies[:, names.index('body_a') : names.index('body_b') + 1].tolist()
    near = {tuple(body_names[i] for i in row): n for row, n in zip(rows, numbers, strict=True)}
    row = near['ball', 'ground']
    assert row[names.index('distance')] == pytest.approx(0.0099, abs=1e-4)
    assert row[names.index('nz')] == pytest.approx(-1.0)
