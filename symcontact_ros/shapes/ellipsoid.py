"""Ellipsoids in space."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Any, ClassVar, TYPE_CHECKING

from symcontact_ros.expressions import Values
from symcontact_ros.kernels.vectors.spatial import (
    cross,
    direction_in,
    dot,
    Frame,
    minus,
    norm,
    plus,
    times,
    turned,
    Vector,
)
from symcontact_ros.placements import Triple
from symcontact_ros.shapes.base import numbers, Shape
from symcontact_ros.shapes.cores import Bend, SpatialCore
from symcontact_ros.shapes.ellipse import cone_body, on_axis, secular_root
from symcontact_ros.shapes.moments import diagonal, Moments, ORIGIN

if TYPE_CHECKING:
    from symcontact_ros.shapes.convex_body import Array, ConvexBody
    from symcontact_ros.shapes.drawing import MarkerPiece
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.packing import Block
    from symcontact_ros.shapes.records import Solid, SpatialSolid

SURFACE = -1  # the one feature


class EllipsoidCore(SpatialCore):
    """An ellipsoid about its frame; ``size`` has its semi-axes."""

    is_curved = True

    @staticmethod
    def support(solid: SpatialSolid, direction: Vector) -> tuple[Vector, int]:
        """Return the point with that normal."""
        return farthest(solid.size, direction), SURFACE

    @staticmethod
    def bounds(solid: SpatialSolid, frame: Frame) -> tuple[Vector, Vector]:
        """Return the box around the ellipsoid, by its reach along the axes of the world."""
        x, y, z, centre = frame
        extent = (
            norm(stretched(solid.size, (x[0], y[0], z[0]))),
            norm(stretched(solid.size, (x[1], y[1], z[1]))),
            norm(stretched(solid.size, (x[2], y[2], z[2]))),
        )
        return minus(centre, extent), plus(centre, extent)

    @staticmethod
    def point_gap(solid: SpatialSolid, point: Vector) -> tuple[float, Vector, Vector]:
        """Return signed distance, normal and nearest point of the boundary to a point."""
        return point_ellipsoid(solid.size, point)

    @staticmethod
    def linear_part(solid: SpatialSolid, point: Vector, feature: int) -> Vector:
        """Return the centre: all of the ellipsoid is smooth."""
        return 0.0, 0.0, 0.0

    @staticmethod
    def moved(solid: SpatialSolid, point: Vector, direction: Vector) -> Vector:
        """Return the point that is farthest along a direction."""
        return farthest(solid.size, direction)

    @staticmethod
    def round_part(solid: SpatialSolid) -> Vector:
        """Return the semi-axes."""
        return solid.size

    @staticmethod
    def bend(
        solid: SpatialSolid, frame: Frame, normal: Vector, side: Vector, across: Vector
    ) -> Bend:
        """Return the reach |D n|, where D has the semi-axes on its diagonal."""
        radii = solid.size
        long = stretched(radii, direction_in(frame, normal))
        reach = norm(long)
        if reach <= 0.0:
            return False, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        gradient = turned(frame, stretched(radii, times(1.0 / reach, long)))
        # |D s|^2 - (D s . D n)^2 / |D n|^2, without the difference of large numbers.
        unit = times(1.0 / reach, long)
        x = cross(stretched(radii, direction_in(frame, side)), unit)
        y = cross(stretched(radii, direction_in(frame, across)), unit)
        return True, reach, gradient, (dot(x, x) / reach, dot(x, y) / reach, dot(y, y) / reach)

    @staticmethod
    def convex_body(solid: Solid, axes: Array, origin: Array, ball: float) -> ConvexBody:
        """Return a cone."""
        return cone_body(solid, axes, origin)


def stretched(radii: Vector, direction: Vector) -> Vector:
    """Return a vector with its components multiplied by radii."""
    return radii[0] * direction[0], radii[1] * direction[1], radii[2] * direction[2]


def farthest(radii: Vector, direction: Vector) -> Vector:
    """Return the point of an ellipsoid that is farthest along a direction."""
    long = stretched(radii, direction)
    length = norm(long)
    if length <= 0.0:  # GJK asks once where two centres coincide
        return radii[0], 0.0, 0.0
    return stretched(radii, times(1.0 / length, long))


def point_ellipsoid(radii: Vector, point: Vector) -> tuple[float, Vector, Vector]:
    """
    Return signed distance, outward normal and nearest boundary point of an ellipsoid to a point.

    Of equally near points the one with more coordinates >= 0 is taken.
    """
    a, b, c = radii
    least = min(a, b, c)
    root = secular_root(radii, point)
    x = on_axis(a, least, point[0], root)
    y = on_axis(b, least, point[1], root)
    z = on_axis(c, least, point[2], root)
    if root == 0.0:  # along the shortest axis, as far as the ellipsoid reaches
        rest = math.sqrt(max(0.0, 1.0 - x * x - y * y - z * z))
        if a == least:
            x = rest
        elif b == least:
            y = rest
        else:
            z = rest
    slope = (x / a, y / b, z / c)
    length = norm(slope)
    nearest = stretched(radii, (x, y, z))
    return (root - 1.0) * least * least * length, times(1.0 / length, slope), nearest


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """An ellipsoid with semi-axes along x, y and z."""

    kind = 'ellipsoid'
    spatial_core = EllipsoidCore
    widths: ClassVar[dict[str, int]] = {'radii': 3}
    radii: Triple

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Any, ...]:
        """Read ``radii``."""
        return (section.numbers('radii', 3, None),)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Return volume, centroid and spread."""
        a, b, c = self.radii
        volume = 4.0 / 3.0 * math.pi * a * b * c
        return Moments(volume, ORIGIN, diagonal(a**2 / 5.0, b**2 / 5.0, c**2 / 5.0))

    def shrunk(self, margin: float) -> tuple[Shape, float]:
        """Return the ellipsoid: a surface at a distance from it is no ellipsoid."""
        return self, 0.0

    def pack(self, dimension: int) -> Block:
        """Return its block: semi-axes."""
        from symcontact_ros.shapes.packing import Head, spatial_block

        a, b, c = numbers(self.radii)
        return spatial_block(Head(reach=max(a, b, c), size=(a, b, c), inner=min(a, b, c)))

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return a ball with three widths."""
        from symcontact_ros.shapes.drawing import MarkerPiece, SPHERE

        a, b, c = numbers(self.radii)
        return [MarkerPiece(SPHERE, (2 * a, 2 * b, 2 * c))]

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return the ellipsoid."""
        axes = [
            [make.scalar(radius) * component for component in make.axis(i)]
            for i, radius in enumerate(self.radii)
        ]
        return [make.ellipsoid('ellipsoid', make.origin(), axes)]
