"""
A regulator balances a pole on a cart between two walls.

``ros2 launch symcontact_ros cart_pole_lqr.launch.py rviz:=true``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation and its controller."""
    return scenario('cart_pole_walls', rviz='planar', wrench='cart', controller='cart_pole_lqr')
