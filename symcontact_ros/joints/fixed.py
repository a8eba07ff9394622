"""Fixed joint: the body is part of its parent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.initial import check_flat, Initial, ReadRotation
from symcontact_ros.joints.joint_motion import JointSymbols, ReferenceMotion
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.joints.interfaces import Entry


class Fixed(JointType):
    """No motion; ``initial`` of the body is its pose, in place of the joint's ``origin``."""

    name = 'fixed'
    dimensions = (2, 3)
    urdf_types = ('fixed',)

    def read_initial(self, entry: Entry, dimension: int, rotation: ReadRotation) -> Initial:
        """Read ``position`` [m] and rotation."""
        position = entry.triple('position')
        turn = rotation(dimension)
        if dimension == 2:
            check_flat(entry, 'position', position)
        return Initial(position, turn)

    def pose(
        self, q: Sequence[float], axis: Sequence[float], constants: Sequence[float]
    ) -> tuple[Vector, Vector]:
        """Return no motion."""
        return np.eye(3), np.zeros(3)

    def reference_motion(self, joint: JointSymbols) -> ReferenceMotion:
        """Return no motion."""
        import sympy as sm

        none = sm.zeros(3, 1)
        return ReferenceMotion(sm.eye(3), none, none, none, [])
