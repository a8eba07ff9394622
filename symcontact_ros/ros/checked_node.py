"""A node whose parameters are given and checked by name, and whose services lose no calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
import json
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rclpy.service import Service

from symcontact_ros.ros.parameters import unknown_parameters

# By default a service forgets, without a word, all but the last 10 requests that wait for it.
CALLS = QoSProfile(depth=5000)


def as_text(value: Any) -> Any:
    """Return a value of a parameter; a mapping, which ROS has not, as the text that means it."""
    return json.dumps(value, default=str) if isinstance(value, Mapping) else value


class CheckedNode(Node):
    """
    Node that refuses unknown parameters with a suggestion, and keeps doubles doubles.

    Parameters
    ----------
    node_name
        Name of the node.
    parameter_overrides
        Values that override those of ``--ros-args``: by name, or as `rclpy.node.Node` takes them.
    options
        Other arguments of `rclpy.node.Node`.

    """

    def __init__(
        self,
        node_name: str,
        parameter_overrides: Mapping[str, Any] | Iterable[Parameter],
        **options: Any,
    ) -> None:
        given = parameter_overrides
        if isinstance(given, Mapping):
            given = [Parameter(name, value=as_text(value)) for name, value in given.items()]
        super().__init__(node_name, parameter_overrides=list(given), **options)

    def create_service(self, *arguments: Any, **options: Any) -> Service:
        """Create a service for which many requests may wait, and many answers."""
        return super().create_service(*arguments, **{'qos_profile': CALLS, **options})

    def set_parameters_atomically(self, parameter_list: list[Parameter]) -> SetParametersResult:
        """Refuse unknown parameters, with their names, which rclpy does not report."""
        unknown = unknown_parameters(self, [parameter.name for parameter in parameter_list])
        if unknown:
            return SetParametersResult(successful=False, reason='\n'.join(unknown))
        return super().set_parameters_atomically([self._as_declared(p) for p in parameter_list])

    def undeclare(self, names: Iterable[str]) -> None:
        """Undeclare parameters, also those that nobody else may change."""
        for name in names:
            self._descriptors[name].read_only = False
            self.undeclare_parameter(name)

    def _as_declared(self, parameter: Parameter) -> Parameter:
        """Return `2` as 2.0 where a double is declared: readers of a double would read 0."""
        double = Parameter.Type.DOUBLE
        whole = parameter.type_ == Parameter.Type.INTEGER
        if whole and self.get_parameter(parameter.name).type_ == double:
            return Parameter(parameter.name, double, float(parameter.value))
        return parameter
