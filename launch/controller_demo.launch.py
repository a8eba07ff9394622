"""
A simulation and a controller that closes the loop over ROS: docs/controllers.md.

``ros2 launch symcontact_ros controller_demo.launch.py demo:=wall_push rviz:=true``: every argument
of simulation.launch.py but ``model``.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

DEMOS = ['cart_pole_lqr', 'wall_push', 'docking_guidance']  # each has its own launch file


def generate_launch_description() -> LaunchDescription:
    """Return the demo that the argument `demo` names."""
    demo = DeclareLaunchArgument(
        'demo', default_value=DEMOS[0], choices=DEMOS, description='Demo to run.'
    )
    folder = FindPackageShare('symcontact_ros')
    name = PathJoinSubstitution([folder, 'launch', LaunchConfiguration('demo')])
    return LaunchDescription([demo, IncludeLaunchDescription([name, '.launch.py'])])
