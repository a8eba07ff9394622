"""
A hand presses against a wall with a given force.

``ros2 launch symcontact_ros wall_push.launch.py rviz:=true``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation and its controller."""
    return scenario('wall_push', rviz='planar', wrench='hand', controller='wall_push')
