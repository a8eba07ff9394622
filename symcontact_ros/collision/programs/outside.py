"""
The convex programs of two shapes, solved by packages that are not part of this one.

The same functions as in `spatial` and `planar`, as plain Python: programs are written as conic
ones, normals come from the optimum's dual variables, and distances are those that they prove.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.layout import INNER, RADIUS, REACH, SHRUNK, STAR
from symcontact_ros.collision.pairs import CORE_INSIDE, NOT_OPTIMAL, PROVEN, TOO_DEEP
from symcontact_ros.collision.programs.choice import DEEP, exact_program
from symcontact_ros.collision.programs.cones import (
    distance_program,
    growth_program,
    separation,
    Solid,
    solid,
)
from symcontact_ros.collision.programs.solvers import Solution, SOLVERS
from symcontact_ros.kernels.transitional import bound, Memory, shift

Array = NDArray[np.float64]
Solver = Callable[[Any], Solution | None]

# Of the size: the distance of shrunk shapes that a solver cannot tell from none, and how far its
# optimum may be from what its normal proves.
MEETING = 1e-7
PROOF = 1e-7


class Outside:
    """The programs of one dimension with one solver."""

    def __init__(self, solver: str, dimension: int) -> None:
        self._solve = SOLVERS[solver]
        self._dimension = dimension
        self.auto = bound(exact_program, growth=self.growth, min_distance=self.min_distance)

    def growth(
        self, a: Memory, frame_a: Any, b: Memory, frame_b: Any, margin: float, *rest: Memory
    ) -> Any:
        """Let both shapes grow or shrink until they touch."""
        axes, origin = self._frame(frame_a)
        first = self._solid(a, frame_a, frame_a, a[RADIUS])
        second = self._solid(b, frame_b, frame_a, b[RADIUS])
        way = second.centre - first.centre
        if np.linalg.norm(way) <= 1e-9 * (a[INNER] + b[INNER]):
            return self._nothing(frame_a, TOO_DEEP)
        program, rows = growth_program(first, second)
        found = self._solve(program)
        if found is None:
            return self._nothing(frame_a, NOT_OPTIMAL)
        size = self._dimension
        g = program.matrices()[0]
        raw = g[rows, 1 : 1 + size].T @ found.duals[rows]
        length = float(np.linalg.norm(raw))
        if not length > 0.0:
            return self._nothing(frame_a, NOT_OPTIMAL)
        normal = raw / length
        distance = separation(first, second, normal)
        if abs((float(found.x[0]) - 1.0) / length - distance) > PROOF * (a[REACH] + b[REACH]):
            return self._nothing(frame_a, NOT_OPTIMAL)
        note = TOO_DEEP if -distance > DEEP * min(a[INNER], b[INNER]) else PROVEN
        point_a = _moved_to_end(found.x[1 : 1 + size], first, normal)
        point_b = point_a + distance * normal
        return self._answer(distance, axes, origin, normal, point_a, point_b, note)

    def min_distance(
        self, a: Memory, frame_a: Any, b: Memory, frame_b: Any, margin: float, *rest: Memory
    ) -> Any:
        """Find the distance of two shrunk shapes, and subtract what they were shrunk by."""
        axes, origin = self._frame(frame_a)
        inner_a, inner_b = shift(a, int(a[SHRUNK])), shift(b, int(b[SHRUNK]))
        first = self._solid(inner_a, frame_a, frame_a, inner_a[STAR])
        second = self._solid(inner_b, frame_b, frame_a, inner_b[STAR])
        found = self._solve(distance_program(first, second))
        if found is None:
            return self._nothing(frame_a, NOT_OPTIMAL)
        size = self._dimension
        scale = inner_a[REACH] + inner_b[REACH]
        dual = -found.duals[
            -size:
        ]  # of the distance: points to B, and has length 1 if they are apart
        if found.x[0] <= MEETING * scale or np.linalg.norm(dual) < 0.5:
            return self._nothing(frame_a, CORE_INSIDE)
        normal = dual / np.linalg.norm(dual)
        apart = separation(first, second, normal)
        if not apart > 0.0 or found.x[0] - apart > PROOF * scale:
            return self._nothing(frame_a, NOT_OPTIMAL)
        radii = [inner[RADIUS] - inner[STAR] for inner in (inner_a, inner_b)]
        point_a = _moved_to_end(found.x[1 : 1 + size], first, normal)
        point_b = point_a + (apart - radii[1]) * normal
        point_a = point_a + radii[0] * normal
        distance = apart - radii[0] - radii[1]
        return self._answer(distance, axes, origin, normal, point_a, point_b, PROVEN)

    def _frame(self, frame: Any) -> tuple[Array, Array]:
        """Return the axes of a frame as columns, and its origin."""
        if self._dimension == 2:
            (cosine, sine), origin = frame
            return np.array([[cosine, -sine], [sine, cosine]]), np.array(origin)
        return np.array(frame[:3]).T, np.array(frame[3])

    def _solid(self, block: Memory, frame: Any, seen_from: Any, ball: float) -> Solid:
        axes, origin = self._frame(frame)
        own, start = self._frame(seen_from)
        return solid(block, own.T @ axes, own.T @ (origin - start), ball)

    def _answer(
        self,
        distance: float,
        axes: Array,
        origin: Array,
        normal: Array,
        point_a: Array,
        point_b: Array,
        note: float,
    ) -> Any:
        return (
            distance,
            tuple((axes @ normal).tolist()),
            tuple((origin + axes @ point_a).tolist()),
            tuple((origin + axes @ point_b).tolist()),
            note,
            0,
        )

    def _nothing(self, frame: Any, note: float) -> Any:
        axes, origin = self._frame(frame)
        somewhere = tuple(origin.tolist())
        return 0.0, tuple(axes[:, 0].tolist()), somewhere, somewhere, note, 0


def _moved_to_end(point: Array, body: Solid, normal: Array) -> Array:
    """Return a point moved along a normal to where a solid ends."""
    moved: Array = point + (body.reach(normal) - normal @ (point - body.centre)) * normal
    return moved
