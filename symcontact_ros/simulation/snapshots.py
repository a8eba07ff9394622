"""What a simulation tells of an instant, from the records of a survey."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symcontact_ros.collision.pairs import FALLBACKS, UNPROVEN
from symcontact_ros.model.expressions import evaluate_all, Values
from symcontact_ros.model.parts import Placement
from symcontact_ros.simulation.dynamics import Kinematics
from symcontact_ros.simulation.jacobians import InstantJacobians
from symcontact_ros.simulation.loop import survey
from symcontact_ros.simulation.state import matrix, quaternion_of
from symcontact_ros.types import (
    Contact,
    Manifold,
    NO_CONTACT,
    PairState,
    Pose,
    Proximity,
    Vector,
    vector,
    Wrench,
)


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
    """A record of a survey, with the bodies in the order of their names."""

    def __init__(
        self, record: Vector, names: Sequence[str], jacobians: InstantJacobians | None = None
    ) -> None:
        self._record = record
        self._jacobians = jacobians
        first, second = int(record[survey.PAIR_A]), int(record[survey.PAIR_B])
        self.shapes = (min(first, second), max(first, second))  # by number
        one, other = names[first], names[second]
        self._swapped = one > other
        self.body_a, self.body_b = sorted((one, other))
        self._sign = -1.0 if self._swapped else 1.0

    def proximity(self) -> Proximity:
        """Return distance, closest points and contact points."""
        record = self._record
        points = [record[at : at + 3] for at in (survey.PAIR_POINT_A, survey.PAIR_POINT_B)]
        point_a, point_b = points[::-1] if self._swapped else points
        normal = record[survey.PAIR_NORMAL : survey.PAIR_NORMAL + 3]
        return Proximity(
            float(record[survey.PAIR_DISTANCE]),
            self._sign * normal,
            point_a.copy(),
            point_b.copy(),
            self._manifold(),
            record[survey.PAIR_NOTE] != UNPROVEN,
            FALLBACKS.get(float(record[survey.PAIR_NOTE]), ''),
            self.body_a,
            self.body_b,
            self._jacobians,
        )

    def _rows(self) -> Vector:
        count = int(self._record[survey.PAIR_COUNT])
        rows = self._record[survey.PAIR_CONTACTS :].reshape(-1, survey.CONTACT)
        return rows[:count]

    def _normal(self) -> Vector:
        start = survey.PAIR_CONTACT_NORMAL
        return self._sign * self._record[start : start + 3]

    def _manifold(self) -> Manifold:
        rows = self._rows()
        if not len(rows):
            return NO_CONTACT
        return Manifold(
            self._normal(),
            rows[:, survey.CONTACT_POINT : survey.CONTACT_POINT + 3].copy(),
            -rows[:, survey.CONTACT_DISTANCE],
            rows[:, survey.CONTACT_SHARE].copy(),
            np.arange(len(rows)),
        )

    def contacts(self) -> list[Contact]:
        """Return the contacts with their forces on body B."""
        return [
            Contact(
                self.body_a,
                self.body_b,
                row[survey.CONTACT_POINT : survey.CONTACT_POINT + 3].copy(),
                self._normal(),
                float(row[survey.CONTACT_DISTANCE]),
                self._sign * row[survey.CONTACT_FORCE : survey.CONTACT_FORCE + 3],
                self._jacobians,
            )
            for row in self._rows()
        ]


def total_force(contacts: Sequence[Contact]) -> Vector:
    """Return the sum of the forces on body B [N]."""
    total: Vector = np.sum([np.zeros(3), *(contact.force for contact in contacts)], axis=0)
    return total


def pair_state(records: Sequence[PairRecord]) -> PairState:
    """Return what two bodies do to each other, from the records of their shapes."""
    proximities = tuple(record.proximity() for record in records)
    contacts = tuple(contact for record in records for contact in record.contacts())
    nearest = min(proximities, key=lambda p: p.distance)
    point: Vector = nearest.point
    force: Vector = np.zeros(3)
    torque: Vector = np.zeros(3)
    weights = [float(np.linalg.norm(contact.force)) for contact in contacts]
    if sum(weights) > 0.0:
        point = np.average([contact.point for contact in contacts], axis=0, weights=weights)
    for contact in contacts:
        force = force + contact.force
        torque = torque + np.cross(contact.point - point, contact.force)
    bodies = records[0].body_a, records[0].body_b
    return PairState(*bodies, proximities, contacts, point, Wrench(force, torque))
