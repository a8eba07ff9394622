"""
Simulate a model: ``ros2 launch symcontact_ros simulation.launch.py model:=bouncing_circle``.

Every other launch file of the package includes this one.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

# Name, default, type, description: the node parameters that a launch may set.
ARGUMENTS = [
    ('model', 'bouncing_circle', str, 'Name of a shipped model, or path of a model file.'),
    ('detector', 'sat', str, 'Collision detection.'),
    ('step_size', '0.001', float, 'Fixed integration step [s].'),
    ('publish_rate', '100.0', float, 'Messages per simulated second [1/s].'),
    ('real_time_factor', '1.0', float, 'Simulated seconds per second; 0: as fast as possible.'),
]


def generate_launch_description() -> LaunchDescription:
    """Return the node with its parameter file, overridden by the launch arguments."""
    defaults = PathJoinSubstitution(
        [FindPackageShare('symcontact_ros'), 'config', 'simulation.yaml']
    )
    chosen = {
        name: ParameterValue(LaunchConfiguration(name), value_type=kind)
        for name, _, kind, _ in ARGUMENTS
    }
    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(name, default_value=default, description=description)
                for name, default, _, description in ARGUMENTS
            ),
            DeclareLaunchArgument('namespace', default_value='', description='Of the node.'),
            Node(
                package='symcontact_ros',
                executable='simulation_node',
                name='symcontact',
                namespace=LaunchConfiguration('namespace'),
                output='screen',
                parameters=[defaults, chosen],
            ),
        ]
    )
