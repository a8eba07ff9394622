"""
Ellipses in the plane.

The nearest boundary point to a point solves the secular equation of its multiplier; `ellipsoid`
uses the same equation in space.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Any, ClassVar, TYPE_CHECKING

from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.kernels.vectors.planar import along, Frame, minus, Vector
from symcontact_ros.shapes.base import numbers, Shape
from symcontact_ros.shapes.cores import PlanarCore
from symcontact_ros.shapes.moments import diagonal, Moments, ORIGIN

if TYPE_CHECKING:
    from symcontact_ros.shapes.convex_body import Array, ConvexBody
    from symcontact_ros.shapes.drawing import MarkerPiece, Points
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.packing import Block
    from symcontact_ros.shapes.records import PlanarSolid, Solid

CURVE = -2  # the number of its points
TINY = 1e-150  # of a radius: what is nearer to an axis is on it, since squares are 0
STEPS = 80  # of Newton's method: about 5, and 50 inside next to the end of a long axis


class EllipseCore(PlanarCore):
    """An ellipse about its frame; ``size`` has its semi-axes."""

    is_curved = True

    @staticmethod
    def support(solid: PlanarSolid, direction: Vector) -> tuple[Vector, int]:
        """Return the point with that normal; there are no vertices."""
        a, b, _ = solid.size
        x, y = a * direction[0], b * direction[1]
        length = math.sqrt(x * x + y * y)
        if length <= 0.0:  # GJK asks once where two centres coincide
            return (a, 0.0), CURVE
        return (a * x / length, b * y / length), CURVE

    @staticmethod
    def bounds(solid: PlanarSolid, frame: Frame) -> tuple[Vector, Vector]:
        """Return the box around the ellipse, by its reach along the axes of the world."""
        (cosine, sine), centre = frame
        a, b, _ = solid.size
        extent = (
            math.sqrt(a * a * cosine * cosine + b * b * sine * sine),
            math.sqrt(a * a * sine * sine + b * b * cosine * cosine),
        )
        return minus(centre, extent), along(centre, 1.0, extent)

    @staticmethod
    def convex_body(solid: Solid, axes: Array, origin: Array, ball: float) -> ConvexBody:
        """Return a cone."""
        return cone_body(solid, axes, origin)


def cone_body(solid: Solid, axes: Array, origin: Array) -> ConvexBody:
    """Return an ellipse or ellipsoid as one cone: its points divided by the semi-axes."""
    import numpy as np

    from symcontact_ros.shapes.convex_body import ConvexBody

    radii = np.array(solid.size[: len(origin)])

    def reach(direction: Array) -> float:
        return float(np.linalg.norm(radii * (direction @ axes)))

    none = np.zeros((0, len(origin)))
    return ConvexBody(origin, reach, none, np.zeros(0), cone=((axes / radii).T, 1.0))


def secular_root(radii: tuple[float, ...], point: tuple[float, ...]) -> float:
    """
    Return the multiplier of the boundary point of an ellipse or ellipsoid nearest to a point.

    With the least semi-axis e and ratios r_i = (radius_i / e)^2 it is the largest root u >= 0 of
    sum (r_i z_i / (r_i - 1 + u))^2 = 1 with z_i = |point_i| / radius_i: above 1 outside, below 1
    inside, and 0 where the shortest axis leads out of a plane of symmetry that the point is on.
    Newton's method on the inverse of the root of that sum rises to it from below. See D. Eberly,
    Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid (2013).
    """
    least = least_of(radii)
    root = 0.0
    for i, radius in enumerate(radii):  # no term alone is more than 1
        beyond = (radius - least) * (radius + least) / (least * least)
        root = max(root, abs(point[i]) / radius * (beyond + 1.0) - beyond)
    if root < TINY:
        root = 0.0
    for _ in range(STEPS):
        total, slope, whole, steep = 0.0, 0.0, 0.0, 0.0
        for i, radius in enumerate(radii):
            beyond = (radius - least) * (radius + least) / (least * least)
            if beyond + root > 0.0:
                part = abs(point[i]) / radius * (beyond + 1.0) / (beyond + root)
                whole += part * part
                steep += part * part / (beyond + root)
                if beyond > 0.0:
                    total += part * part
                    slope += part * part / (beyond + root)
        # Nor are the terms of longer axes more than 1 in sum: that helps next to the others.
        step = max(newton_step(whole, steep), newton_step(total, slope))
        if root + step <= root:
            break
        root += step
    return root


def newton_step(total: float, slope: float) -> float:
    """Return the step to where a sum is 1, from where it is more; nothing if it is less."""
    if total <= 1.0 or slope <= 0.0:
        return 0.0
    return (math.sqrt(total) - 1.0) * total / slope


def least_of(radii: tuple[float, ...]) -> float:
    """Return the least of some numbers."""
    least = radii[0]
    for radius in radii:
        least = min(least, radius)
    return least


def point_ellipse(radii: Vector, point: Vector) -> tuple[float, Vector, Vector]:
    """
    Return signed distance, outward normal and nearest boundary point of an ellipse to a point.

    Of equally near points the one with x >= 0 and y >= 0 is taken.
    """
    a, b = radii
    least = min(a, b)
    root = secular_root(radii, point)
    x = on_axis(a, least, point[0], root)
    y = on_axis(b, least, point[1], root)
    if root == 0.0:  # on the longer axis: across it, as far as the ellipse reaches
        if a <= b:
            x = math.sqrt(max(0.0, 1.0 - y * y))
        else:
            y = math.sqrt(max(0.0, 1.0 - x * x))
    length = math.sqrt(x * x / (a * a) + y * y / (b * b))
    normal = (x / (a * length), y / (b * length))
    return (root - 1.0) * least * least * length, normal, (a * x, b * y)


def on_axis(radius: float, least: float, coordinate: float, root: float) -> float:
    """Return a coordinate of the nearest boundary point, as a part of the radius."""
    beyond = (radius - least) * (radius + least) / (least * least)
    if beyond + root <= 0.0:
        return 0.0
    return coordinate / radius * (beyond + 1.0) / (beyond + root)


@dataclass(frozen=True)
class Ellipse(Shape):
    """An ellipse in the xy plane, semi-axes along x and y."""

    kind = 'ellipse'
    planar_core = EllipseCore
    widths: ClassVar[dict[str, int]] = {'radii': 2}
    radii: tuple[Scalar, Scalar]

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Any, ...]:
        """Read ``radii``."""
        return (section.numbers('radii', 2, None),)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Return area, centroid and spread."""
        a, b = self.radii
        return Moments(math.pi * a * b, ORIGIN, diagonal(a**2 / 4.0, b**2 / 4.0, 0.0))

    def shrunk(self, margin: float) -> tuple[Shape, float]:
        """Return the ellipse: a curve at a distance from it is no ellipse."""
        return self, 0.0

    def pack(self, dimension: int) -> Block:
        """Return its block: semi-axes."""
        from symcontact_ros.shapes.packing import Head, planar_block

        a, b = numbers(self.radii)
        return planar_block(Head(reach=max(a, b), size=(a, b, 0.0), inner=min(a, b)))

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return a flat cylinder."""
        from symcontact_ros.shapes.drawing import CYLINDER, MarkerPiece, THICKNESS

        a, b = numbers(self.radii)
        return [MarkerPiece(CYLINDER, (2 * a, 2 * b, THICKNESS))]

    def outline(self) -> Points:
        """Return an ellipse with a spoke."""
        from symcontact_ros.shapes.drawing import circle_with_spoke

        return circle_with_spoke() * numbers(self.radii)

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return the ellipse."""
        axes = [
            [make.scalar(radius) * component for component in make.axis(i)]
            for i, radius in enumerate(self.radii)
        ]
        return [make.ellipsoid('ellipse', make.origin(), axes)]
