"""
Convex shapes on surfaces of triangles.

A triangle is a half-space for the points of the shape that lie above it: contact points and shares
are those of the pair of the shape and a half-space. A side in which two triangles meet convexly,
and an open one, is a segment: contact points are those with a capsule without a radius, if their
normal lies between those of both triangles. An even or concave side gives none, so that nothing
catches on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from symcontact_ros.collision.contact_points import ContactPoint, deepest
from symcontact_ros.collision.shape_pair import (
    Contacts,
    Pair,
    PROVEN,
    QueryResult,
    Result,
    WARM_START,
    WarmStart,
)
from symcontact_ros.collision.spatial.convex_gap import convex_gap
from symcontact_ros.collision.spatial.convex_gap import WORK as CONVEX_WORK
from symcontact_ros.collision.spatial.polytope_pairs import Trial
from symcontact_ros.collision.spatial.surface_touches import (
    add_touch,
    EDGE,
    FACE,
    Gathering,
    own_point,
    sector,
    SECTORS,
    Touch,
    WEDGE,
    write_touch,
    write_touches,
)
from symcontact_ros.collision.spatial.surface_triangles import (
    CONCAVE,
    CONVEX,
    END,
    EVEN,
    Facet,
    Near,
    OPEN,
    Side,
)
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import layout_of, Rows
from symcontact_ros.kernels.vectors.scalars import SHORTEST
from symcontact_ros.kernels.vectors.spatial import (
    along,
    between,
    cross,
    dot,
    Frame,
    minus,
    norm,
    opposite,
    placed,
    plus,
    times,
    turned,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import bounds, support

HERE: Frame = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
HEAD = layout_of(SpatialSolid).slots
TOOLS = max(CONVEX_WORK, layout_of(Trial).slots)  # where the tools are in the work memory:
SEGMENT, TRIANGLE = TOOLS + HEAD, TOOLS + 2 * HEAD  # a plane, a segment and a triangle
WARM = TRIANGLE + HEAD + 9
POINTS = WARM + WARM_START
WORK = POINTS + layout_of(Gathering).slots

WITHIN = 1e-9  # of a side: points so far beyond it still lie above the triangle
ROUND_SLACK = 1e-6  # by how much a normal may lie beyond those of both triangles: sine,
FLAT_SLACK = 0.2  # of a shape with faces, whose own normal it is
LEAST_BAND = 1e-4  # [m]: points so far off count as contact points, times a power of two,
MOST_DOUBLINGS = 16  # which is the feature of a pair
FAR = 1e6  # [m], of a search for the nearest triangle
NEVER, INSIDE, BEYOND = range(3)  # where a point is: not above a triangle, above it, in a wedge
NO_NAME = -1
EDGE_NAMES, VERTEX_NAMES = 1 << 40, 1 << 45  # numbers from which sides and corners are counted


class Triangles(Protocol):
    """A source of triangles: see `surface_triangles`."""

    is_solid: bool

    def first(self, solid: SpatialSolid, near: Near) -> int:
        """Return the cursor of the first triangle."""

    def after(self, solid: SpatialSolid, near: Near, cursor: int) -> int:
        """Return the next cursor."""

    def triangle(self, solid: SpatialSolid, near: Near, cursor: int) -> int:
        """Return the triangle at a cursor."""

    def facet(self, solid: SpatialSolid, number: int) -> Facet:
        """Return a triangle."""

    def vertices(self, solid: SpatialSolid, number: int) -> tuple[int, int, int]:
        """Return the numbers of the corners of a triangle."""

    def side(self, solid: SpatialSolid, facet: Facet, side: int) -> Side:
        """Return a side of a triangle."""

    def holds(self, solid: SpatialSolid, point: Vector, depth: float, inner: float) -> bool:
        """Return whether a point that is behind a triangle is inside."""


@dataclass(frozen=True)
class OnSurface:
    """
    A convex shape and a surface.

    Attributes
    ----------
    source
        The triangles of the surface.
    flat
        The pair of the shape and a half-space.
    edge
        The pair of the shape and a capsule.
    shares
        See `Pair`: those of the half-space.
    is_swapped
        Whether ``edge`` takes the capsule first.
    is_round
        Whether the shape touches an edge in one point.
    is_capsule
        Whether it has two ends.
    status
        Of all results.
    has_normals
        Its contact points have normals of their own, `OwnNormals`.
    """

    source: Any
    flat: Pair[SpatialSolid, Frame, Vector]
    edge: Pair[SpatialSolid, Frame, Vector]
    shares: float
    is_swapped: bool = False
    is_round: bool = False
    is_capsule: bool = False
    status: int = PROVEN
    has_normals: bool = True

    @separate
    def gap(
        self, a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, work: Floats
    ) -> Result[Vector]:
        """Return the gap: the deepest contact point in overlap, else the nearest triangle."""
        frame = between(frame_b, frame_a)
        warm = WarmStart.at(work, WARM)  # which exact pairs do not use
        touches = Gathering.at(work, POINTS).touches
        count = self.gather(a, frame, b, LEAST_BAND, warm, work)
        best = 0
        for i in range(1, count):
            if touches[i].distance < touches[best].distance:
                best = i
        if count > 0 and touches[best].distance < 0.0:
            touch = touches[best]
            point_a = own_point(touch)
            point_b = along(point_a, -touch.distance, touch.normal)
            normal = opposite(touch.normal)
            distance = touch.distance
        else:
            distance, normal, point_a, point_b = self.nearest(a, frame, b, work)
        return (
            distance,
            turned(frame_b, normal),
            placed(frame_b, point_a),
            placed(frame_b, point_b),
            self.status,
        )

    @separate
    def nearest(
        self, a: SpatialSolid, frame: Frame, b: SpatialSolid, work: Floats
    ) -> tuple[float, Vector, Vector, Vector]:
        """Return distance, normal and closest points of a shape outside; never below 0."""
        take_tools(b, work)
        triangle = SpatialSolid.at(work, TRIANGLE)
        best, normal, point_a, point_b = FAR, (0.0, 0.0, -1.0), frame[3], frame[3]
        search = 0.5 * a.reach
        box = box_around(a, frame, 0.0)
        while best > search and search < FAR:
            search *= 4.0
            near = box_around(a, frame, search)
            cursor = self.source.first(b, near)
            while cursor != END:
                facet = self.source.facet(b, self.source.triangle(b, near, cursor))
                cursor = self.source.after(b, near, cursor)
                if box_gap(box, facet) >= best:
                    continue
                triangle.vertices[0].position = facet.a
                triangle.vertices[1].position = facet.b
                triangle.vertices[2].position = facet.c
                found, way, on_a, on_b, _ = convex_gap(a, frame, triangle, HERE, work)
                if found < best:
                    best, normal, point_a, point_b = found, way, on_a, on_b
        if best < 0.0:  # it is behind the surface
            return 0.0, normal, point_a, point_a
        return best, normal, point_a, point_b

    @separate
    def query(
        self,
        a: SpatialSolid,
        frame_a: Frame,
        b: SpatialSolid,
        frame_b: Frame,
        hint: int,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> QueryResult:
        """Return a lower bound of the distance, and how far off contact points may be."""
        frame = between(frame_b, frame_a)
        search = 0.5 * a.reach
        doublings = 0
        if margin < FAR:
            search = max(search, margin)
            while doublings < MOST_DOUBLINGS and LEAST_BAND * float(1 << doublings) < margin:
                doublings += 1
        box = box_around(a, frame, 0.0)
        near = self.reaching(box_around(a, frame, search))
        separation = search
        cursor = self.source.first(b, near)
        while cursor != END:
            facet = self.source.facet(b, self.source.triangle(b, near, cursor))
            cursor = self.source.after(b, near, cursor)
            lowest, _ = support(a, direction_of(frame, opposite(facet.normal)))
            above = dot(facet.normal, placed(frame, lowest)) - a.radius - facet.offset
            if not self.source.is_solid:
                highest, _ = support(a, direction_of(frame, facet.normal))
                below = facet.offset - a.radius - dot(facet.normal, placed(frame, highest))
                above = max(above, below)
            separation = min(separation, max(above, box_gap(box, facet)))
            if separation <= margin:
                return separation, doublings, self.status
        return separation, doublings, self.status

    @separate
    def contacts(
        self,
        a: SpatialSolid,
        frame_a: Frame,
        b: SpatialSolid,
        frame_b: Frame,
        feature: int,
        rows: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> Contacts[Vector]:
        """Write the contact points, and their normals into the work memory."""
        band = LEAST_BAND * float(1 << max(0, min(feature, MOST_DOUBLINGS)))
        count = self.gather(a, between(frame_b, frame_a), b, band, warm, work)
        count = write_touches(Gathering.at(work, POINTS).touches, count, frame_b, rows, work)
        if count == 0:
            return 0, opposite(frame_b[2])
        out = Gathering.at(work, POINTS).touches[deepest(rows, count)].normal
        return count, opposite(turned(frame_b, out))

    def reaching(self, near: Near) -> Near:
        """Return a box, for a solid with all that is above it: below the ground is inside."""
        if self.source.is_solid:
            return Near(near.lower, (near.upper[0], near.upper[1], FAR))
        return near

    @separate
    def gather(
        self,
        a: SpatialSolid,
        frame: Frame,
        b: SpatialSolid,
        band: float,
        warm: WarmStart,
        work: Floats,
    ) -> int:
        """Gather the contact points within a distance [m]; the frame is in that of the surface."""
        take_tools(b, work)
        near = self.reaching(box_around(a, frame, band))
        count = 0
        cursor = self.source.first(b, near)
        while cursor != END:
            facet = self.source.facet(b, self.source.triangle(b, near, cursor))
            cursor = self.source.after(b, near, cursor)
            plane = SpatialSolid.at(work, TOOLS)
            plane.size = facet.normal
            plane.offset = facet.offset
            lowest, face, _ = self.flat.query(a, frame, plane, HERE, -1, 1e300, warm, work)
            if lowest > band:
                continue
            count = self.on_face(a, frame, b, facet, face, band, count, warm, work)
            for side in range(3):
                found = self.source.side(b, facet, side)
                if found.kind in (EVEN, CONCAVE):
                    continue
                if found.kind == CONVEX and found.neighbour < facet.number:
                    continue  # it is that of the neighbour
                count = self.on_side(a, frame, b, facet, side, found, band, count, warm, work)
        return count

    # Faces --------------------------------------------------------------------------------------

    @separate
    def on_face(
        self,
        a: SpatialSolid,
        frame: Frame,
        b: SpatialSolid,
        facet: Facet,
        face: int,
        band: float,
        count: int,
        warm: WarmStart,
        work: Floats,
    ) -> int:
        """Add the points of a shape that are above a triangle; return how many there are now."""
        centre = placed(frame, a.centre)
        if not self.source.is_solid and dot(facet.normal, centre) < facet.offset:
            return count  # what is behind a triangle of a mesh is kept by others
        gathering = Gathering.at(work, POINTS)
        plane = SpatialSolid.at(work, TOOLS)
        rows = gathering.rows
        number, _ = self.flat.contacts(a, frame, plane, HERE, face, rows, warm, work)
        for i in range(number):
            row = rows[i]
            if row.distance > band:
                continue
            point = along(row.point, 0.5 * row.distance, facet.normal)
            if self.is_round:  # where its middle is counts, not what it reaches beyond an edge
                point = along(point, min(a.inner, -row.distance), facet.normal)
            where = self.place_of(b, facet, point)
            if where == NEVER:
                continue
            if row.distance < 0.0 and not self.source.holds(b, point, -row.distance, a.inner):
                continue
            name = SECTORS * row.feature + sector(facet.normal)
            place = FACE if where == INSIDE else WEDGE
            write_touch(gathering.touches[count], row, facet.normal, place, name)
            count = add_touch(gathering.touches, count, a.reach, a.inner, self.is_round)
        return count

    def place_of(self, b: SpatialSolid, facet: Facet, point: Vector) -> int:
        """Return whether a point is above a triangle, or in the wedge beyond a concave side."""
        where = INSIDE
        for side in range(3):
            start = facet.corner(side)
            way = minus(facet.corner((side + 1) % 3), start)
            out = minus(point, start)
            if dot(cross(facet.normal, way), out) >= -WITHIN * dot(way, way):
                continue
            found = self.source.side(b, facet, side)
            if found.kind != CONCAVE or dot(found.inward, out) > 0.0:
                return NEVER
            where = BEYOND
        return where

    # Sides --------------------------------------------------------------------------------------

    @separate
    def on_side(
        self,
        a: SpatialSolid,
        frame: Frame,
        b: SpatialSolid,
        facet: Facet,
        side: int,
        found: Side,
        band: float,
        count: int,
        warm: WarmStart,
        work: Floats,
    ) -> int:
        """Add the points of a shape at a side of a triangle; return how many there are now."""
        start, end = facet.corner(side), facet.corner((side + 1) % 3)
        if not is_near_segment(placed(frame, a.centre), start, end, a.reach + band):
            return count
        place = segment_frame(start, end, facet.normal)
        gathering = Gathering.at(work, POINTS)
        segment = SpatialSolid.at(work, SEGMENT)
        half = 0.5 * norm(minus(end, start))
        segment.size = (0.0, 0.0, half)
        segment.reach = half
        rows = gathering.rows
        number, normal = self.edge_contacts(a, frame, segment, place, rows, warm, work)
        if not self.lies_between(facet, cross(facet.normal, place[2]), found, normal):
            return count
        for i in range(number):
            row = rows[i]
            if row.distance > band:
                continue
            at = dot(minus(along(row.point, -0.5 * row.distance, normal), place[3]), place[2])
            name = EDGE_NAMES + 8 * (3 * facet.number + side) + i
            if abs(at) >= (1.0 - 1e-9) * half:
                name = self.corner_name(b, facet, (side + 1) % 3 if at > 0.0 else side, normal)
            if name == NO_NAME:
                continue
            touch = gathering.touches[count]
            write_touch(touch, row, normal, EDGE, name)
            touch.shares = 1.0
            if self.is_round:
                touch.feature = SECTORS * self.end_of(a, frame, touch) + sector(normal)
            count = add_touch(gathering.touches, count, a.reach, a.inner, self.is_round)
        return count

    def lies_between(self, facet: Facet, inward: Vector, found: Side, normal: Vector) -> bool:
        """Return whether a normal at a side lies between those of both triangles."""
        slack = ROUND_SLACK if self.is_round else FLAT_SLACK
        if found.kind == OPEN and dot(normal, facet.normal) < -slack:
            return False
        return dot(normal, inward) <= slack and dot(normal, found.inward) <= slack

    def end_of(self, a: SpatialSolid, frame: Frame, touch: Touch) -> int:
        """Return which end of a capsule a point is at, numbered as on a half-space; else 2."""
        if not self.is_capsule:
            return 0
        at = dot(minus(own_point(touch), frame[3]), frame[2])
        if abs(at) < 0.99 * a.size[2]:
            return 2
        return 1 if at > 0.0 else 0

    def edge_contacts(
        self,
        a: SpatialSolid,
        frame: Frame,
        segment: SpatialSolid,
        place: Frame,
        rows: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> Contacts[Vector]:
        """Write the contact points with a segment; return their number, and the normal from it."""
        if self.is_swapped:
            _, feature, _ = self.edge.query(segment, place, a, frame, -1, 1e300, warm, work)
            return self.edge.contacts(segment, place, a, frame, feature, rows, warm, work)
        _, feature, _ = self.edge.query(a, frame, segment, place, -1, 1e300, warm, work)
        count, normal = self.edge.contacts(a, frame, segment, place, feature, rows, warm, work)
        return count, opposite(normal)

    @separate
    def corner_name(self, b: SpatialSolid, facet: Facet, corner: int, normal: Vector) -> int:
        """Return the feature of a corner; NO_NAME where an edge there rises along the normal."""
        slack = ROUND_SLACK if self.is_round else FLAT_SLACK
        vertex: int = self.source.vertices(b, facet.number)[corner]
        point = facet.corner(corner)
        near = Near(point, point)
        cursor = self.source.first(b, near)
        while cursor != END:
            number = self.source.triangle(b, near, cursor)
            cursor = self.source.after(b, near, cursor)
            if vertex not in self.source.vertices(b, number):
                continue
            other = self.source.facet(b, number)
            for end in (other.a, other.b, other.c):
                way = minus(end, point)
                if dot(way, normal) > slack * norm(way):
                    return NO_NAME
        return VERTEX_NAMES + vertex


def take_tools(b: SpatialSolid, work: Floats) -> None:
    """Copy the blocks of a plane, a segment and a triangle into the work memory."""
    tools = b.tools
    for i in range(len(tools)):
        work[TOOLS + i] = tools[i]


def direction_of(frame: Frame, a: Vector) -> Vector:
    """Return the components in a frame of a direction."""
    return dot(frame[0], a), dot(frame[1], a), dot(frame[2], a)


def box_around(a: SpatialSolid, frame: Frame, margin: float) -> Near:
    """Return the box around a shape, grown by a margin [m]."""
    low, high = bounds(a, frame)
    grown = a.radius + margin
    more = (grown, grown, grown)
    return Near(minus(low, more), plus(high, more))


def box_gap(box: Near, facet: Facet) -> float:
    """Return how far a box and that around a triangle are apart, at least; below 0: they meet."""
    gap = -1e300
    for low, high, a, b, c in (
        (box.lower[0], box.upper[0], facet.a[0], facet.b[0], facet.c[0]),
        (box.lower[1], box.upper[1], facet.a[1], facet.b[1], facet.c[1]),
        (box.lower[2], box.upper[2], facet.a[2], facet.b[2], facet.c[2]),
    ):
        gap = max(gap, low - max(a, b, c), min(a, b, c) - high)
    return gap


def is_near_segment(centre: Vector, start: Vector, end: Vector, most: float) -> bool:
    """Return whether a segment comes nearer to a point than a distance [m]."""
    way, out = minus(end, start), minus(centre, start)
    at = max(0.0, min(1.0, dot(way, out) / max(dot(way, way), SHORTEST)))
    apart = along(out, -at, way)
    return dot(apart, apart) <= most * most


def segment_frame(start: Vector, end: Vector, normal: Vector) -> Frame:
    """Return a frame in the middle of a segment: z along it, x along a normal across it."""
    way = minus(end, start)
    z = times(1.0 / max(norm(way), SHORTEST), way)
    y = cross(z, normal)
    middle = times(0.5, plus(start, end))
    return normal, y, z, middle
