"""Launch descriptions: a model of the user's, a scenario with its own model, a controller demo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from launch import LaunchContext, LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.logging import get_logger

from symcontact_ros.launching.arguments import (
    Argument,
    checked_file,
    other_arguments,
    parameter_arguments,
    parameters_of,
    value_of,
    values_in,
)
from symcontact_ros.launching.declaring import Texts, with_arguments
from symcontact_ros.launching.nodes import (
    controller_nodes,
    page_node,
    require,
    robot_state_publishers,
    rviz_node,
    simulation_node,
    view_of,
)
from symcontact_ros.model.installed_files import share

STATE_PUBLISHER = Argument(
    'Whether to start robot_state_publisher for URDF models; not with tf_mode:=bodies.', 'true'
)


def any_model() -> LaunchDescription:
    """Return the launch description of the model that the argument ``model`` names."""
    return LaunchDescription(_simulation({}, {'robot_state_publisher': STATE_PUBLISHER}))


def scenario(
    model: str | None,
    rviz: str,
    wrench: str | None = None,
    controller: str | None = None,
    needs: str | None = None,
    **own: str,
) -> LaunchDescription:
    """
    Return the launch description of a model with its view, and a controller.

    Parameters
    ----------
    model
        Name of a shipped model or world; None: the launch argument ``model`` is required.
    rviz
        Configuration in config/rviz that ``rviz:=true`` opens.
    wrench
        Body whose contact wrench RViz displays.
    controller
        Executable of this package that is started beside the simulation.
    needs
        Package that the controller needs, and that is not there in every installation.
    own
        Parameters of the node whose defaults differ here.

    """
    others = {}
    if model is None:
        others = {'model': Argument('Path of a model file.')}
        others['robot_state_publisher'] = STATE_PUBLISHER
    return LaunchDescription(
        _simulation(own, others, model, (rviz, wrench), controller, needs=needs)
    )


def demos(names: list[str]) -> LaunchDescription:
    """Return the launch description that includes one of several launch files, by ``demo``."""

    def include(context: LaunchContext, texts: Texts) -> list[Any]:
        demo = texts.all['demo']
        if demo not in names:
            raise RuntimeError(f'demo:={demo} is not one of {", ".join(names)}')
        return [IncludeLaunchDescription(str(share() / 'launch' / f'{demo}.launch.py'))]

    choice = Argument(f'Demo to run. One of {", ".join(names)}.', names[0])
    arguments = {**parameter_arguments({}), **other_arguments()}
    del arguments['model']
    return LaunchDescription(with_arguments({'demo': choice, **arguments}, include))


def _simulation(
    own: dict[str, str],
    others: dict[str, Argument],
    model: str | None = None,
    view: tuple[str, str | None] | None = None,
    controller: str | None = None,
    *,
    needs: str | None = None,
) -> list[Any]:
    """Return actions: arguments, the node, and the nodes beside it."""
    arguments = {**parameter_arguments(own), **other_arguments(), **others}
    fixed = {} if model is None else {'model': model}
    for name in fixed:
        del arguments[name]

    def start(context: LaunchContext, texts: Texts) -> list[Any]:
        _warn_of_others(context, fixed)
        if needs is not None:
            require(needs, f'{controller}')
        namespace = texts.all['namespace']
        file = checked_file('params_file', texts.all['params_file'])
        ours, given = parameters_of(own), parameters_of({**texts.given, **fixed})
        layers = [(str(file), values_in(file, namespace)), (ours, ours)]
        if 'params_file' in texts.given:  # else it has the defaults of the node, and ours count
            layers.reverse()
        in_force: dict[str, Any] = {}
        for _, values in layers:
            in_force |= values
        in_force |= given
        nodes = [simulation_node(namespace, [*(source for source, _ in layers if source), given])]
        nodes += controller_nodes(controller, namespace)
        publish = texts.all.get('robot_state_publisher', 'false')
        if value_of('robot_state_publisher', publish, bool):
            nodes += robot_state_publishers(in_force, namespace)
        if value_of('view', texts.all['view'], bool):
            nodes.append(page_node(namespace))
        if value_of('rviz', texts.all['rviz'], bool):
            shown = view or view_of(in_force)
            nodes.append(rviz_node(namespace, texts.all['rviz_config'], *shown))
        return nodes

    return with_arguments(arguments, start)


def _warn_of_others(context: LaunchContext, fixed: Mapping[str, str]) -> None:
    """Warn of arguments that this launch file does not have, as launch says nothing of them."""
    for name, value in fixed.items():
        other = context.launch_configurations.get(name, value)
        if other != value:
            get_logger('launch.user').warning(
                f'{name}:={other} is not used: this launch file has {value}; '
                'simulation.launch.py takes any'
            )
