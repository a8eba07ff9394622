"""The simulation as a ROS 2 node: a wall timer that steps, converts and publishes."""

from __future__ import annotations

from collections.abc import Mapping
import math
import time
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.parameter import Parameter

from symcontact_ros.errors import DivergenceError
from symcontact_ros.model.library import load_model
from symcontact_ros.ros.pacing import Pacer
from symcontact_ros.ros.parameters import declare
from symcontact_ros.ros.publishers import Publishers
from symcontact_ros.simulation.simulation import Simulation

NODE_NAME = 'symcontact'


class SimulationNode(Node):
    """
    Steps a model in simulated time and publishes what happens.

    Parameters
    ----------
    overrides
        Parameter values that win over those of ``--ros-args``.
    duration
        Simulated time at which to stop [s]; None: the model's own; inf: never.

    """

    def __init__(
        self, overrides: Mapping[str, Any] | None = None, duration: float | None = math.inf
    ) -> None:
        super().__init__(
            NODE_NAME,
            parameter_overrides=[Parameter(k, value=v) for k, v in (overrides or {}).items()],
        )
        settings = self.settings = declare(self)
        model = self.model = load_model(settings.model)
        self.simulation = Simulation(
            model,
            settings.detector,
            step_size=settings.step_size,
            progress=lambda text: self.get_logger().info(f'{text} ...'),
        )
        self.publishing = Publishers(self, model, self.simulation.snapshot())
        self.pacer = Pacer(settings.step_size, settings.real_time_factor)
        self.duration = model.duration if duration is None else duration
        self.failure: DivergenceError | None = None
        self._publish()
        # A wall timer: this node makes /clock, so it must not wait for it.
        self._timer = self.create_timer(
            1.0 / settings.tick_rate, self._tick, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )

    @property
    def finished(self) -> bool:
        """Whether the duration is over, or the simulation cannot go on."""
        return self.failure is not None or self._steps_left() <= 0

    def description(self) -> str:
        """Return in one line what is simulated, and how."""
        settings = self.settings
        pace = f'{settings.real_time_factor:g} x real time'
        return (
            f'{self.model.name}: {len(self.simulation.u)} degrees of freedom, '
            f'{len(self.model.pairs)} pairs, steps of {1e3 * settings.step_size:g} ms, '
            f'{settings.publish_rate:g} messages per simulated second, '
            f'{pace if settings.real_time_factor else "as fast as possible"}'
        )

    def flush(self, timeout: float = 0.3) -> None:
        """Wait until reliable listeners have all that was sent, at most timeout [s] in all."""
        end = time.monotonic() + timeout
        for publisher in self.publishers:
            left = max(0.0, end - time.monotonic())
            publisher.wait_for_all_acked(Duration(nanoseconds=int(1e9 * left)))

    def _tick(self) -> None:
        """Advance to where the wall clock is; without a factor, as far as one period allows."""
        now = time.monotonic()
        try:
            if self.settings.real_time_factor > 0.0:
                self._advance(self.pacer.due(now))
                return
            end = now + 1.0 / self.settings.tick_rate
            while time.monotonic() < end and not self.finished:
                self._advance(self.settings.steps_per_publish)
        except DivergenceError as error:
            self.failure = error
            self._timer.cancel()

    def _advance(self, count: int) -> None:
        """Take count steps, and publish at every multiple of the publishing period."""
        count = int(min(count, self._steps_left()))
        period = self.settings.steps_per_publish
        while count > 0:
            part = min(count, period - self.simulation.steps % period)
            self.simulation.step(part)
            count -= part
            if self.simulation.steps % period == 0:
                self._publish()

    def _steps_left(self) -> float:
        """Return how many steps the duration still holds; inf without one."""
        if math.isinf(self.duration):
            return math.inf
        return round(self.duration / self.simulation.step_size) - self.simulation.steps

    def _publish(self) -> None:
        self.snapshot = self.simulation.snapshot()
        self.publishing.publish(self.snapshot)
