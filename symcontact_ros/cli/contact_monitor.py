"""Peaks of contact forces and depths between the samples of a run."""

from __future__ import annotations

from dataclasses import dataclass
import math

from symcontact_ros.cli.recording import by_pair, Pair
from symcontact_ros.simulation.simulation import Simulation

PERIOD = 1e-3  # [s] between two samples of the contacts: an impact lasts for tens of it
MOST_PAIRS = 8  # with more of them the sampling would take longer than the steps


@dataclass
class Peak:
    """Largest depth and force of a pair over a run, and their times."""

    depth: float = 0.0  # [m]
    depth_time: float = 0.0  # [s]
    force: float = 0.0  # [N]
    force_time: float = 0.0  # [s]


class ContactMonitor:
    """
    Contacts sampled between the rows of a recording, which are too far apart for an impact.

    No sample is taken while the step has queried no pair. Models with many pairs are sampled only
    with the rows of the recording, and so is the reference integrator, which would have to restart
    at every sample.
    """

    def __init__(self, simulation: Simulation, stride: int) -> None:
        self._simulation = simulation
        few = len(simulation.pairs) <= MOST_PAIRS and simulation.used_integrator != 'reference'
        period = max(1, round(PERIOD / simulation.step_size))
        self.stride = min(stride, period) if few else stride  # steps between two samples
        self.peaks: dict[Pair, Peak] = {}
        self.forces: dict[Pair, list[tuple[float, float]]] = {}  # time [s], strength [N]
        self._pairs = simulation.pairs
        self._observer = simulation.observer(often=False)
        self._queries = -1.0
        self._touching: set[Pair] = set()

    def sample(self) -> None:
        """Add the contacts of this instant."""
        simulation = self._simulation
        queries = simulation.counters['queries']
        if queries == self._queries and simulation.used_integrator != 'reference':
            return
        self._queries = queries
        time, before = (
            simulation.time,
            max(0.0, simulation.time - self.stride * simulation.step_size),
        )
        found = by_pair(self._observer.observe(0.0), self._pairs)
        for pair, (force, depth) in found.items():
            strength = math.hypot(*force)
            peak = self.peaks.setdefault(pair, Peak())
            if depth > peak.depth:
                peak.depth, peak.depth_time = depth, time
            if strength > peak.force:
                peak.force, peak.force_time = strength, time
            series = self.forces.setdefault(pair, [])
            if pair not in self._touching:
                series.append((before, 0.0))
            series.append((time, strength))
        for pair in self._touching - set(found):
            self.forces[pair].append((time, 0.0))
        self._touching = set(found)
