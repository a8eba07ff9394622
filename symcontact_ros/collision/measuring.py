"""
One kernel per pair of kinds of shapes: poses in, all that can be told of them out.

A pair runs as plain Python until that has cost more than compiling it would; results are the same
bit for bit.
"""

from __future__ import annotations

from functools import cache
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.pairs import KEPT, Pair
from symcontact_ros.collision.planar import vectors as planar_vectors
from symcontact_ros.collision.rows import MOST, ROW
from symcontact_ros.collision.spatial import vectors as spatial_vectors
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import available, Kernel
from symcontact_ros.kernels.transitional import bound, Memory, memory_of, shift

Array = NDArray[np.float64]

# What is written of one query.
DISTANCE, NORMAL, POINT_A, POINT_B = 0, 1, 4, 7
NOTE = 10  # see `pairs`
COUNT = 11
CONTACT_NORMAL = 12
ROWS = 15
RECORD = ROWS + MOST * ROW
PATIENCE = 0.5  # [s] of plain Python before a pair is compiled
ANY = 1e300  # a margin that no axis exceeds


# They stand for the kernels of a pair, and for those of its dimension, in `measure`.
gap: Any = None
look: Any = None
contacts: Any = None
frame_at: Any = None
in_space: Any = None


def measure(
    count: int,
    a: Memory,
    frames_a: Memory,
    stride_a: int,
    b: Memory,
    frames_b: Memory,
    stride_b: int,
    kept: Memory,
    work: Memory,
    out: Memory,
) -> None:
    """Write the records of a pair of shapes at many poses; a stride of 0 keeps the first."""
    for i in range(count):
        frame_a = frame_at(frames_a, stride_a * i)
        frame_b = frame_at(frames_b, stride_b * i)
        record = shift(out, RECORD * i)
        distance, normal, point_a, point_b, note = gap(a, frame_a, b, frame_b, work)
        record[DISTANCE] = distance
        write(record, NORMAL, in_space(normal))
        write(record, POINT_A, in_space(point_a))
        write(record, POINT_B, in_space(point_b))
        record[NOTE] = note
        record[COUNT] = 0.0
        if distance < 0.0:
            kept[0] = 0.0  # a query knows nothing of the one before
            _, feature, _ = look(a, frame_a, b, frame_b, -1, ANY, kept, work)
            rows = shift(record, ROWS)
            number, direction = contacts(a, frame_a, b, frame_b, feature, rows, kept, work)
            record[COUNT] = float(number)
            write(record, CONTACT_NORMAL, in_space(direction))


def write(record: Memory, start: int, point: tuple[float, float, float]) -> None:
    """Write a vector."""
    record[start] = point[0]
    record[start + 1] = point[1]
    record[start + 2] = point[2]


class Measurement:
    """Distances and contact points of one pair of kinds of shapes."""

    def __init__(self, pair: Pair, detection: Detection) -> None:
        vectors: Any = planar_vectors if detection.dimension == 2 else spatial_vectors
        table = detection.table
        self.shares = pair.shares
        self._compiles = detection.is_compiled and available()
        self._frame = vectors.FRAME
        self._measure = bound(
            measure,
            gap=pair.gap,
            look=pair.look,
            contacts=pair.contacts,
            frame_at=vectors.frame_at,
            in_space=table.in_space,
        )
        self._work = KEPT + table.WORK
        self._kernel: Kernel | None = None
        self._spent = 0.0

    def __call__(self, a: Array, frames_a: Array, b: Array, frames_b: Array) -> Array:
        """Return the records of two blocks at (n or 1, frame) poses each."""
        count = max(len(frames_a), len(frames_b))
        out = np.zeros((count, RECORD))
        work = np.empty(self._work)  # its own in every call: there may be several at a time
        kept = np.zeros(KEPT)
        strides = [self._frame if len(frames) > 1 else 0 for frames in (frames_a, frames_b)]
        is_worth_it = self._spent > PATIENCE or count > 100
        if self._kernel is None and is_worth_it and self._compiles:
            self._kernel = compiled(self._measure)
        if self._kernel is not None:
            self._kernel(count, a, frames_a, strides[0], b, frames_b, strides[1], kept, work, out)
            return out
        start = time.perf_counter()
        self._measure(
            count,
            memory_of(a),
            memory_of(frames_a),
            strides[0],
            memory_of(b),
            memory_of(frames_b),
            strides[1],
            memory_of(kept),
            memory_of(work),
            memory_of(out),
        )
        self._spent += time.perf_counter() - start
        return out


def compiled(function: Any) -> Kernel:
    """Return `measure` of a pair as machine code."""
    side = ['memory', 'memory', 'int']
    return Kernel(function, ['int', *side, *side, 'memory', 'memory', 'memory'], Cache())


@cache
def measurement(kind_a: str, kind_b: str, detection: Detection) -> tuple[Measurement, bool] | None:
    """Return the measurement of two kinds and whether it takes B before A; None: there is none."""
    for kinds, swapped in (((kind_a, kind_b), False), ((kind_b, kind_a), True)):
        if kinds in detection.table.PAIRS:
            return _shared(kinds, detection), swapped
    return None


@cache
def _shared(kinds: tuple[str, str], detection: Detection) -> Measurement:
    return Measurement(detection.pair(detection.table.PAIRS[kinds]), detection)
