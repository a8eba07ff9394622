"""Contact wrenches over real DDS: size, sign, frame and point are what the page says."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import WrenchStamped
from helpers.laboratory import laboratory, node_command
from nav_msgs.msg import Odometry
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import Float64
from tf2_msgs.msg import TFMessage

# A box of 3 kg at rest on the ground: four points with a quarter of the stiffness each.
BOX = """\
name: resting_box
dimension: 3
gravity: [0, 0, -10]
materials:
  default: {law: linear, stiffness: 1.0e6, damping: 0.05, friction: 0.5, slip_speed: 0.01}
bodies:
  ground: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  box:
    mass: 3.0
    com: [0, 0, 0]
    shapes: [{type: box, half_extents: [0.3, 0.2, 0.1]}]
    initial: {position: [1, 2, 0.1 - 30.0 / 1.0e6]}
"""
WALL = """\
name: pushed_against_wall
dimension: 2
gravity: [0, 0, 0]
materials: {default: {law: linear, stiffness: 1.0e4, damping: 20.0, friction: 0, slip_speed: 0.01}}
bodies:
  wall: {fixed: true, shapes: [{type: half_space, normal: [-1, 0, 0]}]}
  disc:
    mass: 1.0
    shapes: [{type: circle, radius: 0.1}]
    initial: {position: [-0.1, 0.5, 0]}
"""
NET, BY = 'bodies/box/contact_wrench', 'bodies/box/contact_wrench/ground'
GROUND_NET, GROUND_BY = 'bodies/ground/contact_wrench', 'bodies/ground/contact_wrench/box'


def vector(message):
    return np.array([message.x, message.y, message.z])


def both(message):
    return vector(message.wrench.force), vector(message.wrench.torque)


def frame_of(message, name):
    (found,) = [t for t in message.transforms if t.child_frame_id == name]
    return found


def test_a_box_at_rest_weighs_m_g_on_every_topic_for_10000_steps(
    domain, ros_environment, write_model
):
    path = write_model(BOX)
    topics = dict.fromkeys((NET, BY, GROUND_NET, GROUND_BY), WrenchStamped)
    topics |= {'/tf': TFMessage, 'contacts': PointCloud2}
    command = node_command(path, start_paused='true', step_count=200)
    with laboratory(domain, ros_environment, command, topics) as lab:
        lab.hear(NET, BY, GROUND_NET, GROUND_BY, '/tf', 'contacts')
        up = np.array([0.0, 0.0, 30.0])
        for _ in range(50):
            on_box = lab.step(BY)
            now = on_box.header.stamp.sec + 1e-9 * on_box.header.stamp.nanosec
            tf, cloud = lab.at('/tf', now), lab.at('contacts', now)
            for topic, frame, force, torque in (
                (BY, 'box/ground/contact', up, np.zeros(3)),
                (GROUND_BY, 'box/ground/contact', -up, np.zeros(3)),
                (NET, 'box/com', up, np.zeros(3)),
                # about the ground's origin, with the box at (1, 2)
                (GROUND_NET, 'ground/com', -up, np.cross([1.0, 2.0, 0.0], -up)),
            ):
                message = lab.at(topic, now)
                found = both(message)
                assert message.header.frame_id == frame
                assert found[0] == pytest.approx(force, abs=1e-6), topic
                # the lever of 1e-9 m that friction may creep in 10 s, times 30 N
                assert found[1] == pytest.approx(torque, abs=1e-6), topic
                assert frame_of(tf, frame).header.stamp == message.header.stamp
            opposite = lab.at(GROUND_BY, now)
            assert both(on_box)[0].tolist() == (-both(opposite)[0]).tolist()
            assert cloud.width == 4
            numbers = np.frombuffer(bytes(cloud.data), '<f4').reshape(4, -1)
            names = [field.name for field in cloud.fields]
            assert numbers[:, names.index('nz')] == pytest.approx([-1.0] * 4)  # from box to ground
            assert numbers[:, names.index('fz')] == pytest.approx([-7.5] * 4, abs=1e-5)
        assert now == pytest.approx(10.0)
        place = vector(frame_of(tf, 'box/ground/contact').transform.translation)
        assert place == pytest.approx([1.0, 2.0, -15.0 / 1e6], abs=1e-6)


def test_what_pushes_with_5_newtons_reads_5_newtons(domain, ros_environment, write_model):
    path = write_model(WALL)
    net = 'bodies/disc/contact_wrench'
    topics = {net: WrenchStamped, 'bodies/wall/contact_wrench/disc': WrenchStamped}
    command = node_command(path, start_paused='true', step_count=1500, command_timeout=0)
    with laboratory(domain, ros_environment, command, topics) as lab:
        lab.hear(*topics)
        push = WrenchStamped()
        push.wrench.force.x = 5.0
        lab.send('bodies/disc/wrench_command', push)
        reading = lab.step(net)
        force, torque = both(reading)
        # it swings at rest with a decay of c F / 2 m = 50 per second: exp(-75) is left
        assert force == pytest.approx([-5.0, 0.0, 0.0], abs=1e-6)
        assert torque == pytest.approx(np.zeros(3), abs=1e-9)
        now = reading.header.stamp.sec + 1e-9 * reading.header.stamp.nanosec
        wall = lab.at('bodies/wall/contact_wrench/disc', now)
        assert both(wall)[0] == pytest.approx([5.0, 0.0, 0.0], abs=1e-6)


def test_axes_of_the_body_turn_the_net_wrench_and_its_frame(domain, ros_environment, write_model):
    turned = BOX.replace('initial: {', 'initial: {rpy: [0, 0, 1.0], ')
    path = write_model(turned)
    command = node_command(
        path, start_paused='true', wrench_axes='body', frame_prefix='left/', world_frame='map'
    )
    topics = {NET: WrenchStamped, GROUND_BY: WrenchStamped, '/tf': TFMessage}
    topics['bodies/box/odom'] = Odometry
    with laboratory(domain, ros_environment, command, topics) as lab:
        lab.hear(*topics)
        wrench = lab.step(NET)
        now = wrench.header.stamp.sec + 1e-9 * wrench.header.stamp.nanosec
        frame = frame_of(lab.at('/tf', now), 'left/box/com')
        assert wrench.header.frame_id == 'left/box/com'
        assert frame.header.frame_id == 'map'
        assert frame.transform.rotation.z == pytest.approx(np.sin(0.5), abs=1e-6)
        assert vector(wrench.wrench.force) == pytest.approx([0.0, 0.0, 30.0], abs=1e-4)
        assert lab.at(GROUND_BY, now).header.frame_id == 'left/box/ground/contact'
        odometry = lab.at('bodies/box/odom', now)
        assert (odometry.header.frame_id, odometry.child_frame_id) == ('map', 'left/box')


def test_odometry_and_energy_of_a_thrown_body_are_those_of_mechanics(
    domain, ros_environment, write_model
):
    path = write_model("""\
dimension: 3
gravity: [0, 0, -10]
bodies:
  stone:
    mass: 2.0
    com: [0.1, 0, 0]
    inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}
    initial: {position: [0, 0, 0], rpy: [0, 0, 1.5707963267948966], velocity: [3, 0, 0],
              angular_velocity: [0, 0, 2.0]}
""")
    topics = {'bodies/stone/odom': Odometry, 'energy/mechanical': Float64, '/tf': TFMessage}
    with laboratory(
        domain, ros_environment, node_command(path, start_paused='true'), topics
    ) as lab:
        lab.hear(*topics)
        odometry = lab.messages['/symcontact/bodies/stone/odom'][-1]
        # the origin moves along x of the world, which is -y of the body
        twist = odometry.twist.twist
        assert vector(twist.linear) == pytest.approx([0.0, -3.0, 0.0], abs=1e-12)
        assert vector(twist.angular) == pytest.approx([0.0, 0.0, 2.0], abs=1e-12)
        # the centre of mass is 0.1 m along y, and moves at 3 - 2 * 0.1
        (energy,) = {m.data for m in lab.messages['/symcontact/energy/mechanical']}
        assert energy == pytest.approx(0.5 * 2.0 * 2.8**2 + 0.5 * 0.1 * 2.0**2, rel=1e-12)
        com = frame_of(lab.messages['/tf'][-1], 'stone/com')
        assert vector(com.transform.translation) == pytest.approx([0.0, 0.1, 0.0], abs=1e-12)
