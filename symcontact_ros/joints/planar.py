"""Planar joint: the body moves in the xy plane of the joint frame and turns about its z."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.initial import check_flat, Frame, Initial, ReadRotation
from symcontact_ros.joints.joint_motion import (
    identity,
    JointMotion,
    JointNumbers,
    JointSymbols,
    ReferenceMotion,
    zeros,
)
from symcontact_ros.joints.kane_motion import turn_about
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.joints.interfaces import Algebra, Entry

FLAT = 1e-6  # [m] and [1]: how far a pose may be out of the plane


class Planar(JointType):
    """
    q = (x, y, theta) of the body origin [m, m, rad]; u = (vx, vy, w) [m/s, m/s, rad/s].

    Positions and velocities are along the axes of the joint frame.
    """

    name = 'planar'
    coordinate_names = ('x', 'y', 'theta')
    speed_names = ('vx', 'vy', 'w')
    tangent_names = ('.x', '.y', '.angle')
    dimensions = (2, 3)
    floating_in = 2
    can_be_placed = True
    urdf_types = ('planar',)
    urdf_axis = (0.0, 0.0, 1.0)

    def read_initial(self, entry: Entry, dimension: int, rotation: ReadRotation) -> Initial:
        """Read ``position``, ``angle``, ``velocity`` and ``angular_velocity``, a number."""
        position = entry.triple('position')
        turn = rotation(2)
        velocity = entry.triple('velocity')
        rate = entry.number('angular_velocity', 0.0)
        check_flat(entry, 'position', position)
        check_flat(entry, 'velocity', velocity)
        return Initial(position, turn, velocity, (0.0, 0.0, rate))

    def start(
        self, initial: Initial, values: Values, frame: Frame
    ) -> tuple[Sequence[float], Sequence[float]]:
        """Return q and u at the start; the angle is not wrapped."""
        rotation, origin = frame()
        position = np.array(evaluate_all(initial.position, values))
        velocity = np.array(evaluate_all(initial.velocity, values))
        rate = evaluate_all(initial.angular_velocity, values)[2]
        quaternion = initial.rotation.evaluated(values)
        x, y, _ = rotation.T @ (position - origin)
        vx, vy, _ = rotation.T @ velocity
        heading = math.atan2(rotation[1, 0], rotation[0, 0])
        return [x, y, 2.0 * math.atan2(quaternion[2], quaternion[3]) - heading], [vx, vy, rate]

    def planar_angle(self, q: Sequence[float], axis: Sequence[float]) -> float:
        """Return theta [rad]."""
        return q[2]

    def least_inertia(
        self, about_com: Vector, about_origin: Vector, axis: Vector, armature: float
    ) -> float:
        """Return the inertia about z through the centre of mass [kg m^2]."""
        return float(about_com[2, 2])

    def motion(self, algebra: Algebra, joint: JointSymbols) -> JointMotion:
        """Return the motion; the first two columns turn backwards in the body."""
        import sympy as sm

        zero, one = sm.S.Zero, sm.S.One
        (x, y, angle), (vx, vy, rate) = joint.q, joint.u
        sin, cos = algebra.name(sm.sin(angle)), algebra.name(sm.cos(angle))
        rotation = [[cos, -sin, zero], [sin, cos, zero], [zero, zero, one]]
        columns = [
            ([cos, -sin, zero], zeros()),
            ([sin, cos, zero], zeros()),
            (zeros(), [zero, zero, one]),
        ]
        across = algebra.rotate_back(rotation, [vx, vy, zero])
        drift = [algebra.name(rate * across[1]), algebra.name(-rate * across[0]), zero]
        along_x, along_y, along_z = identity()
        steady = [(along_x, zeros()), (along_y, zeros()), (zeros(), along_z)]
        rates = [vx, vy, rate]
        return JointMotion(rotation, [x, y, zero], columns, (drift, zeros()), rates, steady)

    def reference_motion(self, joint: JointSymbols) -> ReferenceMotion:
        """Return the same for Kane's method."""
        import sympy as sm

        q, u = joint.q, joint.u
        return ReferenceMotion(
            turn_about(sm.Matrix([0, 0, 1]), q[2]),
            sm.Matrix([q[0], q[1], 0]),
            sm.Matrix([u[0], u[1], 0]),
            sm.Matrix([0, 0, u[2]]),
            list(u),
        )

    def pose(
        self, q: Sequence[float], axis: Sequence[float], constants: Sequence[float]
    ) -> tuple[Vector, Vector]:
        """Return the rotation about z, and the position in the plane."""
        sin, cos = math.sin(q[2]), math.cos(q[2])
        turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        return turn, np.array([q[0], q[1], 0.0])

    def columns(self, joint: JointNumbers) -> tuple[Vector, Vector]:
        """Return x and y of the joint frame, then its z to turn about."""
        plane = joint.frame()
        zero = np.zeros((3, 1))
        return np.hstack([plane[:, :2], zero]), np.hstack([zero, zero, plane[:, 2:]])

    def coordinates_at(self, position: Vector, rotation: Vector) -> Sequence[float]:
        """Return q at a pose in the joint frame; ValueError out of the plane."""
        if abs(position[2]) > FLAT or rotation[2, 2] < 1.0 - FLAT:
            raise ValueError('moves in a plane: z must be 0, and it turns about z only')
        return [position[0], position[1], np.arctan2(rotation[1, 0], rotation[0, 0])]

    def speeds_at(self, q: Vector, velocity: Vector, rate: Vector) -> Sequence[float]:
        """Return u; what leads out of the plane is left out."""
        return [velocity[0], velocity[1], rate[2]]
