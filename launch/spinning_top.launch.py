"""
A top spins on its tip on a smooth floor and precesses.

``ros2 launch symcontact_ros spinning_top.launch.py rviz:=true real_time_factor:=0.5``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('spinning_top', rviz='spatial', wrench='top')
