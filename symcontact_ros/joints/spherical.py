"""Spherical joint: the body turns about the origin of the joint frame in any direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.initial import Frame, Initial, ReadRotation
from symcontact_ros.joints.joint_motion import (
    identity,
    JointMotion,
    JointNumbers,
    JointSymbols,
    ReferenceMotion,
    zeros,
)
from symcontact_ros.joints.kane_motion import turn_by_quaternion
from symcontact_ros.joints.quaternions import (
    quaternion_basis,
    quaternion_rate,
    quaternion_rotation,
    skew,
)
from symcontact_ros.placements import matrix, quaternion_of
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.joints.interfaces import Algebra, Entry


class Spherical(JointType):
    """q is the unit quaternion x, y, z, w of the body; u its angular velocity, body axes."""

    name = 'spherical'
    coordinate_names = ('qx', 'qy', 'qz', 'qw')
    speed_names = ('wx', 'wy', 'wz')
    tangent_names = ('.rx', '.ry', '.rz')
    quaternion_at = 0
    rates_are_speeds = False
    urdf_types = ('spherical',)  # of Bullet

    def read_initial(self, entry: Entry, dimension: int, rotation: ReadRotation) -> Initial:
        """Read the rotation and ``angular_velocity``, both of the world."""
        turn = rotation(3)
        return Initial((), turn, (), entry.triple('angular_velocity'))

    def start(
        self, initial: Initial, values: Values, frame: Frame
    ) -> tuple[Sequence[float], Sequence[float]]:
        """Return q and u at the start."""
        spin = np.array(evaluate_all(initial.angular_velocity, values))
        attitude = matrix(initial.rotation.evaluated(values))
        rotation, _ = frame()
        return quaternion_of(rotation.T @ attitude).tolist(), (attitude.T @ spin).tolist()

    def least_inertia(
        self, about_com: Vector, about_origin: Vector, axis: Vector, armature: float
    ) -> float:
        """Return the least principal moment about the joint [kg m^2]."""
        return float(np.linalg.eigvalsh(about_origin)[0])

    def motion(self, algebra: Algebra, joint: JointSymbols) -> JointMotion:
        """Return the rotation of the quaternion."""
        columns = [(zeros(), row) for row in identity()]
        rotation = quaternion_rotation(algebra, joint.q)
        still = (zeros(), zeros())
        rates = quaternion_rate(algebra, joint.q, joint.u)
        return JointMotion(rotation, zeros(), columns, still, rates)

    def reference_motion(self, joint: JointSymbols) -> ReferenceMotion:
        """Return the same for Kane's method."""
        import sympy as sm

        turn, rates = turn_by_quaternion(joint.q, joint.u)
        none = sm.zeros(3, 1)
        return ReferenceMotion(turn, none, none, sm.Matrix(joint.u), rates)

    def pose(
        self, q: Sequence[float], axis: Sequence[float], constants: Sequence[float]
    ) -> tuple[Vector, Vector]:
        """Return the rotation of the quaternion."""
        return matrix(tuple(q)), np.zeros(3)

    def columns(self, joint: JointNumbers) -> tuple[Vector, Vector]:
        """Return no velocity, and the axes of the body."""
        return np.zeros((3, 3)), joint.attitude

    def tangent_basis(self, q: Vector) -> Vector:
        """Return the derivative of the quaternion by a small rotation in body axes."""
        return quaternion_basis(q)

    def tangent_rates(self, u: Vector) -> Vector:
        """Return how a small rotation, in axes that turn with the body, changes."""
        return -skew(u)
