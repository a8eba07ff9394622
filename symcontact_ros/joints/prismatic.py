"""Prismatic joint: the body slides along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.joints.joint_motion import (
    identity,
    JointMotion,
    JointNumbers,
    JointSymbols,
    ReferenceMotion,
    zeros,
)
from symcontact_ros.joints.single import SingleJoint
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.joints.interfaces import Algebra


class Prismatic(SingleJoint):
    """q is the displacement [m] along the axis; u its rate [m/s]."""

    name = 'prismatic'
    unit = 'm'
    default_axis = (1.0, 0.0, 0.0)
    urdf_types = ('prismatic',)

    def axis_fault(self, axis: Sequence[float], dimension: int) -> str:
        """Return why an axis is wrong: in a planar model it lies in the plane."""
        if dimension == 2 and axis[2] != 0.0:
            return 'must lie in the plane: its third number is 0 in a planar model'
        return ''

    def motion(self, algebra: Algebra, joint: JointSymbols) -> JointMotion:
        """Return the displacement along the axis, which is the same in both frames."""
        position = algebra.scale(joint.q[0], joint.axis)
        columns = [(joint.axis, zeros())]
        still = (zeros(), zeros())
        return JointMotion(identity(), position, columns, still, [joint.u[0]], columns)

    def reference_motion(self, joint: JointSymbols) -> ReferenceMotion:
        """Return the same for Kane's method."""
        import sympy as sm

        axis = sm.Matrix(joint.axis)
        velocity = axis * joint.u[0]
        return ReferenceMotion(
            sm.eye(3), axis * joint.q[0], velocity, sm.zeros(3, 1), [joint.u[0]]
        )

    def pose(
        self, q: Sequence[float], axis: Sequence[float], constants: Sequence[float]
    ) -> tuple[Vector, Vector]:
        """Return the displacement along the axis."""
        return np.eye(3), q[0] * np.array(axis, dtype=float)

    def columns(self, joint: JointNumbers) -> tuple[Vector, Vector]:
        """Return the axis, and no turn."""
        axis = (joint.attitude @ joint.axis)[:, None]
        return axis, 0.0 * axis
