"""
A boat-shaped stone is spun on the floor, rattles, and turns back.

``ros2 launch symcontact_ros rattleback.launch.py rviz:=true real_time_factor:=0.5``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('rattleback', rviz='spatial', wrench='stone')
