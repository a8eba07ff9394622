"""Impacts between free bodies: momentum, energy, directions."""

from __future__ import annotations

from collections.abc import Iterator
import math

import numpy as np

from validation import (
    absolute,
    at_most,
    ball,
    block,
    case,
    model,
    orders,
    relative,
    Row,
    simulation,
    small,
)
from validation.oracles import chain, restitution, scattering_angle

INTEGRATORS = ('rk4', 'verlet', 'semi_implicit')


def drift(simulated, start) -> tuple[float, float]:
    """Return by how much linear and angular momentum have changed."""
    now = simulated.momentum()
    return (
        float(np.abs(now.linear - start.linear).max()),
        float(np.abs(now.angular - start.angular).max()),
    )


def two_balls(d: int, masses, offset: float, radius: float = 0.1, spin: float = 0.0, **material):
    """Return two balls that meet at 1 m/s, the second at rest; offset: how far off centre."""
    turn = spin if d == 2 else [0.0, 0.0, spin]
    bodies = {
        'a': ball(d, radius, [-0.25, offset, 0.0], mass=masses[0], velocity=[1.0, 0.0, 0.0]),
        'b': ball(d, radius, [0.0, 0.0, 0.0], mass=masses[1], angular_velocity=turn),
    }
    return model(d, bodies, 0.0, material)


@case(
    'M1',
    'two balls collide head-on',
    'momentum constant; v1 = (m1 - e m2) v / (m1 + m2), v2 = (1 + e) m1 v / (m1 + m2), e = e(c v)',
)
def head_on() -> Iterator[Row]:
    e = restitution(0.5)
    for d in (2, 3):
        for integrator in INTEGRATORS:
            simulated = simulation(two_balls(d, (1.0, 2.0), 0.0), integrator)
            start = simulated.momentum()
            simulated.step(600)
            yield small(
                f'{d}D, {integrator}: momentum [kg m/s]', drift(simulated, start)[0], 1e-13
            )
            if integrator == 'rk4':
                twists = simulated.twists()
                v1, v2 = twists['a'].linear[0], twists['b'].linear[0]
                yield absolute(f'{d}D: v1 [m/s]', v1, (1.0 - 2.0 * e) / 3.0, 1e-7)
                yield absolute(f'{d}D: v2 [m/s]', v2, (1.0 + e) / 3.0, 1e-7)


@case(
    'M2',
    'two smooth balls collide off centre; the normal rotates during contact',
    'deflection pi - 2 b int dr / (r^2 sqrt(1 - b^2/r^2 - U/E)), U = k (d - r)^4 / 4',
)
def oblique() -> Iterator[Row]:
    b, k = 0.08, 1e5
    reduced = 2.0 / 3.0
    expected = scattering_angle(b, 0.2, k, 0.5 * reduced)
    for d in (2, 3):
        simulated = simulation(two_balls(d, (1.0, 2.0), b, stiffness=k, damping=0.0))
        start, energy = simulated.momentum(), simulated.energy().kinetic
        simulated.step(600)
        twists = simulated.twists()
        away = twists['a'].linear - twists['b'].linear
        yield absolute(f'{d}D: deflection [rad]', math.atan2(away[1], away[0]), expected, 1e-6)
        linear, angular = drift(simulated, start)
        yield small(f'{d}D: momentum [kg m/s]', linear, 1e-13)
        yield small(f'{d}D: angular momentum [kg m^2/s]', angular, 1e-11)
        change = simulated.energy().kinetic / energy - 1.0
        yield small(f'{d}D: energy, relative', change, 1e-8)


@case(
    'M3',
    'two rough balls collide off centre',
    'linear and angular momentum are conserved: both forces act at one point',
)
def rough() -> Iterator[Row]:
    rubber = {'stiffness': 1e5, 'friction': 0.5, 'slip_speed': 0.05}
    for d in (2, 3):
        for integrator in INTEGRATORS:
            simulated = simulation(two_balls(d, (1.0, 1.0), 0.08, spin=3.0, **rubber), integrator)
            start = simulated.momentum()
            energies = []
            for _ in range(60):
                energies.append(simulated.energy().mechanical)
                simulated.step(10)
            linear, angular = drift(simulated, start)
            scale = np.abs(start.angular).max()
            name = f'{d}D, {integrator}'
            yield small(f'{name}: momentum [kg m/s]', linear, 1e-13)
            limit = 1e-7 * scale if integrator == 'rk4' else 1e-12
            yield small(f'{name}: angular momentum [kg m^2/s]', angular, limit)
            if integrator == 'rk4':
                yield at_most(f'{name}: rise of energy [J]', max(np.diff(energies)), 1e-9)
        errors = [_lost_spin(d, h, rubber) for h in (4e-3, 2e-3, 1e-3)]
        least = min(orders(errors).min(), 4.0)
        yield absolute(f'{d}D, rk4: order of the angular momentum, up to 4', least, 4.0, 0.15)


def _lost_spin(d: int, h: float, rubber: dict[str, float]) -> float:
    made = two_balls(d, (1.0, 1.0), 0.08, spin=3.0, **rubber)
    simulated = simulation(made, h=h, max_substeps=1)
    start = simulated.momentum()
    simulated.step(round(0.6 / h))
    return drift(simulated, start)[1]


@case(
    'M4',
    "Newton's cradle",
    'with gaps: speeds are exchanged; touching: ratios that depend on the exponent alone',
)
def cradle() -> Iterator[Row]:
    for d in (2, 3):
        found = _cradle(d, 5, gap=0.1, stiffness=1e7)
        error = np.abs(found - np.array([0.0, 0.0, 0.0, 0.0, 1.0])).max()
        yield small(f'{d}D, 5 balls with gaps: speeds [m/s]', error, 1e-6)
        for count, law, exponent in (
            (3, 'elastic_plastic', 3.0),
            (5, 'elastic_plastic', 3.0),
            (3, 'hunt_crossley', 1.5),
        ):
            found = _cradle(d, count, law=law, stiffness=1e5 if exponent == 3.0 else 2e3)
            error = np.abs(found - chain(count, exponent)).max()
            yield small(f'{d}D, {count} balls touching, {law}: ratios', error, 2e-6)


def _cradle(d: int, count: int, gap: float = 0.0, **material) -> np.ndarray:
    """Return the speeds of balls in a row after the first came in at 1 m/s."""
    pitch = 0.2 + gap
    bodies = {
        f'b{i}': ball(d, 0.1, [pitch * i, 0.0, 0.0], mass=0.7, velocity=[0.0, 0.0, 0.0])
        for i in range(count)
    }
    bodies['b0']['initial'] = {'position': [-0.05, 0.0, 0.0], 'velocity': [1.0, 0.0, 0.0]}
    simulated = simulation(model(d, bodies, 0.0, {'damping': 0.0, **material}), h=5e-4)
    simulated.step(3000)
    twists = simulated.twists()
    return np.array([twists[name].linear[0] for name in bodies])


@case(
    'M5',
    'docking: an impact off centre',
    'impulse m_e (1 + e) v, 1/m_e = sum 1/m + sum (r x n)^2 / I; error of soft contact ~ k^(-1/4)',
)
def docking() -> Iterator[Row]:
    v, arm, inertia = 0.1, 0.2, 20.0
    effective = 1.0 / (1.0 / 100.0 + 1.0 / 10.0 + arm**2 / inertia)
    expected = -arm * effective * (1.0 + restitution(0.5 * v)) * v / inertia
    # What the formula leaves out, the turn of the target while they touch, is as large as this.
    bounds = {1e4: 2e-2, 1e6: 6.4e-3, 1e8: 2e-3, 1e10: 6.4e-4}
    for d in (2, 3):
        errors = []
        for k, bound in bounds.items():
            spin, _ = _docked(d, k, 'rk4', v, arm)
            errors.append(abs(spin / expected - 1.0))
            yield relative(f'{d}D, k = {k:.0e}: rate of turn [rad/s]', spin, expected, bound)
        slope = np.polyfit(np.log(list(bounds)), np.log(errors), 1)[0]
        yield absolute(f'{d}D: power of k in the error', slope, -0.25, 0.03)
        for integrator in ('verlet', 'semi_implicit'):
            _, (linear, angular) = _docked(d, 1e6, integrator, v, arm)
            yield small(f'{d}D, {integrator}: momentum', linear, 1e-12)
            yield small(f'{d}D, {integrator}: angular momentum', angular, 1e-12)
        yield from _latched(d)


def _docked(d: int, k: float, integrator: str, v: float, arm: float):
    """Return the rate of turn of a target after a chaser hit it, and the drift of momenta."""
    inertia = {'izz': 20.0} if d == 2 else {'ixx': 20.0, 'iyy': 20.0, 'izz': 20.0}
    half = (1.0, 1.0) if d == 2 else (1.0, 1.0, 1.0)
    bodies = {
        'target': block(d, half, [0.0, 0.0, 0.0], mass=100.0, inertia=inertia),
        'chaser': ball(d, 0.3, [-1.31, arm, 0.0], mass=10.0, velocity=[v, 0.0, 0.0]),
    }
    made = model(d, bodies, 0.0, {'stiffness': k, 'damping': 0.5})
    simulated = simulation(made, integrator, h=2e-4)
    start = simulated.momentum()
    simulated.step(60000 if k < 1e5 else 15000)
    return simulated.twists()['target'].angular[2], drift(simulated, start)


def _latched(d: int) -> Iterator[Row]:
    """Two bodies that became one: v = sum m v / sum m, w = L / I about the common centre."""
    inertia = {'izz': 20.0} if d == 2 else {'ixx': 20.0, 'iyy': 20.0, 'izz': 20.0}
    small_one = {'izz': 0.4} if d == 2 else {'ixx': 0.4, 'iyy': 0.4, 'izz': 0.4}
    bodies = {
        'target': {'mass': 100.0, 'inertia': inertia},
        'chaser': {
            'mass': 10.0,
            'inertia': small_one,
            'joint': {'type': 'fixed', 'parent': 'target', 'origin': {'xyz': [-1.3, 0.2, 0.0]}},
        },
    }
    simulated = simulation(model(d, bodies))
    centre = 10.0 / 110.0 * np.array([-1.3, 0.2, 0.0])
    speed = np.array([1.0 / 110.0, 0.0, 0.0])
    about = 20.0 + 100.0 * centre @ centre + 0.4
    about += 10.0 * float(np.sum((np.array([-1.3, 0.2, 0.0]) - centre) ** 2))
    spin = -10.0 * 0.1 * (0.2 - centre[1]) / about  # of 10 kg at 0.1 m/s, 0.2 m off the target
    origin = speed + np.cross([0.0, 0.0, spin], -centre)
    u = [*origin[:2], spin] if d == 2 else [*origin, 0.0, 0.0, spin]
    simulated.set_state(u=u)
    simulated.step(1000)
    momentum = simulated.momentum()
    yield absolute(f'{d}D, latched: momentum', momentum.linear[0], 1.0, 1e-10)
    yield absolute(f'{d}D, latched: angular momentum', momentum.angular[2], -0.2, 1e-10)
