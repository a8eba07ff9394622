"""
Five boxes stand on each other, each as deep as the weight above asks for.

``ros2 launch symcontact_ros box_stack.launch.py rviz:=true real_time_factor:=0.5``: every
parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('box_stack', rviz='spatial', wrench='box_0')
