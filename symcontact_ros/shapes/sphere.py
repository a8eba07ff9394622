"""Balls in space."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import TYPE_CHECKING

from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.kernels.vectors.spatial import Frame, Vector
from symcontact_ros.shapes.base import number, Shape
from symcontact_ros.shapes.cores import SpatialCore
from symcontact_ros.shapes.moments import diagonal, Moments, ORIGIN

if TYPE_CHECKING:
    from symcontact_ros.shapes.convex_body import Array, ConvexBody
    from symcontact_ros.shapes.drawing import MarkerPiece
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.packing import Block
    from symcontact_ros.shapes.records import Solid, SpatialSolid


class SphereCore(SpatialCore):
    """A point: the centre."""

    is_rounded = True
    is_point = True

    @staticmethod
    def support(solid: SpatialSolid, direction: Vector) -> tuple[Vector, int]:
        """Return the centre."""
        return solid.centre, 0

    @staticmethod
    def vertex(solid: SpatialSolid, number: int) -> Vector:
        """Return the centre."""
        return 0.0, 0.0, 0.0

    @staticmethod
    def bounds(solid: SpatialSolid, frame: Frame) -> tuple[Vector, Vector]:
        """Return the centre twice."""
        return frame[3], frame[3]

    @staticmethod
    def linear_part(solid: SpatialSolid, point: Vector, feature: int) -> Vector:
        """Return the centre."""
        return 0.0, 0.0, 0.0

    @staticmethod
    def convex_body(solid: Solid, axes: Array, origin: Array, ball: float) -> ConvexBody:
        """Return the ball."""
        from symcontact_ros.shapes.convex_body import rounded

        return rounded(solid, axes, origin, ball)


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball."""

    kind = 'sphere'
    spatial_core = SphereCore
    radius: Scalar

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Scalar, ...]:
        """Read ``radius``."""
        return (section.number('radius', above=0.0),)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Return volume, centroid and spread."""
        each = self.radius**2 / 5.0
        volume = 4.0 / 3.0 * math.pi * self.radius**3
        return Moments(volume, ORIGIN, diagonal(each, each, each))

    def pack(self, dimension: int) -> Block:
        """Return its block: a radius."""
        from symcontact_ros.shapes.packing import Head, spatial_block

        radius = number(self.radius)
        return spatial_block(Head(radius, radius, inner=radius))

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return a ball."""
        from symcontact_ros.shapes.drawing import MarkerPiece, SPHERE

        width = 2 * number(self.radius)
        return [MarkerPiece(SPHERE, (width, width, width))]

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return the centre, with the radius as its margin."""
        return [make.point('sphere', make.origin(), make.scalar(self.radius))]
