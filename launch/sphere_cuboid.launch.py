"""
A ball hits a tumbling box in free space: fifth scenario of the paper.

``ros2 launch symcontact_ros sphere_cuboid.launch.py rviz:=true real_time_factor:=0.5``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('sphere_cuboid', rviz='spatial', wrench='sphere')
