"""
Simulate a model: ``ros2 launch symcontact_ros simulation.launch.py model:=bouncing_circle``.

Every parameter of the node is an argument. One that is given wins over the parameter file; one
that is not leaves the file's value. The launch files of the scenarios include this one.
"""

from dataclasses import fields

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

from symcontact_ros.ros.parameters import SimulationParameters

FILE = PathJoinSubstitution([FindPackageShare('symcontact_ros'), 'config', 'simulation.yaml'])


def generate_launch_description() -> LaunchDescription:
    """Return the node with its arguments."""
    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(
                    entry.name,
                    default_value='',
                    description=f'{entry.metadata["description"]} Default: {entry.default}.',
                )
                for entry in fields(SimulationParameters)
            ),
            DeclareLaunchArgument(
                'params_file', default_value=FILE, description='Parameter file of the node.'
            ),
            DeclareLaunchArgument(
                'namespace', default_value='', description='Namespace of the node.'
            ),
            OpaqueFunction(function=simulation),
        ]
    )


def simulation(context) -> list[Node]:
    """Return the node with the parameters that were given."""
    given = {}
    for entry in fields(SimulationParameters):
        text = LaunchConfiguration(entry.name).perform(context)
        if text:
            given[entry.name] = value_of(entry.name, text, type(entry.default))
    return [
        Node(
            package='symcontact_ros',
            executable='simulation_node',
            name='symcontact',
            namespace=LaunchConfiguration('namespace'),
            output='screen',
            parameters=[LaunchConfiguration('params_file'), given],
        )
    ]


def value_of(name: str, text: str, kind: type) -> str | float:
    """Return an argument as the parameter needs it; the error names the argument."""
    try:
        return kind(text)
    except ValueError as error:
        raise RuntimeError(f'{name}:={text} is no {kind.__name__}') from error
