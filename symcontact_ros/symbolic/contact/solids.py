"""Shapes in the world, and their contact points, in SymPy."""

from __future__ import annotations

from typing import Any, NamedTuple

import sympy as sm

from symcontact_ros.symbolic.contact.frames import Frame
from symcontact_ros.symbolic.naming import expression
from symcontact_ros.symbolic.recorder import Vector

Scalars = dict[str, sm.Symbol]


class Solid(NamedTuple):
    """A shape in the world."""

    shape: Any  # of `shapes`
    frame: Frame
    dimension: int
    live: Scalars  # live symbol -> SymPy symbol

    def number(self, scalar: Any) -> sm.Expr:
        """Return a number or formula of the shape."""
        return expression(scalar, self.live)

    @property
    def centre(self) -> Vector:
        """The origin of its frame [m]."""
        return self.frame.position

    @property
    def radius(self) -> sm.Expr:
        """Of a disc, ball or capsule [m]."""
        return self.number(self.shape.radius)

    @property
    def half_extents(self) -> Vector:
        """Of a rectangle or box [m]."""
        return [self.number(half) for half in self.shape.half_extents]

    def axis(self, i: int) -> Vector:
        """Return an axis of its frame."""
        return [row[i] for row in self.frame.rotation]

    @property
    def long_axis(self) -> Vector:
        """The axis of a capsule."""
        return self.axis(0 if self.dimension == 2 else 2)


class Spot(NamedTuple):
    """A contact point of two shapes."""

    distance: sm.Expr  # [m], along the normal
    point: Vector  # midway between both surfaces [m]


class PairForm(NamedTuple):
    """Contact points of two shapes; each has one of ``shares`` parts of the stiffness."""

    normal: Vector  # from the first to the second
    spots: list[Spot]
    shares: int = 1
