"""Nodes that launch files start: the simulation, those beside it, and the checks around them."""

from __future__ import annotations

from collections.abc import Mapping
import re
import signal
from typing import Any

from ament_index_python.packages import get_package_prefix, PackageNotFoundError
from launch import LaunchContext
from launch.events.process import ProcessExited
from launch_ros.actions import Node

from symcontact_ros.errors import SymcontactError
from symcontact_ros.launching.arguments import checked_file, NODE, settings_of
from symcontact_ros.model.including.robot_files import description_text
from symcontact_ros.model.installed_files import share
from symcontact_ros.model.library import load_scene
from symcontact_ros.model.model import Model
from symcontact_ros.ros.live_parameters import PREFIX, symbol_values
from symcontact_ros.ros.model_options import load_options

PACKAGE = 'symcontact_ros'


def simulation_node(namespace: str, parameters: list[Any]) -> Node:
    """Return the node of the simulation, with parameter files and values; later ones count."""
    return Node(
        package=PACKAGE,
        executable='simulation_node',
        name=NODE,
        namespace=namespace,
        output='screen',
        parameters=parameters,
        on_exit=pass_failure_on,
    )


def robot_state_publishers(values: Mapping[str, Any], namespace: str) -> list[Node]:
    """Return the publishers of the links of robots, one each; none for other models."""
    if values.get('tf_mode', 'auto') not in ('auto', 'base'):
        return []
    model = model_of(values)
    robots = model.contents.robots if model is not None else []
    if robots:
        require('robot_state_publisher', 'tf_mode:=base (tf_mode:=bodies does without)')
    several = len(robots) > 1
    return [
        Node(
            package='robot_state_publisher',
            executable='robot_state_publisher',
            name=f'{robot.topic}_state_publisher' if several else None,
            namespace=namespace,
            remappings=[('robot_description', f'{robot.topic}/robot_description')] * several,
            parameters=[
                {
                    'robot_description': description_text(robot),
                    'frame_prefix': values.get('frame_prefix', ''),
                    'use_sim_time': True,
                }
            ],
        )
        for robot in robots
    ]


def model_of(values: Mapping[str, Any]) -> Model | None:
    """Return the model that the node will have; None: it has faults."""
    try:
        settings = settings_of(values)
        options = load_options(settings)
        # Meshes take time, and matter only where they decide how high a robot stands.
        is_put = options['world'] is not None and options['pose'] is None
        symbols = symbol_values({k: v for k, v in values.items() if k.startswith(PREFIX)})
        options['meshes'] = settings.meshes if is_put else 'none'
        return load_scene(settings.model, parameters=symbols, **options)
    except SymcontactError:
        return None  # the node reports them


def view_of(values: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the configuration of RViz for a model, and the body whose contact wrench it shows."""
    found = model_of(values)
    if found is None:
        return 'spatial', None
    touching = {name for pair in found.pairs for name in pair}
    wrench = next((body.name for body in found.moving if body.name in touching), None)
    if found.contents.robots:
        return 'robot', wrench
    return 'planar' if found.dimension == 2 else 'spatial', wrench


def rviz_node(namespace: str, given: str, configuration: str, wrench: str | None) -> Node:
    """
    Return the RViz node, with its topics remapped into the namespace.

    Parameters
    ----------
    namespace
        That of the simulation.
    given
        The user's configuration, which replaces ours; empty: none.
    configuration
        File in config/rviz, without its suffix.
    wrench
        Body whose contact wrench is displayed.

    """
    require('rviz2', 'rviz:=true')
    own = share() / 'config' / 'rviz' / f'{configuration}.rviz'
    file = checked_file('rviz_config', given) if given else own
    place = namespace.strip('/')
    root = f'/{place}' if place else ''
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


def page_node(namespace: str) -> Node:
    """Return the node that serves a page of the simulation."""
    place = '/'.join(part for part in (namespace.strip('/'), NODE) if part)
    return Node(
        package=PACKAGE,
        executable='view_node',
        namespace=namespace,
        output='screen',
        arguments=['--node', f'/{place}'],
    )


def controller_nodes(executable: str | None, namespace: str) -> list[Node]:
    """Return the node of a controller of this package; no node for None."""
    if executable is None:
        return []
    return [
        Node(
            package=PACKAGE,
            executable=executable,
            namespace=namespace,
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
