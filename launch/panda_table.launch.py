"""
A Panda arm grips a block and lifts it off a table.

``ros2 launch symcontact_ros panda_table.launch.py rviz:=true``: every parameter of the node but
``model`` is an argument.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model."""
    return scenario('panda_table', rviz='spatial', wrench='block', tf_mode='bodies')
