"""Cuboids in space."""

from __future__ import annotations

from dataclasses import dataclass
import itertools
import math
from typing import Any, ClassVar, TYPE_CHECKING

from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.kernels.vectors.scalars import clamped, sign
from symcontact_ros.kernels.vectors.spatial import (
    Frame,
    minus,
    norm,
    plus,
    times,
    Vector,
)
from symcontact_ros.placements import Triple
from symcontact_ros.shapes.base import numbers, Shape
from symcontact_ros.shapes.cores import SpatialCore
from symcontact_ros.shapes.moments import diagonal, Moments, ORIGIN

if TYPE_CHECKING:
    from symcontact_ros.shapes.drawing import MarkerPiece
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.packing import Block
    from symcontact_ros.shapes.records import SpatialSolid


class BoxCore(SpatialCore):
    """
    A box; ``size`` has its half extents.

    Vertex 0 has positive coordinates; 1, 2 and 4 are added for a negative x, y and z. Faces are
    +x, -x, +y, -y, +z, -z.
    """

    @staticmethod
    def support(solid: SpatialSolid, direction: Vector) -> tuple[Vector, int]:
        """Return the vertex whose coordinates have the signs of the direction."""
        x, y, z = solid.size
        vertex = 0
        if direction[2] < 0.0:
            z = -z
            vertex = 4
        if direction[0] < 0.0:
            x = -x
            vertex += 1
        if direction[1] < 0.0:
            y = -y
            vertex += 2
        return plus(solid.centre, (x, y, z)), vertex

    @staticmethod
    def vertex(solid: SpatialSolid, number: int) -> Vector:
        """Return a vertex by the signs of its coordinates."""
        x, y, z = solid.size
        if number % 2 == 1:
            x = -x
        if number % 4 >= 2:
            y = -y
        return x, y, -z if number >= 4 else z

    @staticmethod
    def bounds(solid: SpatialSolid, frame: Frame) -> tuple[Vector, Vector]:
        """Return the box around the box, by the extents of its half axes."""
        x, y, z, centre = frame
        half = solid.size
        extent = (
            half[0] * abs(x[0]) + half[1] * abs(y[0]) + half[2] * abs(z[0]),
            half[0] * abs(x[1]) + half[1] * abs(y[1]) + half[2] * abs(z[1]),
            half[0] * abs(x[2]) + half[1] * abs(y[2]) + half[2] * abs(z[2]),
        )
        return minus(centre, extent), plus(centre, extent)

    @staticmethod
    def point_gap(solid: SpatialSolid, point: Vector) -> tuple[float, Vector, Vector]:
        """Return signed distance, normal and nearest point of the boundary to a point."""
        return point_box(solid.size, point)

    @staticmethod
    def is_within_sides(solid: SpatialSolid, face: int, point: Vector) -> bool:
        """Return whether a point lies between the four faces beside a face."""
        x, y, z = point
        half = solid.size
        return (
            (abs(x) <= half[0] or face // 2 == 0)
            and (abs(y) <= half[1] or face // 2 == 1)
            and (abs(z) <= half[2] or face // 2 == 2)
        )


def point_box(half: Vector, point: Vector) -> tuple[float, Vector, Vector]:
    """
    Return signed distance, outward normal and nearest boundary point of a box to a point.

    Inside, the nearest face wins; of equal ones the first of x, y, z.
    """
    x, y, z = point
    nearest = (clamped(x, half[0]), clamped(y, half[1]), clamped(z, half[2]))
    outwards = minus(point, nearest)
    distance = norm(outwards)
    if distance > 0.0:
        return distance, times(1.0 / distance, outwards), nearest
    beyond_x, beyond_y, beyond_z = abs(x) - half[0], abs(y) - half[1], abs(z) - half[2]
    if beyond_x >= beyond_y and beyond_x >= beyond_z:
        return beyond_x, (sign(x), 0.0, 0.0), (sign(x) * half[0], y, z)
    if beyond_y >= beyond_z:
        return beyond_y, (0.0, sign(y), 0.0), (x, sign(y) * half[1], z)
    return beyond_z, (0.0, 0.0, sign(z)), (x, y, sign(z) * half[2])


def read_half_extents(section: Section, dimension: int) -> tuple[Scalar, ...]:
    """Read ``half_extents``, or ``size``: full lengths."""
    if 'size' in section:
        section.one_of('size', 'half_extents')
        return tuple(0.5 * length for length in section.numbers('size', dimension))
    return section.numbers('half_extents', dimension, None)


@dataclass(frozen=True)
class Box(Shape):
    """A cuboid with faces along the axes."""

    kind = 'box'
    spatial_core = BoxCore
    widths: ClassVar[dict[str, int]] = {'half_extents': 3}
    half_extents: Triple

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Any, ...]:
        """Read ``half_extents``, or ``size``: full lengths."""
        return (read_half_extents(section, dimension),)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Return volume, centroid and spread."""
        a, b, c = self.half_extents
        return Moments(8.0 * a * b * c, ORIGIN, diagonal(a**2 / 3.0, b**2 / 3.0, c**2 / 3.0))

    def shrunk(self, margin: float) -> tuple[Shape, float]:
        """Return the box with its faces moved inwards."""
        x, y, z = numbers(self.half_extents)
        return Box((x - margin, y - margin, z - margin)), margin

    def pack(self, dimension: int) -> Block:
        """Return its block: half extents and a mesh."""
        from symcontact_ros.shapes.meshes import box_mesh
        from symcontact_ros.shapes.packing import Head, spatial_block

        x, y, z = numbers(self.half_extents)
        reach = math.sqrt(x * x + y * y + z * z)
        head = Head(reach=reach, size=(x, y, z), inner=min(x, y, z))
        return spatial_block(head, box_mesh((x, y, z)))

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return a cuboid."""
        from symcontact_ros.shapes.drawing import CUBE, MarkerPiece

        x, y, z = numbers(self.half_extents)
        return [MarkerPiece(CUBE, (2 * x, 2 * y, 2 * z))]

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return vertices, edges and faces by their numbers in the mesh."""
        from symcontact_ros.shapes.meshes import box_mesh

        half = [make.scalar(extent) for extent in self.half_extents]
        mesh = box_mesh((1.0, 1.0, 1.0))
        signs = mesh.vertices.astype(int).tolist()
        places = [[sign * h for sign, h in zip(row, half, strict=True)] for row in signs]
        features = [make.point(f'vertex {i}', place) for i, place in enumerate(places)]
        for i, (a, b, _, _) in enumerate(mesh.edges):
            along = next(k for k in range(3) if signs[a][k] != signs[b][k])
            middle = [make.zero if k == along else places[a][k] for k in range(3)]
            way = make.axis(along, signs[b][along])
            features.append(make.line(f'edge {i}', middle, way))
        ways = itertools.product(range(3), (1, -1))  # +x, -x, +y, -y, +z, -z
        for i, (k, side) in enumerate(ways):
            features.append(make.plane(f'face {i}', make.axis(k, side), half[k]))
        return features
