"""Rotations of the reference derivation by Kane's method: plain SymPy, used by nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from symcontact_ros.joints.joint_motion import Expression


def turn_about(axis: Expression, angle: Expression) -> Expression:
    """Return the rotation by an angle about a unit axis, a 3 x 1 matrix."""
    import sympy as sm

    x, y, z = axis
    skew = sm.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return sm.cos(angle) * sm.eye(3) + sm.sin(angle) * skew + (1 - sm.cos(angle)) * axis * axis.T


def turn_by_quaternion(
    q: Sequence[Expression], rates: Sequence[Expression]
) -> tuple[Expression, list[Expression]]:
    """Return rotation, and rate at body rates, of a unit quaternion x, y, z, w."""
    import sympy as sm

    x, y, z, w = q
    a, b, c = (sm.Rational(1, 2) * rate for rate in rates)
    rotation = sm.Matrix(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    return rotation, [
        w * a + y * c - z * b,
        w * b + z * a - x * c,
        w * c + x * b - y * a,
        -x * a - y * b - z * c,
    ]
