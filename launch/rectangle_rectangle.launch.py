"""
A brick hits a block, both turning, in free space: fourth scenario of the paper.

``ros2 launch symcontact_ros rectangle_rectangle.launch.py rviz:=true real_time_factor:=0.5``:
every parameter of the node but ``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('rectangle_rectangle', rviz='planar', wrench='brick')
