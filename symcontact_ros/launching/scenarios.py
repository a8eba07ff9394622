"""
Launch description shared by the scenarios and the controller demos.

It includes simulation.launch.py, passes all of its arguments on, and adds RViz and a controller.
"""

from __future__ import annotations

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

from symcontact_ros.launching.nodes import controller_nodes, PACKAGE, rviz_node


def scenario(
    model: str | None,
    rviz: str,
    wrench: str | None = None,
    controller: str | None = None,
    **arguments: str,
) -> LaunchDescription:
    """
    Return the launch description of a simulated model.

    Parameters
    ----------
    model
        Name of a shipped model; None: the launch argument ``model`` is required.
    rviz
        Configuration in config/rviz that ``rviz:=true`` opens.
    wrench
        Body whose contact wrench RViz displays.
    controller
        Executable of this package that is started beside the simulation.
    arguments
        Arguments of simulation.launch.py that differ from their defaults.

    """
    required = []
    if model is None:
        required.append(DeclareLaunchArgument('model', description='Path of a model file.'))
    else:
        arguments['model'] = model
    file = PathJoinSubstitution([FindPackageShare(PACKAGE), 'launch', 'simulation.launch.py'])

    def show(context: LaunchContext) -> list[Node]:
        wanted = LaunchConfiguration('rviz').perform(context).lower() in ('true', '1')
        return [rviz_node(context, rviz, wrench)] if wanted else []

    return LaunchDescription(
        [
            *required,
            DeclareLaunchArgument(
                'rviz', default_value='false', description='Open RViz, configured for this model.'
            ),
            DeclareLaunchArgument(
                'namespace', default_value='', description='Namespace of the nodes.'
            ),
            OpaqueFunction(function=show),
            *controller_nodes(controller),
            # RViz has been started above, with the configuration of the model.
            IncludeLaunchDescription(
                file, launch_arguments={**arguments, 'rviz': 'false'}.items()
            ),
        ]
    )
