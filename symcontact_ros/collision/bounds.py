"""Boxes along the world axes around shapes, for the broad phase."""

from __future__ import annotations

import math

from symcontact_ros.collision.broad_phase import Box
from symcontact_ros.collision.planar import vectors as plane
from symcontact_ros.collision.solids import (
    BOX,
    CYLINDER,
    PlanarSolid,
    POINT,
    SEGMENT,
    SpatialSolid,
)
from symcontact_ros.collision.spatial.vectors import Frame, placed, Vector
from symcontact_ros.kernels.language import separate


@separate
def planar_box(shape: PlanarSolid, frame: plane.Frame, box: Box) -> None:
    """Write the box around a planar shape, which has no height."""
    low_x, low_y, high_x, high_y = 1e300, 1e300, -1e300, -1e300
    for vertex in range(len(shape.vertices)):
        x, y = plane.placed(frame, shape.vertices[vertex].position)
        low_x, high_x = min(low_x, x), max(high_x, x)
        low_y, high_y = min(low_y, y), max(high_y, y)
    radius = shape.radius
    box.lower = (low_x - radius, low_y - radius, 0.0)
    box.upper = (high_x + radius, high_y + radius, 0.0)


@separate
def spatial_box(shape: SpatialSolid, frame: Frame, box: Box) -> None:
    """Write the box around a spatial shape."""
    if shape.core in (POINT, SEGMENT, BOX, CYLINDER):
        half = half_extents(shape, frame)
        _, _, _, centre = frame
        low = (centre[0] - half[0], centre[1] - half[1], centre[2] - half[2])
        high = (centre[0] + half[0], centre[1] + half[1], centre[2] + half[2])
        write_box(box, low, high, shape.radius)
        return
    low, high = (1e300, 1e300, 1e300), (-1e300, -1e300, -1e300)
    for vertex in range(len(shape.vertices)):
        point = placed(frame, shape.vertices[vertex].position)
        low = (min(low[0], point[0]), min(low[1], point[1]), min(low[2], point[2]))
        high = (max(high[0], point[0]), max(high[1], point[1]), max(high[2], point[2]))
    write_box(box, low, high, shape.radius)


def half_extents(shape: SpatialSolid, frame: Frame) -> Vector:
    """Return how far a core that is symmetric about its frame reaches along the world axes."""
    x, y, z, _ = frame
    half = shape.size
    if shape.core == CYLINDER:
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


def write_box(box: Box, low: Vector, high: Vector, radius: float) -> None:
    """Write a box, grown by a radius."""
    box.lower = (low[0] - radius, low[1] - radius, low[2] - radius)
    box.upper = (high[0] + radius, high[1] + radius, high[2] + radius)
