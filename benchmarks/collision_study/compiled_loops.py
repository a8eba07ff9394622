"""Compiled loops over the queries that a step makes for a pair."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from collision_study.queries import Query
import symcontact_ros as sc
from symcontact_ros.collision.batch_query import Placement, PlanarPlacement, SpatialPlacement
from symcontact_ros.collision.contact_points import ContactPoint, MOST
from symcontact_ros.collision.planar import table as planar_table
from symcontact_ros.collision.proximity import frames
from symcontact_ros.collision.shape_pair import CORNER, F, Pair, S, V, WarmStart
from symcontact_ros.collision.spatial import table as spatial_table
from symcontact_ros.kernels.kernel import Kernel, static
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import dtype_of, Rows
from symcontact_ros.shapes.packing import packed, solid_type
from symcontact_ros.shapes.records import Triple


def contact_loop(  # noqa: PLR0917
    pair: Pair[S, F, V],
    in_space: Callable[[V], Triple],
    rounds: int,
    a: S,
    at_a: Rows[Placement[F]],
    b: S,
    at_b: Rows[Placement[F]],
    warm: WarmStart,
    work: Floats,
    rows: Rows[ContactPoint],
    out: Floats,
) -> None:
    """Query every pose, and find the contact points of overlaps."""
    total = 0.0
    depth = 0.0
    for _round in range(rounds):
        for i in range(len(at_a)):
            frame_a, frame_b = at_a[i].frame, at_b[i].frame
            separation, feature, _ = pair.query(a, frame_a, b, frame_b, CORNER, 0.0, warm, work)
            total += separation
            if separation < 0.0:
                number, normal = pair.contacts(a, frame_a, b, frame_b, feature, rows, warm, work)
                depth += rows[0].distance * in_space(normal)[0] + float(number)
    out[0] = total
    out[1] = depth


def gap_loop(  # noqa: PLR0917
    pair: Pair[S, F, V],
    in_space: Callable[[V], Triple],
    rounds: int,
    a: S,
    at_a: Rows[Placement[F]],
    b: S,
    at_b: Rows[Placement[F]],
    warm: WarmStart,
    work: Floats,
    rows: Rows[ContactPoint],
    out: Floats,
) -> None:
    """Compute the exact distance at every pose."""
    total = 0.0
    rest = 0.0
    for _round in range(rounds):
        for i in range(len(at_a)):
            distance, normal, point_a, point_b, status = pair.gap(
                a, at_a[i].frame, b, at_b[i].frame, work
            )
            total += distance
            rest += (
                in_space(normal)[0] + in_space(point_a)[0] + in_space(point_b)[0] + float(status)
            )
    out[0] = total
    out[1] = rest


@cache
def kernel(loop: Callable[..., None], kinds: tuple[str, str], dimension: int) -> Kernel:
    """Return a loop over the kernels of a pair, compiled."""
    table: Any = planar_table if dimension == 2 else spatial_table
    placement = PlanarPlacement if dimension == 2 else SpatialPlacement
    statics = [static(table.PAIRS[kinds]), static(table.in_space)]
    side = [solid_type(dimension), Rows[placement]]
    memory = [WarmStart, Floats, Rows[ContactPoint], Floats]
    return Kernel(loop, [*statics, int, *side, *side, *memory])


class Ours:
    """A query at its poses, ready to run."""

    def __init__(self, loop: Callable[..., None], query: Query, a: sc.Pose, b: sc.Pose) -> None:
        d = query.dimension
        self._kernel = kernel(loop, (query.a.kind, query.b.kind), d)
        self._out = np.zeros(2)
        self._arrays = (
            packed(query.a, d),
            frames('A', query.a, a, d),
            packed(query.b, d),
            frames('B', query.b, b, d),
            np.zeros(1, dtype_of(WarmStart)),
            np.zeros((planar_table if d == 2 else spatial_table).WORK),
            np.zeros(MOST, dtype_of(ContactPoint)),
            self._out,
        )

    def run(self, rounds: int) -> None:
        self._kernel(rounds, *self._arrays)

    def total(self) -> float:
        """Return the sum of the separations of one round."""
        self.run(1)
        return float(self._out[0])
