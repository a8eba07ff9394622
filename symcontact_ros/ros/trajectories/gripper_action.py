"""`~/gripper_cmd`: the action with which planners open and close grippers."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
import math
from typing import Any

import numpy as np
from sensor_msgs.msg import JointState

from symcontact_ros.ros.conversions import stamp
from symcontact_ros.ros.stepping.rejections import check_finite, Rejected
from symcontact_ros.ros.trajectories.following import Motion, Outcome
from symcontact_ros.ros.trajectories.grip_motion import GripMotion
from symcontact_ros.ros.trajectories.motion_action import MotionAction


class ParallelGripperAction(MotionAction):
    """Action server of control_msgs/ParallelGripperCommand."""

    def motion(self, goal: Any) -> Motion:
        """Return the motion of a goal: joints that it names, else those of the gripper."""
        command = goal.command
        names = list(command.name) or self._own_joints()
        return self.grip(names, command.position, command.velocity, command.effort)

    def grip(
        self,
        names: Sequence[str],
        positions: Sequence[float],
        velocities: Sequence[float],
        efforts: Sequence[float],
    ) -> Motion:
        """Return a checked motion; no velocities or efforts, or 0: no bound."""
        self.commands.check_joints(names)
        columns = []
        for kind, numbers in (
            ('position', positions),
            ('velocity', velocities),
            ('effort', efforts),
        ):
            if len(numbers) not in ((len(names),) if kind == 'position' else (0, len(names))):
                raise Rejected(
                    'wrong_size', f'{len(names)} names, but {kind} has {len(numbers)} numbers'
                )
            check_finite(list(numbers))
            columns.append(np.array(numbers, dtype=float))
        limits = self.scheduler.simulation.parts.loads
        for joint, position in zip(names, positions, strict=True):
            if text := limits.beyond_limits(joint, position):
                raise Rejected('beyond_limits', text)
        goals, *bounds = columns
        velocity, effort = (
            np.where(np.abs(column) > 0.0, np.abs(column), math.inf)
            if column.size
            else np.full(len(names), math.inf)
            for column in bounds
        )
        return GripMotion(self.scheduler.simulation, names, goals, velocity, effort)

    def _own_joints(self) -> list[str]:
        """Return the joints that `gripper.joints` names."""
        globs = [g for g in self.node.get_parameter('gripper.joints').value if g]
        known = self.scheduler.simulation.model.joint_names
        found = [joint for joint in known if any(fnmatchcase(joint, glob) for glob in globs)]
        if not found:
            raise Rejected(
                'unknown_joint',
                'the goal names no joints: name them in it, or start the node with gripper.joints',
            )
        return found

    def feedback(self, motion: GripMotion) -> Any:
        """Return where it is."""
        return self.kind.Feedback(state=self._state(motion))

    def result(self, motion: GripMotion, outcome: Outcome) -> Any:
        """Return where it is, and why it stopped there."""
        return self.kind.Result(
            state=self._state(motion), stalled=motion.stalled, reached_goal=motion.reached
        )

    def _state(self, motion: GripMotion) -> JointState:
        with self.scheduler.lock:
            position, velocity, effort = motion.state()
        message = JointState(
            name=list(motion.joints), position=position, velocity=velocity, effort=effort
        )
        message.header.stamp = stamp(self.scheduler.nanoseconds)
        return message


class GripperAction(ParallelGripperAction):
    """Action server of control_msgs/GripperCommand: one position and effort for all joints."""

    def motion(self, goal: Any) -> Motion:
        """Return the motion of a goal, for the joints of `gripper.joints`."""
        names = self._own_joints()
        count = len(names)
        command = goal.command
        return self.grip(names, [command.position] * count, (), [command.max_effort] * count)

    def feedback(self, motion: GripMotion) -> Any:
        """Return where it is."""
        return self._filled(self.kind.Feedback(), motion)

    def result(self, motion: GripMotion, outcome: Outcome) -> Any:
        """Return where it is, and why it stopped there."""
        return self._filled(self.kind.Result(), motion)

    def _filled(self, message: Any, motion: GripMotion) -> Any:
        with self.scheduler.lock:
            position, _, effort = motion.state()
        message.position, message.effort = float(position.mean()), float(np.abs(effort).sum())
        message.stalled, message.reached_goal = motion.stalled, motion.reached
        return message
