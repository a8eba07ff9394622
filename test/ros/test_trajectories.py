"""Trajectories in simulated time: what joints do, tolerances, ends, and what replaces them."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from builtin_interfaces.msg import Duration
from helpers.schedulers import scheduler
from helpers.trajectories import trajectory
from sensor_msgs.msg import JointState

from symcontact_ros.ros.stepping.rejections import Rejected
from symcontact_ros.ros.trajectories.grip_motion import GripMotion
from symcontact_ros.ros.trajectories.tolerances import DefaultTolerances

ARM = """\
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, inertia: {izz: 0.5}, joint: {type: revolute, name: shoulder,
      servo: {kp: 400.0, kd: 40.0}, limits: {lower: -2.0, upper: 2.0}}}
  b: {mass: 1, inertia: {izz: 0.1}, joint: {type: revolute, name: elbow, servo: auto}}
  c: {mass: 1, inertia: {izz: 0.1}, joint: {type: revolute, name: free}}
  d: {mass: 1, inertia: {izz: 0.1}, joint: {type: revolute, name: tail,
      mimic: {joint: elbow}}}
  e: {mass: 0.1, inertia: {izz: 0.1}, joint: {type: prismatic, axis: [1, 0, 0], name: grip,
      servo: {kp: 5000.0, kd: 100.0}, limits: {lower: 0.0, upper: 0.24}}}
"""
BOTH = ['shoulder', 'elbow']


@pytest.fixture
def arm(write_model):
    """Return a scheduler of the arm, and its commands."""
    found = scheduler(str(write_model(ARM)), start_paused=True)
    return found, found._commands


def start(arm, *given, goal=None, **options):
    """Start a trajectory; return its motion."""
    found, commands = arm
    motion = commands.read_trajectory(trajectory(*given, **options), found.steps, goal)
    commands.start(motion, found.steps)
    return motion


def tolerance(name, position=0.0, velocity=0.0):
    return SimpleNamespace(name=name, position=position, velocity=velocity, acceleration=0.0)


def goal(path=(), end=(), time=0.0):
    """Return the tolerances of a FollowJointTrajectory goal."""
    seconds = math.floor(time)
    duration = Duration(sec=seconds, nanosec=round(1e9 * (time - seconds)))
    return SimpleNamespace(
        path_tolerance=list(path), goal_tolerance=list(end), goal_time_tolerance=duration
    )


def test_it_begins_as_the_joints_are_and_ends_at_its_last_point(arm):
    found, _ = arm
    found.simulation.set_state(u=[0.5, 0.0, 0.0, 0.0])
    motion = start(arm, BOTH, (0.5, [0.2, 0.3], [0.4, 0.4]), (1.0, [0.5, -0.3], [0.0, 0.0]))
    found.step(1)
    assert motion.progress.desired[0] == pytest.approx([0.0, 0.0])
    assert motion.progress.desired[1] == pytest.approx([0.5, 0.0])
    found.step(500)
    assert motion.progress.desired[0] == pytest.approx([0.2, 0.3], abs=1e-12)
    found.step(1500)
    assert motion.outcome.text == 'Goal successfully reached!'
    assert found.simulation.q[:2] == pytest.approx([0.5, -0.3], abs=1e-4)


def test_targets_are_a_function_of_steps_whatever_their_pace(write_model):
    hashes = set()
    for parts in ([600], [7, 100, 493], [1] * 600):
        found = scheduler(str(write_model(ARM)), start_paused=True)
        arm = found, found._commands
        start(arm, BOTH, (0.5, [1.0, 2.0], [0.0, 0.0]))
        for part in parts:
            found.step(part)
        hashes.add(found.simulation.state_hash())
    assert len(hashes) == 1


def test_joints_that_it_does_not_name_are_left_alone(arm):
    found, commands = arm
    commands.take_joints(JointState(name=['shoulder'], position=[0.7]), found.steps)
    start(arm, ['elbow'], (0.2, [0.5]))
    found.step(400)
    assert found.simulation.parts.loads.target_position('shoulder') == 0.7
    found.step(200)  # command_timeout ends the command, and not what has ended as it should
    assert found.simulation.parts.loads.target_position('shoulder') is None
    assert found.simulation.parts.loads.target_position('elbow') == 0.5


def test_a_stamp_says_when_it_starts(arm):
    found, _ = arm
    found.step(100)
    later = start(arm, ['elbow'], (0.5, [1.0]), stamp=0.3)
    found.step(199)
    assert later.progress is None
    assert found.simulation.q[1] == pytest.approx(0.0)
    found.step(2)
    assert later.progress.elapsed == pytest.approx(0.0, abs=1.1e-3)
    begun = start(arm, ['elbow'], (0.1, [0.4]), (0.3, [0.8]), stamp=0.1)
    found.step(1)
    assert begun.progress.elapsed == pytest.approx(0.201, abs=1e-9)
    assert begun.progress.desired[0] == pytest.approx([0.4 + 0.4 * 0.101 / 0.2], abs=1e-9)


def test_a_joint_without_limits_takes_the_nearer_way(arm):
    found, _ = arm
    found.simulation.set_state(q=[0.0, 3.0, 0.0, 0.0])
    start(arm, ['elbow'], (0.2, [-3.0]))
    found.step(1000)
    assert found.simulation.q[1] == pytest.approx(2.0 * math.pi - 3.0, abs=1e-6)


@pytest.mark.parametrize(
    ('reason', 'names', 'points', 'options'),
    [
        ('unknown_joint', ['wrist'], [(1.0, [0.1])], {}),
        ('no_servo', ['free'], [(1.0, [0.1])], {}),
        ('follower', ['tail'], [(1.0, [0.1])], {}),
        ('wrong_size', [], [(1.0, [])], {}),
        ('wrong_size', ['elbow', 'elbow'], [(1.0, [0.1, 0.1])], {}),
        ('wrong_size', ['elbow'], [], {}),
        ('wrong_size', ['elbow'], [(1.0, [])], {}),
        ('wrong_size', BOTH, [(1.0, [0.1, 0.2], [0.3])], {}),
        ('not_finite', ['elbow'], [(1.0, [math.nan])], {}),
        ('not_finite', ['elbow'], [(1.0, [0.1], [math.inf]), (2.0, [0.1])], {}),
        ('times', ['elbow'], [(-1.0, [0.1])], {}),
        ('times', ['elbow'], [(1.0, [0.1]), (1.0, [0.2])], {}),
        ('moving_end', ['elbow'], [(1.0, [0.1], [0.5])], {}),
        ('beyond_limits', ['shoulder'], [(1.0, [2.1])], {}),
        ('stale', ['elbow'], [(0.05, [0.1])], {'stamp': 0.01}),
    ],
)
def test_what_cannot_be_followed_is_rejected(arm, reason, names, points, options):
    found, _ = arm
    found.step(100)
    with pytest.raises(Rejected) as rejected:
        start(arm, names, *points, **options)
    assert rejected.value.reason == reason


def test_points_with_an_effort_are_rejected(arm):
    found, commands = arm
    message = trajectory(['elbow'], (1.0, [0.1]))
    message.points[0].effort = [2.0]
    with pytest.raises(Rejected, match='no effort') as rejected:
        commands.take_trajectory(message, found.simulation.steps)
    assert rejected.value.reason == 'effort'


def test_a_planner_may_round_at_a_limit(arm):
    start(arm, ['shoulder'], (1.0, [2.0 + 5e-4]))


@pytest.mark.parametrize(
    ('default', 'given', 'ends'),
    [
        (0.0, 0.0, 0),  # none
        (0.0, 1e-3, -4),
        (1e-3, 0.0, -4),  # the default
        (1e-3, -1.0, 0),  # erased
        (1e-3, 5.0, 0),
    ],
)
def test_the_tolerance_on_the_way(arm, default, given, ends):
    found, commands = arm
    commands.tolerances = DefaultTolerances(path=default)
    wanted = goal(path=[tolerance('shoulder', given)])
    motion = start(arm, ['shoulder'], (0.3, [1.5]), goal=wanted)  # a jump of velocity: it lags
    found.step(2000)
    assert motion.outcome.code == ends
    if ends:
        assert motion.outcome.text.startswith('Aborted due to path tolerance violation: shoulder')
        # it holds where it was, and not at the target
        assert found.simulation.q[0] == pytest.approx(motion.progress.actual[0][0], abs=0.3)
        assert abs(found.simulation.u[0]) < 1e-3


@pytest.mark.parametrize(('time', 'code'), [(0.0, None), (-1.0, None), (0.3, -5)])
def test_the_tolerance_at_the_end_and_its_time(arm, time, code):
    found, _ = arm
    wanted = goal(end=[tolerance('shoulder', 1e-2)], time=time)
    motion = start(arm, ['shoulder'], (0.2, [0.5]), goal=wanted)
    body = found.simulation.model.body_names[0]
    found.simulation.set_wrench(body, torque=[0.0, 0.0, 20.0])  # 50 mrad away from its target
    found.step(400)
    assert motion.outcome is None
    found.step(200)
    if code is None:
        assert motion.outcome is None
        found.simulation.set_wrench(body)
        found.step(1000)
        assert motion.outcome.code == 0
    else:
        assert motion.outcome.code == code
        assert 'goal_time_tolerance exceeding by 0.00' in motion.outcome.text


def test_tolerances_that_mean_nothing_are_rejected(arm):
    for wrong in (goal(path=[tolerance('elbow', 0.1)]), goal(end=[tolerance('shoulder', -0.5)])):
        with pytest.raises(Rejected):
            start(arm, ['shoulder'], (0.2, [0.5]), goal=wrong)


def test_a_newer_one_replaces_and_the_other_joints_hold(arm):
    found, _ = arm
    first = start(arm, BOTH, (1.0, [1.0, 1.0]))
    found.step(300)
    second = start(arm, ['elbow'], (0.5, [-0.5]))
    assert first.outcome.text == 'Current goal preempted by new incoming action.'
    held = found.simulation.q[0]
    found.step(2000)
    assert second.outcome.code == 0
    assert found.simulation.parts.loads.target_position('shoulder') == held
    assert found.simulation.q[:2] == pytest.approx([held, -0.5], abs=1e-4)


def test_a_joint_command_replaces_a_trajectory(arm):
    found, commands = arm
    motion = start(arm, BOTH, (1.0, [1.0, 1.0]))
    found.step(300)
    commands.take_joints(JointState(name=['elbow'], effort=[0.0]), found.steps)
    assert motion.outcome.text == 'Current goal preempted by a newer joint command.'
    assert found.simulation.parts.loads.target_position('elbow') is None
    assert found.simulation.parts.loads.target_position('shoulder') is not None


def test_a_cancelled_one_holds_where_it_is(arm):
    found, commands = arm
    motion = start(arm, BOTH, (1.0, [1.0, 1.0], [0.0, 0.0]))
    found.step(500)
    held = found.simulation.q[:2].copy()
    commands.following.cancel(motion)
    assert motion.outcome.cancelled
    found.step(1000)
    assert found.simulation.q[:2] == pytest.approx(held, abs=1e-3)


def test_a_trajectory_is_not_timed_out_and_holds_at_its_end(arm):
    found, commands = arm
    assert commands.timeout == 0.5
    commands.take_joints(JointState(name=['elbow'], effort=[0.3]), found.steps)
    start(arm, ['elbow'], (2.0, [1.0], [0.0]))
    found.step(5000)
    assert found.simulation.q[1] == pytest.approx(1.0, abs=1e-6)


def test_a_reset_a_rewind_and_time_set_back_end_it(arm):
    found, _ = arm
    for act, words in (
        (found.reset, 'the simulation was reset'),
        (found.rewind, 'the simulation was rewound'),
        (found.reset_time, 'time was set back'),
    ):
        motion = start(arm, ['elbow'], (1.0, [1.0]))
        found.step(500)
        act()
        assert motion.outcome.text == f'Current goal aborted: {words}.'
        assert found._commands.following.joints == ()


def test_a_rewind_into_a_trajectory_does_not_leave_a_moving_target(arm):
    found, _ = arm
    start(arm, ['elbow'], (1.0, [1.0]))
    found.step(2500)
    found.rewind()  # by 2 s: into the middle of it
    there = found.simulation.q[1]
    assert 0.3 < there < 0.7
    found.step(1000)
    assert found.simulation.q[1] == pytest.approx(there, abs=0.02)
    assert abs(found.simulation.u[1]) < 1e-6


def grip(found, position, velocity=math.inf, effort=math.inf):
    """Move the finger; return the motion."""
    motion = GripMotion(
        found.simulation, ['grip'], np.array([position]), np.array([velocity]), np.array([effort])
    )
    found._commands.start(motion, found.steps)
    return motion


def test_a_grip_stalls_at_what_is_in_its_way_with_its_effort(arm):
    found, _ = arm
    motion = grip(found, 0.3, effort=7.0)  # the stop of the joint is in its way
    found.step(3000)
    assert motion.stalled and not motion.reached
    assert motion.state()[2] == pytest.approx([7.0])
    balance = found.simulation.observer().observe().joint_effort
    assert balance[3] == pytest.approx(7.0, rel=1e-3), 'and holds with it'
    opened = grip(found, 0.05, velocity=0.1)
    found.step(1000)
    assert opened.outcome is None, 'at 0.1 m/s 0.19 m take 1.9 s'
    found.step(1200)
    assert opened.reached and not opened.stalled
