"""Flat faces of shapes in space: those of boxes and hulls, and the caps of cylinders."""

from __future__ import annotations

import math

from symcontact_ros.collision.solids import CYLINDER, SpatialSolid
from symcontact_ros.collision.spatial.supports import support
from symcontact_ros.collision.spatial.vectors import (
    direction_in,
    dot,
    Frame,
    opposite,
    placed,
    turned,
    Vector,
)
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.records import Record, Rows

CAP = 12  # corners of the polygon that stands for a cap
ON_FACE = 1e-9  # of the size: what is this close to a plane is in it


class LoopCorner(Record):
    """A corner of a loop around a face, or of what is left of one while it is cut."""

    position: Vector  # in the world [m]
    name: int  # a vertex of the shape, or which twelfth of a cap; see `clipping` for others


def write_corner(corner: LoopCorner, position: Vector, name: int) -> None:
    """Write a corner of a loop."""
    corner.position = position
    corner.name = name


def face_count(shape: SpatialSolid) -> int:
    """Return how many flat faces a shape has."""
    return 2 if shape.core == CYLINDER else len(shape.planes)


def face_normal(shape: SpatialSolid, face: int) -> Vector:
    """Return the outward unit normal of a face in the frame of its shape."""
    if shape.core == CYLINDER:
        return (0.0, 0.0, 1.0) if face == 0 else (0.0, 0.0, -1.0)
    return shape.planes[face].normal


def face_offset(shape: SpatialSolid, face: int) -> float:
    """Return how far a face lies along its normal from the origin of its shape [m]."""
    if shape.core == CYLINDER:
        return shape.size[2]
    return shape.planes[face].offset


@separate
def facing(shape: SpatialSolid, direction: Vector) -> int:
    """Return the face whose normal is closest to a direction, both in the frame of the shape."""
    best = -1e300
    chosen = -1
    for face in range(face_count(shape)):
        cosine = dot(face_normal(shape, face), direction)
        if cosine > best:
            best = cosine
            chosen = face
    return chosen


@separate
def facing_at(shape: SpatialSolid, direction: Vector, vertex: Vector) -> int:
    """
    Return the same among the faces that a vertex belongs to.

    The face closest to a direction need not have the vertex that is farthest along it.
    """
    best = -1e300
    chosen = 0
    for face in range(face_count(shape)):
        normal = face_normal(shape, face)
        below = face_offset(shape, face) - dot(normal, vertex)
        cosine = dot(normal, direction)
        if cosine > best and below <= ON_FACE * shape.reach:
            best = cosine
            chosen = face
    return chosen


@separate
def beyond_face(
    a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, face: int
) -> float:
    """Return how far the core of B lies beyond a face of A [m]; negative in overlap."""
    normal = turned(frame_a, face_normal(a, face))
    deepest, _ = support(b, direction_in(frame_b, opposite(normal)))
    height = dot(normal, placed(frame_b, deepest)) - dot(normal, frame_a[3])
    return height - face_offset(a, face)


@separate
def write_loop(
    shape: SpatialSolid, frame: Frame, face: int, turn: Vector, loop: Rows[LoopCorner]
) -> int:
    """
    Write the corners around a face in world coordinates, and return how many there are.

    Those of a cap start at a direction of the world (``turn``), so that one corner is there.
    """
    if shape.core == CYLINDER:
        return write_cap(shape, frame, face, turn, loop)
    around = shape.loops[face]
    start, count = around.start, around.count
    corners, vertices = shape.corners, shape.vertices
    for i in range(count):
        vertex = corners[start + i]
        write_corner(loop[i], placed(frame, vertices[vertex].position), vertex)
    return count


def write_cap(
    shape: SpatialSolid, frame: Frame, face: int, turn: Vector, loop: Rows[LoopCorner]
) -> int:
    """Write the corners of a cap, counter-clockwise seen from outside."""
    x, y, _ = direction_in(frame, turn)
    length = math.sqrt(x * x + y * y)
    first = (1.0, 0.0)
    if length > 1e-12:
        first = (x / length, y / length)
    side = 1.0 if face == 0 else -1.0
    for i in range(CAP):
        cosine, sine = cap_corner(i)
        sine *= side
        corner = (
            shape.size[0] * (cosine * first[0] - sine * first[1]),
            shape.size[0] * (cosine * first[1] + sine * first[0]),
            side * shape.size[2],
        )
        write_corner(loop[i], placed(frame, corner), i)
    return CAP


def cap_corner(i: int) -> tuple[float, float]:
    """Return cosine and sine of i twelfths of a turn, without a call of the C library."""
    quarter = i // 3
    part = i - 3 * quarter
    cosine, sine = 1.0, 0.0
    if part == 1:
        cosine, sine = 0.8660254037844386, 0.5
    elif part == 2:
        cosine, sine = 0.5, 0.8660254037844386
    if quarter == 1:
        return -sine, cosine
    if quarter == 2:
        return -cosine, -sine
    if quarter == 3:
        return sine, -cosine
    return cosine, sine
