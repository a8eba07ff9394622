"""Free joint: the body moves and turns in any direction."""

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


class Free(JointType):
    """
    q = (x, y, z, qx, qy, qz, qw) of the body in the joint frame [m, and a unit quaternion].

    u = (v, w): velocity of the body origin [m/s] and angular velocity [rad/s], both in body axes.
    """

    name = 'free'
    coordinate_names = ('x', 'y', 'z', 'qx', 'qy', 'qz', 'qw')
    speed_names = ('vx', 'vy', 'vz', 'wx', 'wy', 'wz')
    tangent_names = ('.x', '.y', '.z', '.rx', '.ry', '.rz')
    floating_in = 3
    can_be_placed = True
    quaternion_at = 3
    rates_are_speeds = False
    urdf_types = ('floating',)

    def read_initial(self, entry: Entry, dimension: int, rotation: ReadRotation) -> Initial:
        """Read ``position``, rotation, ``velocity`` and ``angular_velocity``, world axes."""
        position = entry.triple('position')
        turn = rotation(3)
        velocity = entry.triple('velocity')
        return Initial(position, turn, velocity, entry.triple('angular_velocity'))

    def start(
        self, initial: Initial, values: Values, frame: Frame
    ) -> tuple[Sequence[float], Sequence[float]]:
        """Return q and u at the start."""
        rotation, origin = frame()
        position = np.array(evaluate_all(initial.position, values))
        velocity = np.array(evaluate_all(initial.velocity, values))
        spin = np.array(evaluate_all(initial.angular_velocity, values))
        attitude = matrix(initial.rotation.evaluated(values))
        place = rotation.T @ (position - origin)
        q = [*place.tolist(), *quaternion_of(rotation.T @ attitude).tolist()]
        return q, [*(attitude.T @ velocity).tolist(), *(attitude.T @ spin).tolist()]

    def least_inertia(
        self, about_com: Vector, about_origin: Vector, axis: Vector, armature: float
    ) -> float:
        """Return the least principal moment about the centre of mass [kg m^2]."""
        return float(np.linalg.eigvalsh(about_com)[0])

    def motion(self, algebra: Algebra, joint: JointSymbols) -> JointMotion:
        """Return the motion; speeds are in body axes, rates of the position in joint axes."""
        q, u = joint.q, joint.u
        rotation = quaternion_rotation(algebra, q[3:])
        columns = [(row, zeros()) for row in identity()] + [(zeros(), row) for row in identity()]
        velocity = algebra.rotate(rotation, u[:3])
        rates = velocity + quaternion_rate(algebra, q[3:], u[3:])
        return JointMotion(rotation, list(q[:3]), columns, (zeros(), zeros()), rates)

    def reference_motion(self, joint: JointSymbols) -> ReferenceMotion:
        """Return the same for Kane's method."""
        import sympy as sm

        q, u = joint.q, joint.u
        turn, rates = turn_by_quaternion(q[3:], u[3:])
        velocity = turn * sm.Matrix(u[:3])
        place = sm.Matrix(q[:3])
        return ReferenceMotion(turn, place, velocity, sm.Matrix(u[3:]), [*velocity, *rates])

    def pose(
        self, q: Sequence[float], axis: Sequence[float], constants: Sequence[float]
    ) -> tuple[Vector, Vector]:
        """Return the rotation of the quaternion, and the position."""
        return matrix(tuple(q[3:])), np.array(q[:3], dtype=float)

    def columns(self, joint: JointNumbers) -> tuple[Vector, Vector]:
        """Return the axes of the body, to move along and to turn about."""
        none = np.zeros((3, 3))
        return np.hstack([joint.attitude, none]), np.hstack([none, joint.attitude])

    def drift(self, joint: JointNumbers, u: Vector) -> tuple[Vector, Vector]:
        """Return the acceleration by the turn of the axes that the speeds are along."""
        (vx, vy, vz), (wx, wy, wz) = u[:3].tolist(), u[3:].tolist()
        across = np.array([wy * vz - wz * vy, wz * vx - wx * vz, wx * vy - wy * vx])
        return joint.attitude @ across, np.zeros(3)

    def tangent_basis(self, q: Vector) -> Vector:
        """Return the derivative of q by a small displacement and rotation, both in body axes."""
        basis = np.zeros((7, 6))
        basis[:3, :3] = matrix(tuple(q[3:]))
        basis[3:, 3:] = quaternion_basis(q[3:])
        return basis

    def tangent_rates(self, u: Vector) -> Vector:
        """Return how small displacements and rotations, in axes of the body, change."""
        rates = np.zeros((6, 6))
        rates[3:, 3:] = rates[:3, :3] = -skew(u[3:])
        rates[:3, 3:] = -skew(u[:3])
        return rates

    def coordinates_at(self, position: Vector, rotation: Vector) -> Sequence[float]:
        """Return q at a pose in the joint frame."""
        return [*position, *quaternion_of(rotation)]

    def speeds_at(self, q: Vector, velocity: Vector, rate: Vector) -> Sequence[float]:
        """Return u at velocities (linear, angular) of the body origin, axes of the joint frame."""
        attitude = matrix(tuple(q[3:]))
        return [*(attitude.T @ velocity), *(attitude.T @ rate)]
