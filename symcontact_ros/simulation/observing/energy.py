"""Energy of a state, and the ledger of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
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
    elastic: float  # of contacts, of the anchors of friction, of springs and stops
    dissipated: float  # by contacts, friction, dampers
    work_in: float  # by applied wrenches, efforts and servos, and by changes from outside
    manifold: float  # put in by contact points that came, went or slid at some depth
    integration: float  # lost by implicit integrators themselves, computed term by term
    start: float  # the mechanical energy at the start

    @property
    def mechanical(self) -> float:
        """Kinetic + potential + elastic [J]."""
        return self.kinetic + self.potential + self.elastic

    @property
    def residual(self) -> float:
        """Mechanical energy less the energy balance [J]; 0 when the ledger closes."""
        balance = self.start + self.work_in + self.manifold - self.dissipated - self.integration
        return self.mechanical - balance

    @property
    def throughput(self) -> float:
        """Energy throughput of the ledger [J]: the scale of the residual."""
        stored = (self.kinetic, self.potential, self.elastic)
        moved = (self.dissipated, self.work_in, self.integration)
        return max(abs(self.start), *(abs(term) for term in (*stored, *moved)))


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


def anchor_energy(records: NDArray[Any]) -> float:
    """Return the energy in the anchors of friction of all contacts of an inspection [J]."""
    contacts = records['contacts']['anchored']
    touching = np.arange(contacts.shape[1]) < records['count'][:, None]
    return float(contacts[touching].sum())


class JointSprings:
    """Springs and stops of the joints of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._values: Values | None = None  # with which the numbers were found
        self._numbers: list[tuple[int, tuple[float, ...], tuple[float, ...]]] = []

    def energy(self, values: Values, q: Vector) -> float:
        """Return the energy that is stored in them [J]."""
        if values is not self._values:
            self._numbers, self._values = list(self._evaluated(values)), values
        total = 0.0
        for at, (stiffness, rest), limits in self._numbers:
            position = q[at]  # of numpy: its square overflows without an exception
            total += 0.5 * stiffness * (position - rest) ** 2
            if limits:
                lower, upper, stop = limits
                total += 0.5 * stop * max(0.0, lower - position, position - upper) ** 2
        return float(total)

    def _evaluated(
        self, values: Values
    ) -> Iterator[tuple[int, tuple[float, ...], tuple[float, ...]]]:
        """Yield place in q, numbers of the spring, and those of the stops, if there are any."""
        at = 0
        for body in self._model.moving:
            joint = body.joint
            if joint.kind.is_single:
                limits = joint.limits
                stops = () if limits is None else (limits.lower, limits.upper, limits.stiffness)
                spring = (joint.stiffness, joint.rest_position)
                yield at, evaluate_all(spring, values), evaluate_all(stops, values)
            at += joint.kind.coordinates
