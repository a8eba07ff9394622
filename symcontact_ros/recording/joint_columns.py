"""Joints with one degree of freedom as columns of numbers, those that mimic another one too."""

from __future__ import annotations

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.types import Vector


class JointColumns:
    """
    Positions, velocities and efforts of joints, in the order of the model.

    Those that mimic another joint come last; no actuator moves them, so that their effort is 0.

    Attributes
    ----------
    names
        Of the joints.

    """

    def __init__(self, model: Model) -> None:
        self._followers = model.followers
        self._leaders = [model.joint_names.index(m.joint) for m in self._followers.values()]
        self.names = [*model.joint_names, *self._followers]

    def refresh(self, values: Values) -> None:
        """Take values of the live symbols, on which multipliers and offsets may depend."""
        bonds = self._followers.values()
        self._multiplier = np.array(evaluate_all([m.multiplier for m in bonds], values))
        self._offset = np.array(evaluate_all([m.offset for m in bonds], values))

    def of(self, joints: Vector) -> Vector:
        """Return all positions, all velocities, all efforts; of an instant without followers."""
        if not self._leaders:
            return joints
        position, velocity, effort = np.reshape(joints, (3, -1))
        follows = self._multiplier * position[self._leaders] + self._offset
        rates = self._multiplier * velocity[self._leaders]
        return np.concatenate([position, follows, velocity, rates, effort, 0.0 * follows])
