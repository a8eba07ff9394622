"""Nodes that launch files start beside the simulation, and the checks around them."""

from __future__ import annotations

from pathlib import Path
import re
import signal

from ament_index_python.packages import get_package_prefix, PackageNotFoundError
from launch import LaunchContext
from launch.events.process import ProcessExited
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

PACKAGE = 'symcontact_ros'
NODE = 'symcontact'


def rviz_node(context: LaunchContext, configuration: str, wrench: str | None) -> Node:
    """
    Return the RViz node, with its topics remapped into the namespace.

    Parameters
    ----------
    context
        Launch context; its argument ``rviz_config``, if given, replaces ``configuration``.
    configuration
        File in config/rviz, without its suffix.
    wrench
        Body whose contact wrench is displayed.

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


def controller_nodes(executable: str | None) -> list[Node]:
    """Return the node of a controller of this package; no node for None."""
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


def require(package: str, argument: str) -> None:
    """
    Raise an error if a package is missing; the error names the argument that needs it.

    Called before any node starts: an error at the start of one node would end the launch and leave
    the processes running that it has started already.
    """
    try:
        get_package_prefix(package)
    except PackageNotFoundError as error:
        raise RuntimeError(f'{argument} needs the package {package}: install it') from error


def pass_failure_on(event: ProcessExited, context: LaunchContext) -> None:
    """
    End the launch with exit code 1 when a process has failed: scripts rely on that.

    Launch itself would exit with 0. Ctrl-C before a process could handle it is not a failure.
    """
    if event.returncode not in (0, -signal.SIGINT):
        raise RuntimeError(f'{event.process_name} failed with exit code {event.returncode}')
