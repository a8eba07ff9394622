"""
Live symbols as parameters ``symbols.<name>``: `ros2 param set` acts at the next step.

They are declared with description and range. A set of values is applied as a whole between two
steps, or refused as a whole with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor
from rclpy.node import Node

from symcontact_ros.errors import one_line, OptionError, shown_value
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import LiveSymbol

PREFIX = 'symbols.'


def given_symbols(node: Node) -> dict[str, float]:
    """Return the values given by the user at the start, by symbol."""
    return symbol_values(
        {
            name: parameter.value
            for name, parameter in node._parameter_overrides.items()
            if name.startswith(PREFIX)
        }
    )


def symbol_values(values: Mapping[str, Any]) -> dict[str, float]:
    """Return parameters ``symbols.<name>`` by symbol; OptionError if one is not a number."""
    wrong = [
        f'{one_line(name)} must be a number, got {shown_value(value)}'
        for name, value in values.items()
        if not _number(value)
    ]
    if wrong:
        raise OptionError('\n'.join(wrong))
    return {name.removeprefix(PREFIX): float(value) for name, value in values.items()}


def declare_symbols(node: Node, model: Model, values: Mapping[str, float]) -> None:
    """Declare a parameter for each live symbol that has none, with its present value."""
    for name, symbol in model.symbols.items():
        if node.has_parameter(PREFIX + name):
            continue
        descriptor = ParameterDescriptor(
            description=_described(symbol),
            dynamic_typing=True,  # 2 is allowed for 2.0
        )
        if math.isfinite(symbol.minimum) and math.isfinite(symbol.maximum):
            descriptor.floating_point_range = [
                FloatingPointRange(from_value=symbol.minimum, to_value=symbol.maximum)
            ]
        else:
            descriptor.additional_constraints = _constraint(symbol)
        node.declare_parameter(PREFIX + name, values[name], descriptor, ignore_override=True)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _described(symbol: LiveSymbol) -> str:
    unit = f' [{symbol.unit}]' if symbol.unit else ''
    return f'{symbol.description or "live symbol"}{unit}'


def _constraint(symbol: LiveSymbol) -> str:
    if math.isfinite(symbol.minimum):
        return f'>= {symbol.minimum:g}'
    return f'<= {symbol.maximum:g}' if math.isfinite(symbol.maximum) else ''
