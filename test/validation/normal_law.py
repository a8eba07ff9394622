"""The normal law F = k rho^n (1 - c v)+: free flight, impacts, rest, order of the integrators."""

from __future__ import annotations

from collections.abc import Iterator
import math

import numpy as np

from validation import (
    absolute,
    at_most,
    ball,
    case,
    floor,
    G,
    MATERIAL,
    model,
    orders,
    recurrence,
    relative,
    Row,
    simulation,
    small,
    true,
    up,
)
from validation.oracles import deepest, duration, potential, restitution

R = 0.5  # [m]
LAWS = ('elastic_plastic', 'hunt_crossley', 'linear')


def dropped(dimension: int, height: float, speed: float, gravity: float = 0.0, **material):
    """Return a ball some height above the floor, on its way down."""
    start, velocity = (R + height) * up(dimension), -speed * up(dimension)
    bodies = {
        'floor': floor(dimension),
        'ball': ball(dimension, R, start, velocity=velocity),
    }
    return model(dimension, bodies, gravity, material)


def height_and_speed(simulated) -> tuple[float, float]:
    """Return the height of the ball over the floor and its vertical speed."""
    axis = 1 if simulated.model.dimension == 2 else 2
    return simulated.q[axis] - R, simulated.u[axis]


def bounce(simulated, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return height and speed at every step of a run, the start included."""
    found = [height_and_speed(simulated)]
    for _ in range(steps):
        simulated.step()
        found.append(height_and_speed(simulated))
    heights, speeds = np.array(found).T
    return heights, speeds


@case('N1', 'free fall and projectile, 1 s', 'position is a parabola in time')
def free_fall() -> Iterator[Row]:
    velocity = np.array([3.0, 4.0, 0.0])
    for d in (2, 3):
        fall = -G * up(d)
        expected = 10.0 * up(d) + velocity + 0.5 * fall
        for integrator in ('rk4', 'verlet'):
            start = {'ball': ball(d, R, 10.0 * up(d), velocity=velocity)}
            simulated = simulation(model(d, start, G), integrator)
            simulated.step(1000)
            position = simulated.poses()['ball'].position
            error = np.abs(position - expected).max()
            yield small(f'{d}D, {integrator}: position [m]', error, 1e-12)
        rail = {
            'mass': 2.0,
            'inertia': {'izz': 1.0} if d == 2 else {'ixx': 1.0, 'iyy': 1.0, 'izz': 1.0},
            'joint': {'type': 'prismatic', 'axis': up(d).tolist()},
        }
        simulated = simulation(model(d, {'weight': rail}, G))
        simulated.step(1000)
        yield absolute(f'{d}D, on a rail [m]', simulated.q[0], -0.5 * G, 1e-12)


@case(
    'N2',
    'bounce: restitution, 10 phases of the impact within a step',
    'y = e x solves x - ln(1 + x) = -y - ln(1 - y), x = c v',
)
def bounce_restitution() -> Iterator[Row]:
    h = 1e-3
    for d in (2, 3):
        for k, tolerance in ((1e5, 1e-7), (1e7, 1e-5), (1e9, 5e-4)):
            expected = restitution(0.5)
            worst = expected
            for phase in range(10):
                simulated = simulation(dropped(d, 0.01 + 0.1 * phase * h, 1.0, stiffness=k), h=h)
                simulated.step(1000)
                reached = height_and_speed(simulated)[1]
                worst = max(worst, reached, key=lambda e: abs(e - expected))
            yield absolute(f'{d}D, k = {k:.0e}: e', worst, expected, tolerance)


@case(
    'N3',
    'one impact: depth, duration, impulse, first integral',
    'G(v) - G(speed) = k rho^4 / 4 m with G(s) = s/c - ln(1 + c s)/c^2 at every instant',
)
def one_impact() -> Iterator[Row]:
    h, k, gap = 1e-3, 1e5, 0.0105
    for d in (2, 3):
        for c in (0.0, 0.5):
            simulated = simulation(dropped(d, gap, 1.0, stiffness=k, damping=c), h=h)
            heights, speeds = bounce(simulated, 400)
            name = f'{d}D, c = {c}'
            rho = np.maximum(0.0, -heights)
            levels = np.array([potential(c, -s) for s in speeds]) + k * rho**4 / 4.0
            yield relative(
                f'{name}: depth [m]', _turning(heights, speeds, h), -deepest(1.0, k, c, 1.0), 1e-6
            )
            # Before and after it the ball flies straight: entry and exit are known exactly.
            lasted = 400 * h - heights[-1] / speeds[-1] - gap
            yield relative(f'{name}: duration [s]', lasted, duration(1.0, k, c, 1.0), 1e-6)
            impulse = 1.0 + restitution(c)
            yield relative(f'{name}: impulse [N s]', speeds[-1] + 1.0, impulse, 1e-6)
            worst = np.abs(levels - potential(c, 1.0)).max()
            yield small(f'{name}: first integral, every step', worst, 1e-7)


def _turning(heights: np.ndarray, speeds: np.ndarray, h: float) -> float:
    """Return the least height, by the cubic through the two steps around it."""
    i = int(np.argmax(speeds >= 0.0))
    (y0, y1), (v0, v1) = heights[i - 1 : i + 1], h * speeds[i - 1 : i + 1]
    t = np.linspace(0.0, 1.0, 200001)
    cubic = (
        y0 * (1 + 2 * t) * (1 - t) ** 2
        + v0 * t * (1 - t) ** 2
        + y1 * t**2 * (3 - 2 * t)
        + v1 * t**2 * (t - 1)
    )
    return float(cubic.min())


@case('N4', 'elastic bounce, c = 0, 100 hits', 'energy is constant')
def elastic_bounces() -> Iterator[Row]:
    for d in (2, 3):
        simulated = simulation(dropped(d, 0.05, 0.0, G, damping=0.0))
        energies = [0.05 * G]
        falling = True
        while len(energies) <= 100:
            simulated.step(10)
            height, speed = height_and_speed(simulated)
            if falling and height > 0.0 and speed > 0.0:
                energies.append(0.5 * speed**2 + G * height)
            falling = speed <= 0.0 or height <= 0.0
        found = np.array(energies) / energies[0]
        yield small(f'{d}D: energy, part of the start', np.abs(found - 1.0).max(), 1e-6)
        yield at_most(f'{d}D: largest rise in a bounce', np.diff(found).max(), 1e-8)


def random_bounce(random: np.random.Generator, dimension: int, law) -> tuple[float, float]:
    """Return the restitution of a random impact, and what it should be."""
    m, v, c = random.uniform(0.1, 10.0), random.uniform(0.2, 3.0), random.uniform(0.0, 2.0)
    n = {'elastic_plastic': 3.0, 'hunt_crossley': 1.5, 'linear': 1.0}.get(str(law), 2.0)
    depth = v * random.uniform(0.02, 0.1)  # about 3 depth / v long
    k = (n + 1.0) * m * v * v / (2.0 * depth ** (n + 1.0))
    made = dropped(dimension, 0.01 * v, v, stiffness=k, damping=c, law=law)
    simulated = simulation(made, h=2e-5)
    simulated.set_parameters({'ball.mass': m})
    simulated.step(25000)
    return height_and_speed(simulated)[1] / v, restitution(c * v)


@case(
    'N5',
    'restitution does not depend on mass, stiffness or exponent',
    'the same e(x) for n = 1, 1.5, 2, 3',
)
def restitution_of_laws() -> Iterator[Row]:
    square = {'normal': 'k * rho**2 * (1 - c * v_n)', 'tangent': '0'}
    for d in (2, 3):
        for law in (*LAWS, square):
            random = np.random.default_rng(5)
            draws = [random_bounce(random, d, law) for _ in range(5)]
            name = law if isinstance(law, str) else 'n = 2, of the model file'
            worst = max(abs(e - expected) for e, expected in draws)
            yield small(f'{d}D, {name}: e', worst, 1e-5)


@case(
    'N6',
    'rest and ring-down',
    'rest depth (m g / k)^(1/3); decay c g / 2; frequency^2 = 3 g / depth - decay^2',
)
def ring_down() -> Iterator[Row]:
    k, c = MATERIAL['stiffness'], MATERIAL['damping']
    rest = (G / k) ** (1.0 / 3.0)
    decay = 0.5 * c * G
    for d in (2, 3):
        simulated = simulation(dropped(d, -rest, 0.0, G))
        simulated.step(60000)
        drift = np.abs(simulated.poses()['ball'].position - (R - rest) * up(d)).max()
        yield small(f'{d}D: drift in 60 s [m]', drift, 1e-12)
        simulated = simulation(dropped(d, -rest + 1e-7, 0.0, G))
        samples = []
        for _ in range(100):
            samples.append(height_and_speed(simulated)[0] + rest)
            simulated.step(10)
        found, frequency = recurrence(np.array(samples), 0.01)
        yield relative(f'{d}D: decay [1/s]', found, decay, 1e-3)
        expected = math.sqrt(3.0 * G / rest - decay**2)
        yield relative(f'{d}D: frequency [rad/s]', frequency, expected, 1e-5)


@case(
    'N7',
    'order of convergence through an impact, without substeps',
    'error divides by 2^order when the step is halved: rk4 4, verlet 2, semi_implicit 1',
)
def convergence() -> Iterator[Row]:
    steps = (2e-3, 1e-3, 5e-4, 2.5e-4)
    for d in (2, 3):
        for c in (0.0, 0.5):
            made = dropped(d, 0.05, 0.0, G, damping=c)
            exact = _after(made, 'rk4', 1e-5)
            for integrator, order, tolerance in (
                ('rk4', 4.0, 0.15),
                ('verlet', 2.0, 0.15),
                ('semi_implicit', 1.0, 0.1),
            ):
                errors = [abs(_after(made, integrator, h) - exact) for h in steps]
                found = orders(errors)[-1]
                yield absolute(f'{d}D, {integrator}, c = {c}', found, order, tolerance)


def _after(made, integrator: str, h: float) -> float:
    simulated = simulation(made, integrator, h, max_substeps=1)
    simulated.step(round(0.2 / h))
    return height_and_speed(simulated)[0]


@case('N8', 'pull-off at five times 1/c', 'the force is never negative: it is 0 here')
def pull_off() -> Iterator[Row]:
    for d in (2, 3):
        for law in LAWS:
            made = dropped(d, -0.1, -10.0, law=law)
            simulated = simulation(made)
            yield small(
                f'{d}D, {law}: force [N]',
                np.abs(simulated.contact_wrench('ball').force).max(),
                0.0,
            )
            least, speeds = 0.0, []
            for _ in range(20):
                for contact in simulated.contacts():
                    toward = 1.0 if contact.body_b == 'floor' else -1.0
                    least = min(least, -toward * contact.force @ up(d))
                simulated.step()
                speeds.append(height_and_speed(simulated)[1])
            yield true(f'{d}D, {law}: never pulls', least >= 0.0)
            yield small(f'{d}D, {law}: change of speed [m/s]', np.ptp([10.0, *speeds]), 0.0)
