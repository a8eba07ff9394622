"""
A disc hits a turning block in free space: third scenario of the paper.

``ros2 launch symcontact_ros rectangle_circle.launch.py rviz:=true real_time_factor:=0.5``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('rectangle_circle', rviz='planar', wrench='disc')
