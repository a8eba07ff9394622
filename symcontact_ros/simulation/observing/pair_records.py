"""Distances and contacts of pairs of shapes, from the records of an inspection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symcontact_ros.collision.shape_pair import FALLBACKS, UNPROVEN
from symcontact_ros.simulation.equations.jacobians import InstantJacobians
from symcontact_ros.types import Contact, Proximity, proximity_of, Vector


class PairRecord:
    """
    Two shapes of a simulation, from the record of an inspection.

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
        status = int(self._record['status'])
        bodies = (self.body_a, self.body_b)
        fallback = FALLBACKS.get(status, '')
        return proximity_of(self._record, status != UNPROVEN, fallback, bodies, self._jacobians)

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
                row['torque'].copy(),
                self._jacobians,
            )
            for row in self._record['contacts'][: self._record['count']]
        ]


def total_force(contacts: Sequence[Contact]) -> Vector:
    """Return the sum of the forces on body B [N]."""
    total: Vector = np.sum([np.zeros(3), *(contact.force for contact in contacts)], axis=0)
    return total
