"""Contact forces, depths and distances of a run, sampled through its impacts."""

from __future__ import annotations

from dataclasses import dataclass, field
import math

import numpy as np

from symcontact_ros.cli.recording import ENERGY, Pair
from symcontact_ros.simulation.observing.instant import Contacts
from symcontact_ros.simulation.simulation import Simulation

PERIOD = 1e-3  # [s] between two samples of the contacts: an impact lasts for tens of it
MOST_PAIRS = 8  # with more of them the sampling would take longer than the steps
MOST_SAMPLES = 100_000  # of every step while bodies are near; then as without a figure
APART = 0.0, 0.0, 0.0


@dataclass
class Peak:
    """Largest depth and force of a pair over a run, and their times."""

    depth: float = 0.0  # [m]
    depth_time: float = 0.0  # [s]
    force: float = 0.0  # [N]
    force_time: float = 0.0  # [s]


@dataclass
class PairHistory:
    """A pair over time: rows of the time [s], and what the names say."""

    contacts: list[tuple[float, float, float, float]] = field(default_factory=list)
    distances: list[tuple[float, float]] = field(default_factory=list)  # signed [m]


class ContactMonitor:
    """
    Contacts sampled between the rows of a recording, which are too far apart for an impact.

    No sample is taken while the step has queried no pair. Models with many pairs are sampled only
    with the rows of the recording, and so is the reference integrator, which would have to restart
    at every sample.

    Attributes
    ----------
    peaks
        By pair that has touched.
    histories
        By pair: of contacts time, normal force on B along the normal from A to B [N], positive
        where it pushes them apart, friction on B [N] and depth [m]. In the plane friction is
        positive to the left of the normal; in space it is a magnitude. And distances.

    """

    def __init__(self, simulation: Simulation, stride: int, every_step: bool = False) -> None:
        self._simulation = simulation
        few = len(simulation.pairs) <= MOST_PAIRS and simulation.used_integrator != 'reference'
        period = max(1, round(PERIOD / simulation.step_size))
        self.usual_stride = min(stride, period) if few else stride  # steps between two samples
        self._every_step = every_step and few
        self.peaks: dict[Pair, Peak] = {}
        self.histories: dict[Pair, PairHistory] = {}
        self._pairs = simulation.pairs
        self._is_planar = simulation.model.dimension == 2
        self._observer = simulation.observer(often=False)
        self._queries = -1.0
        self._touching: set[Pair] = set()
        self._time = simulation.time  # of the last sample
        self._samples = 0
        self._are_near = False
        self.energies: list[list[float]] = []  # time and `ENERGY`, of a figure, while near

    @property
    def stride(self) -> int:
        """Steps until the next sample: of a figure each one, while bodies are near."""
        near = self._every_step and self._are_near and self._samples < MOST_SAMPLES
        return 1 if near else self.usual_stride

    def sample(self) -> None:
        """Add the contacts of this instant."""
        simulation = self._simulation
        queries, time, before = simulation.counters['queries'], simulation.time, self._time
        self._time = time
        self._are_near = queries != self._queries
        if not self._are_near and simulation.used_integrator != 'reference':
            return
        self._queries = queries
        self._samples += 1
        if self._every_step:
            energy = simulation.energy()
            self.energies.append([time, *(float(getattr(energy, term)) for term in ENERGY)])
        found = forces_by_pair(self._observer.observe(0.0).contacts, self._pairs, self._is_planar)
        for pair, (normal, friction, depth) in found.items():
            strength = math.hypot(normal, friction)
            peak = self.peaks.setdefault(pair, Peak())
            if depth > peak.depth:
                peak.depth, peak.depth_time = depth, time
            if strength > peak.force:
                peak.force, peak.force_time = strength, time
            history = self.histories.setdefault(pair, PairHistory())
            if pair not in self._touching:
                history.contacts.append((before, *APART))
            history.contacts.append((time, normal, friction, depth))
            history.distances.append((time, -depth))
        for pair in self._touching - set(found):
            self.histories[pair].contacts.append((time, *APART))
        self._touching = set(found)

    def sample_distances(self) -> None:
        """Add the distances of the pairs that are near and do not touch; nan where one is far."""
        near = self._observer.proximities()
        least: dict[Pair, float] = {}
        for row, distance in zip(near.pair.tolist(), near.distance.tolist(), strict=True):
            pair = self._pairs[row]
            least[pair] = min(distance, least.get(pair, math.inf))
        for pair in {*least, *self.histories} - self._touching:
            history = self.histories.setdefault(pair, PairHistory())
            history.distances.append((self._simulation.time, least.get(pair, math.nan)))


def forces_by_pair(
    contacts: Contacts, pairs: tuple[Pair, ...], is_planar: bool
) -> dict[Pair, tuple[float, float, float]]:
    """Return normal force and friction on B [N] and the depth [m], by pair that touches."""
    along = np.einsum('ni,ni->n', contacts.force, contacts.normal)
    across = contacts.force - along[:, None] * contacts.normal
    found: dict[Pair, tuple[float, float, float]] = {}
    for row in dict.fromkeys(contacts.pair.tolist()):
        own = contacts.pair == row
        if is_planar:  # the tangent is the normal, turned to the left
            x, y = contacts.normal[own, 0], contacts.normal[own, 1]
            friction = float((across[own, 1] * x - across[own, 0] * y).sum())
        else:
            friction = float(np.linalg.norm(across[own].sum(axis=0)))
        depth = float(-contacts.distance[own].min())
        found[pairs[row]] = float(along[own].sum()), friction, max(depth, 0.0)
    return found
