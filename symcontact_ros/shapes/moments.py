"""
Mass properties of a shape of uniform density.

Everything is arithmetic on scalars, so formulas stay formulas: a disc spreads by R^2 / 4 each way.
"""

from __future__ import annotations

from typing import NamedTuple

from symcontact_ros.expressions import Scalar

Vector3 = tuple[Scalar, Scalar, Scalar]
Matrix3 = list[list[Scalar]]
ORIGIN: Vector3 = (0.0, 0.0, 0.0)


class Moments(NamedTuple):
    """Means over a shape of uniform density."""

    measure: Scalar  # area [m^2] in the plane, volume [m^3] in space
    centroid: Vector3  # in the frame of the shape [m]
    spread: Matrix3  # mean of x x^T about the centroid [m^2]


def diagonal(xx: Scalar, yy: Scalar, zz: Scalar) -> Matrix3:
    """Return a diagonal matrix."""
    return [[xx, 0.0, 0.0], [0.0, yy, 0.0], [0.0, 0.0, zz]]
