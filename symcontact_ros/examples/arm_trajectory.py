"""
A client that moves an arm as MoveIt does: goals of 50 points each, one after the other.

By default the Panda over its table, which carries the block in its hand to both sides and back.
Every goal begins where the joints are, and ends at rest; its points have positions, velocities and
accelerations, at equal times, on a polynomial of order 5. This node ends with the last goal, or
with the first one that is rejected or aborted, whose reason it tells. Ctrl-C cancels the goal:
the arm holds where it is.

  simulation:  symcontact node panda_table
  subscribes:  joint_states
  commands:    ~/follow_joint_trajectory of the simulation (control_msgs)
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar

from builtin_interfaces.msg import Duration
import numpy as np
from numpy.typing import NDArray
from rclpy.action import ActionClient
from rclpy.exceptions import InvalidParameterValueException
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from symcontact_ros.examples.controller import Controller, Parameter

# By name, as the package is optional: see package.xml.
FollowJointTrajectory: Any = import_module('control_msgs.action').FollowJointTrajectory
JointTolerance: Any = import_module('control_msgs.msg').JointTolerance
SUCCEEDED = 4  # of action_msgs/GoalStatus
POINTS = 50
CANCEL_TIME = 1.0  # [s wall] to wait for the answer
JOINTS = [f'panda_joint{i}' for i in range(1, 8)]
ENDS = [
    '0.5 0.1 0 -2.3 0 2.4 0.785',
    '-0.5 0.1 0 -2.3 0 2.4 0.785',
    '0 0 0 -2.358 0 2.357 0.785',
]


class ArmTrajectory(Controller):
    """Node that sends a goal for every end, once the one before has been reached."""

    PARAMETERS: ClassVar = {
        'joints': Parameter(JOINTS, 'Names of the joints.'),
        'ends': Parameter(ENDS, 'Ends of the goals: a position of every joint [rad or m].'),
        'duration': Parameter(2.0, 'Of every goal [s simulated].', 1e6),
        'tolerance': Parameter(0.02, 'Largest error at an end [rad or m]; 0: the default.', 1e6),
    }

    def __init__(self) -> None:
        super().__init__('arm_trajectory')
        self._joints = list(self.value('joints'))
        self._ends = [numbers_of(text, len(self._joints)) for text in self.value('ends')]
        if not self.value('duration') > 0.0:
            raise InvalidParameterValueException('duration', 0.0, 'it must be above 0')
        self._client = ActionClient(
            self, FollowJointTrajectory, self.topic('follow_joint_trajectory')
        )
        self._positions: dict[str, float] = {}
        self._next = 0
        self._is_under_way = False
        self._goal: Any = None  # handle of the goal that is followed
        self._largest = 0.0  # error on the way [rad or m]
        self.create_subscription(JointState, 'joint_states', self._take, 10)

    def wait(self) -> None:
        """Send the next goal when the action is there and the last goal has been reached."""
        if self.ended is not None:
            return
        if not self._client.server_is_ready():
            if self._is_under_way:
                self._fail(f'{self.simulation} has ended')
        elif not self._is_under_way and self._positions:
            missing = [joint for joint in self._joints if joint not in self._positions]
            if missing:
                self._fail(f'joint_states has no {", ".join(missing)}')
            elif self._next == len(self._ends):
                self.ended = 0
            else:
                self._send(self._ends[self._next])

    def let_go(self) -> None:
        """Cancel the goal that is followed."""
        if self._goal is not None:
            self.executor.spin_until_future_complete(self._goal.cancel_goal_async(), CANCEL_TIME)

    def _take(self, message: JointState) -> None:
        self._positions = dict(zip(message.name, message.position, strict=True))

    def _send(self, end: NDArray[np.float64]) -> None:
        self._is_under_way, self._largest = True, 0.0
        start = np.array([self._positions[joint] for joint in self._joints])
        goal = FollowJointTrajectory.Goal()
        goal.trajectory = trajectory(self._joints, start, end, self.value('duration'))
        goal.goal_tolerance = [
            JointTolerance(name=joint, position=self.value('tolerance')) for joint in self._joints
        ]
        goal.goal_time_tolerance = Duration(sec=1)
        sent = self._client.send_goal_async(goal, self._hear_of)
        sent.add_done_callback(self._answered)

    def _hear_of(self, message: Any) -> None:
        self._largest = max(self._largest, *map(abs, message.feedback.error.positions))

    def _answered(self, future: Any) -> None:
        handle = future.result()
        if not handle.accepted:
            self._fail(f'goal {self._next + 1} was rejected: the log of the simulation says why')
            return
        self._goal = handle
        self.get_logger().info(f'goal {self._next + 1} is under way')
        handle.get_result_async().add_done_callback(self._finished)

    def _finished(self, future: Any) -> None:
        self._goal = None
        self._is_under_way = False
        answer = future.result()
        self._next += 1
        if answer.status != SUCCEEDED:
            self._fail(f'goal {self._next}: {answer.result.error_string}')
            return
        self.get_logger().info(
            f'goal {self._next}: {answer.result.error_string} '
            f'Largest error on the way: {self._largest:.4f}'
        )

    def _fail(self, reason: str) -> None:
        self.get_logger().error(reason)
        self.ended = 1


def numbers_of(text: str, count: int) -> NDArray[np.float64]:
    """Return the positions in a text."""
    try:
        numbers = np.array([float(word) for word in text.split()])
    except ValueError:
        numbers = np.zeros(0)
    if len(numbers) != count or not np.isfinite(numbers).all():
        reason = f'{count} numbers are needed, one for each joint'
        raise InvalidParameterValueException('ends', text, reason)
    return numbers


def trajectory(
    joints: Sequence[str], start: NDArray[np.float64], end: NDArray[np.float64], duration: float
) -> JointTrajectory:
    """Return a trajectory from rest to rest."""
    message = JointTrajectory(joint_names=list(joints))
    for s in np.linspace(0.0, 1.0, POINTS):
        way = s**3 * (10.0 - 15.0 * s + 6.0 * s**2)
        rate = 30.0 * s**2 * (1.0 - s) ** 2 / duration
        gain = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / duration**2
        seconds, rest = divmod(round(1e9 * s * duration), 1_000_000_000)
        message.points.append(
            JointTrajectoryPoint(
                positions=(start + way * (end - start)).tolist(),
                velocities=(rate * (end - start)).tolist(),
                accelerations=(gain * (end - start)).tolist(),
                time_from_start=Duration(sec=seconds, nanosec=rest),
            )
        )
    return message


CONTROLLER = ArmTrajectory
