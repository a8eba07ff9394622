"""Revolute joint: the body turns about an axis."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.joints.joint_motion import (
    Expression,
    JointMotion,
    JointNumbers,
    JointSymbols,
    ReferenceMotion,
    Rows,
    zeros,
)
from symcontact_ros.joints.kane_motion import turn_about
from symcontact_ros.joints.quaternions import skew
from symcontact_ros.joints.single import SingleJoint
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.joints.interfaces import Algebra


class Revolute(SingleJoint):
    """q is the angle [rad] about the axis, counted by the right hand; u its rate [rad/s]."""

    name = 'revolute'
    unit = 'rad'
    default_axis = (0.0, 0.0, 1.0)
    urdf_types = ('revolute', 'continuous')
    urdf_unlimited = 'continuous'

    def axis_fault(self, axis: Sequence[float], dimension: int) -> str:
        """Return why an axis is wrong: in the plane it is z."""
        across = axis[0] != 0.0 or axis[1] != 0.0
        return 'a planar model turns about z: [0, 0, 1]' if dimension == 2 and across else ''

    def planar_angle(self, q: Sequence[float], axis: Sequence[float]) -> float:
        """Return the angle about z [rad]; the axis is z or -z."""
        return axis[2] * q[0]

    def least_inertia(
        self, about_com: Vector, about_origin: Vector, axis: Vector, armature: float
    ) -> float:
        """Return the inertia about the axis [kg m^2]."""
        return float(axis @ about_origin @ axis) + armature

    def motion(self, algebra: Algebra, joint: JointSymbols) -> JointMotion:
        """Return the rotation about the axis, which is the same in both frames."""
        rotation = rotation_about(algebra, joint.axis, joint.q[0])
        columns = [(zeros(), joint.axis)]
        still = (zeros(), zeros())
        return JointMotion(rotation, zeros(), columns, still, [joint.u[0]], columns)

    def reference_motion(self, joint: JointSymbols) -> ReferenceMotion:
        """Return the same for Kane's method."""
        import sympy as sm

        none, axis = sm.zeros(3, 1), sm.Matrix(joint.axis)
        turn = turn_about(axis, joint.q[0])
        return ReferenceMotion(turn, none, none, axis * joint.u[0], [joint.u[0]])

    def pose(
        self, q: Sequence[float], axis: Sequence[float], constants: Sequence[float]
    ) -> tuple[Vector, Vector]:
        """Return the rotation about the axis, by Rodrigues' formula."""
        sin, cos = math.sin(q[0]), math.cos(q[0])
        unit = np.array(axis, dtype=float)
        turn = cos * np.eye(3) + sin * skew(unit) + (1.0 - cos) * np.outer(unit, unit)
        return turn, np.zeros(3)

    def columns(self, joint: JointNumbers) -> tuple[Vector, Vector]:
        """Return no velocity, and the axis."""
        axis = (joint.attitude @ joint.axis)[:, None]
        return 0.0 * axis, axis


def rotation_about(algebra: Algebra, axis: list[Expression], angle: Expression) -> Rows:
    """Return the rotation by an angle about a unit axis, by Rodrigues' formula."""
    import sympy as sm

    zero, one = sm.S.Zero, sm.S.One
    sin, cos = algebra.name(sm.sin(angle)), algebra.name(sm.cos(angle))
    rest = algebra.name(one - cos)
    skew = [
        [zero, -axis[2], axis[1]],
        [axis[2], zero, -axis[0]],
        [-axis[1], axis[0], zero],
    ]

    def entry(i: int, j: int) -> Expression:
        if axis[i] in (one, -one) and i == j:
            return one  # the axis itself does not turn
        diagonal = cos if i == j else zero
        return algebra.name(diagonal + algebra.name(axis[i] * axis[j]) * rest + skew[i][j] * sin)

    return [[entry(i, j) for j in range(3)] for i in range(3)]
