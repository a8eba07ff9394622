"""
/diagnostics, once a second: real-time factor, step times, rejected messages by reason.

Messages rejected in the last second are also logged, one line per reason.
"""

from __future__ import annotations

import time

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
import numpy as np
from rclpy.node import Node

from symcontact_ros.errors import one_line
from symcontact_ros.ros.conversions import stamp
from symcontact_ros.ros.neighbours import Neighbours
from symcontact_ros.ros.publishing.topics import Topics
from symcontact_ros.ros.stepping.commands import Commands
from symcontact_ros.ros.stepping.step_scheduler import StepScheduler
from symcontact_ros.simulation.observing.instant import Instant

PERIOD = 1.0  # [s wall]
LEFT_OUT = (
    'messages are left out so that /clock keeps its pace: a subscriber was killed or hangs, which '
    'Fast DDS forgets after 20 s'
)
SLOW = 0.95  # of the requested real-time factor: a warning is given below it


class Diagnostics:
    """Status of the node."""

    def __init__(
        self,
        node: Node,
        topics: Topics,
        scheduler: StepScheduler,
        commands: Commands,
        neighbours: Neighbours,
    ) -> None:
        self._node = node
        self._scheduler = scheduler
        self._commands = commands
        self._topic = topics.add(DiagnosticArray(), '/diagnostics')
        self._name = node.get_fully_qualified_name().lstrip('/')
        self.deepest = 0.0  # penetration since the last report [m]
        self._time = time.monotonic()
        self._steps = scheduler.steps
        self._allowance = topics.allowance
        self._left_out = 0
        self._slow = False  # whether messages were left out since the report before
        self._overruns = 0
        self._exceeded = 0.0
        self._overspeed = 0.0
        self._reported: dict[str, int] = {}
        self._seen: Instant | None = None
        self.neighbours = neighbours

    @property
    def topic(self) -> str:
        """Full name of its topic."""
        return self._topic.name

    def observe(self, instant: Instant) -> None:
        """Update the deepest penetration."""
        if instant is not self._seen and instant.touches:
            self._seen = instant
            self.deepest = max(self.deepest, -float(instant.contacts.distance.min()))

    def report(self) -> None:
        """Log rejected messages and send the status, once a second."""
        now = time.monotonic()
        elapsed = now - self._time
        if elapsed < PERIOD:
            return
        self.neighbours.check()
        self._log_left_out()
        new = self._log_rejected()
        scheduler = self._scheduler
        size = scheduler.simulation.step_size
        factor = (scheduler.steps - self._steps) * size / elapsed
        asked = 0.0 if scheduler.paused or scheduler.lockstep else scheduler.pacer.factor
        status = self.simulation_status(factor, asked)
        commands = DiagnosticStatus(name=f'{self._name}: commands', hardware_id=self._name)
        commands.level = DiagnosticStatus.WARN if new else DiagnosticStatus.OK
        commands.message = f'{new} rejected' if new else 'all accepted'
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
            self._topic.message.header.stamp = stamp(scheduler.nanoseconds)
            self._topic.message.status = [status, commands]
            self._topic.send()
        self._time, self._steps, self.deepest = now, scheduler.steps, 0.0
        self._overruns = scheduler.pacer.overruns
        counters = scheduler.simulation.counters
        self._exceeded, self._overspeed = counters['exceeded_steps'], counters['overspeed_steps']
        self._reported = dict(rejected.counts)

    def simulation_status(self, factor: float, asked: float) -> DiagnosticStatus:
        """Return the status of the simulation at real-time factors: reached, and asked for."""
        scheduler = self._scheduler
        counters, trust = scheduler.simulation.counters, scheduler.simulation.trust()
        overruns = scheduler.pacer.overruns - self._overruns
        exceeded = counters['exceeded_steps'] - self._exceeded
        status = DiagnosticStatus(name=f'{self._name}: simulation', hardware_id=self._name)
        status.level, status.message = (
            DiagnosticStatus.OK,
            'paused' if scheduler.paused else 'running',
        )
        if scheduler.failure is not None:
            status.level, status.message = DiagnosticStatus.ERROR, one_line(scheduler.failure)
        elif overruns > 0 or factor < SLOW * asked:
            slow = f'too slow: {factor:.3g} x real time, {asked:g} requested'
            status.level, status.message = DiagnosticStatus.WARN, slow
        elif exceeded > 0:
            text = 'steps need more than max_substeps: make step_size smaller'
            status.level, status.message = DiagnosticStatus.WARN, text
        elif counters['overspeed_steps'] > self._overspeed:
            status.level = DiagnosticStatus.WARN
            joints = scheduler.simulation.joint_counters
            fast = ', '.join(name for name, n in joints.items() if n['overspeed_steps'])
            status.message = f'joints faster than their limits: {fast}'
        elif self._slow:
            status.level, status.message = DiagnosticStatus.WARN, LEFT_OUT
        elif self.neighbours.warnings:
            status.level = DiagnosticStatus.WARN
            status.message = one_line('; '.join(self.neighbours.warnings))
        elif not trust.is_good:
            status.level, status.message = DiagnosticStatus.WARN, one_line(f'doubtful: {trust}')
        elif scheduler.waiting:
            status.message = 'waiting for a reply in lockstep'
        status.values = self._values_now(factor)
        return status

    def _values_now(self, factor: float) -> list[KeyValue]:
        """Return what the status of the simulation says in numbers."""
        scheduler = self._scheduler
        counters, trust = scheduler.simulation.counters, scheduler.simulation.trust()
        times = 1e6 * np.array(scheduler.step_times or [0.0])
        return _values(
            {
                'simulated time [s]': f'{1e-9 * scheduler.nanoseconds:.9f}',
                'real_time_factor': f'{factor:.4f}',
                'real_time_factor asked for': f'{scheduler.pacer.factor:g}',
                'step time p50 [us]': f'{np.percentile(times, 50):.3f}',
                'step time p99 [us]': f'{np.percentile(times, 99):.3f}',
                'overruns': scheduler.pacer.overruns,
                'messages left out': self._allowance.left_out,
                'lockstep timeouts': scheduler.lockstep.timeouts if scheduler.lockstep else 0,
                'deepest penetration [m]': f'{self.deepest:.6g}',
                **{name.replace('_', ' '): f'{n:.12g}' for name, n in counters.items()},
                'stops': trust.counters['stops'],
                'trust': trust,
            }
        )

    def _log_left_out(self) -> None:
        """Log once that messages are left out, until none were for a second."""
        left_out = self._allowance.left_out
        slow = left_out > self._left_out
        if slow and not self._slow:
            self._node.get_logger().warning(LEFT_OUT)
        self._slow, self._left_out = slow, left_out

    def _log_rejected(self) -> int:
        """Log one line per reason; return the number rejected since the last report."""
        total = 0
        for reason, count in self._commands.rejections.counts.items():
            new = count - self._reported.get(reason, 0)
            total += new
            if new:
                text = self._commands.rejections.texts[reason]
                self._node.get_logger().warning(f'{new} rejected ({reason}): {text}')
        return total


def _values(entries: dict[str, object]) -> list[KeyValue]:
    return [KeyValue(key=key, value=one_line(value)) for key, value in entries.items()]
