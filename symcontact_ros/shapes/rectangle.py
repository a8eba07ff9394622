"""Rectangles in the plane."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Any, ClassVar, TYPE_CHECKING

from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.shapes.base import numbers, Shape
from symcontact_ros.shapes.box import read_half_extents
from symcontact_ros.shapes.cores import PlanarCore
from symcontact_ros.shapes.moments import diagonal, Moments, ORIGIN

if TYPE_CHECKING:
    from symcontact_ros.shapes.drawing import MarkerPiece, Points
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.packing import Block


class RectangleCore(PlanarCore):
    """A polygon of four vertices."""


@dataclass(frozen=True)
class Rectangle(Shape):
    """A rectangle in the xy plane, sides along x and y."""

    kind = 'rectangle'
    planar_core = RectangleCore
    widths: ClassVar[dict[str, int]] = {'half_extents': 2}
    half_extents: tuple[Scalar, Scalar]

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Any, ...]:
        """Read ``half_extents``, or ``size``: full lengths."""
        return (read_half_extents(section, dimension),)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Return area, centroid and spread."""
        a, b = self.half_extents
        return Moments(4.0 * a * b, ORIGIN, diagonal(a**2 / 3.0, b**2 / 3.0, 0.0))

    def shrunk(self, margin: float) -> tuple[Shape, float]:
        """Return the rectangle with its sides moved inwards."""
        x, y = numbers(self.half_extents)
        return Rectangle((x - margin, y - margin)), margin

    def pack(self, dimension: int) -> Block:
        """Return its block: four vertices, and their edges."""
        from symcontact_ros.shapes.packing import Head, planar_block

        x, y = numbers(self.half_extents)
        head = Head(reach=math.sqrt(x * x + y * y), size=(x, y, 0.0), inner=min(x, y))
        corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
        outward = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]
        return planar_block(head, corners, [(i, (i + 1) % 4, outward[i]) for i in range(4)])

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return a flat cuboid."""
        from symcontact_ros.shapes.drawing import CUBE, MarkerPiece, THICKNESS

        x, y = numbers(self.half_extents)
        return [MarkerPiece(CUBE, (2 * x, 2 * y, THICKNESS))]

    def outline(self) -> Points:
        """Return the four corners."""
        import numpy as np

        return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * numbers(self.half_extents)

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return vertices and edges, counter-clockwise."""
        x, y = (make.scalar(half) for half in self.half_extents)
        corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
        outward = [(make.axis(1, -1), y), (make.axis(0, 1), x)]
        outward += [(make.axis(1, 1), y), (make.axis(0, -1), x)]
        vertices = [
            make.point(f'vertex {i}', [*corner, make.zero]) for i, corner in enumerate(corners)
        ]
        return vertices + [make.plane(f'edge {i}', *edge) for i, edge in enumerate(outward)]
