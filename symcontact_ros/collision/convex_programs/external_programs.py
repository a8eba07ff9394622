"""
Convex programs of two shapes, solved by other packages.

The same programs as in `spatial_programs` and `planar_programs`, as plain Python: they are written
as conic ones, normals come from the optimum's dual variables, and distances are those that they
prove.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.convex_programs.cones import (
    distance_program,
    growth_program,
    separation,
)
from symcontact_ros.collision.convex_programs.program import Answer, DEEP, ExactProgram, Program
from symcontact_ros.collision.convex_programs.solvers import SOLVERS
from symcontact_ros.collision.shape_pair import (
    CORE_INSIDE,
    NO_PROGRAM,
    NOT_OPTIMAL,
    PROVEN,
    TOO_DEEP,
    WarmStart,
)
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.vectors import planar as plane
from symcontact_ros.kernels.vectors import spatial as space
from symcontact_ros.shapes.convex_body import ConvexBody
from symcontact_ros.shapes.cores import Core
from symcontact_ros.shapes.records import PlanarSolid, SpatialSolid
from symcontact_ros.shapes.table import PLANAR_CORES, SPATIAL_CORES

Array = NDArray[np.float64]
Solid: TypeAlias = PlanarSolid | SpatialSolid
Frame: TypeAlias = plane.Frame | space.Frame

# Of the size: the distance of shrunk shapes that counts as none, and how far the optimum may be
# from what its normal proves.
MEETING = 1e-7
PROOF = 1e-7


def external_programs(solver: str) -> dict[str, Program[Any, Any, Any]]:
    """Return the programs of any dimension with a solver, by the names that options have."""
    growth, min_distance = ExternalGrowth(solver), ExternalMinDistance(solver)
    auto: ExactProgram[Any, Any, Any] = ExactProgram(growth, min_distance, _is_rounded)
    return {'auto': auto, 'min_distance': min_distance, 'growth': growth}


@dataclass(frozen=True)
class ExternalGrowth:
    """The least factor by which both shapes must grow to touch, with a solver of this name."""

    solver: str

    def solve(
        self,
        a: Solid,
        frame_a: Frame,
        b: Solid,
        frame_b: Frame,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> Answer[Any]:
        """Let both shapes grow or shrink until they touch."""
        first = _body(a, frame_a, frame_a, a.radius)
        second = _body(b, frame_b, frame_a, b.radius)
        way = second.centre - first.centre
        if np.linalg.norm(way) <= 1e-9 * (a.inner + b.inner):
            return _nothing(frame_a, TOO_DEEP)
        program, rows = growth_program(first, second)
        found = SOLVERS[self.solver](program)
        if found is None:
            return _nothing(frame_a, NOT_OPTIMAL)
        size = len(way)
        g = program.matrices()[0]
        raw = g[rows, 1 : 1 + size].T @ found.duals[rows]
        length = float(np.linalg.norm(raw))
        if not length > 0.0:
            return _nothing(frame_a, NOT_OPTIMAL)
        normal = raw / length
        distance = separation(first, second, normal)
        if abs((float(found.x[0]) - 1.0) / length - distance) > PROOF * (a.reach + b.reach):
            return _nothing(frame_a, NOT_OPTIMAL)
        status = TOO_DEEP if -distance > DEEP * min(a.inner, b.inner) else PROVEN
        point_a = _moved_to_end(found.x[1 : 1 + size], first, normal)
        point_b = point_a + distance * normal
        return _answer(frame_a, distance, normal, point_a, point_b, status)


@dataclass(frozen=True)
class ExternalMinDistance:
    """The least distance of two shrunk shapes, with a solver of this name."""

    solver: str

    def solve(
        self,
        a: Solid,
        frame_a: Frame,
        b: Solid,
        frame_b: Frame,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> Answer[Any]:
        """Find the distance of two shrunk shapes, and subtract what they were shrunk by."""
        inner_a, inner_b = a.shrunk[0], b.shrunk[0]
        first = _body(inner_a, frame_a, frame_a, inner_a.star)
        second = _body(inner_b, frame_b, frame_a, inner_b.star)
        found = SOLVERS[self.solver](distance_program(first, second))
        if found is None:
            return _nothing(frame_a, NOT_OPTIMAL)
        size = len(first.centre)
        scale = inner_a.reach + inner_b.reach
        dual = -found.duals[-size:]  # of the distance: points to B, of length 1 if they are apart
        if found.x[0] <= MEETING * scale or np.linalg.norm(dual) < 0.5:
            return _nothing(frame_a, CORE_INSIDE)
        normal = dual / np.linalg.norm(dual)
        apart = separation(first, second, normal)
        if not apart > 0.0 or found.x[0] - apart > PROOF * scale:
            return _nothing(frame_a, NOT_OPTIMAL)
        radii = [inner.radius - inner.star for inner in (inner_a, inner_b)]
        point_a = _moved_to_end(found.x[1 : 1 + size], first, normal)
        point_b = point_a + (apart - radii[1]) * normal
        point_a = point_a + radii[0] * normal
        distance = apart - radii[0] - radii[1]
        return _answer(frame_a, distance, normal, point_a, point_b, PROVEN)


def _axes(frame: Frame) -> tuple[Array, Array]:
    """Return the axes of a frame as columns, and its origin."""
    if len(frame) == 2:
        (cosine, sine), origin = frame
        return np.array([[cosine, -sine], [sine, cosine]]), np.array(origin)
    return np.array(frame[:3]).T, np.array(frame[3])


def _body(shape: Solid, frame: Frame, seen_from: Frame, ball: float) -> ConvexBody:
    axes, origin = _axes(frame)
    own, start = _axes(seen_from)
    return _core(shape).convex_body(shape, own.T @ axes, own.T @ (origin - start), ball)


def _core(shape: Solid) -> type[Core]:
    return (PLANAR_CORES if isinstance(shape, PlanarSolid) else SPATIAL_CORES)[shape.core]


def _is_rounded(shape: Solid) -> bool:
    return _core(shape).is_rounded


def _answer(
    frame: Frame, distance: float, normal: Array, point_a: Array, point_b: Array, status: int
) -> Answer[Any]:
    """Return what was found in a frame in the world."""
    axes, origin = _axes(frame)
    return (
        distance,
        tuple((axes @ normal).tolist()),
        tuple((origin + axes @ point_a).tolist()),
        tuple((origin + axes @ point_b).tolist()),
        status,
        NO_PROGRAM,
        0,
    )


def _nothing(frame: Frame, status: int) -> Answer[Any]:
    axes, origin = _axes(frame)
    somewhere = tuple(origin.tolist())
    return 0.0, tuple(axes[:, 0].tolist()), somewhere, somewhere, status, NO_PROGRAM, 0


def _moved_to_end(point: Array, body: ConvexBody, normal: Array) -> Array:
    """Return a point moved along a normal to where a solid ends."""
    moved: Array = point + (body.reach(normal) - normal @ (point - body.centre)) * normal
    return moved
