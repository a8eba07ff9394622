"""
A parallel gripper lifts a box by friction alone.

``ros2 launch symcontact_ros gripper.launch.py rviz:=true``: every parameter of the node but
``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('gripper', rviz='spatial', wrench='box')
