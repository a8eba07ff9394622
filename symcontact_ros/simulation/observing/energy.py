"""Energy of a state, and the ledger of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from symcontact_ros.contact.laws import law_named
from symcontact_ros.contact.material import Material
from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.types import Vector


@dataclass(frozen=True)
class Energy:
    """
    The energy ledger [J], counted since the start.

    The residual is mechanical energy minus energy balance: the error of the integration.
    """

    kinetic: float
    potential: float  # of gravity
    elastic: float  # of contacts, springs and stops
    dissipated: float  # by contacts, friction, dampers
    work_in: float  # by applied wrenches, efforts and servos, and by changes from outside
    manifold: float  # put in by contact points that came, went or slid at some depth
    start: float  # the mechanical energy at the start

    @property
    def mechanical(self) -> float:
        """Kinetic + potential + elastic [J]."""
        return self.kinetic + self.potential + self.elastic

    @property
    def residual(self) -> float:
        """Mechanical energy less the energy balance [J]; 0 when the ledger closes."""
        balance = self.start + self.work_in + self.manifold - self.dissipated
        return self.mechanical - balance

    @property
    def throughput(self) -> float:
        """Energy throughput of the ledger [J]: the scale of the residual."""
        terms = (self.kinetic, self.potential, self.elastic, self.dissipated, self.work_in)
        return max(abs(self.start), *(abs(term) for term in terms))


def contact_energy(materials: Sequence[Material], values: Values, records: NDArray[Any]) -> float:
    """Return the elastic energy of all contacts of an inspection [J]."""
    total = 0.0
    for record in records:
        material = materials[record['material']]
        law = law_named(material.law)
        for contact in record['contacts'][: record['count']]:
            depth = -float(contact['distance'])
            total += float(contact['share']) * law.energy(material, values, depth)
    return total


def joint_energy(model: Model, values: Values, q: Vector) -> float:
    """Return the energy of the springs and stops of joints [J]."""
    total, at = 0.0, 0
    for body in model.moving:
        joint = body.joint
        if joint.kind.is_single:
            stiffness, rest = evaluate_all((joint.stiffness, joint.rest_position), values)
            total += 0.5 * stiffness * (q[at] - rest) ** 2
            if joint.limits is not None:
                lower, upper, stop = evaluate_all(
                    (joint.limits.lower, joint.limits.upper, joint.limits.stiffness), values
                )
                total += 0.5 * stop * max(0.0, lower - q[at], q[at] - upper) ** 2
        at += joint.kind.coordinates
    return float(total)
