"""Contact points of a model in SymPy: geometry, force by the law, and generalised force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import sympy as sm

from symcontact_ros.symbolic.contact.contact_laws import SymbolicLaw
from symcontact_ros.symbolic.contact.feature_motions import Motions
from symcontact_ros.symbolic.contact.solids import Spot
from symcontact_ros.symbolic.contact.steps import AXES, Steps
from symcontact_ros.symbolic.recorder import Vector, ZERO

FULL = sm.Float(1.0 - 1e-9)  # of the presliding, from which on an anchor slides


@dataclass
class Anchor:
    """State of friction that sticks at a contact point."""

    stretch: Vector  # symbols; motion of B relative to A since they touch, world axes [m]
    twist: sm.Symbol  # the same about the normal, times the torsional radius [m]
    rates: Vector  # of the four [m/s]


@dataclass
class ContactPoint:
    """
    A contact point; SI units, world axes. All but the symbols of anchors are steps.

    Attributes
    ----------
    index
        Of its names: ``phi_1a`` is the distance at point 1a; '' where there is only one.
    distance
        phi [m], negative in overlap.
    normal
        n, from A to B.
    place
        r [m], midway between the surfaces.
    columns
        Of the Jacobian, by number of the speed: velocity of B relative to A at the place.
    part
        Of the stiffness that the point has: 1/N.
    force
        On B at the place [N]; A has its opposite.
    generalised
        Its generalised force J^T F, by number of the speed.
    anchor
        Of friction that sticks.
    """

    index: str
    distance: sm.Expr
    normal: Vector
    place: Vector
    columns: dict[int, Vector]
    part: sm.Expr
    force: Vector
    generalised: dict[int, sm.Expr]
    anchor: Anchor | None = None

    def geometry(self) -> list[sm.Expr]:
        """Return what does not depend on velocities."""
        columns = [x for column in self.columns.values() for x in column]
        return [self.distance, *self.normal, *self.place, *columns]

    def results(self) -> list[sm.Expr]:
        """Return all that is computed."""
        rates = self.anchor.rates if self.anchor else []
        return [*self.geometry(), *self.force, *self.generalised.values(), *rates]


class Touch(NamedTuple):
    """Two bodies, the normal from A to B, the law, and the part of it that each point has."""

    bodies: tuple[str, str]
    normal: Vector
    law: SymbolicLaw
    part: sm.Expr


def contact_point(s: Steps, motions: Motions, touch: Touch, spot: Spot) -> ContactPoint:
    """Return a contact point of two bodies, its force by a law; names have the present index."""
    r, u = s.r, motions.names.u
    bodies, normal, law, part = touch
    place = s.vector('r', spot.point)
    columns = {
        j: [r.name(x) for x in column]
        for j, column in motions.relative_velocity(bodies, (place, place)).items()
    }
    velocity = s.vector('v', [_sum(columns[j][i] * u[j] for j in columns) for i in range(3)])
    v_n = s.call('v_n', _dot(normal, velocity))
    rho = s.call('rho', sm.Max(0, -spot.distance))
    f_n = s.call('F_n', law.normal_force(rho, v_n, part))
    slip = s.vector('slip', [v - v_n * n for v, n in zip(velocity, normal, strict=True)])
    point = ContactPoint(s.index, spot.distance, normal, place, columns, part, [], {})
    if law.sticks:
        torque = _stick(s, point, law, (f_n, slip), _turns(motions, bodies))
    else:
        torque = ZERO
        v_t = s.call('v_t', sm.sqrt(_dot(slip, slip)))
        drag = s.call('D', law.per_slip(law.friction(f_n, rho, v_n, v_t, part), v_t))
        pairs = zip(normal, slip, strict=True)
        point.force = s.vector('F', [f_n * n - drag * w for n, w in pairs])
    for j, column in columns.items():
        generalised = _dot(column, point.force)
        if torque != 0:
            own, other = (motions[body].speeds for body in bodies)
            for speeds, way in ((own, -1), (other, 1)):
                turn = [speed.turn for (at, _), speed in speeds.items() if at == j]
                generalised += way * torque * _sum(_dot(normal, t) for t in turn)
        point.generalised[j] = generalised
    return point


def _stick(
    s: Steps,
    point: ContactPoint,
    law: SymbolicLaw,
    pressed: tuple[sm.Expr, Vector],
    turns: tuple[Vector, Vector],
) -> sm.Expr:
    """Write force and anchor of friction that sticks; return its torque about the normal [N m]."""
    material, n = law.material, point.normal
    f_n, slip = pressed
    radius = law.constant(material.torsional_radius) if point.part == 1 else ZERO
    delta, vs = law.constant(material.presliding), law.constant(material.slip_speed)
    given = [s.symbol(f's_{axis}') for axis in AXES]
    twist = s.symbol('s_p')
    lifted = s.let('lift', _dot(given, n))
    # Turned back into the plane across the normal, at its own length.
    flat = s.vector('flat', [x - lifted * y for x, y in zip(given, n, strict=True)])
    long, short = (s.let(name, sm.sqrt(_dot(w, w))) for name, w in (('a', given), ('b', flat)))
    ratio = s.let('e', sm.Piecewise((long / short, sm.Gt(short, 0)), (sm.Integer(1), True)))
    across = s.vector('stretch', [ratio * x for x in flat])
    length = s.let('length', sm.sqrt(_dot(given, given) + twist**2))
    cap = s.let('cap', law.cap(f_n, sm.Ge(length, FULL * delta)))
    spin = s.let('spin', radius * (_dot(turns[1], n) - _dot(turns[0], n)))
    z = s.vector('z', [x / delta + w / vs for x, w in zip(across, slip, strict=True)])
    about = s.let('z_p', twist / delta + spin / vs if radius != 0 else ZERO)
    size = s.let('size', sm.sqrt(_dot(z, z) + about**2))
    factor = s.let('factor', cap / sm.Max(1, size))
    point.force = s.vector('F', [f_n * x - factor * y for x, y in zip(n, z, strict=True)])
    turning = s.let('turning', (_dot(turns[0], n) + _dot(turns[1], n)) / 2)
    rates = [w + turning * x for w, x in zip(slip, s.r.cross(n, across), strict=True)]
    point.anchor = Anchor(given, twist, [*rates, spin])
    return s.let('T_n', -factor * about * radius)


def _turns(motions: Motions, bodies: tuple[str, str]) -> tuple[Vector, Vector]:
    """Return the angular velocities of both bodies [rad/s]."""
    u = motions.names.u
    first, second = (
        [
            _sum(speed.turn[i] * u[j] for (j, _), speed in motions[body].speeds.items())
            for i in range(3)
        ]
        for body in bodies
    )
    return first, second


def _dot(a: Sequence[sm.Expr], b: Sequence[sm.Expr]) -> sm.Expr:
    return _sum(x * y for x, y in zip(a, b, strict=True))


def _sum(terms: object) -> sm.Expr:
    return sum(terms, start=ZERO)  # type: ignore[call-overload]
