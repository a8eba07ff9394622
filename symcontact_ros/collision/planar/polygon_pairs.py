"""Pairs of shapes with edges in the plane: rectangles, polygons, capsules, and half-planes."""

from __future__ import annotations

from dataclasses import dataclass

from symcontact_ros.collision.contact_points import (
    are_as_deep,
    ContactPoint,
    deepest,
    write_point,
)
from symcontact_ros.collision.planar.clipping import edge_contacts, EdgePoints, facing_edge
from symcontact_ros.collision.planar.closed_forms import surface
from symcontact_ros.collision.planar.differences import Simplex
from symcontact_ros.collision.planar.gjk import core_distance
from symcontact_ros.collision.planar.separating_axes import find_edge, lowest_vertex, vertex_of
from symcontact_ros.collision.shape_pair import (
    ANY,
    CommonNormal,
    Contacts,
    CORNER,
    PROVEN,
    QueryResult,
    Result,
    WarmStart,
)
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import Rows
from symcontact_ros.kernels.vectors.planar import (
    along,
    between,
    direction_in,
    dot,
    Frame,
    in_plane,
    in_space,
    opposite,
    placed,
    turned,
    Vector,
)
from symcontact_ros.shapes.records import PlanarSolid

EXACT = 1e-12  # of the size: what rounding can make of two equal distances


@dataclass(frozen=True)
class Polygons(CommonNormal):
    """Two polygons with or without radii; a capsule is one."""

    shares: float = 2.0

    @separate
    def gap(
        self, a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame, work: Floats
    ) -> Result[Vector]:
        """Return the gap of two polygons."""
        separation, edge, _ = find_edge(a, frame_a, b, frame_b, CORNER, ANY)
        radii = a.radius + b.radius
        apart = separation + radii
        distance = 0.0
        normal, core = frame_a
        if apart > 0.0:
            distance, _, normal, core, _ = core_distance(
                a, b, between(frame_a, frame_b), Simplex.at(work)
            )
        if distance > 0.0:
            normal = turned(frame_a, normal)
            core = placed(frame_a, core)
            if distance <= apart + EXACT * (a.reach + b.reach):  # not of two vertices
                distance, normal = apart, edge_normal(a, frame_a, b, frame_b, edge)
            return (
                distance - radii,
                normal,
                along(core, a.radius, normal),
                along(core, distance - b.radius, normal),
                PROVEN,
            )
        rows = EdgePoints.at(work).points
        count, normal = edge_contacts(a, frame_a, b, frame_b, edge, rows)
        middle = in_plane(rows[deepest(rows, count)].point)
        return (
            separation,
            normal,
            along(middle, -0.5 * separation, normal),
            along(middle, 0.5 * separation, normal),
            PROVEN,
        )

    def query(
        self,
        a: PlanarSolid,
        frame_a: Frame,
        b: PlanarSolid,
        frame_b: Frame,
        hint: int,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> QueryResult:
        """Return separation and reference edge of two polygons."""
        separation, _, reference = find_edge(a, frame_a, b, frame_b, hint, margin)
        radii = a.radius + b.radius
        if separation <= margin and radii > 0.0 and separation + radii > 0.0:
            distance, _, _, _, _ = core_distance(a, b, between(frame_a, frame_b), Simplex.at(work))
            if distance - radii > separation + EXACT * (a.reach + b.reach):
                return distance - radii, CORNER, PROVEN
        if radii > 0.0 and separation < 0.0:  # a capsule may stand on the very end of an edge
            rows = EdgePoints.at(work).points
            count, _ = edge_contacts(a, frame_a, b, frame_b, reference, rows)
            if not are_as_deep(rows, count, separation):
                return separation, CORNER, PROVEN
        return separation, reference, PROVEN

    def contacts(
        self,
        a: PlanarSolid,
        frame_a: Frame,
        b: PlanarSolid,
        frame_b: Frame,
        feature: int,
        rows: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> Contacts[Vector]:
        """Write the contact points of two polygons for a reference edge."""
        if feature == CORNER:
            distance, normal, point_a, _, _ = self.gap(a, frame_a, b, frame_b, work)
            middle = along(point_a, 0.5 * distance, normal)
            write_point(rows[0], distance, in_space(middle), 1.0, CORNER)
            return 1, normal
        return edge_contacts(a, frame_a, b, frame_b, feature, rows)


@dataclass(frozen=True)
class OnHalfPlane(CommonNormal):
    """A polygon with or without a radius, and a half-plane."""

    shares: float = 2.0

    def gap(
        self, a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame, work: Floats
    ) -> Result[Vector]:
        """Return the gap of a polygon and a half-plane."""
        normal, offset = surface(b, frame_b)
        core = placed(frame_a, vertex_of(a, lowest_vertex(a, direction_in(frame_a, normal))))
        point_a = along(core, -a.radius, normal)
        distance = dot(normal, core) - offset - a.radius
        return distance, opposite(normal), point_a, along(point_a, -distance, normal), PROVEN

    def query(
        self,
        a: PlanarSolid,
        frame_a: Frame,
        b: PlanarSolid,
        frame_b: Frame,
        hint: int,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> QueryResult:
        """Return separation of a polygon and a half-plane, and the edge that faces it."""
        normal, offset = surface(b, frame_b)
        local = direction_in(frame_a, normal)
        height = dot(local, vertex_of(a, lowest_vertex(a, local))) + dot(normal, frame_a[1])
        return height - offset - a.radius, facing_edge(a, local), PROVEN

    def contacts(
        self,
        a: PlanarSolid,
        frame_a: Frame,
        b: PlanarSolid,
        frame_b: Frame,
        feature: int,
        rows: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> Contacts[Vector]:
        """Write how deep the ends of an edge lie in a half-plane."""
        normal, offset = surface(b, frame_b)
        edge = a.edges[feature]
        for number, vertex in enumerate((edge.first, edge.second)):
            point = placed(frame_a, vertex_of(a, vertex))
            distance = dot(normal, point) - offset - a.radius
            middle = along(point, -a.radius - 0.5 * distance, normal)
            write_point(rows[number], distance, in_space(middle), 1.0, vertex)
        return 2, opposite(normal)


def edge_normal(
    a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame, edge: int
) -> Vector:
    """Return the normal from A to B that belongs to an edge of either."""
    count = len(a.edges)
    if edge < count:
        return turned(frame_a, a.edges[edge].normal)
    return opposite(turned(frame_b, b.edges[edge - count].normal))
