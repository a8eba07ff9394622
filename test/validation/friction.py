"""The friction law F_T = -mu F_N tanh(v / 2 vs): creep, stopping, rolling, tipping."""

from __future__ import annotations

from collections.abc import Iterator
import math
from typing import Any

import numpy as np

from validation import (
    absolute,
    at_most,
    ball,
    block,
    case,
    floor,
    G,
    model,
    relative,
    residual,
    Row,
    simulation,
    small,
    true,
    up,
)
from validation.oracles import friction_speed, friction_way

K = 1e7  # [N/m^3]
REST = (G / K) ** (1.0 / 3.0)  # depth of 1 kg [m]
VS = 0.01  # [m/s]
NO_TURN = 1e12  # [kg m^2]: an inertia that no friction turns
INERTIA = {
    2: {'izz': NO_TURN},
    3: {'ixx': NO_TURN, 'iyy': NO_TURN, 'izz': NO_TURN},
}


def material(mu: float, **more: float) -> dict[str, float]:
    """Return a material that settles quickly: oscillations decay as exp(-24 t)."""
    return {'stiffness': K, 'damping': 5.0, 'friction': mu, 'slip_speed': VS, **more}


def sled(d: int, mu: float, tilt: float = 0.0, **keys: Any):
    """Return a flat block at rest depth on a slope."""
    half = (0.2, 0.02) if d == 2 else (0.2, 0.2, 0.02)
    normal = math.sin(tilt) * np.array([1.0, 0.0, 0.0]) + math.cos(tilt) * up(d)
    depth = REST * math.cos(tilt) ** (1.0 / 3.0)
    turned = {'angle': -tilt} if d == 2 else {'rpy': [0.0, tilt, 0.0]}
    start = (half[-1] - depth) * normal
    bodies = {'floor': floor(d, tilt), 'sled': block(d, half, start, **turned, **keys)}
    return model(d, bodies, G, material(mu))


def slope(d: int, tilt: float) -> np.ndarray:
    """Return the direction down a slope."""
    return math.cos(tilt) * np.array([1.0, 0.0, 0.0]) - math.sin(tilt) * up(d)


def speed_of(simulated, name: str, direction: np.ndarray) -> float:
    return float(simulated.twists()[name].linear @ direction)


@case('F1', 'a block creeps down a slope', 'v = 2 vs atanh(tan(slope) / mu)')
def creep() -> Iterator[Row]:
    mu, tilt = 0.5, math.radians(20.0)
    expected = 2.0 * VS * math.atanh(math.tan(tilt) / mu)
    for d in (2, 3):
        simulated = simulation(sled(d, mu, tilt))
        simulated.step(3000)
        reached = speed_of(simulated, 'sled', slope(d, tilt))
        yield relative(f'{d}D: speed [m/s]', reached, expected, 1e-6)


@case(
    'F2',
    'creep or slide: mu 0.1 to 1, slopes 3 to 40 degrees',
    'tan(slope) < mu: creep as in F1; above: acceleration g (sin - mu cos)',
)
def threshold() -> Iterator[Row]:
    for d in (2, 3):
        simulated = simulation(sled(d, 0.5, inertia=INERTIA[d]))
        creeping, sliding = 0.0, 0.0
        for mu in (0.1, 0.3, 0.5, 0.7, 1.0):
            for degrees in (3, 5, 10, 15, 20, 25, 30, 40):
                tilt = math.radians(degrees)
                simulated.reset()
                down = 'gravity.y' if d == 2 else 'gravity.z'
                simulated.set_parameters(
                    {
                        'gravity.x': G * math.sin(tilt),
                        down: -G * math.cos(tilt),
                        'materials.default.friction': mu,
                    }
                )
                simulated.step(2000)
                before = speed_of(simulated, 'sled', np.array([1.0, 0.0, 0.0]))
                simulated.step(1000)
                after = speed_of(simulated, 'sled', np.array([1.0, 0.0, 0.0]))
                if math.tan(tilt) < mu:
                    expected = 2.0 * VS * math.atanh(math.tan(tilt) / mu)
                    creeping = max(creeping, abs(after / expected - 1.0))
                else:
                    expected = G * (math.sin(tilt) - mu * math.cos(tilt))
                    sliding = max(sliding, abs((after - before) / expected - 1.0))
        yield small(f'{d}D: creep, relative', creeping, 1e-6)
        yield small(f'{d}D: acceleration, relative', sliding, 1e-4)


@case(
    'F3',
    'a block slides to a stop',
    'sinh(v / 2 vs) = sinh(v0 / 2 vs) exp(-mu g t / 2 vs); way (v0^2 / 2 + pi^2 vs^2 / 3) / mu g',
)
def stopping() -> Iterator[Row]:
    mu, v0 = 0.5, 2.0
    for d in (2, 3):
        for round_body in (False, True):
            simulated = simulation(_sliding(d, mu, v0, round_body))
            name = f'{d}D, {"ball that cannot turn" if round_body else "block"}'
            x0, worst, worst_way = simulated.poses()['sled'].position[0], 0.0, 0.0
            for i in range(1, 5):
                simulated.step(100)
                v = speed_of(simulated, 'sled', np.array([1.0, 0.0, 0.0]))
                way = simulated.poses()['sled'].position[0] - x0
                worst = max(worst, abs(v - friction_speed(v0, VS, mu * G, 0.1 * i)))
                worst_way = max(worst_way, abs(way - friction_way(v0, VS, mu * G, 0.1 * i)))
            yield small(f'{name}: speed at 4 times [m/s]', worst, 1e-6)
            yield small(f'{name}: way at 4 times [m]', worst_way, 1e-6)
            simulated.step(2000)
            expected = (v0**2 / 2.0 + math.pi**2 * VS**2 / 3.0) / (mu * G)
            way = simulated.poses()['sled'].position[0] - x0
            yield absolute(f'{name}: stopping distance [m]', way, expected, 1e-6)


def _sliding(d: int, mu: float, v0: float, round_body: bool):
    if not round_body:
        return sled(d, mu, velocity=[v0, 0.0, 0.0], inertia=INERTIA[d])
    start = (0.1 - REST) * up(d)
    puck = ball(d, 0.1, start, velocity=[v0, 0.0, 0.0], inertia=INERTIA[d])
    return model(d, {'floor': floor(d), 'sled': puck}, G, material(mu))


@case(
    'F4',
    'a sliding ball begins to roll',
    'v + kappa r w = v0 at all times, kappa = I / m r^2, r to the contact point; end v0/(1+kappa)',
)
def slip_to_roll() -> Iterator[Row]:
    mu, v0, radius = 0.5, 1.0, 0.1
    r = radius - 0.5 * REST  # forces act midway between the two surfaces
    for d in (2, 3):
        inertia = (0.5 if d == 2 else 0.4) * radius**2
        kappa = inertia / r**2
        thrown = ball(d, radius, (radius - REST) * up(d), velocity=[v0, 0.0, 0.0])
        simulated = simulation(model(d, {'floor': floor(d), 'ball': thrown}, G, material(mu)))
        worst, worst_slip = 0.0, 0.0
        for i in range(1, 81):
            simulated.step(5)
            twist = simulated.twists()['ball']
            spin = -twist.angular[2] if d == 2 else twist.angular[1]
            v = twist.linear[0]
            worst = max(worst, abs(v + kappa * r * spin - v0))
            slip = friction_speed(v0, VS, (1.0 + 1.0 / kappa) * mu * G, 0.005 * i)
            worst_slip = max(worst_slip, abs(v - r * spin - slip))
        yield small(f'{d}D: v + kappa r w - v0 [m/s]', worst, 1e-9)
        # Friction is stiff here, 0.9 of a step: RK4 follows the last of the slip to 2e-5.
        yield small(f'{d}D: slip at 80 times [m/s]', worst_slip, 1e-4)
        yield relative(f'{d}D: speed in the end [m/s]', v, v0 / (1.0 + kappa), 1e-6)


@case(
    'F5',
    'a ball rolls down a slope',
    'a = g sin / (1 + kappa); steady slip 2 vs atanh(kappa / (1 + kappa) tan / mu)',
)
def roll_down() -> Iterator[Row]:
    mu, tilt, radius = 0.5, math.radians(10.0), 0.1
    depth = REST * math.cos(tilt) ** (1.0 / 3.0)
    r = radius - 0.5 * depth
    for d in (2, 3):
        kappa = (0.5 if d == 2 else 0.4) * radius**2 / r**2
        normal = math.sin(tilt) * np.array([1.0, 0.0, 0.0]) + math.cos(tilt) * up(d)
        bodies = {'floor': floor(d, tilt), 'ball': ball(d, radius, (radius - depth) * normal)}
        simulated = simulation(model(d, bodies, G, material(mu)))
        simulated.step(1000)
        before = speed_of(simulated, 'ball', slope(d, tilt))
        simulated.step(1000)
        after = speed_of(simulated, 'ball', slope(d, tilt))
        expected = G * math.sin(tilt) / (1.0 + kappa)
        yield relative(f'{d}D: acceleration [m/s^2]', after - before, expected, 1e-5)
        angular = simulated.twists()['ball'].angular
        slip = after - r * (-angular[2] if d == 2 else angular[1])
        expected = 2.0 * VS * math.atanh(kappa / (1.0 + kappa) * math.tan(tilt) / mu)
        yield relative(f'{d}D: slip [m/s]', slip, expected, 1e-4)


@case(
    'F6',
    'a box tips',
    'on a slope beyond atan(w / H); pushed at height h where mu > w / 2 h, else it slides',
)
def tipping() -> Iterator[Row]:
    for d in (2, 3):
        tilt, ledger = _tipping_slope(d)
        # A bracket: corners give way a little, and the ramp of 0.01 rad/s overshoots.
        yield absolute(f'{d}D: slope / atan(w / H)', tilt / math.atan(0.5), 1.01, 0.03)
        yield small(f'{d}D: residual, part of throughput', ledger, 1e-6)
        for factor, tips in ((0.85, False), (1.15, True)):
            what = 'tips' if tips else 'slides'
            turned = _pushed(d, factor)
            yield true(f'{d}D: pushed with mu = {factor} w / 2 h, {what}', (turned > 0.2) == tips)


def _box(d: int, mu: float):
    """Return a box 0.2 wide and 0.4 high, at rest depth."""
    stiffness = 1e9
    half = (0.1, 0.2) if d == 2 else (0.1, 0.1, 0.2)
    start = (0.2 - (G / stiffness) ** (1.0 / 3.0)) * up(d)
    bodies = {'floor': floor(d), 'box': block(d, half, start)}
    return simulation(model(d, bodies, G, material(mu, stiffness=stiffness)))


def _tilt_of(simulated, d: int) -> float:
    """Return by how much the box has tipped over towards +x."""
    _, y, z, w = simulated.poses()['box'].quaternion
    return -2.0 * math.atan2(z, w) if d == 2 else 2.0 * math.atan2(y, w)


def _tipping_slope(d: int) -> tuple[float, float]:
    """Return the slope at which the box tips while gravity turns slowly."""
    simulated = _box(d, 2.0)
    down = 'gravity.y' if d == 2 else 'gravity.z'
    tilt = 0.0
    while _tilt_of(simulated, d) < 0.1:
        tilt += 2e-3 if tilt < 0.85 * math.atan(0.5) else 4e-4  # in 0.04 s
        simulated.set_parameters({'gravity.x': G * math.sin(tilt), down: -G * math.cos(tilt)})
        simulated.step(40)
    return tilt, residual(simulated)


def _pushed(d: int, factor: float) -> float:
    """Return by how much the box tips when pushed at a height with a force that slowly grows."""
    height = 0.3
    mu = factor * 0.2 / (2.0 * height)
    simulated = _box(d, mu)
    force = 0.0
    for _ in range(200):
        force += 1.3 * max(mu, 0.2 / (2.0 * height)) * G / 200
        centre = simulated.poses()['box'].position
        point = centre + (height - centre @ up(d)) * up(d)
        simulated.set_wrench('box', force=[force, 0.0, 0.0], point=point)
        simulated.step(30)
        if _tilt_of(simulated, d) > 0.2:
            break
    return _tilt_of(simulated, d)


@case(
    'F7',
    "Painleve's rod, sliding on its tip at tan(angle) = 2",
    'rigid bodies have no solution for mu > 4/3; here: finite, and energy never rises',
)
def painleve() -> Iterator[Row]:
    angle = math.atan(2.0)
    for mu in (1.2, 1.6):
        for direction in (1.0, -1.0):
            rod = {
                'mass': 1.0,
                'shapes': [{'type': 'capsule', 'radius': 0.01, 'half_length': 0.5}],
                'initial': {
                    'position': [0.0, 0.5 * math.sin(angle) + 0.01, 0.0],
                    'angle': angle,
                    'velocity': [2.0 * direction, 0.0, 0.0],
                },
            }
            stiff = {'stiffness': 1e8, 'damping': 0.5, 'friction': mu, 'slip_speed': 0.05}
            simulated = simulation(model(2, {'floor': floor(2), 'rod': rod}, G, stiff))
            energies = [simulated.energy().mechanical]
            for _ in range(300):
                simulated.step(5)
                energies.append(simulated.energy().mechanical)
            name = f'mu = {mu}, moving {"right" if direction > 0 else "left"}'
            yield true(f'{name}: finite', bool(np.isfinite(energies).all()))
            rise = max(np.diff(energies)) / energies[0]
            yield at_most(f'{name}: largest rise of energy', rise, 1e-6)
            # The tip sticks and slips at the limit of the guard of friction (rate x step of 2).
            yield small(f'{name}: residual, part of throughput', residual(simulated), 1e-3)
