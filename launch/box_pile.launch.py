"""
Twenty boxes fall into a heap and come to rest.

``ros2 launch symcontact_ros box_pile.launch.py rviz:=true real_time_factor:=0.5``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('box_pile', rviz='spatial', wrench='box_01')
