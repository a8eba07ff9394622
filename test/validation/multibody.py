"""Motion without contact: tumbling bodies, tops, pendulums, a cart with a pole, a space arm."""

from __future__ import annotations

from collections.abc import Iterator
import math
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.special import ellipk

import symcontact_ros as sc
from validation import absolute, case, G, model, recurrence, relative, Row, simulation, small


def tumbling(inertia: tuple[float, float, float], mass: float, rates: Any):
    """Return a free body without shapes that turns."""
    body = {
        'mass': mass,
        'inertia': dict(zip(('ixx', 'iyy', 'izz'), inertia, strict=True)),
        'initial': {'angular_velocity': list(rates)},
    }
    return model(3, {'body': body})


def tumbling_period(inertia: tuple[float, ...], rates: Any) -> float:
    """Return the time after which the rates of a torque-free body return."""
    pairs = sorted(zip(inertia, rates, strict=True))
    (a, b, c), w = (np.array(column) for column in zip(*pairs, strict=True))
    energy, square = (
        0.5 * (np.array([a, b, c]) @ w**2),
        float(np.sum((np.array([a, b, c]) * w) ** 2)),
    )
    if square < 2.0 * energy * b:  # it turns about the smallest axis: the roles change
        a, c = c, a
    rate = math.sqrt((c - b) * (square - 2.0 * energy * a) / (a * b * c))
    modulus = (b - a) * (2.0 * energy * c - square) / ((c - b) * (square - 2.0 * energy * a))
    return 4.0 * ellipk(modulus) / rate


@case(
    'M6',
    'a body tumbles without torque (Dzhanibekov)',
    'rates are elliptic functions: they return after 4 K / rate; energy, angular momentum stay',
)
def torque_free() -> Iterator[Row]:
    for name, inertia, mass, rates, known in (
        ('1:2:3', (1.0, 2.0, 3.0), 1.0, (0.01, 1.0, 0.02), 33.194997009),
        (
            'box 1 x 4 x 9',
            (0.80833333333333333, 0.68333333333333333, 0.14166666666666667),
            10.0,
            (0.1, 5.0, 0.1),
            6.056844158,
        ),
    ):
        period = tumbling_period(inertia, rates)
        yield absolute(f'{name}: period against the reference [s]', period, known, 1e-8)
        for integrator in ('rk4', 'verlet', 'semi_implicit'):
            count = math.ceil(period / 1e-3)
            simulated = simulation(tumbling(inertia, mass, rates), integrator, period / count)
            start, energy = simulated.momentum(), simulated.energy().kinetic
            simulated.step(count)
            back = np.abs(simulated.u[3:] - np.array(rates)).max()
            which = f'{name}, {integrator}'
            yield small(f'{which}: rates after one period [rad/s]', back, 1e-6)
            simulated.step(max(0, math.ceil(10.0 / simulated.step_size) - count))
            change = np.abs(simulated.momentum().angular - start.angular).max()
            yield small(f'{which}: angular momentum, 10 s', change, 1e-9)
            change = simulated.energy().kinetic / energy - 1.0
            yield small(f'{which}: energy, 10 s, relative', change, 1e-10)
            yield small(f'{which}: length of q - 1', np.linalg.norm(simulated.q[3:]) - 1.0, 1e-10)


@case(
    'M7',
    'a heavy top precesses steadily',
    'W = (I3 w3 - sqrt((I3 w3)^2 - 4 I1 M g l cos)) / (2 I1 cos), I1 about the pivot',
)
def heavy_top() -> Iterator[Row]:
    a, c, length, tilt, spin = 0.02, 0.01, 0.1, math.radians(30.0), 200.0
    root = math.sqrt((c * spin) ** 2 - 4.0 * a * G * length * math.cos(tilt))
    expected = (c * spin - root) / (2.0 * a * math.cos(tilt))
    top = {
        'mass': 1.0,
        'com': [0.0, 0.0, length],
        'inertia': {'ixx': a - length**2, 'iyy': a - length**2, 'izz': c},
        'joint': {'type': 'spherical'},
    }
    simulated = simulation(model(3, {'top': top}, G), h=1e-4)
    # The axis leans towards +x; the body turns about the vertical at W and about its axis.
    rates = [-expected * math.sin(tilt), 0.0, spin]
    simulated.set_state(q=[0.0, math.sin(0.5 * tilt), 0.0, math.cos(0.5 * tilt)], u=rates)
    angles, leans = [], []
    for _ in range(100):
        simulated.step(100)
        x, y, z, w = simulated.q
        axis = np.array([2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)])
        angles.append(math.atan2(axis[1], axis[0]))
        leans.append(math.acos(axis[2]))
    turned = np.unwrap(angles)[-1]
    yield relative('precession [rad/s]', turned / simulated.time, expected, 1e-6)
    yield small('nutation [rad]', np.abs(np.array(leans) - tilt).max(), 1e-6)


def rod(d: int, parent: str | None = None, length: float = 1.0, **keys: Any) -> dict[str, Any]:
    """Return a point mass at the end of a rod that hangs down; it turns about z or y."""
    down = [0.0, -length, 0.0] if d == 2 else [0.0, 0.0, -length]
    joint: dict[str, Any] = {'type': 'revolute', 'axis': [0, 0, 1] if d == 2 else [0, -1, 0]}
    if parent:
        joint |= {'parent': parent, 'origin': {'xyz': down}}
    inertia = {'izz': 0.0} if d == 2 else {'ixx': 0.0, 'iyy': 0.0, 'izz': 0.0}
    return {'mass': 1.0, 'com': down, 'inertia': inertia, 'joint': joint, **keys}


@case('M8', 'a pendulum released at 90 degrees', 'period 4 sqrt(l / g) K(sin^2(45 degrees))')
def pendulum() -> Iterator[Row]:
    period = 4.0 * math.sqrt(1.0 / G) * ellipk(0.5)
    yield absolute('period against the reference [s]', period, 2.3678419476, 1e-9)
    for d in (2, 3):
        made = model(d, {'bob': rod(d, initial={'position': math.pi / 2})}, G)
        simulated = simulation(made, h=period / 2400)
        simulated.step(24000)
        yield absolute(f'{d}D: angle after 10 periods [rad]', simulated.q[0], math.pi / 2, 1e-8)
        yield small(f'{d}D: rate after 10 periods [rad/s]', simulated.u[0], 1e-8)
        simulated.step(600)
        yield small(f'{d}D: angle a quarter later [rad]', simulated.q[0], 1e-8)


@case(
    'M9',
    'a double pendulum of equal point masses',
    'energy is constant; small modes w^2 = (2 -+ sqrt 2) g / l',
)
def double_pendulum() -> Iterator[Row]:
    for d in (2, 3):
        bodies = {'upper': rod(d), 'lower': rod(d, 'upper')}
        simulated = simulation(model(d, bodies, G))
        simulated.set_state(q=[2.0, 1.0])
        start = simulated.energy()
        simulated.step(10000)
        change = simulated.energy().mechanical - start.mechanical
        scale = abs(start.potential)
        yield small(f'{d}D: energy over 10 s, relative', change / scale, 1e-6)
        for sign, name in ((-1.0, 'slow'), (1.0, 'fast')):
            expected = math.sqrt((2.0 + sign * math.sqrt(2.0)) * G)
            # Absolute angles of a mode are 1 : -+ sqrt 2; joint angles: the difference.
            shape = np.array([1.0, -sign * math.sqrt(2.0) - 1.0])
            simulated.reset()
            simulated.set_state(q=1e-5 * shape)
            samples = []
            for _ in range(200):
                samples.append(simulated.q[0])
                simulated.step(20)
            _, found = recurrence(np.array(samples), 0.02)
            yield relative(f'{d}D: {name} mode [rad/s]', found, expected, 1e-5)


@case(
    'M10',
    'an upright pole on a cart falls',
    'grows as exp(t sqrt((M + m) m g l / ((M + m)(I + m l^2) - m^2 l^2)))',
)
def cart_pole() -> Iterator[Row]:
    made = sc.load_model('cart_pole')
    M, m, length = 1.0, 0.1, 0.5
    inertia = m * length**2 / 3.0
    bottom = (M + m) * (inertia + m * length**2) - (m * length) ** 2
    expected = math.sqrt((M + m) * m * G * length / bottom)
    yield absolute('rate against the reference [1/s]', expected, 3.97387812, 1e-8)
    linear = sc.equations_of_motion(made).linearize(op_point={'q': [0.0, 0.0]})
    found = max(np.linalg.eigvals(np.array(linear.A, dtype=float)).real)
    yield relative('eigenvalue of the linearisation [1/s]', found, expected, 1e-12)
    simulated = simulation(made)
    slide = m * length / (M + m)  # the cart moves so that the common centre stays
    shape = 1e-7 * np.array([slide, 1.0])
    simulated.set_state(q=shape, u=expected * shape)
    simulated.step(1000)
    grown = math.log(simulated.q[1] / shape[1])
    yield relative('growth in 1 s [1/s]', grown, expected, 1e-5)


@case(
    'M11',
    'an arm moves on a floating base, from rest',
    'turn = -int (I1 + mu (b^2 + a b cos q)) / (I0 + I1 + mu (a^2 + b^2 + 2 a b cos q)) dq',
)
def floating_base() -> Iterator[Row]:
    a, b, mu = 0.5, 0.4, 10.0 * 2.0 / 12.0

    def turn(end: float) -> float:
        def integrand(q: float) -> float:
            bent = a * b * math.cos(q)
            return (0.3 + mu * (b * b + bent)) / (1.8 + mu * (a * a + b * b + 2.0 * bent))

        return -quad(integrand, 0.0, end, epsabs=1e-14)[0]

    yield absolute('turn at 120 degrees [rad]', turn(math.radians(120.0)), -0.527571994, 1e-9)
    for d in (2, 3):
        for integrator in ('rk4', 'reference'):
            # Joint coordinates do not keep momenta by themselves: RK4 to h^4, 6e-10 at 1 ms.
            simulated = simulation(_space_arm(d, a, b), integrator, h=2.5e-4)
            simulated.set_target('elbow', math.radians(120.0))
            worst, momenta = 0.0, 0.0
            for _ in range(20 if integrator == 'rk4' else 4):
                simulated.step(400)
                angle, bent = _attitude(simulated.q, d)
                worst = max(worst, abs(angle - turn(bent)))
                found = simulated.momentum()
                momenta = max(momenta, np.abs([*found.linear, *found.angular]).max())
            name = f'{d}D, {integrator}'
            yield small(f'{name}: turn of the base [rad]', worst, 1e-8)
            yield small(f'{name}: momenta', momenta, 1e-11)


def _space_arm(d: int, a: float, b: float):
    if d == 2:
        inertias = {'izz': 1.5}, {'izz': 0.3}
    else:
        inertias = ({'ixx': 1.5, 'iyy': 1.5, 'izz': 1.5}, {'ixx': 0.3, 'iyy': 0.3, 'izz': 0.3})
    bodies = {
        'base': {'mass': 10.0, 'inertia': inertias[0]},
        'arm': {
            'mass': 2.0,
            'com': [b, 0.0, 0.0],
            'inertia': inertias[1],
            'joint': {
                'type': 'revolute',
                'axis': [0, 0, 1],
                'parent': 'base',
                'name': 'elbow',
                'origin': {'xyz': [a, 0.0, 0.0]},
                'servo': {'kp': 10.0, 'kd': 4.0},
            },
        },
    }
    return model(d, bodies)


def _attitude(q: np.ndarray, d: int) -> tuple[float, float]:
    """Return how far the base has turned, and the angle of the elbow."""
    if d == 2:
        return q[2], q[3]
    return 2.0 * math.atan2(q[5], q[6]), q[7]
