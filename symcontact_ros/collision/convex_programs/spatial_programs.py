"""Convex programs of two shapes in space; see `program`."""

from __future__ import annotations

from dataclasses import dataclass

from symcontact_ros.collision.convex_programs.program import (
    Answer,
    Dimension,
    Program,
    programs_of,
)
from symcontact_ros.collision.shape_pair import (
    CORE_INSIDE,
    CORNER,
    MIN_DISTANCE,
    NO_PROGRAM,
    PROVEN,
    WarmStart,
)
from symcontact_ros.collision.spatial.convex_gap import too_close, with_points
from symcontact_ros.collision.spatial.gjk import core_distance
from symcontact_ros.collision.spatial.growth import grown
from symcontact_ros.collision.spatial.polish import polish
from symcontact_ros.collision.spatial.polytope_pairs import matches_depth
from symcontact_ros.collision.spatial.query_memory import QueryMemory
from symcontact_ros.collision.spatial.reference_face import best_reference
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.vectors.spatial import (
    along,
    between,
    Frame,
    in_space,
    placed,
    turned,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import is_curved, is_rounded, vertex

MOST_CARRIERS = 3  # pairs of vertices that a warm start has room for


@dataclass(frozen=True)
class MinDistance:
    """The least distance of two shrunk shapes."""

    @separate
    def solve(
        self,
        a: SpatialSolid,
        frame_a: Frame,
        b: SpatialSolid,
        frame_b: Frame,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> Answer[Vector]:
        """Find the distance of two shrunk shapes, and subtract what they were shrunk by."""
        inner_a, inner_b = a.shrunk[0], b.shrunk[0]
        count = recalled(inner_a, inner_b, MIN_DISTANCE, warm, work)
        simplex = core_distance(inner_a, inner_b, between(frame_a, frame_b), work, count)
        query = QueryMemory.at(work)
        radii = inner_a.radius + inner_b.radius
        if too_close(query, simplex) or simplex[0] <= inner_a.star + inner_b.star:
            return -radii, frame_a[0], frame_a[3], frame_a[3], CORE_INSIDE, NO_PROGRAM, 0
        if is_curved(a) or is_curved(b):
            simplex = polish(inner_a, inner_b, query, simplex)
        distance, normal, p, q, _ = with_points(inner_a, query, simplex)
        p, q = along(p, inner_a.radius, normal), along(q, -inner_b.radius, normal)
        return (
            distance - radii,
            turned(frame_a, normal),
            placed(frame_a, p),
            placed(frame_a, q),
            PROVEN,
            MIN_DISTANCE,
            simplex[3],
        )


def reference(
    a: SpatialSolid,
    frame_a: Frame,
    b: SpatialSolid,
    frame_b: Frame,
    distance: float,
    normal: Vector,
    work: Floats,
) -> int:
    """Return the face to take contact points from, or CORNER."""
    face = best_reference(a, frame_a, b, frame_b, distance, normal)
    if face > CORNER and matches_depth(a, frame_a, b, frame_b, distance, face, work):
        return face
    return CORNER


def remember(program: int, count: int, warm: WarmStart, work: Floats) -> None:
    """Keep which vertices carry an answer; points of a cylinder's rim have no number."""
    simplex = QueryMemory.at(work).simplex
    warm.program = program if count <= MOST_CARRIERS else NO_PROGRAM
    warm.count = count
    for i in range(min(count, MOST_CARRIERS)):
        first, second = simplex[i].feature_a, simplex[i].feature_b
        warm.vertices_a[i] = first
        warm.vertices_b[i] = second
        if min(first, second) < 0:
            warm.program = NO_PROGRAM


def recalled(a: SpatialSolid, b: SpatialSolid, program: int, warm: WarmStart, work: Floats) -> int:
    """Put the vertices that carried the last answer into the simplex; return how many."""
    if warm.program != program:
        return 0
    simplex = QueryMemory.at(work).simplex
    count = warm.count
    for i in range(count):
        corner = simplex[i]
        corner.feature_a = warm.vertices_a[i]
        corner.feature_b = warm.vertices_b[i]
        corner.point_a = vertex(a, corner.feature_a)
        corner.point_b = vertex(b, corner.feature_b)
    return count


DIMENSION: Dimension[SpatialSolid, Frame, Vector] = Dimension(
    between=between,
    turned=turned,
    placed=placed,
    in_space=in_space,
    grown=grown,
    carriers=3,
    remember=remember,
    recalled=recalled,
    reference=reference,
    is_rounded=is_rounded,
)
PROGRAMS: dict[str, Program[SpatialSolid, Frame, Vector]] = programs_of(DIMENSION, MinDistance())
