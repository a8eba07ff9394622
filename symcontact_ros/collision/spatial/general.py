"""Pairs without an own formula: GJK and EPA, and contact points on faces; and half-spaces."""

from __future__ import annotations

from symcontact_ros.collision.layout import RADIUS, SIZE
from symcontact_ros.collision.pairs import CORNER, Look, Pair, PROVEN, Result
from symcontact_ros.collision.rows import write_row
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
from symcontact_ros.kernels.transitional import Memory


def smooth_look(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    hint: int,
    margin: float,
    kept: Memory,
    work: Memory,
) -> Look:
    """Return the distance of two convex shapes that touch in one point."""
    distance, _, _, _, note = convex_gap(a, frame_a, b, frame_b, work)
    return distance, CORNER, note


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
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    hint: int,
    margin: float,
    kept: Memory,
    work: Memory,
) -> Look:
    """Return the separation of a convex shape and a half-space; there is one feature."""
    normal, offset = surface(b, frame_b)
    lowest, _ = support(a, direction_in(frame_a, opposite(normal)))
    return dot(normal, placed(frame_a, lowest)) - a[RADIUS] - offset, 0, PROVEN


def half_space_contacts(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    feature: int,
    rows: Memory,
    kept: Memory,
    work: Memory,
) -> tuple[int, Vector]:
    """Write the points of a convex shape that lie deep in a half-space, up to four."""
    normal, offset = surface(b, frame_b)
    return contacts_above(a, frame_a, normal, offset, 0, 0.0, rows, work), opposite(normal)


def box_look(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    hint: int,
    margin: float,
    kept: Memory,
    work: Memory,
) -> Look:
    """Return the separation of a box and a half-space, and the axis of the face that faces it."""
    normal, offset = surface(b, frame_b)
    x, y, z = direction_in(frame_a, normal)
    reach = a[SIZE] * abs(x) + a[SIZE + 1] * abs(y) + a[SIZE + 2] * abs(z)
    axis = 2
    if abs(x) >= abs(y) and abs(x) >= abs(z):
        axis = 0
    elif abs(y) >= abs(z):
        axis = 1
    return dot(normal, frame_a[3]) - offset - reach, axis, PROVEN


def box_contacts(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    feature: int,
    rows: Memory,
    kept: Memory,
    work: Memory,
) -> tuple[int, Vector]:
    """Write the four corners of the face of a box across an axis that faces a half-space."""
    normal, offset = surface(b, frame_b)
    own, next_, after = frame_a[feature], frame_a[(feature + 1) % 3], frame_a[(feature + 2) % 3]
    out = -a[SIZE + feature] if dot(own, normal) > 0.0 else a[SIZE + feature]
    centre = along(frame_a[3], out, own)
    first, second = a[SIZE + (feature + 1) % 3], a[SIZE + (feature + 2) % 3]
    for corner in range(4):
        across = along(centre, first if corner < 2 else -first, next_)
        point = along(across, second if corner % 2 == 0 else -second, after)
        distance = dot(normal, point) - offset
        middle = along(point, -0.5 * distance, normal)
        write_row(rows, corner, distance, middle, 1.0, float(4 * feature + corner))
    return 4, opposite(normal)


SMOOTH = Pair(convex_gap, smooth_look, polytopes_contacts, shares=1.0)
WITH_CAPSULE = Pair(convex_gap, convex_look, polytopes_contacts, shares=2.0)
CONVEX = Pair(convex_gap, convex_look, polytopes_contacts, shares=4.0)
ON_HALF_SPACE = Pair(half_space_gap, half_space_look, half_space_contacts, shares=4.0)
BOX_ON_HALF_SPACE = Pair(half_space_gap, box_look, box_contacts, shares=4.0)
CAPSULE_ON_HALF_SPACE = ON_HALF_SPACE._replace(shares=2.0)
