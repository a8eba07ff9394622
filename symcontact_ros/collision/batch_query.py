"""
Batched queries of a shape pair: a kernel for each pair of kinds, poses in, records out.

A pair runs as plain Python until that has cost more than compiling it would; results are the same
bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
import time
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.contact_points import ContactPoint, MOST
from symcontact_ros.collision.detection import AnyPair, Detection
from symcontact_ros.collision.proximity_record import ProximityRecord, write_proximity
from symcontact_ros.collision.shape_pair import F, Pair, S, V, WARM_START, WarmStart
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import available, is_stored, Kernel, static
from symcontact_ros.kernels.memory import Floats, floats_of, scratch
from symcontact_ros.kernels.records import dtype_of, layout_of, Record, Rows, rows_of
from symcontact_ros.kernels.vectors import planar as plane
from symcontact_ros.kernels.vectors import spatial as space
from symcontact_ros.shapes.packing import solid_type
from symcontact_ros.shapes.records import Triple

Array = NDArray[np.float64]

PATIENCE = 0.5  # [s] of plain Python before a pair is compiled,
BEFORE_CACHE = 0.02  # [s] of plain Python before the cache is searched for it
MANY = 100  # poses in one call: worth compiling at once
POINTS = MOST * layout_of(ContactPoint).slots  # floats


class Placement(Record, Generic[F]):
    """Pose of a shape."""

    frame: F  # in the world


class PlanarPlacement(Placement[plane.Frame]):
    """Pose of a planar shape."""


class SpatialPlacement(Placement[space.Frame]):
    """Pose of a spatial shape."""


def query_batch(
    pair: Pair[S, F, V],
    in_space: Callable[[V], Triple],
    a: S,
    placements_a: Rows[Placement[F]],
    b: S,
    placements_b: Rows[Placement[F]],
    points: Rows[ContactPoint],
    warm: WarmStart,
    work: Floats,
    records: Rows[ProximityRecord],
) -> None:
    """Write the records of two shapes at many places; one that is alone stands for all."""
    for i in range(len(records)):
        frame_a = placements_a[i if len(placements_a) > 1 else 0].frame
        frame_b = placements_b[i if len(placements_b) > 1 else 0].frame
        write_proximity(records[i], pair, in_space, a, frame_a, b, frame_b, points, warm, work)


class BatchQuery:
    """Distances and contact points of one pair of kinds of shapes."""

    def __init__(self, pair: AnyPair, detection: Detection) -> None:
        planar = detection.dimension == 2
        self._pair = pair
        self._in_space = detection.table.in_space
        self._solid = solid_type(detection.dimension)
        self._placement: Any = PlanarPlacement if planar else SpatialPlacement
        self._compiles = detection.is_compiled and available()
        self._work = WARM_START + detection.table.WORK
        self._kernel: Kernel | None = None
        self._asked = False  # whether the cache has it
        self._spent = 0.0

    def __call__(self, a: Array, frames_a: Array, b: Array, frames_b: Array) -> NDArray[Any]:
        """Return a `ProximityRecord` for each pose of two blocks; (n or 1, frame) poses each."""
        count = max(len(frames_a), len(frames_b))
        records = np.zeros(count, dtype_of(ProximityRecord))
        # Memory of its own in every call: there may be several at a time.
        points, warm, work = scratch(POINTS), scratch(WARM_START), scratch(self._work)
        if self._kernel is None and self._compiles and (count > MANY or self._pays()):
            self._kernel = Kernel(query_batch, self._arguments, Cache())
        if self._kernel is not None:
            self._kernel(a, frames_a, b, frames_b, points, warm, work, records)
            return records
        start = time.perf_counter()
        query_batch(
            self._pair,
            self._in_space,
            self._solid.at(floats_of(a)),
            rows_of(self._placement, frames_a),
            self._solid.at(floats_of(b)),
            rows_of(self._placement, frames_b),
            rows_of(ContactPoint, points),
            WarmStart.at(floats_of(warm)),
            floats_of(work),
            rows_of(ProximityRecord, records),
        )
        self._spent += time.perf_counter() - start
        return records

    @cached_property
    def _arguments(self) -> list[Any]:
        """Arguments of `query_batch`."""
        side = [self._solid, Rows[self._placement]]  # type: ignore[name-defined]
        memory = [Rows[ContactPoint], WarmStart, Floats, Rows[ProximityRecord]]
        statics = [static(self._pair), static(self._in_space)]
        return [*statics, *side, *side, *memory]

    def _pays(self) -> bool:
        """Return whether to have machine code: after some time without, or where it is stored."""
        if self._asked or self._spent <= BEFORE_CACHE:
            return self._spent > PATIENCE
        self._asked = True
        return is_stored(query_batch, self._arguments, Cache())


@cache
def batch_query(kind_a: str, kind_b: str, detection: Detection) -> tuple[BatchQuery, bool] | None:
    """Return the query of two kinds and whether it takes B before A; None: there is none."""
    for kinds, swapped in (((kind_a, kind_b), False), ((kind_b, kind_a), True)):
        if kinds in detection.table.PAIRS:
            return _shared(kinds, detection), swapped
    return None


@cache
def _shared(kinds: tuple[str, str], detection: Detection) -> BatchQuery:
    return BatchQuery(detection.pair(detection.table.PAIRS[kinds]), detection)
