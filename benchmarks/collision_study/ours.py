"""What a step of a simulation does with a pair, in a compiled loop."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from collision_study.queries import POSES, Query
import symcontact_ros as sc
from symcontact_ros.collision.packing import packed
from symcontact_ros.collision.planar import table as planar_table
from symcontact_ros.collision.planar import vectors as planar_vectors
from symcontact_ros.collision.query import frames
from symcontact_ros.collision.rows import MOST, ROW
from symcontact_ros.collision.spatial import table as spatial_table
from symcontact_ros.collision.spatial import vectors as spatial_vectors
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.transitional import bound, Memory


def look(*arguments: Any) -> Any:
    """Stand for the kernels of a pair below."""
    raise NotImplementedError


contacts = gap = frame_at = look
STRIDE = 0


def contact_loop(  # noqa: PLR0917
    rounds: int,
    count: int,
    a: Memory,
    frames_a: Memory,
    b: Memory,
    frames_b: Memory,
    work: Memory,
    rows: Memory,
    out: Memory,
) -> None:
    """Look at every pose and find contact points where there are any."""
    total = 0.0
    depth = 0.0
    for _round in range(rounds):
        for i in range(count):
            frame_a = frame_at(frames_a, STRIDE * i)
            frame_b = frame_at(frames_b, STRIDE * i)
            separation, feature, _ = look(a, frame_a, b, frame_b, -1, 0.0, rows, work)
            total += separation
            if separation < 0.0:
                number, normal = contacts(a, frame_a, b, frame_b, feature, rows, rows, work)
                depth += rows[0] * normal[0] + float(number)
    out[0] = total
    out[1] = depth


def gap_loop(  # noqa: PLR0917
    rounds: int,
    count: int,
    a: Memory,
    frames_a: Memory,
    b: Memory,
    frames_b: Memory,
    work: Memory,
    rows: Memory,
    out: Memory,
) -> None:
    """Measure the exact distance at every pose."""
    total = 0.0
    rest = 0.0
    for _round in range(rounds):
        for i in range(count):
            frame_a = frame_at(frames_a, STRIDE * i)
            frame_b = frame_at(frames_b, STRIDE * i)
            distance, normal, point_a, point_b, unproven = gap(a, frame_a, b, frame_b, work)
            total += distance
            rest += normal[0] + point_a[0] + point_b[0] + unproven
    out[0] = total
    out[1] = rest


@cache
def kernel(loop: Callable[..., None], kinds: tuple[str, str], dimension: int) -> Kernel:
    """Return a loop over the kernels of a pair, compiled."""
    tables: Any = planar_table if dimension == 2 else spatial_table
    vectors: Any = planar_vectors if dimension == 2 else spatial_vectors
    pair = tables.PAIRS[kinds]
    function = bound(
        loop,
        look=pair.look,
        contacts=pair.contacts,
        gap=pair.gap,
        frame_at=vectors.frame_at,
        STRIDE=vectors.FRAME,
    )
    return Kernel(function, ['int'] * 2 + ['memory'] * 7)


class Ours:
    """A query at its poses, ready to run."""

    def __init__(self, loop: Callable[..., None], query: Query, a: sc.Pose, b: sc.Pose) -> None:
        d = query.dimension
        self._kernel = kernel(loop, (query.a.kind, query.b.kind), d)
        work = np.zeros((planar_table if d == 2 else spatial_table).WORK)
        self._out = np.zeros(2)
        self._arrays = (
            packed(query.a, d),
            frames('A', query.a, a, d),
            packed(query.b, d),
            frames('B', query.b, b, d),
            work,
            np.zeros(MOST * ROW),
            self._out,
        )

    def run(self, rounds: int) -> None:
        self._kernel(rounds, POSES, *self._arrays)

    def total(self) -> float:
        """Return the sum of the separations of one round."""
        self.run(1)
        return float(self._out[0])
