"""
Topics for pages that show the simulation: description, geometry, status, and instants.

A page needs all of an instant at once: one message has it, as numbers. What changes rarely is
JSON on latched topics. Nothing is made while nobody listens; docs/web.md has the contents.
"""

from __future__ import annotations

from array import array
import json
import secrets
import time
from typing import Any

from std_msgs.msg import Float64MultiArray, String

from symcontact_ros.errors import one_line
from symcontact_ros.ros.publishing.topics import LATCHED, Topic, Topics
from symcontact_ros.ros.stepping.step_scheduler import StepScheduler
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.observing.observer import Observer
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.web.drawn import geometry, live_description, numbers_of, values_of

FIGURES_PERIOD = 0.5  # [s wall] between two updates of figures such as the real-time factor


class ViewTopics:
    """`~/model`, `~/geometry` and `~/status`, latched, and `~/instant`."""

    def __init__(self, topics: Topics, simulation: Simulation, observer: Observer) -> None:
        self._simulation = simulation
        self._observer = observer
        self._model = topics.add(String(), '~/model', LATCHED)
        self._geometry = topics.add(String(), '~/geometry', LATCHED)
        self._status = topics.add(String(), '~/status', LATCHED)
        self._instant = topics.add(Float64MultiArray(), '~/instant')
        self._run = secrets.token_hex(8)  # which messages belong together
        self._is_described = False
        self._is_placed = False  # whether the geometry on its topic is that of now
        self._told: dict[str, Any] = {}
        self._figured, self._steps = time.monotonic(), 0

    def refresh(self) -> None:
        """Send geometry and values again: live symbols have changed."""
        self._is_placed = False
        if self._geometry.listeners:
            self._place()

    def publish(self, instant: Instant, nanoseconds: int) -> None:
        """Send all numbers of an instant."""
        if self._instant.listeners:
            simulation, seconds = self._simulation, 1e-9 * nanoseconds
            near, energy = self._observer.proximities(), simulation.energy()
            numbers = numbers_of(instant, near, energy, simulation.steps, seconds)
            self._instant.message.data = array('d', numbers.tobytes())
            self._instant.send()

    def update(self, scheduler: StepScheduler) -> None:
        """Send what is new, or was not sent for want of subscribers; a few times a second."""
        if self._model.listeners and not self._is_described:
            self._is_described = True
            _send(self._model, {'run': self._run, **live_description(self._simulation)})
        if self._geometry.listeners and not self._is_placed:
            self._place()
        if self._status.listeners:
            self._tell(scheduler)

    def _place(self) -> None:
        self._is_placed = True
        values = values_of(self._simulation.parameters)
        shapes = geometry(self._simulation)
        _send(self._geometry, {'run': self._run, 'geometry': shapes, 'values': values})

    def _tell(self, scheduler: StepScheduler) -> None:
        """Send the status where it has changed, and figures of a run once in a while."""
        failure = scheduler.failure
        status: dict[str, Any] = {
            'playing': not scheduler.paused,
            'failure': '' if failure is None else one_line(failure),
            'speed': scheduler.pacer.factor,
            'repeat': scheduler.repeats,
        }
        now = time.monotonic()
        elapsed = now - self._figured
        is_due = elapsed >= FIGURES_PERIOD
        if is_due or any(status[key] != self._told.get(key) for key in status):
            made = max(0, scheduler.steps - self._steps)
            figures = {'factor': self._told.get('factor', 0.0), 'ns': self._told.get('ns', 0.0)}
            if is_due:
                figures['factor'] = made * self._simulation.step_size / elapsed
                figures['ns'] = 1e9 * min(scheduler.step_times, default=0.0)
                self._figured, self._steps = now, scheduler.steps
            self._told = {**status, **figures}
            _send(self._status, self._told)


def _send(topic: Topic, what: object) -> None:
    topic.message.data = json.dumps(what, separators=(',', ':'), allow_nan=False)
    topic.send()
