"""Boxes and hulls against each other: separating axes in overlap, GJK when apart."""

from __future__ import annotations

from typing import Any

from symcontact_ros.collision.layout import BOX, CORE, FACE_COUNT, HULL, SIZE
from symcontact_ros.collision.pairs import CORNER, Look, Pair, PROVEN, Result
from symcontact_ros.collision.rows import (
    are_as_deep,
    deepest_row,
    DISTANCE,
    POINT,
    ROW,
    write_lone_row,
)
from symcontact_ros.collision.spatial.boxes import boxes_axes
from symcontact_ros.collision.spatial.clipping import contacts_on_face
from symcontact_ros.collision.spatial.convex import convex_gap
from symcontact_ros.collision.spatial.edges import edges_gap
from symcontact_ros.collision.spatial.faces import beyond_face, face_count, face_normal
from symcontact_ros.collision.spatial.hulls import hulls_axes
from symcontact_ros.collision.spatial.reference import best_reference
from symcontact_ros.collision.spatial.supports import support
from symcontact_ros.collision.spatial.vectors import (
    along,
    direction_in,
    Frame,
    opposite,
    placed,
    point_in,
    turned,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import bound, Memory, separate, shift

# Of a hull whose axes are tried one by one. With 8 triangles that takes longer in overlap than GJK
# and EPA do, with 20 four times as long.
MOST_FACES = 6
ROWS = 64  # numbers of memory before that for clipping


axes: Any = None  # stands for the search of axes in the kernels below


def is_small(shape: Memory) -> bool:
    """Return whether the axes of a shape are tried one by one."""
    return bool(shape[CORE] != HULL or shape[FACE_COUNT] <= MOST_FACES)


@separate
def polytopes_gap(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, work: Memory
) -> Result[Vector]:
    """Return the gap of two polytopes."""
    if is_small(a) and is_small(b):
        separation, feature, _ = axes(a, frame_a, b, frame_b, 0.0)
        if separation <= 0.0:
            return feature_gap(a, frame_a, b, frame_b, separation, feature, work)
    return convex_gap(a, frame_a, b, frame_b, work)


@separate
def feature_gap(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    separation: float,
    feature: int,
    work: Memory,
) -> Result[Vector]:
    """Return the gap of two polytopes in overlap, of which the best axis is known."""
    if feature < CORNER:
        distance, normal, point_a, point_b = edges_gap(a, frame_a, b, frame_b, feature)
        return distance, normal, point_a, point_b, 0.0
    count, normal = face_contacts(a, frame_a, b, frame_b, feature, work, shift(work, ROWS))
    if count == 0:  # only touching, at a corner of the face
        return convex_gap(a, frame_a, b, frame_b, work)
    row = ROW * deepest_row(work, count)
    middle = vector_at(work, row + POINT)
    point_a = along(middle, -0.5 * work[row + DISTANCE], normal)
    return separation, normal, point_a, along(point_a, separation, normal), 0.0


@separate
def polytopes_look(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    hint: int,
    margin: float,
    kept: Memory,
    work: Memory,
) -> Look:
    """Return separation and reference of two polytopes."""
    if hint >= 0:
        separation = face_separation(a, frame_a, b, frame_b, hint)
        if separation > margin:
            return separation, hint, PROVEN
    if is_small(a) and is_small(b):
        separation, exact, reference = axes(a, frame_a, b, frame_b, margin)
        if reference != exact and not explains(
            a, frame_a, b, frame_b, separation, reference, work
        ):
            reference = exact
        return separation, reference, PROVEN
    return convex_look(a, frame_a, b, frame_b, hint, margin, kept, work)


@separate
def convex_look(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    hint: int,
    margin: float,
    kept: Memory,
    work: Memory,
) -> Look:
    """Return distance and reference of two convex shapes by GJK."""
    distance, normal, _, _, note = convex_gap(a, frame_a, b, frame_b, work)
    if distance <= margin:
        face = best_reference(a, frame_a, b, frame_b, distance, normal)
        if face > CORNER and explains(a, frame_a, b, frame_b, distance, face, work):
            return distance, face, note
    return distance, CORNER, note


@separate
def explains(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    distance: float,
    face: int,
    work: Memory,
) -> bool:
    """
    Return whether the contact points on a face are about as deep as the shapes are.

    They are not where shapes overlap beside the face, at an edge of it.
    """
    if distance >= 0.0 or face < CORNER:
        return True
    first = face_count(a)
    if face < first and is_above(a, frame_a, b, frame_b, face):
        return True
    if face >= first and is_above(b, frame_b, a, frame_a, face - first):
        return True
    count, _ = face_contacts(a, frame_a, b, frame_b, face, work, shift(work, ROWS))
    return are_as_deep(work, count, distance)


def is_above(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, face: int) -> bool:
    """Return whether A is a box and the deepest point of B lies within the sides of its face."""
    if a[CORE] != BOX:
        return False
    down = opposite(turned(frame_a, face_normal(a, face)))
    lowest, _ = support(b, direction_in(frame_b, down))
    x, y, z = point_in(frame_a, placed(frame_b, lowest))
    return bool(
        (abs(x) <= a[SIZE] or face // 2 == 0)
        and (abs(y) <= a[SIZE + 1] or face // 2 == 1)
        and (abs(z) <= a[SIZE + 2] or face // 2 == 2)
    )


def face_separation(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, face: int) -> float:
    """Return how far one shape lies beyond a face of the other."""
    count = face_count(a)
    if face < count:
        return beyond_face(a, frame_a, b, frame_b, face)
    return beyond_face(b, frame_b, a, frame_a, face - count)


@separate
def face_contacts(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, face: int, rows: Memory, work: Memory
) -> tuple[int, Vector]:
    """Write the contact points on a face; return their number and the normal from A to B."""
    count = face_count(a)
    if face < count:
        return contacts_on_face(a, frame_a, b, frame_b, face, rows, work)
    number, normal = contacts_on_face(b, frame_b, a, frame_a, face - count, rows, work)
    return number, opposite(normal)


@separate
def polytopes_contacts(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    feature: int,
    rows: Memory,
    kept: Memory,
    work: Memory,
) -> tuple[int, Vector]:
    """Write the contact points of two polytopes for a reference."""
    if feature > CORNER:
        return face_contacts(a, frame_a, b, frame_b, feature, rows, work)
    if feature < CORNER:
        distance, normal, point_a, point_b = edges_gap(a, frame_a, b, frame_b, feature)
    else:
        distance, normal, point_a, point_b, _ = convex_gap(a, frame_a, b, frame_b, work)
    write_lone_row(rows, distance, point_a, point_b, float(feature))
    return 1, normal


def _pair(search: object) -> Pair:
    return Pair(
        bound(polytopes_gap, __name__, axes=search),
        bound(polytopes_look, __name__, axes=search),
        polytopes_contacts,
        shares=4.0,
    )


BOXES = _pair(boxes_axes)
HULLS = _pair(hulls_axes)
