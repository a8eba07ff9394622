"""
A simulation and a controller that closes the loop over ROS: docs/controllers.md.

``ros2 launch symcontact_ros controller_demo.launch.py demo:=wall_push rviz:=true``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import demos

DEMOS = ['cart_pole_lqr', 'wall_push', 'docking_guidance']  # each has its own launch file


def generate_launch_description() -> LaunchDescription:
    """Return the demo that the argument `demo` names."""
    return demos(DEMOS)
