"""
A planar biped walks, with a force plate below each foot.

``ros2 launch symcontact_ros walker_2d.launch.py rviz:=true``: every parameter of the node but
``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('walker_2d', rviz='planar', wrench='left_foot')
