"""Discs in the plane."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import TYPE_CHECKING

from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.shapes.base import number, Shape
from symcontact_ros.shapes.cores import PlanarCore
from symcontact_ros.shapes.moments import diagonal, Moments, ORIGIN

if TYPE_CHECKING:
    from symcontact_ros.shapes.convex_body import Array, ConvexBody
    from symcontact_ros.shapes.drawing import MarkerPiece, Points
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.packing import Block
    from symcontact_ros.shapes.records import Solid


class CircleCore(PlanarCore):
    """One vertex: the centre."""

    is_rounded = True

    @staticmethod
    def convex_body(solid: Solid, axes: Array, origin: Array, ball: float) -> ConvexBody:
        """Return the ball."""
        from symcontact_ros.shapes.convex_body import rounded

        return rounded(solid, axes, origin, ball)


@dataclass(frozen=True)
class Circle(Shape):
    """A disc in the xy plane."""

    kind = 'circle'
    planar_core = CircleCore
    radius: Scalar

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Scalar, ...]:
        """Read ``radius``."""
        return (section.number('radius', above=0.0),)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Return area, centroid and spread."""
        r = self.radius
        return Moments(math.pi * r**2, ORIGIN, diagonal(r**2 / 4.0, r**2 / 4.0, 0.0))

    def pack(self, dimension: int) -> Block:
        """Return its block: a vertex, and a radius."""
        from symcontact_ros.shapes.packing import Head, planar_block

        radius = number(self.radius)
        return planar_block(Head(radius, radius, inner=radius), [(0.0, 0.0)])

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return a flat cylinder."""
        from symcontact_ros.shapes.drawing import disc

        return [disc(number(self.radius))]

    def outline(self) -> Points:
        """Return a circle with a spoke."""
        from symcontact_ros.shapes.drawing import circle_with_spoke

        return number(self.radius) * circle_with_spoke()

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return the centre, with the radius as its margin."""
        return [make.point('circle', make.origin(), make.scalar(self.radius))]
