"""Commands over real DDS: valid ones act as documented, others are rejected and reported."""

import math
import re

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import WrenchStamped
from helpers.laboratory import laboratory, node_command
from helpers.processes import LONG
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

SHIP = """\
name: ship
dimension: 3
gravity: [0, 0, 0]
bodies:
  ship:
    mass: 2.0
    com: [0.5, 0, 0]
    inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}
    sites: {thruster: {position: [-0.5, 0, 0], rpy: [0, 0, 1.5707963267948966]}}
    initial: {position: [0, 0, 0], rpy: [0, 0, 1.5707963267948966]}
"""
ARM = """\
name: arm
dimension: 2
gravity: [0, 0, 0]
bodies:
  upper: {mass: 1.0, inertia: {izz: 0.5},
          joint: {type: revolute, name: shoulder, servo: {kp: 50.0, kd: 10.0}}}
  slider: {mass: 2.0, inertia: {izz: 0.1}, joint: {type: prismatic, axis: [1, 0, 0], name: rail}}
"""
ODOM = 'bodies/ship/odom'


def wrench(frame='', force=(0, 0, 0), torque=(0, 0, 0), stamp=0.0):
    message = WrenchStamped()
    message.header.frame_id = frame
    message.header.stamp = Time(sec=int(stamp), nanosec=round(1e9 * (stamp % 1.0)))
    for part, numbers in ((message.wrench.force, force), (message.wrench.torque, torque)):
        part.x, part.y, part.z = map(float, numbers)
    return message


def vector(message):
    return np.array([message.x, message.y, message.z])


def centre_velocity(odometry):
    """Return velocity of the centre of mass and rate of turn, in body axes."""
    twist = odometry.twist.twist
    linear, angular = vector(twist.linear), vector(twist.angular)
    return linear + np.cross(angular, [0.5, 0.0, 0.0]), angular


# The ship looks along y, its centre of mass is 0.5 m ahead; in 1 ms a newton makes 0.5 mm/s.
CASES = [
    # frame, force, torque -> change of velocity and rate of turn per newton millisecond, body axes
    ('', (1, 0, 0), (0, 0, 0), (0, -0.5, 0), (0, 0, 0)),
    ('world', (0, 1, 0), (0, 0, 2), (0.5, 0, 0), (0, 0, 20)),
    ('ship/com', (0, 1, 0), (0, 0, 0), (0.5, 0, 0), (0, 0, 0)),
    ('ship', (0, 1, 0), (0, 0, 0), (0, 0.5, 0), (0, 0, -5)),  # at the origin: lever 0.5 m
    ('ship', (1, 0, 0), (0, 0, 1), (0.5, 0, 0), (0, 0, 10)),
    ('thruster', (1, 0, 0), (0, 0, 0), (0, 0.5, 0), (0, 0, -10)),  # its x is y of the ship
]


def test_a_wrench_acts_in_the_axes_and_at_the_origin_of_its_frame(
    domain, ros_environment, write_model
):
    command = node_command(write_model(SHIP), start_paused='true')
    with laboratory(domain, ros_environment, command, {ODOM: Odometry}) as lab:
        lab.hear(ODOM)
        for frame, force, torque, velocity, rate in CASES:
            lab.trigger('reset')
            lab.send('bodies/ship/wrench_command', wrench(frame, force, torque))
            after = centre_velocity(lab.step(ODOM))
            # one step of 1 ms turns it by 1e-5 rad at most
            assert 1e3 * after[0] == pytest.approx(velocity, abs=1e-4), frame
            assert 1e3 * after[1] == pytest.approx(rate, abs=1e-4), frame
        lab.send('bodies/ship/wrench_command', wrench('', force=(1, 0, 0)))
        lab.trigger('reset')
        assert centre_velocity(lab.step(ODOM))[0] == pytest.approx(np.zeros(3), abs=1e-12)


def test_a_wrench_in_a_body_frame_turns_with_the_body(domain, ros_environment, write_model):
    spinning = SHIP.replace('initial: {', 'initial: {angular_velocity: [0, 0, 10.0], ')
    spinning = spinning.replace('com: [0.5, 0, 0]', 'com: [0, 0, 0]')
    command = node_command(write_model(spinning), start_paused='true', command_timeout=0)
    with laboratory(domain, ros_environment, command, {ODOM: Odometry}) as lab:
        lab.hear(ODOM)
        lab.send('bodies/ship/wrench_command', wrench('ship', force=(2, 0, 0)))
        for _ in range(314):
            last = lab.step(ODOM)
        # 1 m/s^2 along the body, which turns half round: the velocity is 2 a / w across.
        axes = last.pose.pose.orientation
        angle = 2.0 * math.atan2(axes.z, axes.w)
        body = vector(last.twist.twist.linear)
        c, s = math.cos(angle), math.sin(angle)
        world = np.array([c * body[0] - s * body[1], s * body[0] + c * body[1]])
        # it starts along y; held for steps of 0.01 rad
        assert world == pytest.approx([-0.2, 0.0], abs=0.002)


def test_a_command_ends_at_its_timeout_to_the_step(domain, ros_environment, write_model):
    command = node_command(
        write_model(SHIP), start_paused='true', command_timeout=0.05, step_count=200
    )
    with laboratory(domain, ros_environment, command, {ODOM: Odometry}) as lab:
        lab.hear(ODOM)
        lab.send('bodies/ship/wrench_command', wrench('', force=(0, 4, 0)))
        velocity = centre_velocity(lab.step(ODOM))[0]
        assert velocity == pytest.approx([2.0 * 0.05, 0.0, 0.0], abs=1e-12)
        assert lab.set(command_timeout=0.0) == ''
        lab.send('bodies/ship/wrench_command', wrench('', force=(0, 4, 0)))
        velocity = centre_velocity(lab.step(ODOM))[0]
        assert velocity == pytest.approx([2.0 * 0.25, 0.0, 0.0], abs=1e-12)
        assert lab.set(command_timeout=0.3) == ''  # also for what acts since 0.2 s
        velocity = centre_velocity(lab.step(ODOM))[0]
        assert velocity == pytest.approx([2.0 * 0.35, 0.0, 0.0], abs=1e-12)


def test_joints_follow_efforts_positions_and_velocities(domain, ros_environment, write_model):
    command = node_command(
        write_model(ARM), start_paused='true', command_timeout=0, step_count=100
    )
    states = '/joint_states'
    with laboratory(domain, ros_environment, command, {states: JointState}) as lab:
        lab.hear(states)
        assert lab.messages[states][-1].name == ['shoulder', 'rail']
        lab.send('joint_commands', JointState(name=['rail'], effort=[4.0]))
        state = lab.step(states)
        assert state.velocity[1] == pytest.approx(4.0 / 2.0 * 0.1, abs=1e-12)
        assert state.velocity[0] == 0.0
        assert state.effort[1] == 4.0
        # a position, through the servo; the rail keeps its effort
        lab.send('joint_commands', JointState(name=['shoulder'], position=[0.3]))
        lab.set(step_count=5000)
        state = lab.step(states)
        assert state.position[0] == pytest.approx(0.3, abs=1e-6)  # poles at -10 +- 0: settled
        assert state.velocity[1] == pytest.approx(2.0 * 5.1, abs=1e-9)
        lab.send('joint_commands', JointState(name=['shoulder'], velocity=[0.5]))
        assert lab.step(states).velocity[0] == pytest.approx(0.5, abs=1e-6)
        # NaN, as ros2_control has it: not this joint, or not this kind of command
        lab.send(
            'joint_commands',
            JointState(
                name=['shoulder', 'rail'],
                position=[math.nan, math.nan],
                velocity=[math.nan, math.nan],
                effort=[math.nan, 0.0],
            ),
        )
        state = lab.step(states)
        assert state.velocity[0] == pytest.approx(0.5, abs=1e-6), 'it keeps its command'
        assert state.effort[1] == 0.0
        # all efforts at once, in joint order: servos let go
        lab.send('joint_efforts', Float64MultiArray(data=[1.0, 0.0]))
        lab.set(step_count=100)
        state = lab.step(states)
        assert state.velocity[0] == pytest.approx(0.5 + 1.0 / 0.5 * 0.1, abs=1e-6)
        assert list(state.effort) == [1.0, 0.0]


def bad_messages(now):
    """Return topic, message, reason of messages that must be dropped."""
    ship, joints, efforts = 'bodies/slider/wrench_command', 'joint_commands', 'joint_efforts'
    nan, inf = math.nan, math.inf
    return [
        (ship, wrench('', (nan, 0, 0)), 'not_finite'),
        (ship, wrench('', (0, 0, 0), (0, 0, inf)), 'not_finite'),
        (ship, wrench('thruster', (1.7e308, 1.7e308, 0)), 'too_large'),
        (ship, wrench('nowhere', (1, 0, 0)), 'unknown_frame'),
        (ship, wrench('', (0, 0, 1)), 'out_of_plane'),
        (ship, wrench('', (1, 0, 0), stamp=now + 5.0), 'future'),
        (joints, JointState(name=['rail'], effort=[inf]), 'not_finite'),
        (joints, JointState(name=['rail'], effort=[1.0, 2.0]), 'wrong_size'),
        (joints, JointState(name=['rail']), 'wrong_size'),
        (joints, JointState(name=['rail', 'rail'], effort=[1.0, 2.0]), 'wrong_size'),
        (joints, JointState(name=['knee', 'rail'], effort=[1.0, 2.0]), 'unknown_joint'),
        (joints, JointState(name=['shoulder', 'rail'], position=[1.0, 2.0]), 'no_servo'),
        (efforts, Float64MultiArray(data=[1.0]), 'wrong_size'),
        (joints, JointState(name=['rail'], position=[nan], velocity=[1.0]), 'no_servo'),
        (efforts, Float64MultiArray(data=[nan, inf]), 'not_finite'),
    ]


def diagnosed(lab):
    """Return what the last message on /diagnostics says, by key."""
    last = lab.messages['/diagnostics'][-1:]
    return {v.key: v.value for message in last for s in message.status for v in s.values}


def rejected(lab):
    """Return how many messages were dropped, by reason."""
    return {
        key.removeprefix('rejected.'): int(value)
        for key, value in diagnosed(lab).items()
        if key.startswith('rejected.')
    }


def test_bad_commands_are_dropped_whole_and_told_with_their_reason(
    domain, ros_environment, write_model
):
    command = node_command(write_model(ARM), start_paused='true')
    topics = {'/diagnostics': DiagnosticArray, '/joint_states': JointState}
    with laboratory(domain, ros_environment, command, topics) as lab:
        lab.hear('/joint_states', '/diagnostics')
        wanted = {}
        for topic, message, reason in bad_messages(0.0):
            lab.send(topic, message)
            wanted[reason] = wanted.get(reason, 0) + 1
        # one good command with a stamp, then an older one
        lab.set(step_count=500)
        lab.step('/joint_states')
        good = JointState(name=['rail'], effort=[0.0])
        good.header.stamp = Time(sec=0, nanosec=400_000_000)
        lab.send('joint_commands', good)
        stale = JointState(name=['rail'], effort=[100.0])
        stale.header.stamp = Time(sec=0, nanosec=300_000_000)
        lab.send('joint_commands', stale)
        wanted['stale'] = 1

        assert lab.spin_until(lambda: rejected(lab) == wanted), (rejected(lab), wanted)
        values = diagnosed(lab)
        assert 'use_sim_time' in values['latest.future']
        assert re.search('rail: no servo .*servo: auto', values['latest.no_servo'])
        assert values['taken'] == '1'
        lab.trigger('reset')
        velocity = lab.step('/joint_states').velocity
        assert list(velocity) == [0.0, 0.0], 'nothing of what was dropped may act'
        lab.process.terminate()
        _, log = lab.process.communicate(timeout=LONG)
    assert 'rejected (unknown_frame)' in log
    told = re.findall(r'(\d+) rejected \(not_finite\)', log)
    assert sum(map(int, told)) == wanted['not_finite']
    assert len(told) <= len(lab.messages['/diagnostics']), 'once a second, as the diagnostics'
