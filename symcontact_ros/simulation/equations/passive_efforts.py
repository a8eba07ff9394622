"""Damping and springs of joints in numbers: -damping u - stiffness (q - rest_position)."""

from __future__ import annotations

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.joint_places import JointPlaces
from symcontact_ros.model.model import Model
from symcontact_ros.types import Vector


class PassiveEfforts:
    """
    Generalised forces of the damping and springs of all joints; a leader has its followers', too.

    Parameters
    ----------
    model
        The model.
    values
        Values of its live symbols.

    Attributes
    ----------
    values
        Those values.
    q, u
        Indices of the coordinates and speeds of the joints with one degree of freedom.
    damping, stiffness, rest
        Constants of these joints [N m s/rad, N m/rad, rad; N s/m, N/m, m].

    """

    def __init__(self, model: Model, values: Values) -> None:
        self.values = values
        places = JointPlaces(model)
        bodies = [body for body in model.moving if body.joint.kind.is_single]
        self.q = [places.q[body.name].start for body in bodies]
        self.u = [places.u[body.name].start for body in bodies]
        numbers = [
            evaluate_all((joint.damping, joint.stiffness, joint.rest_position), values)
            for joint in (body.joint for body in bodies)
        ]
        self.damping, self.stiffness, self.rest = np.array(numbers).reshape(-1, 3).T
        self._count = model.speed_count

    def efforts(self, q: Vector, u: Vector) -> Vector:
        """Return the generalised force on every speed."""
        forces = np.zeros(self._count)
        forces[self.u] = -self.damping * u[self.u] - self.stiffness * (q[self.q] - self.rest)
        return forces

    def slopes(self) -> tuple[Vector, Vector]:
        """Return how the force on every speed changes with its own coordinate and speed."""
        by_q, by_u = np.zeros(self._count), np.zeros(self._count)
        by_q[self.u], by_u[self.u] = -self.stiffness, -self.damping
        return by_q, by_u
