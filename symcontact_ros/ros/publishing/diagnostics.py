"""
/diagnostics, once a second: how the simulation keeps up, and what was dropped and why.

What was dropped in the last second is also logged, one line per reason.
"""

from __future__ import annotations

import time

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
import numpy as np
from rclpy.node import Node

from symcontact_ros.ros.conversions import stamp
from symcontact_ros.ros.publishing.topics import Topics
from symcontact_ros.ros.stepping.commands import Commands
from symcontact_ros.ros.stepping.stepper import Stepper
from symcontact_ros.simulation.observing.instant import Instant

PERIOD = 1.0  # [s wall]
SLOW = 0.95  # of the real-time factor that is asked for: below, it is a warning


class Diagnostics:
    """Looks at the node now and then."""

    def __init__(self, node: Node, topics: Topics, stepper: Stepper, commands: Commands) -> None:
        self._node = node
        self._stepper = stepper
        self._commands = commands
        self._topic = topics.add(DiagnosticArray(), '/diagnostics')
        self._name = node.get_fully_qualified_name().lstrip('/')
        self.deepest = 0.0  # penetration since the last report [m]
        self._time = time.monotonic()
        self._steps = stepper.steps
        self._overruns = 0
        self._exceeded = 0.0
        self._dropped: dict[str, int] = {}
        self._seen: Instant | None = None

    def observe(self, instant: Instant) -> None:
        """Note how deep bodies are in each other."""
        if instant is not self._seen and len(instant.contacts.distance):
            self._seen = instant
            self.deepest = max(self.deepest, -float(instant.contacts.distance.min()))

    def report(self) -> None:
        """Log what was dropped, and send the status if a second is over."""
        now = time.monotonic()
        elapsed = now - self._time
        if elapsed < PERIOD:
            return
        dropped = self._log_dropped()
        stepper = self._stepper
        size = stepper.simulation.step_size
        factor = (stepper.steps - self._steps) * size / elapsed
        asked = 0.0 if stepper.paused or stepper.lockstep else stepper.pacer.factor
        status = self._simulation_status(factor, asked)
        commands = DiagnosticStatus(name=f'{self._name}: commands', hardware_id=self._name)
        commands.level = DiagnosticStatus.WARN if dropped else DiagnosticStatus.OK
        commands.message = f'{dropped} dropped' if dropped else 'all taken'
        rejected = self._commands.rejections
        commands.values = _values(
            {
                'taken': self._commands.taken,
                'rejected': sum(rejected.counts.values()),
                **{f'rejected.{reason}': count for reason, count in rejected.counts.items()},
                **{f'latest.{reason}': text for reason, text in rejected.texts.items()},
            }
        )
        if self._topic.listeners:
            self._topic.message.header.stamp = stamp(stepper.nanoseconds)
            self._topic.message.status = [status, commands]
            self._topic.send()
        self._time, self._steps, self.deepest = now, stepper.steps, 0.0
        self._overruns = stepper.pacer.overruns
        self._exceeded = stepper.simulation.counters['exceeded_steps']
        self._dropped = dict(rejected.counts)

    def _simulation_status(self, factor: float, asked: float) -> DiagnosticStatus:
        stepper = self._stepper
        counters = stepper.simulation.counters
        overruns = stepper.pacer.overruns - self._overruns
        exceeded = counters['exceeded_steps'] - self._exceeded
        status = DiagnosticStatus(name=f'{self._name}: simulation', hardware_id=self._name)
        status.level, status.message = (
            DiagnosticStatus.OK,
            'paused' if stepper.paused else 'running',
        )
        if stepper.failure is not None:
            status.level, status.message = DiagnosticStatus.ERROR, str(stepper.failure)
        elif overruns > 0 or factor < SLOW * asked:
            status.level = DiagnosticStatus.WARN
            status.message = f'too slow: {factor:.3g} x real time, {asked:g} asked for'
        elif exceeded > 0:
            status.level = DiagnosticStatus.WARN
            status.message = 'stiffer than max_substeps allows: make step_size smaller'
        elif stepper.waiting:
            status.message = 'waiting for an answer in lockstep'
        times = 1e6 * np.array(stepper.step_times or [0.0])
        status.values = _values(
            {
                'simulated time [s]': f'{1e-9 * stepper.nanoseconds:.9f}',
                'real_time_factor': f'{factor:.4f}',
                'real_time_factor asked for': f'{stepper.pacer.factor:g}',
                'step time p50 [us]': f'{np.percentile(times, 50):.3f}',
                'step time p99 [us]': f'{np.percentile(times, 99):.3f}',
                'overruns': stepper.pacer.overruns,
                'lockstep timeouts': stepper.lockstep.timeouts if stepper.lockstep else 0,
                'deepest penetration [m]': f'{self.deepest:.6g}',
                **{name.replace('_', ' '): f'{n:.12g}' for name, n in counters.items()},
            }
        )
        return status

    def _log_dropped(self) -> int:
        """Log one line per reason; return how many were dropped since the last report."""
        total = 0
        for reason, count in self._commands.rejections.counts.items():
            new = count - self._dropped.get(reason, 0)
            total += new
            if new:
                text = self._commands.rejections.texts[reason]
                self._node.get_logger().warning(f'{new} dropped ({reason}): {text}')
        return total


def _values(entries: dict[str, object]) -> list[KeyValue]:
    return [KeyValue(key=key, value=str(value)) for key, value in entries.items()]
