"""Pairs without an own formula: GJK and EPA, and contact points on faces; and half-spaces."""

from __future__ import annotations

from symcontact_ros.collision.layout import RADIUS
from symcontact_ros.collision.pairs import CORNER, Pair, Result
from symcontact_ros.collision.spatial.clipping import contacts_above
from symcontact_ros.collision.spatial.closed_forms import surface
from symcontact_ros.collision.spatial.convex import convex_gap
from symcontact_ros.collision.spatial.polytopes import convex_look, polytopes_contacts
from symcontact_ros.collision.spatial.supports import support
from symcontact_ros.collision.spatial.vectors import (
    along,
    direction_in,
    dot,
    Frame,
    opposite,
    placed,
    Vector,
)
from symcontact_ros.memory import Memory


def smooth_look(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, hint: int, margin: float, work: Memory
) -> tuple[float, int]:
    """Return the distance of two convex shapes that touch in one point."""
    distance, _, _, _, _ = convex_gap(a, frame_a, b, frame_b, work)
    return distance, CORNER


def half_space_gap(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, work: Memory
) -> Result[Vector]:
    """Return the gap of a convex shape and a half-space."""
    normal, offset = surface(b, frame_b)
    lowest, _ = support(a, direction_in(frame_a, opposite(normal)))
    point_a = along(placed(frame_a, lowest), -a[RADIUS], normal)
    distance = dot(normal, point_a) - offset
    return distance, opposite(normal), point_a, along(point_a, -distance, normal), 0.0


def half_space_look(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, hint: int, margin: float, work: Memory
) -> tuple[float, int]:
    """Return the separation of a convex shape and a half-space; there is one feature."""
    normal, offset = surface(b, frame_b)
    lowest, _ = support(a, direction_in(frame_a, opposite(normal)))
    return dot(normal, placed(frame_a, lowest)) - a[RADIUS] - offset, 0


def half_space_contacts(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, feature: int, rows: Memory, work: Memory
) -> tuple[int, Vector]:
    """Write the points of a convex shape that lie deep in a half-space, up to four."""
    normal, offset = surface(b, frame_b)
    return contacts_above(a, frame_a, normal, offset, 0, 0.0, rows, work), opposite(normal)


SMOOTH = Pair(convex_gap, smooth_look, polytopes_contacts, shares=1.0)
WITH_CAPSULE = Pair(convex_gap, convex_look, polytopes_contacts, shares=2.0)
CONVEX = Pair(convex_gap, convex_look, polytopes_contacts, shares=4.0)
ON_HALF_SPACE = Pair(half_space_gap, half_space_look, half_space_contacts, shares=4.0)
CAPSULE_ON_HALF_SPACE = ON_HALF_SPACE._replace(shares=2.0)
