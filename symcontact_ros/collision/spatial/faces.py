"""Choice among the flat faces of shapes in space."""

from __future__ import annotations

from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import (
    direction_in,
    dot,
    Frame,
    opposite,
    placed,
    turned,
    Vector,
)
from symcontact_ros.shapes.records import LoopCorner, SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import face_count, face_normal, face_offset, support

ON_FACE = 1e-9  # of the size: what is this close to a plane is in it


def write_corner(corner: LoopCorner, position: Vector, name: int) -> None:
    """Write a corner of a loop."""
    corner.position = position
    corner.name = name


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
