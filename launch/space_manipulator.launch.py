"""
A satellite that nothing holds catches a tumbling body with an arm of three joints.

``ros2 launch symcontact_ros space_manipulator.launch.py rviz:=true real_time_factor:=0.5``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('space_manipulator', rviz='planar', wrench='debris')
