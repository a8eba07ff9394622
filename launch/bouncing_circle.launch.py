"""
A ball thrown sideways bounces on the ground: first scenario of the paper.

``ros2 launch symcontact_ros bouncing_circle.launch.py rviz:=true real_time_factor:=0.5``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('bouncing_circle', rviz='planar', wrench='ball')
