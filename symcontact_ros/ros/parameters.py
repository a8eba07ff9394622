"""
What the node can be told from outside.

The same defaults stand in ``config/simulation.yaml`` and in the README; a test keeps them equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
import math
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor
from rclpy.node import Node

from symcontact_ros.collision.detection import check_detector
from symcontact_ros.errors import OptionError


def parameter(default: Any, description: str, low: float = 0.0, high: float = 0.0) -> Any:
    """Return a field with what its ROS descriptor says; low < high makes a range."""
    metadata = {'description': description, 'range': (low, high)}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class SimulationParameters:
    """The node's parameters; checked here, without ROS."""

    model: str = parameter('bouncing_circle', 'Name of a shipped model, or path of a model file.')
    detector: str = parameter('sat', 'Collision detection.')
    step_size: float = parameter(1e-3, 'Fixed integration step [s].', 1e-6, 0.1)
    tick_rate: float = parameter(200.0, 'Rate of the wall timer [1/s].', 1.0, 10_000.0)
    publish_rate: float = parameter(100.0, 'Messages per simulated second [1/s].', 0.1, 10_000.0)
    real_time_factor: float = parameter(
        1.0, 'Simulated seconds per second; 0: as fast as possible.', 0.0, 100.0
    )

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            low, high = entry.metadata['range']
            if isinstance(entry.default, str) != isinstance(value, str) or isinstance(value, bool):
                kind = 'text' if isinstance(entry.default, str) else 'a number'
                raise OptionError(f'{entry.name} must be {kind}, got {value!r}')
            if low < high and not low <= value <= high:
                raise OptionError(f'{entry.name} must be {low:g} to {high:g}, got {value:g}')
        check_detector(self.detector)
        ratio = 1.0 / (self.publish_rate * self.step_size)
        if ratio < 0.5 or not math.isclose(ratio, round(ratio), rel_tol=1e-6):
            near = 1.0 / (max(1, round(ratio)) * self.step_size)
            raise OptionError(
                f'publish_rate {self.publish_rate:g} Hz is no whole number of steps of '
                f'{self.step_size:g} s; the nearest that is: {near:.9g} Hz'
            )

    @property
    def steps_per_publish(self) -> int:
        """How many steps pass between two messages."""
        return round(1.0 / (self.publish_rate * self.step_size))


def declare(node: Node) -> SimulationParameters:
    """Declare one read-only parameter per field; return the values in force."""
    values = {}
    for entry in fields(SimulationParameters):
        low, high = entry.metadata['range']
        descriptor = ParameterDescriptor(
            description=entry.metadata['description'],
            read_only=True,
            dynamic_typing=True,  # `publish_rate:=50` is a number too; checked below
        )
        if low < high:
            descriptor.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
        values[entry.name] = node.declare_parameter(entry.name, entry.default, descriptor).value
    return SimulationParameters(**values)
