"""
A chaser docks with the drogue of a target, guided by distances.

``ros2 launch symcontact_ros docking_guidance.launch.py rviz:=true``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation and its controller."""
    return scenario('docking_probe_drogue', rviz='docking', controller='docking_guidance')
