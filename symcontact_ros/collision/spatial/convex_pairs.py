"""Pairs of convex shapes by GJK and EPA, with contact points on faces; and half-spaces."""

from __future__ import annotations

from dataclasses import dataclass

from symcontact_ros.collision.contact_points import ContactPoint, write_point
from symcontact_ros.collision.shape_pair import (
    CommonNormal,
    Contacts,
    CORNER,
    PROVEN,
    QueryResult,
    Result,
    WarmStart,
)
from symcontact_ros.collision.spatial.clipping import Clipping, contacts_above
from symcontact_ros.collision.spatial.closed_forms import surface
from symcontact_ros.collision.spatial.convex_gap import convex_gap
from symcontact_ros.collision.spatial.polytope_pairs import convex_query, polytopes_contacts
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import Rows
from symcontact_ros.kernels.vectors.spatial import (
    along,
    direction_in,
    dot,
    Frame,
    opposite,
    placed,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import support


@dataclass(frozen=True)
class Convex(CommonNormal):
    """Two convex shapes, at least one of them with flat faces."""

    shares: float  # see `Pair`

    def gap(
        self, a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, work: Floats
    ) -> Result[Vector]:
        """Return the gap of two convex shapes."""
        return convex_gap(a, frame_a, b, frame_b, work)

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
        """Return distance and reference of two convex shapes."""
        return convex_query(a, frame_a, b, frame_b, margin, work)

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
        """Write the contact points of two convex shapes for a reference."""
        return polytopes_contacts(a, frame_a, b, frame_b, feature, rows, work)


@dataclass(frozen=True)
class Smooth(Convex):
    """Two convex shapes that touch in one point."""

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
        """Return their distance."""
        distance, _, _, _, status = convex_gap(a, frame_a, b, frame_b, work)
        return distance, CORNER, status


@dataclass(frozen=True)
class OnHalfSpace(CommonNormal):
    """A convex shape and a half-space."""

    shares: float  # see `Pair`

    def gap(
        self, a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, work: Floats
    ) -> Result[Vector]:
        """Return the gap of a convex shape and a half-space."""
        normal, offset = surface(b, frame_b)
        lowest, _ = support(a, direction_in(frame_a, opposite(normal)))
        point_a = along(placed(frame_a, lowest), -a.radius, normal)
        distance = dot(normal, point_a) - offset
        return distance, opposite(normal), point_a, along(point_a, -distance, normal), PROVEN

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
        """Return the separation of a convex shape and a half-space; there is one feature."""
        normal, offset = surface(b, frame_b)
        lowest, _ = support(a, direction_in(frame_a, opposite(normal)))
        return dot(normal, placed(frame_a, lowest)) - a.radius - offset, 0, PROVEN

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
        """Write the points of a convex shape that lie deep in a half-space, up to four."""
        normal, offset = surface(b, frame_b)
        clipping = Clipping.at(work)  # without sides
        count = contacts_above(a, frame_a, normal, offset, 0, 0, rows, clipping)
        return count, opposite(normal)


@dataclass(frozen=True)
class BoxOnHalfSpace(OnHalfSpace):
    """A box and a half-space: its features are the axes of the box."""

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
        """Return the separation of a box, and the axis of its face that faces a half-space."""
        normal, offset = surface(b, frame_b)
        x, y, z = direction_in(frame_a, normal)
        half = a.size
        reach = half[0] * abs(x) + half[1] * abs(y) + half[2] * abs(z)
        axis = 2
        if abs(x) >= abs(y) and abs(x) >= abs(z):
            axis = 0
        elif abs(y) >= abs(z):
            axis = 1
        return dot(normal, frame_a[3]) - offset - reach, axis, PROVEN

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
        """Write the four corners of the face across an axis that faces a half-space."""
        normal, offset = surface(b, frame_b)
        next_, after = (feature + 1) % 3, (feature + 2) % 3
        own, half = frame_a[feature], a.size
        out = -half[feature] if dot(own, normal) > 0.0 else half[feature]
        centre = along(frame_a[3], out, own)
        for corner in range(4):
            first = half[next_] if corner < 2 else -half[next_]
            second = half[after] if corner % 2 == 0 else -half[after]
            point = along(along(centre, first, frame_a[next_]), second, frame_a[after])
            distance = dot(normal, point) - offset
            middle = along(point, -0.5 * distance, normal)
            write_point(rows[corner], distance, middle, 1.0, 4 * feature + corner)
        return 4, opposite(normal)


SMOOTH = Smooth(shares=1.0)
WITH_CAPSULE = Convex(shares=2.0)
CONVEX = Convex(shares=4.0)
ON_HALF_SPACE = OnHalfSpace(shares=4.0)
BOX_ON_HALF_SPACE = BoxOnHalfSpace(shares=4.0)
CAPSULE_ON_HALF_SPACE = OnHalfSpace(shares=2.0)
