"""Actions that move joints, where control_msgs is installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rclpy.node import Node

from symcontact_ros.errors import OptionError, shown
from symcontact_ros.ros.parameters import SimulationParameters
from symcontact_ros.ros.stepping.commands import Commands
from symcontact_ros.ros.stepping.step_scheduler import StepScheduler
from symcontact_ros.ros.trajectories.gripper_action import (
    GripperAction,
    ParallelGripperAction,
)
from symcontact_ros.ros.trajectories.motion_action import MotionAction
from symcontact_ros.ros.trajectories.trajectory_action import TrajectoryAction


class MotionActions:
    """
    Actions that follow trajectories and move grippers.

    Attributes
    ----------
    offered
        The actions; none without control_msgs.

    """

    def __init__(
        self,
        node: Node,
        scheduler: StepScheduler,
        commands: Commands,
        settings: SimulationParameters,
    ) -> None:
        self.offered: list[MotionAction] = []
        try:
            kinds: Any = import_module('control_msgs.action')
        except ImportError:
            node.get_logger().debug(
                'control_msgs is not installed: its actions are not offered, ~/joint_trajectory is'
            )
            return
        given = node, scheduler, commands
        parallel = getattr(kinds, 'ParallelGripperCommand', None)
        if settings.gripper_type == 'GripperCommand':
            parallel = None
        try:
            self.offered.append(
                TrajectoryAction(kinds.FollowJointTrajectory, settings.trajectory_action, *given)
            )
            self.offered.append(
                GripperAction(kinds.GripperCommand, settings.gripper_action, *given)
                if parallel is None
                else ParallelGripperAction(parallel, settings.gripper_action, *given)
            )
        except ValueError as error:  # of rcl
            names = shown(settings.trajectory_action), shown(settings.gripper_action)
            raise OptionError(
                f'trajectory.action {names[0]}, gripper.action {names[1]}: not both are names of '
                'actions'
            ) from error

    def close(self) -> None:
        """End the actions, which `destroy_node` of rclpy leaves."""
        while self.offered:
            self.offered.pop().server.destroy()  # once: rclpy refuses a second time
