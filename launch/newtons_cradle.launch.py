"""
Five balls hang side by side: the first one falls, the last one leaves.

``ros2 launch symcontact_ros newtons_cradle.launch.py rviz:=true real_time_factor:=0.5``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('newtons_cradle', rviz='planar', wrench='ball_5')
