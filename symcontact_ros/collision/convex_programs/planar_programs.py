"""Convex programs of two shapes in the plane; see `program`."""

from __future__ import annotations

from dataclasses import dataclass

from symcontact_ros.collision.contact_points import are_as_deep
from symcontact_ros.collision.convex_programs.program import Answer, Dimension, programs_of
from symcontact_ros.collision.planar.clipping import edge_contacts, EdgePoints, facing_edge
from symcontact_ros.collision.planar.differences import Simplex
from symcontact_ros.collision.planar.gjk import core_distance
from symcontact_ros.collision.planar.growth import grown
from symcontact_ros.collision.planar.separating_axes import edge_separation, TIE
from symcontact_ros.collision.shape_pair import (
    CORE_INSIDE,
    CORNER,
    MIN_DISTANCE,
    NO_PROGRAM,
    PROVEN,
    WarmStart,
)
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.vectors.planar import (
    along,
    between,
    direction_in,
    Frame,
    in_space,
    opposite,
    placed,
    turned,
    Vector,
)
from symcontact_ros.shapes.planar_dispatch import is_rounded, vertex
from symcontact_ros.shapes.records import PlanarSolid

TOUCHING = 1e-12  # of the size: nearer cores have no direction from one to the other


@dataclass(frozen=True)
class MinDistance:
    """The least distance of two shrunk shapes."""

    @separate
    def solve(
        self,
        a: PlanarSolid,
        frame_a: Frame,
        b: PlanarSolid,
        frame_b: Frame,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> Answer[Vector]:
        """Find the distance of two shrunk shapes, and subtract what they were shrunk by."""
        inner_a, inner_b = a.shrunk[0], b.shrunk[0]
        warm_count = recalled(inner_a, inner_b, MIN_DISTANCE, warm, work)
        distance, _, normal, p, count = core_distance(
            inner_a, inner_b, between(frame_a, frame_b), Simplex.at(work), warm_count
        )
        radii = inner_a.radius + inner_b.radius
        shrunk = inner_a.star + inner_b.star
        if distance <= shrunk or distance <= TOUCHING * (inner_a.reach + inner_b.reach):
            return -radii, frame_a[0], frame_a[1], frame_a[1], CORE_INSIDE, NO_PROGRAM, 0
        q = along(p, distance - inner_b.radius, normal)
        return (
            distance - radii,
            turned(frame_a, normal),
            placed(frame_a, along(p, inner_a.radius, normal)),
            placed(frame_a, q),
            PROVEN,
            MIN_DISTANCE,
            count,
        )


def reference(
    a: PlanarSolid,
    frame_a: Frame,
    b: PlanarSolid,
    frame_b: Frame,
    distance: float,
    normal: Vector,
    work: Floats,
) -> int:
    """Return the edge to take contact points from, or CORNER."""
    edge = facing_edge(a, direction_in(frame_a, opposite(normal)))
    if matches_depth(a, frame_a, b, frame_b, distance, edge, work):
        return edge
    edge = len(a.edges) + facing_edge(b, direction_in(frame_b, normal))
    if matches_depth(a, frame_a, b, frame_b, distance, edge, work):
        return edge
    return CORNER


def matches_depth(
    a: PlanarSolid,
    frame_a: Frame,
    b: PlanarSolid,
    frame_b: Frame,
    distance: float,
    edge: int,
    work: Floats,
) -> bool:
    """
    Return whether an edge has this distance, and contact points about as deep.

    Rounded shapes may touch beside the edge, corner to corner: there it has none.
    """
    radii = a.radius + b.radius
    least = distance + radii - TIE * (a.reach + b.reach)
    if edge_separation(a, frame_a, b, frame_b, edge) < least:
        return False
    if radii == 0.0 or distance >= 0.0:
        return True
    rows = EdgePoints.at(work).points
    count, _ = edge_contacts(a, frame_a, b, frame_b, edge, rows)
    return are_as_deep(rows, count, distance)


def remember(program: int, count: int, warm: WarmStart, work: Floats) -> None:
    """Keep which vertices carry an answer."""
    simplex = Simplex.at(work)
    warm.program = program
    warm.count = count
    for number in range(count):
        corner = simplex.corners[number]
        warm.vertices_a[number] = corner.vertex_a
        warm.vertices_b[number] = corner.vertex_b
        if min(corner.vertex_a, corner.vertex_b) < 0:  # inside, or on a curve
            warm.program = NO_PROGRAM


def recalled(a: PlanarSolid, b: PlanarSolid, program: int, warm: WarmStart, work: Floats) -> int:
    """Put the vertices that carried the last answer of a program into the simplex; count them."""
    if warm.program != program:
        return 0
    simplex = Simplex.at(work)
    for number in range(warm.count):
        corner = simplex.corners[number]
        corner.vertex_a = warm.vertices_a[number]
        corner.vertex_b = warm.vertices_b[number]
        corner.point_a = vertex(a, corner.vertex_a)
        corner.point_b = vertex(b, corner.vertex_b)
    return warm.count


DIMENSION = Dimension(
    between=between,
    turned=turned,
    placed=placed,
    in_space=in_space,
    grown=grown,
    carriers=2,
    remember=remember,
    recalled=recalled,
    reference=reference,
    is_rounded=is_rounded,
)
PROGRAMS = programs_of(DIMENSION, MinDistance())
