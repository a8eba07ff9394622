"""
A one-legged hopper: a body on a spring leg, with a force plate below its foot.

``ros2 launch symcontact_ros hopper.launch.py rviz:=true``: every parameter of the node but
``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('hopper', rviz='planar', wrench='foot')
