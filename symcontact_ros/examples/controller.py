"""Base class of the controllers: replies to the simulation, and a watchdog for its messages."""

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

SILENCE = 1.0  # [s] of wall time without messages: the simulation is paused or has ended


class Parameter(NamedTuple):
    """Description of a ROS parameter of a controller."""

    default: Any
    description: str
    largest: float | None = None  # upper limit of a number; the lower limit is 0


class Controller(Node):
    """
    A node that commands the simulation of the same namespace.

    It needs no clock: a command carries the stamp of the message that it replies to, so that it
    works at any real-time factor and in lockstep. A paused simulation gets no commands; after the
    end of a simulation, or a jump back in time, the controller starts again.
    """

    PARAMETERS: ClassVar[dict[str, Parameter]] = {}
    ended: int | None = None  # exit code, once there is nothing more to do

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
            0.25 * SILENCE, self._watch_messages, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )
        self.get_logger().info(f'waiting for {self.simulation} ...')

    # Hooks of a controller ----------------------------------------------------------------------

    def begin(self) -> None:
        """Reset the controller: the simulation is new, was reset, or was silent."""

    def wait(self) -> None:
        """Poll, several times a second, until the first message arrives."""

    def let_go(self) -> None:
        """Send a zero command: the last one before the end."""

    # Services for subclasses --------------------------------------------------------------------

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """Return all parameters of a controller by name."""
        return {'simulation': Parameter('symcontact', 'Name of its node.'), **cls.PARAMETERS}

    def value(self, name: str) -> Any:
        """Return the present value of a parameter."""
        return self.get_parameter(name).value

    def topic(self, name: str) -> str:
        """Return the full name of a topic or service of the simulation node."""
        return f'{self.simulation}/{name}'

    def hear(self, stamp: Time) -> float:
        """Register a message; return the simulated time since the previous one [s]."""
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
        """Call a service; `then` is called with the response if it is a success."""

        def answered(future: Any) -> None:
            response = future.result()
            if response is None or not response.success:
                reason = '' if response is None else f': {response.message}'
                self.get_logger().error(f'{client.srv_name} failed{reason}')
            else:
                then(response)

        client.call_async(request).add_done_callback(answered)

    def flush(self) -> None:
        """Wait up to 0.2 s until the simulation has received all messages."""
        for publisher in self.publishers:
            publisher.wait_for_all_acked(Duration(nanoseconds=200_000_000))

    def _watch_messages(self) -> None:
        if self._stamp < 0.0:
            self.wait()
        elif time.monotonic() - self._heard > SILENCE and not self._silent:
            self._silent = True
            self.get_logger().warning(
                f'no message from {self.simulation} for {SILENCE:g} s: paused or ended; waiting'
            )
