"""
Mass properties of shapes of uniform density, and of compounds of them.

One pure function per kind of shape returns the measure (area in the plane, volume in space), the
centroid in the shape's frame, and the spread: the mean of x x^T about the centroid. Everything is
arithmetic on scalars, so formulas stay formulas: a disc spreads by R^2 / 4 each way.
"""

from __future__ import annotations

from collections.abc import Callable
import math
from typing import Any, NamedTuple

from symcontact_ros.expressions import Scalar, total, Values
from symcontact_ros.model.hulls import hull_facets
from symcontact_ros.model.shapes import (
    Box,
    Capsule,
    Circle,
    ConvexHull,
    Cylinder,
    HalfSpace,
    numbers,
    Polygon,
    Rectangle,
    Shape,
    Sphere,
)

Vector3 = tuple[Scalar, Scalar, Scalar]
Matrix3 = list[list[Scalar]]
ORIGIN: Vector3 = (0.0, 0.0, 0.0)
_UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


class Moments(NamedTuple):
    """Means over a shape of uniform density."""

    measure: Scalar  # [m^2] in the plane, [m^3] in space
    centroid: Vector3  # [m]
    spread: Matrix3  # mean of x x^T about the centroid [m^2]


def moments(shape: Shape, dimension: int, values: Values) -> Moments:
    """Return the means over a shape; values only tell which points of a hull are corners."""
    if isinstance(shape, HalfSpace):
        raise ValueError('a half_space has no end, so no inertia follows from it')
    if isinstance(shape, Capsule):
        return _planar_capsule(shape) if dimension == 2 else _spatial_capsule(shape)
    if isinstance(shape, ConvexHull):
        return _hull(shape, shape.evaluated(values))
    return _FUNCTIONS[type(shape)](shape)


def smallest_extent(shape: Shape) -> float:
    """Return how thin a shape of numbers is [m]; inf for a half-space."""
    if isinstance(shape, HalfSpace):
        return math.inf
    if isinstance(shape, Polygon | ConvexHull):
        points = [numbers(vertex) for vertex in shape.vertices]
        return float(min(max(axis) - min(axis) for axis in zip(*points, strict=True)))
    return 2.0 * min(numbers(list(shape.scalars())))


def _diagonal(xx: Scalar, yy: Scalar, zz: Scalar) -> Matrix3:
    return [[xx, 0.0, 0.0], [0.0, yy, 0.0], [0.0, 0.0, zz]]


def _circle(shape: Circle) -> Moments:
    r = shape.radius
    return Moments(math.pi * r**2, ORIGIN, _diagonal(r**2 / 4.0, r**2 / 4.0, 0.0))


def _rectangle(shape: Rectangle) -> Moments:
    a, b = shape.half_extents
    return Moments(4.0 * a * b, ORIGIN, _diagonal(a**2 / 3.0, b**2 / 3.0, 0.0))


def _polygon(shape: Polygon) -> Moments:
    """Sum over the triangles from the first corner to every edge; counter-clockwise."""
    x0, y0 = shape.vertices[0]
    corners = [(x - x0, y - y0) for x, y in shape.vertices]
    terms: list[tuple[Scalar, ...]] = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        twice: Any = ax * by - bx * ay
        terms.append(
            (
                twice / 2.0,
                twice * (ax + bx) / 6.0,
                twice * (ay + by) / 6.0,
                twice * (ax * ax + ax * bx + bx * bx) / 12.0,
                twice * (ay * ay + ay * by + by * by) / 12.0,
                twice * (ax * by + 2.0 * ax * ay + 2.0 * bx * by + bx * ay) / 24.0,
            )
        )
    area, x, y, xx, yy, xy = (total(column) for column in zip(*terms, strict=True))
    cx, cy = x / area, y / area
    mixed: Scalar = xy / area - cx * cy
    spread: Matrix3 = _diagonal(xx / area - cx * cx, yy / area - cy * cy, 0.0)
    spread[0][1] = spread[1][0] = mixed
    return Moments(area, (x0 + cx, y0 + cy, 0.0), spread)


def _sphere(shape: Sphere) -> Moments:
    each = shape.radius**2 / 5.0
    return Moments(4.0 / 3.0 * math.pi * shape.radius**3, ORIGIN, _diagonal(each, each, each))


def _box(shape: Box) -> Moments:
    a, b, c = shape.half_extents
    return Moments(8.0 * a * b * c, ORIGIN, _diagonal(a**2 / 3.0, b**2 / 3.0, c**2 / 3.0))


def _cylinder(shape: Cylinder) -> Moments:
    r, h = shape.radius, shape.half_length
    across = r**2 / 4.0
    return Moments(2.0 * math.pi * r**2 * h, ORIGIN, _diagonal(across, across, h**2 / 3.0))


def _planar_capsule(shape: Capsule) -> Moments:
    """Integrate over a rectangle and two half discs, centroids 4 r / (3 pi) beyond its ends."""
    r, h = shape.radius, shape.half_length
    area = math.pi * r**2 + 4.0 * r * h
    along = 4.0 * r * h**3 / 3.0 + math.pi * r**2 * (r**2 / 4.0 + h**2) + 8.0 * r**3 * h / 3.0
    across = 4.0 * h * r**3 / 3.0 + math.pi * r**4 / 4.0
    return Moments(area, ORIGIN, _diagonal(along / area, across / area, 0.0))


def _spatial_capsule(shape: Capsule) -> Moments:
    """Integrate over a cylinder and two half balls, centroids 3 r / 8 beyond its ends."""
    r, h = shape.radius, shape.half_length
    ball, tube = 4.0 / 3.0 * math.pi * r**3, 2.0 * math.pi * r**2 * h
    volume = ball + tube
    along = tube * h**2 / 3.0 + ball * (r**2 / 5.0 + h**2 + 0.75 * r * h)
    across = (tube * r**2 / 4.0 + ball * r**2 / 5.0) / volume
    return Moments(volume, ORIGIN, _diagonal(across, across, along / volume))


def _hull(shape: ConvexHull, evaluated: ConvexHull) -> Moments:
    """Sum over the tetrahedra from the first point to every facet."""
    x0, y0, z0 = shape.vertices[0]
    corners = [(x - x0, y - y0, z - z0) for x, y, z in shape.vertices]
    flat = numbers(evaluated.vertices)
    points = tuple(zip(flat[::3], flat[1::3], flat[2::3], strict=True))
    terms: list[list[Scalar]] = []
    for facet in hull_facets(points):
        a, b, c = (corners[index] for index in facet)
        part: Any = _triple_product(a, b, c) / 6.0
        ends = [a[i] + b[i] + c[i] for i in range(3)]
        terms.append([part, *(part * end / 4.0 for end in ends)])
        for i, j in _UPPER:
            squares = a[i] * a[j] + b[i] * b[j] + c[i] * c[j]
            terms[-1].append(part * (squares + ends[i] * ends[j]) / 20.0)
    volume, *sums = (total(column) for column in zip(*terms, strict=True))
    x, y, z = centroid = (sums[0] / volume, sums[1] / volume, sums[2] / volume)
    spread: Matrix3 = [[0.0] * 3 for _ in range(3)]
    for (i, j), second in zip(_UPPER, sums[3:], strict=True):
        spread[i][j] = spread[j][i] = second / volume - centroid[i] * centroid[j]
    return Moments(volume, (x0 + x, y0 + y, z0 + z), spread)


def _triple_product(a: Vector3, b: Vector3, c: Vector3) -> Scalar:
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


_FUNCTIONS: dict[type[Any], Callable[[Any], Moments]] = {
    Circle: _circle,
    Rectangle: _rectangle,
    Polygon: _polygon,
    Sphere: _sphere,
    Box: _box,
    Cylinder: _cylinder,
}
