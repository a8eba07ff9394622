"""What a simulation tells of an instant, from the records of a survey."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symcontact_ros.collision.pairs import FALLBACKS, UNPROVEN
from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.parts import Placement
from symcontact_ros.simulation.equations.dynamics import Kinematics
from symcontact_ros.simulation.equations.initial_state import matrix, quaternion_of
from symcontact_ros.simulation.equations.jacobians import InstantJacobians
from symcontact_ros.types import Contact, Pose, Proximity, proximity_of, Vector, vector


def pose_of(body: Kinematics) -> Pose:
    """Return the pose of a body's origin."""
    return Pose(vector(body.position), quaternion_of(np.reshape(body.rotation, (3, 3))))


def placed_on(body: Pose, placement: Placement, values: Values) -> Pose:
    """Return the pose of a frame that is fixed to a body."""
    attitude = matrix(tuple(body.quaternion))
    shift = vector(evaluate_all(placement.position, values))
    turn = matrix(placement.rotation.evaluated(values))
    return Pose(body.position + attitude @ shift, quaternion_of(attitude @ turn))


class PairRecord:
    """
    Two shapes of a simulation, from the record of a survey.

    Parameters
    ----------
    record
        Of `ProximityRecord`, as numpy has it.
    pairs
        Names of the bodies of each pair of the model.
    jacobians
        Of this instant.
    """

    def __init__(
        self,
        record: Any,
        pairs: Sequence[tuple[str, str]],
        jacobians: InstantJacobians | None = None,
    ) -> None:
        self._record = record
        self._jacobians = jacobians
        self.body_a, self.body_b = pairs[record['bodies']]
        self.shapes = (int(record['shape_a']), int(record['shape_b']))  # by number

    def proximity(self) -> Proximity:
        """Return distance, closest points and contact points."""
        note = int(self._record['note'])
        bodies = (self.body_a, self.body_b)
        fallback = FALLBACKS.get(note, '')
        return proximity_of(self._record, note != UNPROVEN, fallback, bodies, self._jacobians)

    def contacts(self) -> list[Contact]:
        """Return the contacts with their forces on body B."""
        return [
            Contact(
                self.body_a,
                self.body_b,
                row['point'].copy(),
                row['normal'].copy(),
                float(row['distance']),
                row['force'].copy(),
                self._jacobians,
            )
            for row in self._record['contacts'][: self._record['count']]
        ]


def total_force(contacts: Sequence[Contact]) -> Vector:
    """Return the sum of the forces on body B [N]."""
    total: Vector = np.sum([np.zeros(3), *(contact.force for contact in contacts)], axis=0)
    return total
