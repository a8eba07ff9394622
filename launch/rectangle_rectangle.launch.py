"""
A brick hits a block, both turning, in free space: fourth scenario of the paper.

``ros2 launch symcontact_ros rectangle_rectangle.launch.py real_time_factor:=0.5``: every
argument of simulation.launch.py but ``model``.
"""

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of this model; other arguments may be given as usual."""
    simulation = PathJoinSubstitution(
        [FindPackageShare('symcontact_ros'), 'launch', 'simulation.launch.py']
    )
    return LaunchDescription(
        [
            IncludeLaunchDescription(
                simulation, launch_arguments={'model': 'rectangle_rectangle'}.items()
            )
        ]
    )
