"""
Load of a pair of bodies: the weight that it may carry, its mass and its size.

They choose the stiffness of a contact. The weight is that of a floating body, or of the whole tree
of a robot that stands on its own: all of it may rest on one foot. A robot with a fixed base
presses with what hangs at the body at least; two bodies of one tree with the lighter part of it.
The mass is the least that the contact may have to move: what a joint adds makes a body heavier.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from symcontact_ros.contact.base import Law
from symcontact_ros.expressions import evaluate, Values
from symcontact_ros.model.pair_rules import NamePair
from symcontact_ros.model.parts import Body
from symcontact_ros.model.welds import trees_of, weighty, welds_of

STANDARD_GRAVITY = 9.81  # [m/s^2], where the model has none
REST_DEPTH = 0.005  # of the smaller body
LEAST_DEPTH = 1e-5  # [m]: below, rounding of positions begins to count
# Contacts that are too fast for a step of 1 ms are made softer: by rk4 these need 33 substeps
# under their weight, and 64, the most by default, in an impact.
FASTEST_AT_REST = 2000.0  # [rad/s]
FASTEST_IN_IMPACT = 3840.0  # [rad/s]
IMPACT = 0.3  # [m/s]
MOST_DEPTH = 0.05  # of the smaller body: softer than this none is made,
MOST_THIN = 1e-4  # [m] or, of a thin one, this


class PairLoad(NamedTuple):
    """What the stiffness of a pair is chosen from."""

    pair: NamePair
    weight: float  # [N]
    mass: float  # reduced [kg]
    size: float  # smallest extent of the smaller body [m]

    def rest_depth(self, law: Law) -> float:
        """Return the depth at which the weight is to rest [m]."""
        n = law.exponent
        depth = max(LEAST_DEPTH, REST_DEPTH * self.size)
        at_rest = n * self.weight / (self.mass * FASTEST_AT_REST**2)
        # From m v^2 / 2 = k d^(n + 1) / (n + 1) and omega^2 = n k d^(n - 1) / m.
        energy = math.pow(0.5 * (n + 1.0) * IMPACT**2, (n - 1.0) / (n + 1.0))
        stiffest = self.mass * math.pow(FASTEST_IN_IMPACT**2 / (n * energy), 0.5 * (n + 1.0))
        in_impact = math.pow(self.weight / stiffest, 1.0 / n)
        softest = max(MOST_DEPTH * self.size, MOST_THIN)
        return max(depth, min(max(at_rest, in_impact), softest))


class Loads:
    """Weights, masses and sizes of the bodies of a model."""

    def __init__(self, bodies: tuple[Body, ...], dimension: int, values: Values) -> None:
        self.names = [body.name for body in bodies]
        field = [values.get(f'gravity.{axis}', 0.0) for axis in 'xyz']
        self._gravity = math.hypot(*field) or STANDARD_GRAVITY
        welds, self._trees = welds_of(bodies), trees_of(bodies)
        own = {body.name: _mass(body, values) for body in bodies}
        carried = dict(own)  # masses of all that hangs at a body, itself included
        for body in reversed(bodies):
            if body.joint.parent in carried:
                carried[body.joint.parent] += carried[body.name]
        masses = list(own.values())
        numbers = weighty(bodies, masses)
        mass = {name: masses[i] for name, i in zip(own, numbers, strict=True)}
        free = {b.name for b in bodies if b.joint.kind.floating_in == dimension}
        # By body, since pairs are many: the mass that hangs at it and what is one with it; the
        # mass that it may carry onto another tree, 0 if it is fixed; and one over the mass by
        # which a contact moves it at least, 0 if it is fixed or has none.
        self._parts = {name: carried[weld] for name, weld in welds.items()}
        self._standing = dict.fromkeys(own, 0.0)
        self._inverse = dict.fromkeys(own, 0.0)
        for name, root in self._trees.items():
            self._standing[name] = carried[root if root in free else welds[name]]
            moved = mass[name] or self._parts[name]
            self._inverse[name] = 1.0 / moved if moved > 0.0 else 0.0
        self._sizes = {body.name: _size(body, values) for body in bodies if body.shapes}
        largest = max(own.values(), default=0.0) or 1.0
        smallest = min((s for s in self._sizes.values() if s < math.inf), default=1.0)
        # Of a material that no pair has.
        self.default = PairLoad(('', ''), largest * self._gravity, largest, smallest)

    def load(self, pair: NamePair) -> PairLoad:
        """Return the load of a pair."""
        a, b = pair
        is_one_tree = self._trees.get(a) == self._trees.get(b)
        mass = (
            min(self._parts[a], self._parts[b])
            if is_one_tree
            else max(self._standing[a], self._standing[b])
        )
        size = min(self._sizes[a], self._sizes[b])
        inverse = self._inverse[a] + self._inverse[b]
        return PairLoad(
            pair,
            mass * self._gravity or self.default.weight,
            1.0 / inverse if inverse > 0.0 else self.default.mass,
            size if size < math.inf else self.default.size,
        )


def _mass(body: Body, values: Values) -> float:
    """Return a mass [kg]; that of one with a fault is 0."""
    mass = evaluate(body.mass, values)
    return mass if mass > 0.0 else 0.0


def _size(body: Body, values: Values) -> float:
    return min(placed.shape.evaluated(values).smallest_extent() for placed in body.shapes)
