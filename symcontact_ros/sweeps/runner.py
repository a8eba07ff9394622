"""Runs of a sweep: one simulation that is reset for every point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import math
from typing import Any, NamedTuple

import numpy as np

from symcontact_ros.errors import DivergenceError, one_line, OptionError
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.observing.trust import trust_of
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.sweeps.measures import ALWAYS, END, Gathered, measure_named, NEAR, Now
from symcontact_ros.sweeps.points import Points

GOOD, DOUBTFUL, DIVERGED, REFUSED = STATUSES = ('good', 'doubtful', 'diverged', 'refused')
BLOCK = 64  # samples: far bodies are looked for in blocks of so many


class Row(NamedTuple):
    """What a run gave."""

    point: int
    status: str  # of `STATUSES`
    values: tuple[float | None, ...]  # of the measures; None: there is none
    message: str = ''  # why it was refused, how it diverged, or why it is not to be trusted


@dataclass(frozen=True)
class Job:
    """All that a worker needs to know of a sweep."""

    model: Model
    settings: dict[str, Any]  # of `Simulation`
    points: Points
    measures: tuple[str, ...]
    steps: int  # of every run
    stride: int  # steps between two samples
    version: str  # of the package
    mark: str  # of the whole sweep


class Runner:
    """Makes the runs of a sweep, one after the other, in any order."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self.simulation = Simulation(job.model, **job.settings, progress=_silent, checked=False)
        self._measures = [measure_named(job.model, name) for name in job.measures]
        self._now = Now(self.simulation)
        needs = {measure.when for measure in self._measures}
        self._is_sampled = needs != {END}
        # The reference integrator counts no queries, which tell where bodies are near.
        self._has_far = NEAR in needs and self.simulation.used_integrator != 'reference'
        self._samples_far = ALWAYS in needs

    def run(self, point: int) -> Row:
        """Return the row of a point; the state is then that at the end of its run."""
        simulation = self.simulation
        none = (None,) * len(self._measures)
        try:
            simulation.set_parameters(self._job.points.values(point))
            simulation.reset()
            simulation.check_start()
        except OptionError as error:
            return Row(point, REFUSED, none, one_line(error))
        try:
            with np.errstate(over='ignore', invalid='ignore'):
                gathered = self._gather()
        except DivergenceError as error:
            return Row(point, DIVERGED, none, one_line(error))
        values = tuple(_finite(one.result(simulation.step_size)) for one in gathered)
        trust = trust_of(simulation.parts.live.memory.world)
        status = GOOD if trust.is_good else DOUBTFUL
        return Row(point, status, values, '; '.join(trust.reasons))

    def _gather(self) -> list[Gathered]:
        """Make all steps and return what the measures gathered."""
        gathered = [measure.gather() for measure in self._measures]
        blocks = self._blocks()
        near = self._near_blocks(blocks)
        if self._is_sampled:
            self._sample(gathered, 0, NEAR)
        for is_near, steps in zip(near, blocks, strict=True):
            if is_near or self._samples_far:
                self._step_and_sample(gathered, steps, NEAR if is_near else ALWAYS)
            else:
                self.simulation.step(steps)
            if not is_near and self._is_sampled:
                self._sample(gathered, 0, NEAR)  # nothing touches: what comes next is new
        self._now.renew()
        for measure, one in zip(self._measures, gathered, strict=True):
            if measure.when == END:
                one.add(measure.read(self._now), 0)
        return gathered

    def _step_and_sample(self, gathered: Sequence[Gathered], steps: int, when: int) -> None:
        while steps:
            count = min(self._job.stride, steps)
            self.simulation.step(count)
            self._sample(gathered, count, when)
            steps -= count

    def _near_blocks(self, blocks: Sequence[int]) -> Sequence[bool]:
        """
        Return in which blocks of steps contacts have to be sampled.

        Where bodies are near, a first run of the same point finds, in which nothing is sampled: a
        step takes a small part of the time of a sample. The second run is the same bit for bit.
        """
        simulation = self.simulation
        if not self._has_far:
            return [self._is_sampled] * len(blocks)
        near, queries = [], simulation.counters['queries']
        for steps in blocks:
            simulation.step(steps)
            before, queries = queries, simulation.counters['queries']
            near.append(queries != before)
        simulation.reset()
        return near

    def _blocks(self) -> list[int]:
        """Return the numbers of steps of all blocks."""
        size = BLOCK * self._job.stride if self._is_sampled else self._job.steps
        whole, rest = divmod(self._job.steps, size)
        return [size] * whole + [rest] * bool(rest)

    def _sample(self, gathered: Sequence[Gathered], steps: int, when: int) -> None:
        """Read the measures that must be read now, after a number of steps."""
        self._now.renew()
        for measure, one in zip(self._measures, gathered, strict=True):
            if measure.when >= when:
                one.add(measure.read(self._now), steps)


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _silent(text: str) -> None:
    """Tell nobody."""
