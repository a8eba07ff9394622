"""Robots from URDF files, as robot_state_publisher and RViz expect them."""

from xml.etree import ElementTree

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')
pytest.importorskip('lxml', reason='needs the extra `urdf`')

from helpers.laboratory import laboratory, node_command
from helpers.processes import LONG
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

ROBOT = """\
<robot name="robot">
<link name="base-link"><inertial><mass value="5"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
<joint name="shoulder-1" type="continuous"><parent link="base-link"/><child link="arm"/>
<axis xyz="0 1 0"/></joint>
</robot>
"""
TOPICS = {
    '/robot_description': String,
    '/joint_states': JointState,
    '/tf': TFMessage,
    '/tf_static': TFMessage,
}


@pytest.mark.parametrize(
    ('base', 'mode', 'moving', 'static'),
    [
        ('fixed', 'auto', set(), {'base_link'}),
        ('free', 'auto', {'base_link'}, set()),
        ('free', 'bodies', {'base_link', 'arm'}, set()),
        ('free', 'tree', {'base_link', 'arm'}, set()),
        ('fixed', 'tree', {'arm'}, {'base_link'}),
    ],
)
def test_a_robot_has_its_description_its_joints_and_its_base(
    base, mode, moving, static, domain, ros_environment, write_model
):
    path = write_model(ROBOT, 'robot.urdf')
    command = node_command(path, base=base, tf_mode=mode)
    latched = ['/robot_description', '/tf_static']
    with laboratory(domain, ros_environment, command, TOPICS, latched) as lab:
        lab.hear('/robot_description', '/joint_states', '/tf')
        if static:
            lab.hear('/tf_static')
        lab.process.terminate()
        _, log = lab.process.communicate(timeout=LONG)
    (text,) = {m.data for m in lab.messages['/robot_description']}
    robot = ElementTree.fromstring(text)
    links = {link.get('name') for link in robot.iter('link')}
    joints = [joint.get('name') for joint in robot.iter('joint')]
    state = lab.messages['/joint_states'][-1]
    # What robot_state_publisher does: it finds every moving joint of the text in joint_states.
    assert state.name == joints == ['shoulder_1']
    assert links == {'base_link', 'arm'}
    assert robot.find('joint/parent').get('link') == 'base_link'
    frames = {t.child_frame_id for m in lab.messages['/tf'] for t in m.transforms}
    assert {name for name in frames if '/' not in name} == moving
    parents = {
        t.header.frame_id
        for m in lab.messages['/tf']
        for t in m.transforms
        if t.child_frame_id == 'arm'
    }
    wanted = {'tree': {'base_link'}, 'bodies': {'world'}}.get(mode, set())
    assert parents == wanted
    still = {t.child_frame_id for m in lab.messages['/tf_static'] for t in m.transforms}
    assert still == static
    assert "'base-link' of the URDF is 'base_link' here" in log
    assert ('the base, 5 kg, is fixed in the world' in log) == (base == 'fixed')


SEVERAL = {
    '/left/robot_description': String,
    '/right/robot_description': String,
    '/joint_states': JointState,
    '/tf': TFMessage,
    '/tf_static': TFMessage,
}
WORLD = """\
dimension: 3
parameters: {far: 3}
include:
- {yaml: floor}
- {urdf: rooted.urdf, prefix: far_, pose: {position: [far, 0, 1]}}
- {urdf: robot.urdf, prefix: left_, servo: auto, pose: {position: [0, 1, 1]}}
- {urdf: robot.urdf, prefix: right_, base: free, pose: {position: [0, -1, 1]}}
bodies: {ball: {mass: 1, shapes: [{type: sphere, radius: 0.1}], initial: {position: [0, 0, 1]}}}
"""


def test_several_robots_in_a_world_have_their_descriptions(domain, ros_environment, write_model):
    write_model(ROBOT, 'robot.urdf')
    root = '<link name="world"/><joint name="stand" type="fixed"><parent link="world"/>'
    rooted = ROBOT.replace('</robot>', f'{root}<child link="base-link"/></joint></robot>')
    write_model(rooted, 'rooted.urdf')
    command = node_command(write_model(WORLD))
    latched = [name for name in SEVERAL if 'description' in name or 'static' in name]
    with laboratory(domain, ros_environment, command, SEVERAL, latched) as lab:
        lab.hear(*SEVERAL)
    state = lab.messages['/joint_states'][-1]
    assert state.name == ['far_shoulder_1', 'left_shoulder_1', 'right_shoulder_1']
    for side in ('left', 'right'):
        robot = ElementTree.fromstring(lab.messages[f'/{side}/robot_description'][0].data)
        assert [link.get('name') for link in robot.iter('link')] == [
            f'{side}_base_link',
            f'{side}_arm',
        ]
        assert robot.find('joint').get('name') == f'{side}_shoulder_1'
    # The links of robots are left to robot_state_publisher; other bodies are not.
    frames = {t.child_frame_id for m in lab.messages['/tf'] for t in m.transforms}
    assert {name for name in frames if '/' not in name} == {'right_base_link', 'ball'}
    still = {t.child_frame_id: t for m in lab.messages['/tf_static'] for t in m.transforms}
    assert still.keys() == {'left_base_link', 'floor', 'far_robot_world'}
    assert still['far_robot_world'].transform.translation.x == 3.0  # a formula


def test_links_on_joints_of_several_degrees_of_freedom_are_placed_by_the_node(
    domain, ros_environment, write_model
):
    path = write_model(ROBOT.replace('"continuous"', '"planar"'), 'robot.urdf')
    with laboratory(
        domain, ros_environment, node_command(path), TOPICS, ['/robot_description', '/tf_static']
    ) as lab:
        lab.hear('/robot_description', '/tf')
    (text,) = {m.data for m in lab.messages['/robot_description']}
    # robot_state_publisher leaves floating joints to others.
    assert ElementTree.fromstring(text).find('joint').get('type') == 'floating'
    frames = {t.child_frame_id for m in lab.messages['/tf'] for t in m.transforms}
    assert {name for name in frames if '/' not in name} == {'arm', 'arm_plane'}
