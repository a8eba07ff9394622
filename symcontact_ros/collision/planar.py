"""
Closed forms in the plane: one pure function per pair of shapes, and their table.

Shapes come *placed* in the world as flat tuples of floats:

- circle: ``(x, y, radius)``
- half_space: ``(nx, ny, offset)``, solid where ``n . x < offset``

A function returns ``(distance, nx, ny, ax, ay, bx, by)``: signed distance [m], unit normal from A
to B, and the closest points on the boundaries of A and of B.
"""

from __future__ import annotations

from collections.abc import Callable
import math

from symcontact_ros.model.shapes import Circle, HalfSpace, numbers, Shape

Placed = tuple[float, ...]
Gap = tuple[float, float, float, float, float, float, float]
Frame = tuple[float, ...]  # x, y, cos, sin of the frame of a shape


def circle_circle(a: Placed, b: Placed) -> Gap:
    """Return the gap of two discs; concentric ones part along +x."""
    ax, ay, ra = a
    bx, by, rb = b
    dx, dy = bx - ax, by - ay
    apart = math.hypot(dx, dy)
    nx, ny = (dx / apart, dy / apart) if apart > 0.0 else (1.0, 0.0)
    return (
        apart - ra - rb,
        nx,
        ny,
        ax + ra * nx,
        ay + ra * ny,
        bx - rb * nx,
        by - rb * ny,
    )


def circle_half_space(a: Placed, b: Placed) -> Gap:
    """Return the gap of a disc and a half-space; the normal points into the solid."""
    x, y, radius = a
    nx, ny, offset = b
    height = nx * x + ny * y - offset  # of the centre above the surface
    return (
        height - radius,
        -nx,
        -ny,
        x - radius * nx,
        y - radius * ny,
        x - height * nx,
        y - height * ny,
    )


def swapped(function: Callable[[Placed, Placed], Gap]) -> Callable[[Placed, Placed], Gap]:
    """Return the same pair function for (B, A)."""

    def opposite(a: Placed, b: Placed) -> Gap:
        distance, nx, ny, bx, by, ax, ay = function(b, a)
        return distance, -nx, -ny, ax, ay, bx, by

    return opposite


PAIRS: dict[tuple[str, str], Callable[[Placed, Placed], Gap]] = {
    ('circle', 'circle'): circle_circle,
    ('circle', 'half_space'): circle_half_space,
    ('half_space', 'circle'): swapped(circle_half_space),
}


def place(kind: str, size: Placed, frame: Frame) -> Placed:
    """Return a shape, given by its kind and its ``size_of``, as it lies in the world."""
    x, y, cos, sin = frame
    if kind == Circle.kind:
        return x, y, size[0]
    lx, ly, offset = size  # of a half-space
    nx, ny = cos * lx - sin * ly, sin * lx + cos * ly
    return nx, ny, offset + nx * x + ny * y


def size_of(shape: Shape) -> Placed:
    """Return the numbers of a shape in its own frame."""
    if isinstance(shape, Circle):
        return tuple(numbers(shape.radius))
    if isinstance(shape, HalfSpace):
        return (*numbers(shape.normal)[:2], *numbers(shape.offset))
    raise TypeError(f'{type(shape).__name__} cannot be placed in the plane')
