"""
A simulated robot under ros2_control: controller manager, controllers and simulation in one launch.

``ros2 launch symcontact_ros ros2_control.launch.py robot:=panda`` (or ``mobile_base``; or ``ur5
description:=/path/of/ur5.urdf``, of another package). Needs the packages
controller_manager, joint_state_topic_hardware_interface, joint_state_broadcaster and, by robot,
joint_trajectory_controller or diff_drive_controller. Every argument of simulation.launch.py but
``model``, ``tf_mode`` and ``robot_state_publisher`` is passed on.
"""

from launch import LaunchDescription

from symcontact_ros.launching.ros2_control import controlled_robot


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of the robot, and what controls it."""
    return controlled_robot()
