"""Vectors and frames in space, as tuples of floats."""

from __future__ import annotations

import math
from typing import TypeAlias

Vector: TypeAlias = tuple[float, float, float]
Frame: TypeAlias = tuple[Vector, Vector, Vector, Vector]  # its x, y, z axes; its origin [m]
# distance [m], unit normal from A to B, closest points on the boundaries of A and of B [m]
Gap: TypeAlias = tuple[float, Vector, Vector, Vector]


def plus(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def times(factor: float, a: Vector) -> Vector:
    """Return factor a."""
    return factor * a[0], factor * a[1], factor * a[2]


def along(a: Vector, length: float, b: Vector) -> Vector:
    """Return a + length b."""
    return a[0] + length * b[0], a[1] + length * b[1], a[2] + length * b[2]


def opposite(a: Vector) -> Vector:
    """Return -a."""
    return -a[0], -a[1], -a[2]


def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def norm(a: Vector) -> float:
    """Return the length."""
    return math.sqrt(dot(a, a))


def perpendicular(a: Vector) -> Vector:
    """Return a vector of some length at right angles to one that is not zero."""
    if abs(a[0]) <= abs(a[1]) and abs(a[0]) <= abs(a[2]):
        return 0.0, a[2], -a[1]
    if abs(a[1]) <= abs(a[2]):
        return -a[2], 0.0, a[0]
    return a[1], -a[0], 0.0


def turned(frame: Frame, a: Vector) -> Vector:
    """Return the world components of a direction in a frame."""
    x, y, z, _ = frame
    return (
        x[0] * a[0] + y[0] * a[1] + z[0] * a[2],
        x[1] * a[0] + y[1] * a[1] + z[1] * a[2],
        x[2] * a[0] + y[2] * a[1] + z[2] * a[2],
    )


def placed(frame: Frame, a: Vector) -> Vector:
    """Return where a point of a frame is in the world."""
    return plus(frame[3], turned(frame, a))


def direction_in(frame: Frame, a: Vector) -> Vector:
    """Return the components in a frame of a direction in the world."""
    x, y, z, _ = frame
    return dot(x, a), dot(y, a), dot(z, a)


def point_in(frame: Frame, a: Vector) -> Vector:
    """Return a point of the world as a frame has it."""
    return direction_in(frame, minus(a, frame[3]))


def between(frame: Frame, other: Frame) -> Frame:
    """Return another frame as a frame has it."""
    x, y, z, origin = other
    return (
        direction_in(frame, x),
        direction_in(frame, y),
        direction_in(frame, z),
        point_in(frame, origin),
    )


def in_space(point: Vector) -> Vector:
    """Return a point as one in space: the counterpart of that of the plane."""
    return point
