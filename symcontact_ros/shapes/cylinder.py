"""Cylinders in space."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import TYPE_CHECKING

from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.kernels.vectors.scalars import sign
from symcontact_ros.kernels.vectors.spatial import (
    along,
    cross,
    direction_in,
    dot,
    Frame,
    minus,
    norm,
    placed,
    plus,
    times,
    Vector,
)
from symcontact_ros.shapes.base import number, Shape
from symcontact_ros.shapes.cores import Bend, DISC_CORNERS, SpatialCore
from symcontact_ros.shapes.moments import diagonal, Moments, ORIGIN

if TYPE_CHECKING:
    from symcontact_ros.kernels.records import Rows
    from symcontact_ros.shapes.convex_body import Array, ConvexBody
    from symcontact_ros.shapes.drawing import MarkerPiece
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.packing import Block
    from symcontact_ros.shapes.records import LoopCorner, Solid, SpatialSolid

ON_AXIS = 1e-14  # a direction this close to the axis has a farthest disc, not a point
LYING = 0.5  # a cylinder whose axis is less than this part along a normal lies on its side
UPPER_END, LOWER_END = -1, -2  # features


class CylinderCore(SpatialCore):
    """A cylinder about z; ``size`` has radius, radius, half length. Faces: upper, lower end."""

    is_curved = True
    has_discs = True

    @staticmethod
    def support(solid: SpatialSolid, direction: Vector) -> tuple[Vector, int]:
        """Return a point of a rim; its feature is that end."""
        x, y = _on_rim(solid.size[0], direction)
        if direction[2] < 0.0:
            return plus(solid.centre, (x, y, -solid.size[2])), LOWER_END
        return plus(solid.centre, (x, y, solid.size[2])), UPPER_END

    @staticmethod
    def bounds(solid: SpatialSolid, frame: Frame) -> tuple[Vector, Vector]:
        """Return the box around the cylinder, by the extents of its axis and of its discs."""
        _, _, z, centre = frame
        radius, length = solid.size[0], solid.size[2]
        extent = (
            length * abs(z[0]) + radius * _sine(z[0]),
            length * abs(z[1]) + radius * _sine(z[1]),
            length * abs(z[2]) + radius * _sine(z[2]),
        )
        return minus(centre, extent), plus(centre, extent)

    @staticmethod
    def point_gap(solid: SpatialSolid, point: Vector) -> tuple[float, Vector, Vector]:
        """Return signed distance, normal and nearest point of the boundary to a point."""
        return point_cylinder(solid.size[0], solid.size[2], point)

    @staticmethod
    def face_count(solid: SpatialSolid) -> int:
        """Return the number of ends."""
        return 2

    @staticmethod
    def face_normal(solid: SpatialSolid, face: int) -> Vector:
        """Return the axis, or its opposite."""
        return (0.0, 0.0, 1.0) if face == 0 else (0.0, 0.0, -1.0)

    @staticmethod
    def face_offset(solid: SpatialSolid, face: int) -> float:
        """Return the half length [m]."""
        return solid.size[2]

    @staticmethod
    def write_loop(
        solid: SpatialSolid, frame: Frame, face: int, turn: Vector, loop: Rows[LoopCorner]
    ) -> int:
        """Write corners of the rim of an end, the first of them towards ``turn``."""
        x, y, _ = direction_in(frame, turn)
        length = math.sqrt(x * x + y * y)
        first = (1.0, 0.0)
        if length > 1e-12:
            first = (x / length, y / length)
        side = 1.0 if face == 0 else -1.0
        for i in range(DISC_CORNERS):
            cosine, sine = disc_corner(i)
            sine *= side
            corner = (
                solid.size[0] * (cosine * first[0] - sine * first[1]),
                solid.size[0] * (cosine * first[1] + sine * first[0]),
                side * solid.size[2],
            )
            loop[i].position = placed(frame, corner)
            loop[i].name = i
        return DISC_CORNERS

    @staticmethod
    def lowest_line(solid: SpatialSolid, down: Vector) -> tuple[float, Vector, Vector]:
        """Return the lowest line of the side, where the cylinder lies on it."""
        if abs(down[2]) >= LYING:
            return 0.0, down, down
        across = norm((down[0], down[1], 0.0))
        x, y = solid.size[0] * down[0] / across, solid.size[0] * down[1] / across
        half = solid.size[2]
        return 2.0, (x, y, -half), (x, y, half)  # standing, it has four points

    @staticmethod
    def linear_part(solid: SpatialSolid, point: Vector, feature: int) -> Vector:
        """Return the end of the axis."""
        return 0.0, 0.0, point[2]

    @staticmethod
    def moved(solid: SpatialSolid, point: Vector, direction: Vector) -> Vector:
        """Return the point of the same rim that is farthest along a direction."""
        length = norm((direction[0], direction[1], 0.0))
        if length > 0.0:
            scale = solid.size[0] / length
            return direction[0] * scale, direction[1] * scale, point[2]
        return point

    @staticmethod
    def round_part(solid: SpatialSolid) -> Vector:
        """Return the radii of a disc."""
        return solid.size[0], solid.size[0], 0.0

    @staticmethod
    def bend(
        solid: SpatialSolid, frame: Frame, normal: Vector, side: Vector, across: Vector
    ) -> Bend:
        """Return the reach of a disc: its radius times the sine of normal and axis."""
        radius, axis = solid.size[0], frame[2]
        radial = along(normal, -dot(normal, axis), axis)
        length = norm(radial)
        if length < 1e-7:  # on the axis: a kink
            return False, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        tangent = times(1.0 / length, cross(axis, normal))
        x, y = dot(tangent, side), dot(tangent, across)
        scale = radius / length
        return (
            True,
            radius * length,
            times(scale, radial),
            (scale * x * x, scale * x * y, scale * y * y),
        )

    @staticmethod
    def convex_body(solid: Solid, axes: Array, origin: Array, ball: float) -> ConvexBody:
        """Return the planes of the ends, and a cone across the axis."""
        import numpy as np

        from symcontact_ros.shapes.convex_body import centre_of, ConvexBody

        _, centre = centre_of(solid, axes, origin)
        radius, _, half_length = solid.size
        ends, across = np.array([axes[:, 2], -axes[:, 2]]), axes[:, :2].T
        widths = np.full(2, half_length)

        def reach(direction: Array) -> float:
            end = float((widths * np.abs(ends @ direction)).max())
            return end + radius * float(np.linalg.norm(across @ direction))

        return ConvexBody(centre, reach, ends, widths, cone=(across, radius))


def point_cylinder(
    radius: float, half_length: float, point: Vector
) -> tuple[float, Vector, Vector]:
    """Return signed distance, outward normal and nearest boundary point to a point."""
    x, y, z = point
    off_axis = math.sqrt(x * x + y * y)
    radial = (1.0, 0.0)
    if off_axis > 0.0:
        radial = (x / off_axis, y / off_axis)
    end = sign(z)
    beyond_side, beyond_end = off_axis - radius, abs(z) - half_length
    if beyond_side > 0.0 and beyond_end > 0.0:  # nearest to the rim
        distance = math.sqrt(beyond_side * beyond_side + beyond_end * beyond_end)
        out, up = beyond_side / distance, end * beyond_end / distance
        rim = (radius * radial[0], radius * radial[1], end * half_length)
        return distance, (out * radial[0], out * radial[1], up), rim
    if beyond_side >= beyond_end:
        side = (radius * radial[0], radius * radial[1], z)
        return beyond_side, (radial[0], radial[1], 0.0), side
    return beyond_end, (0.0, 0.0, end), (x, y, end * half_length)


def _on_rim(radius: float, direction: Vector) -> tuple[float, float]:
    """Return the point of a circle around z that is farthest along a direction."""
    length = math.sqrt(direction[0] * direction[0] + direction[1] * direction[1])
    if length <= ON_AXIS * abs(direction[2]):
        return radius, 0.0
    return direction[0] * (radius / length), direction[1] * (radius / length)


def _sine(cosine: float) -> float:
    """Return the sine that belongs to a cosine."""
    return math.sqrt(max(0.0, 1.0 - cosine * cosine))


def disc_corner(i: int) -> tuple[float, float]:
    """Return cosine and sine of i twelfths of a turn, without a call of the C library."""
    quarter = i // 3
    part = i - 3 * quarter
    cosine, sine = 1.0, 0.0
    if part == 1:
        cosine, sine = 0.8660254037844386, 0.5
    elif part == 2:
        cosine, sine = 0.5, 0.8660254037844386
    if quarter == 1:
        return -sine, cosine
    if quarter == 2:
        return -cosine, -sine
    if quarter == 3:
        return sine, -cosine
    return cosine, sine


@dataclass(frozen=True)
class Cylinder(Shape):
    """A cylinder about the z axis."""

    kind = 'cylinder'
    spatial_core = CylinderCore
    radius: Scalar
    half_length: Scalar

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Scalar, ...]:
        """Read ``radius`` and ``half_length``."""
        return section.number('radius', above=0.0), section.number('half_length', above=0.0)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Return volume, centroid and spread."""
        r, h = self.radius, self.half_length
        across = r**2 / 4.0
        return Moments(2.0 * math.pi * r**2 * h, ORIGIN, diagonal(across, across, h**2 / 3.0))

    def shrunk(self, margin: float) -> tuple[Shape, float]:
        """Return the cylinder with its side and ends moved inwards."""
        return Cylinder(self.radius - margin, self.half_length - margin), margin

    def pack(self, dimension: int) -> Block:
        """Return its block: radius and half length."""
        from symcontact_ros.shapes.packing import Head, spatial_block

        radius, half = number(self.radius), number(self.half_length)
        reach = math.sqrt(radius * radius + half * half)
        return spatial_block(
            Head(reach=reach, size=(radius, radius, half), inner=min(radius, half))
        )

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return a cylinder."""
        from symcontact_ros.shapes.drawing import CYLINDER, MarkerPiece

        width = 2 * number(self.radius)
        return [MarkerPiece(CYLINDER, (width, width, 2 * number(self.half_length)))]

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return the side, and the plane and the rim of each end."""
        radius, half = make.scalar(self.radius), make.scalar(self.half_length)
        features = [make.line('side', make.origin(), make.axis(2), radius)]
        for i, end in enumerate((-1, 1)):
            features.append(make.plane(f'cap {i}', make.axis(2, end), half))
            centre = [make.zero, make.zero, end * half]
            features.append(make.rim(f'rim {i}', centre, make.axis(2), radius))
        return features
