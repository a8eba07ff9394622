"""Parameters of other nodes, true or false, that pages show as check boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rcl_interfaces.msg import ParameterEvent, ParameterType
from rcl_interfaces.srv import GetParameters
from rclpy.node import Node

from symcontact_ros.errors import OptionError
from symcontact_ros.view.asking import ParameterAsker, Refuse
from symcontact_ros.view.requests import WrongRequestError


@dataclass(frozen=True)
class Switch:
    """A parameter of a node."""

    node: str
    parameter: str

    @property
    def name(self) -> str:
        """Name by which pages know it."""
        return f'{self.node}:{self.parameter}'


def switch_of(text: str) -> Switch:
    """Return the switch that ``/node:parameter`` names."""
    node, colon, parameter = text.partition(':')
    if not (colon and parameter and node.strip('/')):
        raise OptionError(f'a switch is /node:parameter, got {text!r}')
    return Switch('/' + node.strip('/'), parameter)


class Switches:
    """Switches with their values, which are known once their node answers."""

    def __init__(
        self, node: Node, switches: Sequence[Switch], tell: Callable[..., None], refuse: Refuse
    ) -> None:
        self._switches = {switch.name: switch for switch in switches}
        self._values: dict[str, bool] = {}
        self._tell = tell
        self._setters = {s.name: ParameterAsker(node, s.node, refuse) for s in switches}
        self._getters = {
            switch.name: node.create_client(GetParameters, f'{switch.node}/get_parameters')
            for switch in switches
        }
        if switches:
            node.create_subscription(ParameterEvent, '/parameter_events', self._changed, 100)

    def ask(self) -> None:
        """Ask for values that are not known; a node that has gone has none."""
        for name, client in self._getters.items():
            is_there = client.service_is_ready()
            if is_there and name not in self._values:
                names = [self._switches[name].parameter]
                future = client.call_async(GetParameters.Request(names=names))
                future.add_done_callback(lambda done, name=name: self._got(name, done))
            elif not is_there and self._values.pop(name, None) is not None:
                self._show()

    def set(self, name: str, value: bool) -> None:
        """Set one of them."""
        if name not in self._switches:
            raise WrongRequestError(f'no switch {name!r}')
        self._setters[name].set({self._switches[name].parameter: value})

    def _got(self, name: str, done: Any) -> None:
        for value in done.result().values if done.result() is not None else ():
            if value.type == ParameterType.PARAMETER_BOOL:
                self._values[name] = value.bool_value
                self._show()

    def _changed(self, event: ParameterEvent) -> None:
        new = {f'{event.node}:{p.name}': p.value for p in event.changed_parameters}
        for name in self._switches.keys() & new.keys():
            self._values[name] = new[name].bool_value
            self._show()

    def _show(self) -> None:
        shown = [
            {'name': s.name, 'label': s.parameter.replace('_', ' '), 'value': self._values[s.name]}
            for s in self._switches.values()
            if s.name in self._values
        ]
        self._tell('switches', switches=shown)
