"""
An instant as arrays: bodies, pairs and joints are rows of the model.

`Simulation.snapshot` and the like make objects with names; these are for many observations a
second (see `Observer`). SI units, world axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.proximity_record import ContactRecord
from symcontact_ros.kernels.records import dtype_of, layout_of
from symcontact_ros.simulation.bodies.body import BodyMotion
from symcontact_ros.simulation.observing.instant_kernel import PairSum
from symcontact_ros.types import Vector

# Where numbers are in the rows of bodies and pairs. The quaternion follows the position, a torque
# its force, and both follow the point of a pair.
BODY, PAIR = layout_of(BodyMotion), layout_of(PairSum)
POSITION, QUATERNION, ROTATION, COM, VELOCITY, RATE, FORCE = (
    BODY.fields[name].offset
    for name in ('position', 'quaternion', 'rotation', 'com', 'velocity', 'rate', 'force')
)
PAIR_POINT, PAIR_FORCE = (PAIR.fields[name].offset for name in ('point', 'force'))
Indices = NDArray[np.int64]
Records = NDArray[Any]  # structured; see the record classes named


@dataclass(frozen=True)
class Contacts:
    """Points of contact; A < B by name."""

    rows: Records  # of `ContactRecord`
    pairs: Records  # of `PairSum`

    @property
    def pair(self) -> Indices:
        """Rows of the pairs, (m,)."""
        return self.rows['pair']

    @property
    def body_a(self) -> Indices:
        """Rows of the bodies, (m,)."""
        return self.pairs['body_a'][self.pair]

    @property
    def body_b(self) -> Indices:
        """Rows of the bodies, (m,)."""
        return self.pairs['body_b'][self.pair]

    @property
    def point(self) -> Vector:
        """Where the forces act [m], (m, 3)."""
        return self.rows['point']

    @property
    def normal(self) -> Vector:
        """Unit vectors from A to B, (m, 3)."""
        return self.rows['normal']

    @property
    def distance(self) -> Vector:
        """Signed distances [m], negative, (m,)."""
        return self.rows['distance']

    @property
    def force(self) -> Vector:
        """On B [N], (m, 3); A receives the opposite."""
        return self.rows['force']

    @property
    def torque(self) -> Vector:
        """On B about the normal, beside the moment of the force [N m], (m, 3)."""
        return self.rows['torque']


@dataclass(frozen=True)
class ProximityArrays:
    """Pairs of shapes that are near, with their closest points; A < B by the names of bodies."""

    pair: Indices  # (k,) row of the pair of bodies
    body_a: Indices
    body_b: Indices
    point_a: Vector  # (k, 3) [m]
    point_b: Vector  # (k, 3) [m]
    normal: Vector  # (k, 3), from A to B
    distance: Vector  # (k,) [m], negative in overlap


class Instant:
    """
    An instant, as an `Observer` found it.

    Parameters
    ----------
    bodies, pairs, contacts
        Of `BodyMotion`, `PairSum` and `ContactRecord`: their slots as numbers.
    joints
        Positions, velocities and efforts of all joints, one after the other.

    """

    def __init__(self, bodies: Vector, pairs: Vector, contacts: Vector, joints: Vector) -> None:
        self._bodies = bodies.reshape(-1, BODY.slots)
        self._pairs = pairs.reshape(-1, PAIR.slots)
        self._contacts = contacts
        self.joints = joints

    @property
    def position(self) -> Vector:
        """Body origins [m], (n, 3)."""
        return self._bodies[:, POSITION : POSITION + 3]

    @property
    def quaternion(self) -> Vector:
        """Attitudes x, y, z, w with w >= 0, (n, 4)."""
        return self._bodies[:, QUATERNION : QUATERNION + 4]

    @property
    def pose(self) -> Vector:
        """Position and quaternion, (n, 7)."""
        return self._bodies[:, POSITION : POSITION + 7]

    @property
    def rotation(self) -> Vector:
        """Matrices that take body components to world components, (n, 3, 3)."""
        return self._bodies[:, ROTATION : ROTATION + 9].reshape(-1, 3, 3)

    @property
    def com(self) -> Vector:
        """Centres of mass [m], (n, 3); of fixed bodies: their origins."""
        return self._bodies[:, COM : COM + 3]

    @property
    def velocity(self) -> Vector:
        """Of the centres of mass [m/s], (n, 3)."""
        return self._bodies[:, VELOCITY : VELOCITY + 3]

    @property
    def origin_velocity(self) -> Vector:
        """Of the body origins [m/s], (n, 3)."""
        return self.velocity + _cross(self.rate, self.position - self.com)

    @property
    def rate(self) -> Vector:
        """Angular velocities [rad/s], (n, 3)."""
        return self._bodies[:, RATE : RATE + 3]

    @property
    def wrench(self) -> Vector:
        """Force of all contacts on the body [N], torque about its centre of mass, (n, 6)."""
        return self._bodies[:, FORCE : FORCE + 6]

    @property
    def pair_point(self) -> Vector:
        """Force-weighted means of the contact points [m]; apart: midway between, (p, 3)."""
        return self._pairs[:, PAIR_POINT : PAIR_POINT + 3]

    @property
    def pair_wrench(self) -> Vector:
        """Force on B, the second by name [N], and torque about `pair_point`, (p, 6)."""
        return self._pairs[:, PAIR_FORCE : PAIR_FORCE + 6]

    @property
    def joint_effort(self) -> Vector:
        """Efforts of actuators, of commands and servos [N m or N], (j,)."""
        return self.joints[2 * len(self.joints) // 3 :]

    @property
    def touches(self) -> bool:
        """Whether there is any contact."""
        return len(self._contacts) > 0

    @cached_property
    def contacts(self) -> Contacts:
        """All points of contact."""
        return Contacts(
            self._contacts.view(dtype_of(ContactRecord)),
            self._pairs.reshape(-1).view(dtype_of(PairSum)),
        )


def _cross(a: Vector, b: Vector) -> Vector:
    """Return a x b, row by row; `numpy.cross` takes several times as long for few rows."""
    out = np.empty_like(a)
    out[:, 0] = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]
    out[:, 1] = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]
    out[:, 2] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return out
