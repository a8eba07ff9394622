"""Vectors and frames in the plane, as tuples of floats."""

from __future__ import annotations

import math
from typing import TypeAlias

Vector: TypeAlias = tuple[float, float]
Frame: TypeAlias = tuple[Vector, Vector]  # (cos, sin) of its angle; its origin [m]
# distance [m], unit normal from A to B, closest points on the boundaries of A and of B [m]
Gap: TypeAlias = tuple[float, Vector, Vector, Vector]


def minus(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1]


def along(a: Vector, length: float, b: Vector) -> Vector:
    """Return a + length b."""
    return a[0] + length * b[0], a[1] + length * b[1]


def opposite(a: Vector) -> Vector:
    """Return -a."""
    return -a[0], -a[1]


def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1]


def norm(a: Vector) -> float:
    """Return the length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1])


def turned(frame: Frame, a: Vector) -> Vector:
    """Return the world components of a direction in a frame."""
    (c, s), _ = frame
    return c * a[0] - s * a[1], s * a[0] + c * a[1]


def placed(frame: Frame, a: Vector) -> Vector:
    """Return where a point of a frame is in the world."""
    (c, s), (x, y) = frame
    return x + (c * a[0] - s * a[1]), y + (s * a[0] + c * a[1])


def direction_in(frame: Frame, a: Vector) -> Vector:
    """Return the components in a frame of a direction in the world."""
    (c, s), _ = frame
    return c * a[0] + s * a[1], c * a[1] - s * a[0]


def in_space(point: Vector) -> tuple[float, float, float]:
    """Return a point of the plane as one in space."""
    return point[0], point[1], 0.0


def in_plane(point: tuple[float, float, float]) -> Vector:
    """Return a point of the plane that is stored as one in space."""
    return point[0], point[1]


def point_in(frame: Frame, a: Vector) -> Vector:
    """Return a point of the world as a frame has it."""
    return direction_in(frame, minus(a, frame[1]))


def between(frame: Frame, other: Frame) -> Frame:
    """Return another frame as a frame has it."""
    (c, s), _ = frame
    (d, e), origin = other
    return (c * d + s * e, c * e - s * d), point_in(frame, origin)
