"""Features of shapes in SymPy, numbered as collision detection numbers them."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sm

from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.shapes.base import Shape
from symcontact_ros.symbolic.contact import vectors
from symcontact_ros.symbolic.contact.feature_kinds import (
    ELLIPSOID,
    Feature,
    LINE,
    PLANE,
    POINT,
    RIM,
)
from symcontact_ros.symbolic.naming import expression, number
from symcontact_ros.symbolic.recorder import Vector, ZERO, zeros

Symbols = dict[str, sm.Symbol]  # live symbol -> SymPy symbol


def features_of(
    shape: Shape, dimension: int, symbols: Symbols, values: Values
) -> tuple[Feature, ...]:
    """
    Return the features of a shape in its own frame.

    ``values`` of the live symbols determine which vertices of polygons and hulls are corners, and
    which of them share a face.
    """
    return tuple(shape.features(FeatureMaker(symbols, values), dimension))


class FeatureMaker:
    """
    Features and SymPy expressions for `Shape.features`, so that shapes need not import SymPy.

    Attributes
    ----------
    values
        Of the live symbols.
    """

    zero = ZERO
    axis = staticmethod(vectors.axis)
    difference = staticmethod(vectors.difference)
    dot = staticmethod(vectors.dot)
    cross = staticmethod(vectors.cross)
    unit = staticmethod(vectors.unit)
    number = staticmethod(number)
    origin = staticmethod(zeros)

    def __init__(self, symbols: Symbols, values: Values) -> None:
        self.values = values
        self._symbols = symbols

    def scalar(self, scalar: Scalar) -> sm.Expr:
        """Return a number or formula of a shape."""
        return expression(scalar, self._symbols)

    def vector(self, scalars: Sequence[Scalar]) -> Vector:
        """Return three components; the third of a planar vector is zero."""
        return [*(self.scalar(s) for s in scalars), ZERO, ZERO][:3]

    def point(self, name: str, place: Vector, margin: sm.Expr = ZERO) -> Feature:
        """Return a point with a margin around it [m]."""
        return Feature(POINT, name, place, zeros(), margin)

    def line(self, name: str, point: Vector, way: Vector, margin: sm.Expr = ZERO) -> Feature:
        """Return a line through a point along a unit vector, with a margin around it [m]."""
        return Feature(LINE, name, point, way, margin)

    def plane(self, name: str, outward: Vector, offset: sm.Expr) -> Feature:
        """Return a plane with a unit normal and an offset along it [m]."""
        return Feature(PLANE, name, zeros(), outward, offset)

    def rim(self, name: str, centre: Vector, axis: Vector, radius: sm.Expr) -> Feature:
        """Return a circle with a radius [m] about a unit axis."""
        return Feature(RIM, name, centre, axis, ZERO, radius)

    def ellipsoid(self, name: str, centre: Vector, semi_axes: Sequence[Vector]) -> Feature:
        """Return an ellipsoid with vectors from its centre to its vertices [m], or an ellipse."""
        return Feature(ELLIPSOID, name, centre, zeros(), ZERO, semi_axes=tuple(semi_axes))
