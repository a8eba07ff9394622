"""
A chaser with a sprung probe docks with the drogue of a target in free space.

``ros2 launch symcontact_ros docking_probe_drogue.launch.py rviz:=true``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('docking_probe_drogue', rviz='docking')
