"""
Interface of a joint type.

A joint type describes the motion that a joint allows between the joint frame (``origin`` in the
parent) and the body frame, and nothing else: springs, dampers, stops, servos and armature act on
the speed of any joint with one degree of freedom, whatever its type. At q = 0 both frames are the
same. SI units; angles in rad.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TYPE_CHECKING

import numpy as np

from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.joints.initial import Frame, Initial, ReadRotation
from symcontact_ros.joints.joint_motion import (
    JointMotion,
    JointNumbers,
    JointSymbols,
    ReferenceMotion,
)
from symcontact_ros.placements import Triple
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.joints.interfaces import Algebra, Entry


class JointType:
    """
    A type of joint; ``table.JOINT_TYPES`` holds one object of each.

    A subclass sets the class attributes, and defines ``motion`` and whatever else differs from
    what stands here. Defaults are those of a joint whose coordinates change at its speeds
    (qdot = u).
    """

    name: ClassVar[str]  # in model files: `joint: {type: name}`
    # Names of coordinates, speeds and deviations, as printed. `x` becomes `x_body` in equations;
    # `.x` becomes `body.x` among the states of a linearisation. With one degree of freedom the
    # joint's name stands in place of the body's.
    coordinate_names: ClassVar[tuple[str, ...]] = ()
    speed_names: ClassVar[tuple[str, ...]] = ()
    tangent_names: ClassVar[tuple[str, ...]] = ()
    unit: ClassVar[str] = ''  # of q with one degree of freedom: rad or m; u is in unit/s
    dimensions: ClassVar[tuple[int, ...]] = (3,)  # of the models that may have it
    floating_in: ClassVar[int] = 0  # dimension in which it holds nothing back; 0: in none
    can_be_placed: ClassVar[bool] = False  # whether `coordinates_at` and `speeds_at` are there
    quaternion_at: ClassVar[int | None] = None  # place of a unit quaternion among its coordinates
    rates_are_speeds: ClassVar[bool] = True  # qdot = u
    default_axis: ClassVar[Triple | None] = None  # of model files; None: it has no axis
    urdf_types: ClassVar[tuple[str, ...]] = ()  # names in URDF
    urdf_unlimited: ClassVar[str] = ''  # the one of them that has no <limit>
    urdf_axis: ClassVar[Triple | None] = None  # the only axis that URDF may give it

    # Counts -------------------------------------------------------------------------------------

    @property
    def coordinates(self) -> int:
        """Number of coordinates: entries of q."""
        return len(self.coordinate_names)

    @property
    def speeds(self) -> int:
        """Number of speeds: entries of u."""
        return len(self.speed_names)

    @property
    def is_fixed(self) -> bool:
        """Whether it allows no motion."""
        return not self.speed_names

    @property
    def is_single(self) -> bool:
        """Whether it has one degree of freedom, and with it an effort, limits and a servo."""
        return len(self.speed_names) == 1

    @property
    def has_axis(self) -> bool:
        """Whether it has an axis."""
        return self.default_axis is not None

    @property
    def effort_unit(self) -> str:
        """Unit of the effort of a joint with one degree of freedom."""
        return 'N m' if self.unit == 'rad' else 'N'

    # Model files --------------------------------------------------------------------------------

    def axis_fault(self, axis: Sequence[float], dimension: int) -> str:
        """Return why an axis is wrong in a model of this dimension; '' where it is not."""
        return ''

    def read_constants(self, entry: Entry) -> tuple[Scalar, ...]:
        """Read the keys that only this type has; they become slots of the equations."""
        return ()

    def read_initial(self, entry: Entry, dimension: int, rotation: ReadRotation) -> Initial:
        """Read the section ``initial`` of a body."""
        raise NotImplementedError(f'{self.name}: read_initial')

    def start(
        self, initial: Initial, values: Values, frame: Frame
    ) -> tuple[Sequence[float], Sequence[float]]:
        """Return q and u at the start; initial values are in world axes."""
        raise NotImplementedError(f'{self.name}: start')

    def least_inertia(
        self, about_com: Vector, about_origin: Vector, axis: Vector, armature: float
    ) -> float:
        """
        Return the least inertia [kg m^2] with which a body alone on it resists turning.

        ``about_com`` and ``about_origin`` are its inertias about both points, 3 x 3, body axes.
        Infinite where the joint allows no turn.
        """
        return float('inf')

    # Equations of motion ------------------------------------------------------------------------

    def motion(self, algebra: Algebra, joint: JointSymbols) -> JointMotion:
        """Return the motion in symbols; the recorded order of operations decides the bits."""
        raise NotImplementedError(f'{self.name}: motion')

    def reference_motion(self, joint: JointSymbols) -> ReferenceMotion:
        """
        Return the motion for Kane's method, q and u being functions of time.

        It is written a second time, without anything of ``motion``: the reference derivation is
        there to find errors of the other one.
        """
        raise NotImplementedError(f'{self.name}: reference_motion')

    # Numbers ------------------------------------------------------------------------------------

    def planar_angle(self, q: Sequence[float], axis: Sequence[float]) -> float:
        """Return the angle about z [rad] in a planar model, not wrapped."""
        return 0.0

    def pose(
        self, q: Sequence[float], axis: Sequence[float], constants: Sequence[float]
    ) -> tuple[Vector, Vector]:
        """
        Return rotation and position [m] of the body frame in the joint frame.

        This evaluates ``reference_motion``, which is slow; a type may write it in numbers.
        """
        import sympy as sm

        direction, own, place = ([sm.Float(x, 17) for x in part] for part in (axis, constants, q))
        still = [sm.S.Zero] * self.speeds
        motion = self.reference_motion(JointSymbols(direction, own, place, still))
        rotation = np.array(motion.rotation.evalf(17).tolist(), dtype=float)
        return rotation, np.array(list(motion.position.evalf(17)), dtype=float)

    def columns(self, joint: JointNumbers) -> tuple[Vector, Vector]:
        """Return velocities (linear, angular) of the origin per unit of each speed, world axes."""
        raise NotImplementedError(f'{self.name}: columns')

    def drift(self, joint: JointNumbers, u: Vector) -> tuple[Vector, Vector]:
        """Return the rate of change of the columns, as the parent sees it, times u; world axes."""
        return np.zeros(3), np.zeros(3)

    def tangent_basis(self, q: Vector) -> Vector:
        """Return the derivative of q by its deviations: coordinates x speeds."""
        return np.eye(self.coordinates)

    def tangent_rates(self, u: Vector) -> Vector:
        """Return the derivative of the deviations' rates by the deviations, at constant u."""
        return np.zeros((self.speeds, self.speeds))

    def coordinates_at(self, position: Vector, rotation: Vector) -> Sequence[float]:
        """Return q at a pose in the joint frame; ValueError says why the body cannot be there."""
        raise NotImplementedError(f'{self.name}: coordinates_at')

    def speeds_at(self, q: Vector, velocity: Vector, rate: Vector) -> Sequence[float]:
        """Return u at velocities (linear, angular) of the body origin, axes of the joint frame."""
        raise NotImplementedError(f'{self.name}: speeds_at')
