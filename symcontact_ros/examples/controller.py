"""What all controllers share: they answer the simulation, and notice when it is silent."""

from __future__ import annotations

from collections.abc import Callable
import time
from typing import Any, ClassVar, NamedTuple

from builtin_interfaces.msg import Time
from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor
from rclpy.client import Client
from rclpy.clock import Clock, ClockType
from rclpy.duration import Duration
from rclpy.node import Node

from symcontact_ros.examples.reading import seconds

SILENCE = 1.0  # [s] of wall time after which the simulation counts as paused or gone


class Parameter(NamedTuple):
    """What a controller can be told from outside."""

    default: Any
    description: str
    largest: float | None = None  # of numbers, which are not negative


class Controller(Node):
    """
    A node that commands the simulation of the same namespace.

    It needs no clock: a command carries the stamp of the message that it answers, so that it works
    at any pace and in lockstep. A simulation that pauses gets no commands, one that dies is waited
    for, and one whose time goes back is met as a new one.
    """

    PARAMETERS: ClassVar[dict[str, Parameter]] = {}

    def __init__(self, name: str) -> None:
        super().__init__(name)
        for parameter, (default, description, largest) in self.parameters().items():
            descriptor = ParameterDescriptor(description=description)
            if largest is not None:
                span = FloatingPointRange(from_value=0.0, to_value=largest)
                descriptor.floating_point_range = [span]
            self.declare_parameter(parameter, default, descriptor)
        self.simulation: str = self.value('simulation')
        self._heard = time.monotonic()
        self._silent = False
        self._stamp = -1.0
        self._watch = self.create_timer(
            0.25 * SILENCE, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )
        self.get_logger().info(f'waiting for {self.simulation} ...')

    # What a controller says of itself -----------------------------------------------------------

    def begin(self) -> None:
        """Forget the past: the simulation is new, or has gone back, or was silent."""

    def wait(self) -> None:
        """Look around, several times a second, as long as nothing was ever heard."""

    def let_go(self) -> None:
        """Send a command that does nothing: the last one before the end."""

    # What it builds on --------------------------------------------------------------------------

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """Return all parameters of a controller by name."""
        return {'simulation': Parameter('symcontact', 'Name of its node.'), **cls.PARAMETERS}

    def value(self, name: str) -> Any:
        """Return what a parameter is now."""
        return self.get_parameter(name).value

    def topic(self, name: str) -> str:
        """Return the name of something that belongs to the simulation's node."""
        return f'{self.simulation}/{name}'

    def hear(self, stamp: Time) -> float:
        """Note a sign of life; return the simulated time that passed since the last one [s]."""
        now = seconds(stamp)
        passed = now - self._stamp
        first = self._stamp < 0.0
        self._stamp, self._heard = now, time.monotonic()
        if first or self._silent or passed < 0.0:
            self.get_logger().info(f'{self.simulation} is at {now:.3f} s: in control')
            self._silent = False
            self.begin()
            return 0.0
        return passed

    def ask(self, client: Client, request: Any, then: Callable[[Any], None]) -> None:
        """Call a service; `then` gets the response, if one ever comes and is a success."""

        def answered(future: Any) -> None:
            response = future.result()
            if response is None or not response.success:
                reason = '' if response is None else f': {response.message}'
                self.get_logger().error(f'{client.srv_name} failed{reason}')
            else:
                then(response)

        client.call_async(request).add_done_callback(answered)

    def flush(self) -> None:
        """Wait a moment until the simulation has what was sent."""
        for publisher in self.publishers:
            publisher.wait_for_all_acked(Duration(nanoseconds=200_000_000))

    def _look(self) -> None:
        if self._stamp < 0.0:
            self.wait()
        elif time.monotonic() - self._heard > SILENCE and not self._silent:
            self._silent = True
            self.get_logger().warning(
                f'nothing heard from {self.simulation} for {SILENCE:g} s: paused, or gone; waiting'
            )
