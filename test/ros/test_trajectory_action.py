"""Trajectories and grips over real DDS, as planners send them."""

import re
import subprocess
import sys

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from action_msgs.msg import GoalStatus
from helpers.interfaces import without
from helpers.laboratory import Laboratory, laboratory, node_command
from helpers.page_blocks import blocks_of
from helpers.places import page
from helpers.processes import LONG
from helpers.trajectories import JOINTS, panda_trajectory, trajectory
import numpy as np
from rclpy.action import ActionClient
from sensor_msgs.msg import JointState

from symcontact_ros.errors import OptionError
from symcontact_ros.ros.node import SimulationNode

FOLLOW = '/symcontact/follow_joint_trajectory'
PAGE = page('howto/trajectories.md')
GRIP = '/symcontact/gripper_cmd'
ARM = """\
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, inertia: {izz: 0.5}, joint: {type: revolute, name: shoulder, servo: auto,
      limits: {lower: -2.0, upper: 2.0}}}
  b: {mass: 1, inertia: {izz: 0.1}, joint: {type: revolute, name: elbow, parent: a,
      servo: auto}}
"""


@pytest.fixture(scope='module')
def actions():
    """Return the actions of control_msgs."""
    return pytest.importorskip('control_msgs.action')


class Client:
    """A client of an action, beside a running node."""

    def __init__(self, lab, kind, name):
        self._lab = lab
        self._client = ActionClient(lab.node, kind, name)
        assert lab.spin_until(self._client.server_is_ready), f'no action {name}'
        self.feedback = []

    def send(self, goal):
        """Send a goal; return its handle when it is answered."""
        sent = self._client.send_goal_async(goal, lambda m: self.feedback.append(m.feedback))
        assert self._lab.spin_until(sent.done)
        return sent.result()

    def result(self, handle):
        """Return status and result of a goal, waiting for them."""
        asked = handle.get_result_async()
        assert self._lab.spin_until(asked.done)
        return asked.result().status, asked.result().result

    def close(self):
        self._client.destroy()


def test_a_panda_over_a_table_follows_what_a_planner_sends(
    domain, ros_environment, actions, tmp_path
):
    command = node_command('panda_table', real_time_factor=0)
    with laboratory(domain, ros_environment, command, {'/joint_states': JointState}) as lab:
        lab.hear('/joint_states')
        client = Client(lab, actions.FollowJointTrajectory, FOLLOW)
        start = dict(
            zip(
                lab.messages['/joint_states'][-1].name,
                lab.messages['/joint_states'][-1].position,
                strict=True,
            )
        )
        goal = actions.FollowJointTrajectory.Goal()
        goal.trajectory, end = panda_trajectory([start[joint] for joint in JOINTS])
        assert len(goal.trajectory.points) == 50
        handle = client.send(goal)
        assert handle.accepted
        status, result = client.result(handle)
        assert (status, result.error_code) == (GoalStatus.STATUS_SUCCEEDED, 0)
        assert result.error_string == 'Goal successfully reached!'
        last = lab.collect('/joint_states', 10)[-1]
        found = dict(zip(last.name, last.position, strict=True))
        assert [found[joint] for joint in JOINTS] == pytest.approx(end, abs=5e-3)
        errors = [np.abs(message.error.positions).max() for message in client.feedback]
        assert errors, 'no feedback'
        assert max(errors) < 0.01, 'measured: 4 mrad'
        message = client.feedback[-1]
        assert message.joint_names == JOINTS
        assert np.subtract(message.desired.positions, message.actual.positions) == pytest.approx(
            list(message.error.positions)
        )
        client.close()
        check_grip(lab, actions)
        script = tmp_path / 'follow.py'
        (text,) = [b.text for b in blocks_of(PAGE) if b.text.startswith('# follow.py')]
        script.write_text(text)
        done = subprocess.run(
            [sys.executable, script],
            env=ros_environment,
            capture_output=True,
            text=True,
            timeout=LONG,
        )
        assert done.stdout, done.stderr
        # The page tells what it prints, without what Fast DDS says in colours.
        assert re.sub(r'^\x1b\[.*\n', '', done.stdout, flags=re.M) in PAGE


def check_grip(lab, actions):
    """Grip the block between the fingers, which are 38.6 mm and not 0 apart, and let it go."""
    client = Client(lab, actions.ParallelGripperCommand, GRIP)
    grip = actions.ParallelGripperCommand.Goal()
    grip.command = JointState(name=['panda_finger_joint1'], position=[0.0], effort=[30.0])
    status, result = client.result(client.send(grip))
    assert (status, result.stalled) == (GoalStatus.STATUS_SUCCEEDED, True)
    assert not result.reached_goal
    assert result.state.position[0] == pytest.approx(0.0198, abs=1e-3), 'the block is 40 mm wide'
    assert result.state.effort[0] == pytest.approx(-30.0)
    grip.command = JointState(name=['panda_finger_joint1'], position=[0.035], velocity=[0.05])
    status, result = client.result(client.send(grip))
    assert (status, result.stalled) == (GoalStatus.STATUS_SUCCEEDED, False)
    assert result.reached_goal
    assert result.state.position[0] == pytest.approx(0.035, abs=1e-3)
    assert client.feedback[-1].state.name == ['panda_finger_joint1']
    client.close()


def test_goals_are_rejected_preempted_and_cancelled(domain, ros_environment, actions, write_model):
    command = node_command(write_model(ARM), real_time_factor=20)
    with laboratory(domain, ros_environment, command, {'/joint_states': JointState}) as lab:
        client = Client(lab, actions.FollowJointTrajectory, FOLLOW)

        def goal(*given, **options):
            message = actions.FollowJointTrajectory.Goal()
            message.trajectory = trajectory(*given, **options)
            return message

        assert not client.send(goal(['shoulder'], (1.0, [2.5]))).accepted, 'beyond its limit'
        assert not client.send(goal(['wrist'], (1.0, [0.5]))).accepted
        first = client.send(goal(['shoulder', 'elbow'], (1e6, [1.0, 1.0])))
        second = client.send(goal(['elbow'], (1e6, [1.0])))
        status, result = client.result(first)
        assert (status, result.error_code) == (GoalStatus.STATUS_ABORTED, -1)
        assert result.error_string == 'Current goal preempted by new incoming action.'
        cancelled = second.cancel_goal_async()
        assert lab.spin_until(cancelled.done)
        assert client.result(second)[0] == GoalStatus.STATUS_CANCELED
        third = client.send(goal(['elbow'], (1e6, [1.0])))
        lab.send('joint_trajectory', trajectory(['elbow'], (0.2, [0.3], [0.0])))
        assert client.result(third)[0] == GoalStatus.STATUS_ABORTED

        def is_there():
            return abs(lab.messages['/joint_states'][-1].position[1] - 0.3) < 1e-4

        assert lab.spin_until(is_there), 'the topic has replaced the goal'
        fourth = client.send(goal(['elbow'], (1e6, [1.0])))
        lab.trigger('reset')
        status, result = client.result(fourth)
        assert (status, result.error_code) == (GoalStatus.STATUS_ABORTED, -1)
        assert result.error_string == 'Current goal aborted: the simulation was reset.'
        client.close()


def test_a_gripper_of_one_command_moves_the_joints_of_a_parameter(domain, actions, write_model):
    parameters = {'model': str(write_model(ARM)), 'gripper.joints': ['el*'], 'real_time_factor': 5}
    parameters |= {'gripper.type': 'GripperCommand', 'gripper.action': '/hand/gripper_cmd'}
    lab = Laboratory(domain, {})
    node = SimulationNode(parameter_overrides=parameters, context=lab.node.context)
    lab._executor.add_node(node)
    try:
        client = Client(lab, actions.GripperCommand, '/hand/gripper_cmd')
        goal = actions.GripperCommand.Goal()
        goal.command.position, goal.command.max_effort = 0.2, 0.5
        status, result = client.result(client.send(goal))
        assert (status, result.reached_goal) == (GoalStatus.STATUS_SUCCEEDED, True)
        assert result.position == pytest.approx(0.2, abs=1e-3)
        assert abs(result.effort) <= 0.5
        client.close()
    finally:
        node.destroy_node()
        lab.close()


def test_a_name_that_no_action_can_have_is_refused(domain, actions):
    lab = Laboratory(domain, {})
    wrong = {'gripper.action': 'no name!'}
    with pytest.raises(OptionError, match=r"gripper\.action 'no name!'"):
        SimulationNode(parameter_overrides=wrong, context=lab.node.context)
    lab.close()


def test_without_control_msgs_the_topic_is_there_alone(
    domain, ros_environment, write_model, tmp_path
):
    command = node_command(write_model(ARM), real_time_factor=20)
    environment = {**ros_environment, **without('control_msgs', tmp_path)}
    with laboratory(domain, environment, command, {'/joint_states': JointState}) as lab:
        lab.hear('/joint_states')
        lab.send('joint_trajectory', trajectory(['elbow'], (0.2, [0.3])))

        def is_there():
            return abs(lab.messages['/joint_states'][-1].position[1] - 0.3) < 1e-4

        assert lab.spin_until(is_there)
        names = lab.node.get_service_names_and_types_by_node('symcontact', '/')
        assert not [name for name, _ in names if 'follow_joint_trajectory' in name]
