"""`~/follow_joint_trajectory`: the action with which planners and panels move arms."""

from __future__ import annotations

from typing import Any

from builtin_interfaces.msg import Duration
from trajectory_msgs.msg import JointTrajectoryPoint

from symcontact_ros.ros.conversions import stamp
from symcontact_ros.ros.stepping.rejections import Rejected
from symcontact_ros.ros.trajectories.following import INVALID_GOAL, Motion, Outcome
from symcontact_ros.ros.trajectories.motion_action import MotionAction
from symcontact_ros.ros.trajectories.trajectory_motion import TrajectoryMotion


class TrajectoryAction(MotionAction):
    """Action server of control_msgs/FollowJointTrajectory."""

    def motion(self, goal: Any) -> Motion:
        """Return the motion of a goal."""
        if goal.multi_dof_trajectory.points:
            raise Rejected('multi_dof', 'multi_dof_trajectory is not supported')
        return self.commands.read_trajectory(goal.trajectory, self.scheduler.steps, goal)

    def feedback(self, motion: TrajectoryMotion) -> Any:
        """Return what is desired, what is there, and the difference."""
        progress = motion.progress
        if progress is None:
            return None
        message = self.kind.Feedback(joint_names=list(motion.joints))
        message.header.stamp = stamp(self.scheduler.nanoseconds)
        position, velocity, acceleration = progress.desired
        at, speed = progress.actual
        seconds, rest = divmod(round(1e9 * progress.elapsed), 1_000_000_000)
        elapsed = Duration(sec=seconds, nanosec=rest)
        message.desired = JointTrajectoryPoint(
            positions=position, velocities=velocity, accelerations=acceleration
        )
        message.actual = JointTrajectoryPoint(positions=at, velocities=speed)
        message.error = JointTrajectoryPoint(positions=position - at, velocities=velocity - speed)
        for point in (message.desired, message.actual, message.error):
            point.time_from_start = elapsed
        return message

    def result(self, motion: Motion, outcome: Outcome) -> Any:
        """Return code and words."""
        return self.kind.Result(error_code=outcome.code, error_string=outcome.text)

    def refusal(self, text: str) -> Any:
        """Return that the goal is not valid any more."""
        return self.kind.Result(error_code=INVALID_GOAL, error_string=text)
