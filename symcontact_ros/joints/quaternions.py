"""Unit quaternions x, y, z, w as coordinates, with body rates as speeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.joints.joint_motion import Column, Expression, Rows
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.joints.interfaces import Algebra


def quaternion_rotation(algebra: Algebra, q: list[Expression]) -> Rows:
    """Return the rotation of a unit quaternion in symbols."""
    import sympy as sm

    name, one, two = algebra.name, sm.Integer(1), sm.Integer(2)
    x, y, z, w = q
    xx, yy, zz = name(x * x), name(y * y), name(z * z)
    xy, xz, yz = name(x * y), name(x * z), name(y * z)
    xw, yw, zw = name(x * w), name(y * w), name(z * w)
    return [
        [name(one - two * (yy + zz)), name(two * (xy - zw)), name(two * (xz + yw))],
        [name(two * (xy + zw)), name(one - two * (xx + zz)), name(two * (yz - xw))],
        [name(two * (xz - yw)), name(two * (yz + xw)), name(one - two * (xx + yy))],
    ]


def quaternion_rate(algebra: Algebra, q: list[Expression], rates: list[Expression]) -> Column:
    """Return the rate of a quaternion in symbols, at body rates [rad/s]."""
    import sympy as sm

    name = algebra.name
    x, y, z, w = q
    a, b, c = (name(rate / sm.Integer(2)) for rate in rates)
    return [
        name(w * a + y * c - z * b),
        name(w * b + z * a - x * c),
        name(w * c + x * b - y * a),
        name(-x * a - y * b - z * c),
    ]


def quaternion_basis(quaternion: Vector) -> Vector:
    """Return the derivative of a quaternion by a small rotation in body axes [rad]: 4 x 3."""
    x, y, z, w = 0.5 * quaternion
    return np.array([[w, -z, y], [z, w, -x], [-y, x, w], [-x, -y, -z]])


def skew(v: Vector) -> Vector:
    """Return the matrix whose product with a vector is the cross product of v with it."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
