"""Comparison of two detectors on the same states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
import math

import numpy as np

from symcontact_ros.collision.detection import Detection
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.simulation.observing.inspection import Inspection
from symcontact_ros.simulation.observing.pair_records import PairRecord, total_force
from symcontact_ros.simulation.observing.reports import Reports
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.types import Vector


@dataclass(frozen=True)
class Comparison:
    """Results of two detectors for a pair of shapes at one instant; those of the other second."""

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
    Another detector, which inspects the states of a simulation and leaves it as it is.

    Parameters
    ----------
    reports
        Of the simulation whose states are compared.
    detection
        The other one.
    time
        Returns the simulated time [s].
    """

    def __init__(self, reports: Reports, detection: Detection, time: Callable[[], float]) -> None:
        self._reports = reports
        self._time = time
        self._own = own = reports.inspection.memory
        self._other = WorldMemory(own.layout, detection, own.values)
        margin = reports.inspection.proximity_range
        self._inspection = Inspection(self._other, Cache(), margin)

    def __repr__(self) -> str:
        return (
            f'<CrossCheck of {self._own.layout.model.name} with {self._other.detection.detector}>'
        )

    def compare(self) -> list[Comparison]:
        """Return the results of both for every pair of shapes that is near, now."""
        own, other = self._own, self._other
        if other.values is not own.values:
            other.fill(other.detection, own.values)
        other.whole_state[:] = own.whole_state
        other.image['stage'][:] = own.state
        if own.layout.sticks:
            other.set_anchors(own.anchors)
        margin = self._reports.inspection.proximity_range
        pairs = own.layout.body_pairs
        by_shapes = {
            record.shapes: record
            for record in (PairRecord(r, pairs) for r in self._inspection.records(margin))
        }
        return [
            _comparison(self._time(), record, by_shapes[record.shapes])
            for record in self._reports.records(margin)
            if record.shapes in by_shapes
        ]


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
