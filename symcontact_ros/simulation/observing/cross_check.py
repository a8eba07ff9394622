"""Two detectors asked about the same states, and where they disagree."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Any

import numpy as np

from symcontact_ros.kernels.cache import Cache
from symcontact_ros.simulation.observing.snapshots import PairRecord, total_force
from symcontact_ros.simulation.step.stepper import Survey
from symcontact_ros.simulation.world.filling import Tables
from symcontact_ros.types import Vector


@dataclass(frozen=True)
class Comparison:
    """What two detectors say of a pair of shapes at one instant; the other one's second."""

    time: float  # [s]
    body_a: str
    body_b: str
    distances: tuple[float, float]  # signed [m]
    angle: float  # between the normals [rad]
    forces: tuple[Vector, Vector]  # on B [N]
    fallback: str  # why the exact method answered instead of a convex program, if it did

    @property
    def distance_error(self) -> float:
        """How much the distances differ [m]."""
        return abs(self.distances[0] - self.distances[1])

    @property
    def force_error(self) -> float:
        """How much the forces differ [N]."""
        return float(np.linalg.norm(self.forces[0] - self.forces[1]))


class CrossCheck:
    """
    Another detector that looks at the states of a simulation, and does not touch it.

    Parameters
    ----------
    simulation
        An `Observed`, whose states are looked at; live symbols are those of now.
    tables
        Of its model, with the other detection.
    """

    def __init__(self, simulation: Any, tables: Tables) -> None:
        self._simulation = simulation
        self._tables = tables
        model = simulation.model
        self._tables.set_values(simulation.parameters)
        self._survey = Survey(self._tables, Cache())
        self._pairs = model.pairs

    def __repr__(self) -> str:
        return f'<CrossCheck of {self._simulation!r}>'

    def look(self) -> list[Comparison]:
        """Return what both say of every pair of shapes that is near, now."""
        simulation = self._simulation
        self._tables.image['state'][:] = simulation._whole
        self._tables.image['stage'][:] = simulation._state
        margin = simulation.proximity_range
        own = simulation.records(margin)
        other = [PairRecord(record, self._pairs) for record in self._survey(margin)]
        same = {record.shapes: record for record in other}
        pairs = [(record, same[record.shapes]) for record in own if record.shapes in same]
        return [_comparison(simulation.time, *pair) for pair in pairs]


def _comparison(time: float, one: PairRecord, other: PairRecord) -> Comparison:
    first, second = one.proximity(), other.proximity()
    return Comparison(
        time,
        one.body_a,
        one.body_b,
        (first.distance, second.distance),
        _angle(first.normal, second.normal),
        (total_force(one.contacts()), total_force(other.contacts())),
        first.fallback or second.fallback,
    )


def _angle(a: Vector, b: Vector) -> float:
    """Return the angle between two unit vectors, exact for small ones too [rad]."""
    return 2.0 * math.atan2(float(np.linalg.norm(a - b)), float(np.linalg.norm(a + b)))
