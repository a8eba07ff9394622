"""
A Panda arm over a table follows trajectories that a client sends as MoveIt does.

``ros2 launch symcontact_ros arm_trajectory.launch.py rviz:=true``: every parameter of the node but
``model`` is an argument. Needs control_msgs. Other joints and ends: parameters of the node
`arm_trajectory`.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of the arm, and the node that sends goals."""
    return scenario(
        'panda_table',
        rviz='spatial',
        wrench='block',
        controller='arm_trajectory',
        needs='control_msgs',
        tf_mode='bodies',
    )
