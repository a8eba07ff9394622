"""
What launch files of scenarios and demos are made of.

They include simulation.launch.py, all of whose arguments they take, and add RViz and a controller.
"""

from __future__ import annotations

from typing import Any

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

PACKAGE = 'symcontact_ros'
NODE = 'symcontact'


def scenario(
    model: str | None,
    rviz: str,
    wrench: str | None = None,
    controller: str | None = None,
    **arguments: str,
) -> LaunchDescription:
    """
    Return a simulation of a model.

    Parameters
    ----------
    model
        A shipped model; None: the argument ``model`` says which.
    rviz
        The configuration of config/rviz that ``rviz:=true`` opens.
    wrench
        The body whose contact wrench RViz shows.
    controller
        An executable of this package that runs beside it.
    arguments
        Of simulation.launch.py, where they differ from what they are there.

    """
    if model is not None:
        arguments['model'] = model

    def actions(context: LaunchContext) -> list[Any]:
        return [
            *_rviz(context, rviz, wrench),
            *_controller(controller),
            _simulation(context, arguments),
        ]

    return LaunchDescription([*_arguments(), OpaqueFunction(function=actions)])


def _arguments() -> list[DeclareLaunchArgument]:
    return [
        DeclareLaunchArgument(
            'rviz', default_value='false', description='Open RViz, configured for this model.'
        ),
        DeclareLaunchArgument(
            'namespace', default_value='', description='Namespace of the nodes.'
        ),
    ]


def _simulation(context: LaunchContext, arguments: dict[str, str]) -> IncludeLaunchDescription:
    """Return the simulation; arguments that were given on the command line reach it anyway."""
    given = context.launch_configurations
    chosen = {name: given.get(name) or value for name, value in arguments.items()}
    file = PathJoinSubstitution([FindPackageShare(PACKAGE), 'launch', 'simulation.launch.py'])
    # RViz is opened here, with the configuration of the model.
    return IncludeLaunchDescription(file, launch_arguments={**chosen, 'rviz': 'false'}.items())


def _rviz(context: LaunchContext, configuration: str, wrench: str | None) -> list[Node]:
    if LaunchConfiguration('rviz').perform(context).lower() not in ('true', '1'):
        return []
    namespace = LaunchConfiguration('namespace').perform(context).strip('/')
    root = f'/{namespace}/{NODE}' if namespace else f'/{NODE}'
    remappings = [(f'/{NODE}/{name}', f'{root}/{name}') for name in ('markers',) if namespace]
    if wrench is not None:
        remappings.append(('/contact_wrench', f'{root}/bodies/{wrench}/contact_wrench'))
    file = PathJoinSubstitution(
        [FindPackageShare(PACKAGE), 'config', 'rviz', f'{configuration}.rviz']
    )
    return [
        Node(
            package='rviz2',
            executable='rviz2',
            arguments=['-d', file],
            remappings=remappings,
            parameters=[{'use_sim_time': True}],
        )
    ]


def _controller(executable: str | None) -> list[Node]:
    if executable is None:
        return []
    return [
        Node(
            package=PACKAGE,
            executable=executable,
            namespace=LaunchConfiguration('namespace'),
            output='screen',
        )
    ]
