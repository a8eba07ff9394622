"""
What launch files of scenarios and demos are made of.

They include simulation.launch.py, all of whose arguments they take, and add RViz and a controller.
"""

from __future__ import annotations

from pathlib import Path
import re
import signal

from ament_index_python.packages import get_package_prefix, PackageNotFoundError
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.events.process import ProcessExited
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
        A shipped model; None: the argument ``model`` must say which.
    rviz
        The configuration of config/rviz that ``rviz:=true`` opens.
    wrench
        The body whose contact wrench RViz shows.
    controller
        An executable of this package that runs beside it.
    arguments
        Of simulation.launch.py, where they differ from what they are there.

    """
    asked = []
    if model is None:
        asked.append(DeclareLaunchArgument('model', description='Path of a model file.'))
    else:
        arguments['model'] = model
    file = PathJoinSubstitution([FindPackageShare(PACKAGE), 'launch', 'simulation.launch.py'])

    def show(context: LaunchContext) -> list[Node]:
        wanted = LaunchConfiguration('rviz').perform(context).lower() in ('true', '1')
        return [rviz_node(context, rviz, wrench)] if wanted else []

    return LaunchDescription(
        [
            *asked,
            DeclareLaunchArgument(
                'rviz', default_value='false', description='Open RViz, configured for this model.'
            ),
            DeclareLaunchArgument(
                'namespace', default_value='', description='Namespace of the nodes.'
            ),
            OpaqueFunction(function=show),
            *_controller(controller),
            # RViz is open by now, with the configuration of the model.
            IncludeLaunchDescription(
                file, launch_arguments={**arguments, 'rviz': 'false'}.items()
            ),
        ]
    )


def rviz_node(context: LaunchContext, configuration: str, wrench: str | None) -> Node:
    """
    Return RViz, with the topics of the namespace.

    Parameters
    ----------
    context
        Of the launch; its argument ``rviz_config`` wins.
    configuration
        A file of config/rviz, without its ending.
    wrench
        The body whose contact wrench is shown.

    """
    require('rviz2', 'rviz:=true')
    own = Path(FindPackageShare(PACKAGE).perform(context), 'config', 'rviz')
    given = context.launch_configurations.get('rviz_config')
    file = Path(given or own / f'{configuration}.rviz')
    namespace = LaunchConfiguration('namespace').perform(context).strip('/')
    root = f'/{namespace}' if namespace else ''
    topics = re.findall(r'Value: (/\S+)', file.read_text())
    remappings = {topic: f'{root}{topic}' for topic in topics if root}
    if wrench is not None:
        remappings['/contact_wrench'] = f'{root}/{NODE}/bodies/{wrench}/contact_wrench'
    return Node(
        package='rviz2',
        executable='rviz2',
        arguments=['-d', str(file)],
        remappings=list(remappings.items()),
        parameters=[{'use_sim_time': True}],
    )


def require(package: str, argument: str) -> None:
    """
    Raise an error that names a package that is missing, and the argument that asks for it.

    Told when its node starts, it would be too late: launch ends then, and leaves what has started.
    """
    try:
        get_package_prefix(package)
    except PackageNotFoundError as error:
        raise RuntimeError(f'{argument} needs the package {package}: install it') from error


def pass_failure_on(event: ProcessExited, context: LaunchContext) -> None:
    """
    Let the launch end, with exit code 1, when a process has failed: scripts rely on that.

    Launch itself would exit with 0. Ctrl-C before a process could handle it is no failure.
    """
    if event.returncode not in (0, -signal.SIGINT):
        raise RuntimeError(f'{event.process_name} failed with exit code {event.returncode}')


def _controller(executable: str | None) -> list[Node]:
    if executable is None:
        return []
    return [
        Node(
            package=PACKAGE,
            executable=executable,
            namespace=LaunchConfiguration('namespace'),
            output='screen',
            on_exit=pass_failure_on,
        )
    ]
