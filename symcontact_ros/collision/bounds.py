"""Boxes along the world axes around shapes, for the broad phase."""

from __future__ import annotations

import math

from symcontact_ros.collision.layout import (
    BOX,
    CORE,
    CYLINDER,
    MESH_VERTICES,
    POINT,
    RADIUS,
    SEGMENT,
    SIZE,
    VERTEX_COUNT,
    VERTICES,
)
from symcontact_ros.collision.planar import vectors as plane
from symcontact_ros.collision.spatial.vectors import Frame, placed, Vector, vector_at
from symcontact_ros.kernels.transitional import Memory, separate


@separate
def planar_box(shape: Memory, frame: plane.Frame, box: Memory) -> None:
    """Write the box around a planar shape: lower x, y, z, upper x, y, z; z is 0."""
    low_x, low_y, high_x, high_y = 1e300, 1e300, -1e300, -1e300
    for vertex in range(int(shape[VERTEX_COUNT])):
        start = VERTICES + 2 * vertex
        x, y = plane.placed(frame, (shape[start], shape[start + 1]))
        low_x, high_x = min(low_x, x), max(high_x, x)
        low_y, high_y = min(low_y, y), max(high_y, y)
    radius = shape[RADIUS]
    write_box(box, (low_x, low_y, 0.0), (high_x, high_y, 0.0), radius)
    box[2] = 0.0
    box[5] = 0.0


@separate
def spatial_box(shape: Memory, frame: Frame, box: Memory) -> None:
    """Write the box around a spatial shape: lower x, y, z, upper x, y, z."""
    core = shape[CORE]
    if core in (POINT, SEGMENT, BOX, CYLINDER):
        half = half_extents(shape, frame)
        _, _, _, centre = frame
        low = (centre[0] - half[0], centre[1] - half[1], centre[2] - half[2])
        high = (centre[0] + half[0], centre[1] + half[1], centre[2] + half[2])
        write_box(box, low, high, shape[RADIUS])
        return
    low, high = (1e300, 1e300, 1e300), (-1e300, -1e300, -1e300)
    for vertex in range(int(shape[VERTEX_COUNT])):
        point = placed(frame, vector_at(shape, MESH_VERTICES + 3 * vertex))
        low = (min(low[0], point[0]), min(low[1], point[1]), min(low[2], point[2]))
        high = (max(high[0], point[0]), max(high[1], point[1]), max(high[2], point[2]))
    write_box(box, low, high, shape[RADIUS])


def half_extents(shape: Memory, frame: Frame) -> Vector:
    """Return how far a core that is symmetric about its frame reaches along the world axes."""
    x, y, z, _ = frame
    half = vector_at(shape, SIZE)
    if shape[CORE] == CYLINDER:
        radius, length = half[0], half[2]
        return (
            length * abs(z[0]) + radius * across(z[0]),
            length * abs(z[1]) + radius * across(z[1]),
            length * abs(z[2]) + radius * across(z[2]),
        )
    return (
        half[0] * abs(x[0]) + half[1] * abs(y[0]) + half[2] * abs(z[0]),
        half[0] * abs(x[1]) + half[1] * abs(y[1]) + half[2] * abs(z[1]),
        half[0] * abs(x[2]) + half[1] * abs(y[2]) + half[2] * abs(z[2]),
    )


def across(cosine: float) -> float:
    """Return the sine that belongs to a cosine."""
    return math.sqrt(max(0.0, 1.0 - cosine * cosine))


def write_box(box: Memory, low: Vector, high: Vector, radius: float) -> None:
    """Write a box, grown by a radius."""
    for axis in range(3):
        box[axis] = low[axis] - radius
        box[axis + 3] = high[axis] + radius
