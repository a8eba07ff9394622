"""Capsules in the plane and in space."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import TYPE_CHECKING

from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.kernels.vectors.spatial import Frame, minus, plus, Vector
from symcontact_ros.shapes.base import number, Shape
from symcontact_ros.shapes.cores import PlanarCore, SpatialCore
from symcontact_ros.shapes.moments import diagonal, Moments, ORIGIN

if TYPE_CHECKING:
    from symcontact_ros.shapes.convex_body import Array, ConvexBody
    from symcontact_ros.shapes.drawing import MarkerPiece, Points
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.packing import Block
    from symcontact_ros.shapes.records import Solid, SpatialSolid


class PlanarCapsuleCore(PlanarCore):
    """A segment along x: two vertices; edges are two sides and two ends of no length."""

    is_rounded = True

    @staticmethod
    def convex_body(solid: Solid, axes: Array, origin: Array, ball: float) -> ConvexBody:
        """Return a ball that moves along the segment."""
        return _moving_ball(solid, axes, origin, ball)


class SpatialCapsuleCore(SpatialCore):
    """A segment along z; ``size`` has 0, 0, half length. Vertices: 0 above, 4 below."""

    is_rounded = True

    @staticmethod
    def support(solid: SpatialSolid, direction: Vector) -> tuple[Vector, int]:
        """Return an end of the segment."""
        if direction[2] < 0.0:
            return plus(solid.centre, (0.0, 0.0, -solid.size[2])), 4
        return plus(solid.centre, (0.0, 0.0, solid.size[2])), 0

    @staticmethod
    def vertex(solid: SpatialSolid, number: int) -> Vector:
        """Return an end of the segment."""
        return 0.0, 0.0, -solid.size[2] if number >= 4 else solid.size[2]

    @staticmethod
    def bounds(solid: SpatialSolid, frame: Frame) -> tuple[Vector, Vector]:
        """Return the box around the segment."""
        _, _, z, centre = frame
        half = solid.size[2]
        extent = (half * abs(z[0]), half * abs(z[1]), half * abs(z[2]))
        return minus(centre, extent), plus(centre, extent)

    @staticmethod
    def lowest_line(solid: SpatialSolid, down: Vector) -> tuple[float, Vector, Vector]:
        """Return the segment."""
        return 1.0, (0.0, 0.0, -solid.size[2]), (0.0, 0.0, solid.size[2])

    @staticmethod
    def linear_part(solid: SpatialSolid, point: Vector, feature: int) -> Vector:
        """Return the end of the segment, without the rounding that growth adds to points."""
        return 0.0, 0.0, solid.size[2] if feature == 0 else -solid.size[2]

    @staticmethod
    def convex_body(solid: Solid, axes: Array, origin: Array, ball: float) -> ConvexBody:
        """Return a ball that moves along the segment."""
        return _moving_ball(solid, axes, origin, ball)


def _moving_ball(solid: Solid, axes: Array, origin: Array, ball: float) -> ConvexBody:
    import numpy as np

    from symcontact_ros.shapes.convex_body import rounded

    return rounded(solid, axes, origin, ball, np.array(solid.size[: len(origin)]))


@dataclass(frozen=True)
class Capsule(Shape):
    """All points within a radius of a segment along z; in planar models along x."""

    kind = 'capsule'
    planar_core = PlanarCapsuleCore
    spatial_core = SpatialCapsuleCore
    radius: Scalar
    half_length: Scalar  # of the segment

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Scalar, ...]:
        """Read ``radius`` and ``half_length``."""
        return section.number('radius', above=0.0), section.number('half_length', above=0.0)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Return area or volume, centroid and spread."""
        return self._planar_moments() if dimension == 2 else self._spatial_moments()

    def _planar_moments(self) -> Moments:
        """Sum a rectangle and two half discs, whose centroids are 4 r / (3 pi) beyond its ends."""
        r, h = self.radius, self.half_length
        area = math.pi * r**2 + 4.0 * r * h
        along = 4.0 * r * h**3 / 3.0 + math.pi * r**2 * (r**2 / 4.0 + h**2) + 8.0 * r**3 * h / 3.0
        across = 4.0 * h * r**3 / 3.0 + math.pi * r**4 / 4.0
        return Moments(area, ORIGIN, diagonal(along / area, across / area, 0.0))

    def _spatial_moments(self) -> Moments:
        """Sum a cylinder and two half balls, whose centroids are 3 r / 8 beyond its ends."""
        r, h = self.radius, self.half_length
        ball, tube = 4.0 / 3.0 * math.pi * r**3, 2.0 * math.pi * r**2 * h
        volume = ball + tube
        along = tube * h**2 / 3.0 + ball * (r**2 / 5.0 + h**2 + 0.75 * r * h)
        across = (tube * r**2 / 4.0 + ball * r**2 / 5.0) / volume
        return Moments(volume, ORIGIN, diagonal(across, across, along / volume))

    def pack(self, dimension: int) -> Block:
        """Return its block: the segment, and a radius."""
        from symcontact_ros.shapes.packing import Head, planar_block, spatial_block

        radius, half = number(self.radius), number(self.half_length)
        reach = half + radius
        if dimension == 3:
            return spatial_block(Head(radius, reach, (0.0, 0.0, half), inner=radius))
        sides = [(0, 1, (0.0, -1.0)), (1, 0, (0.0, 1.0))]
        ends = [(1, 1, (1.0, 0.0)), (0, 0, (-1.0, 0.0))]
        head = Head(radius, reach, (half, 0.0, 0.0), inner=radius)
        return planar_block(head, [(-half, 0.0), (half, 0.0)], sides + ends)

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return a middle and two round ends."""
        from symcontact_ros.shapes import drawing

        radius, half = number(self.radius), number(self.half_length)
        width = 2 * radius
        if dimension == 2:
            middle = drawing.MarkerPiece(drawing.CUBE, (2 * half, width, drawing.THICKNESS))
            return [middle, *(drawing.disc(radius, (x, 0.0, 0.0)) for x in (-half, half))]
        tube = drawing.MarkerPiece(drawing.CYLINDER, (width, width, 2 * half))
        ends = [
            drawing.MarkerPiece(drawing.SPHERE, (width, width, width), shift=(0.0, 0.0, z))
            for z in (-half, half)
        ]
        return [tube, *ends]

    def outline(self) -> Points:
        """Return two half circles."""
        import numpy as np

        from symcontact_ros.shapes.drawing import half_circle

        shift = np.array([number(self.half_length), 0.0])
        end = number(self.radius) * half_circle() + shift
        return np.concatenate([end, -end])

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return the ends and the segment; in the plane the ends and the sides."""
        radius, half = make.scalar(self.radius), make.scalar(self.half_length)
        zero = make.zero
        if dimension == 2:
            ends = [[-half, zero, zero], [half, zero, zero]]
            sides = [
                make.plane(f'side {i}', make.axis(1, s), radius) for i, s in enumerate((-1, 1))
            ]
        else:
            ends = [[zero, zero, -half], [zero, zero, half]]
            sides = [make.line('segment', make.origin(), make.axis(2), radius)]
        return [make.point(f'end {i}', end, radius) for i, end in enumerate(ends)] + sides
