"""Flat faces of shapes in space: those of boxes and hulls, and the caps of cylinders."""

from __future__ import annotations

import math

from symcontact_ros.collision.layout import (
    CORE,
    CYLINDER,
    FACE_COUNT,
    LOOPS_START,
    MESH_VERTICES,
    PLANES_START,
    POINT,
    REACH,
    SEGMENT,
    SIZE,
)
from symcontact_ros.collision.spatial.supports import support
from symcontact_ros.collision.spatial.vectors import (
    direction_in,
    dot,
    Frame,
    keep,
    opposite,
    placed,
    turned,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import Memory, separate

CAP = 12  # corners of the polygon that stands for a cap
ON_FACE = 1e-9  # of the size: what is this close to a plane is in it
CORNER_WIDTH = 4  # numbers of a corner of a loop in memory: point, name


def face_count(shape: Memory) -> int:
    """Return how many flat faces a shape has."""
    if shape[CORE] == CYLINDER:
        return 2
    if shape[CORE] == POINT or shape[CORE] == SEGMENT:
        return 0
    return int(shape[FACE_COUNT])


def face_normal(shape: Memory, face: int) -> Vector:
    """Return the outward unit normal of a face in the frame of its shape."""
    if shape[CORE] == CYLINDER:
        return (0.0, 0.0, 1.0) if face == 0 else (0.0, 0.0, -1.0)
    return vector_at(shape, int(shape[PLANES_START]) + 4 * face)


def face_offset(shape: Memory, face: int) -> float:
    """Return how far a face lies along its normal from the origin of its shape [m]."""
    if shape[CORE] == CYLINDER:
        return float(shape[SIZE + 2])
    return float(shape[int(shape[PLANES_START]) + 4 * face + 3])


@separate
def facing(shape: Memory, direction: Vector) -> int:
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
def facing_at(shape: Memory, direction: Vector, vertex: Vector) -> int:
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
        if cosine > best and below <= ON_FACE * shape[REACH]:
            best = cosine
            chosen = face
    return chosen


@separate
def beyond_face(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, face: int) -> float:
    """Return how far the core of B lies beyond a face of A [m]; negative in overlap."""
    normal = turned(frame_a, face_normal(a, face))
    deepest, _ = support(b, direction_in(frame_b, opposite(normal)))
    height = dot(normal, placed(frame_b, deepest)) - dot(normal, frame_a[3])
    return height - face_offset(a, face)


@separate
def write_loop(shape: Memory, frame: Frame, face: int, turn: Vector, loop: Memory) -> int:
    """
    Write the corners around a face in world coordinates, and return how many there are.

    Those of a cap start at a direction of the world (``turn``), so that one corner is there.
    """
    if shape[CORE] == CYLINDER:
        return write_cap(shape, frame, face, turn, loop)
    starts = int(shape[LOOPS_START]) + face
    start = int(shape[starts])
    count = int(shape[starts + 1]) - start
    for i in range(count):
        vertex = int(shape[start + i])
        corner = placed(frame, vector_at(shape, MESH_VERTICES + 3 * vertex))
        keep(loop, CORNER_WIDTH * i, corner)
        loop[CORNER_WIDTH * i + 3] = float(vertex)
    return count


def write_cap(shape: Memory, frame: Frame, face: int, turn: Vector, loop: Memory) -> int:
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
            shape[SIZE] * (cosine * first[0] - sine * first[1]),
            shape[SIZE] * (cosine * first[1] + sine * first[0]),
            side * shape[SIZE + 2],
        )
        keep(loop, CORNER_WIDTH * i, placed(frame, corner))
        loop[CORNER_WIDTH * i + 3] = float(i)
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
