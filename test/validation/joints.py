"""What acts in joints: springs, dampers, dry friction, stops, servos, efforts, armature."""

from __future__ import annotations

from collections.abc import Iterator
import math
from typing import Any

import symcontact_ros as sc
from validation import absolute, at_most, case, model, relative, residual, Row, simulation, small
from validation.oracles import friction_speed, friction_way, stop_restitution

SLIP = 0.05  # [rad/s or m/s] of dry friction in joints
M = 0.8  # [kg] or [kg m^2]


def jointed(d: int, kind: str, **keys: Any):
    """Return one body on a joint that has mass or inertia M."""
    inertia = {'izz': M} if d == 2 else {'ixx': M, 'iyy': M, 'izz': M}
    axis = [0.0, 0.0, 1.0] if kind == 'revolute' else [1.0, 0.0, 0.0]
    start = {key: keys.pop(key) for key in ('position', 'velocity') if key in keys}
    joint = {'type': kind, 'axis': axis, 'name': 'joint', **keys}
    body = {'mass': M, 'inertia': inertia, 'joint': joint, 'initial': start}
    return model(d, {'body': body})


def kinds() -> Iterator[tuple[int, str]]:
    for d in (2, 3):
        for kind in ('revolute', 'prismatic'):
            yield d, kind


def run(made, steps: int, h: float = 1e-3, **settings) -> tuple[float, float, Any]:
    """Return position, speed and the simulation after a number of steps."""
    simulated = simulation(made, h=h)
    for name, value in settings.items():
        getattr(simulated, name)('joint', **value)
    simulated.step(steps)
    return simulated.q[0], simulated.u[0], simulated


@case('J1', 'a spring and a damper in a joint', 'damped oscillation about the rest position')
def spring() -> Iterator[Row]:
    k, c, rest = 20.0, 0.6, 0.2
    decay = 0.5 * c / M
    omega = math.sqrt(k / M - decay**2)
    t = 2.0
    swing = math.exp(-decay * t) * (math.cos(omega * t) + decay / omega * math.sin(omega * t))
    for d, kind in kinds():
        made = jointed(d, kind, stiffness=k, damping=c, rest_position=rest, position=0.7)
        q, _, simulated = run(made, 2000)
        yield absolute(f'{d}D, {kind}: position', q, rest + 0.5 * swing, 1e-9)
        yield small(f'{d}D, {kind}: residual', residual(simulated), 1e-9)


@case(
    'J2',
    'dry friction in a joint',
    'sinh(u / 2 s) = sinh(u0 / 2 s) exp(-f t / 2 s m), s = 0.05 m/s or rad/s',
)
def dry_friction() -> Iterator[Row]:
    f = 0.5
    for d, kind in kinds():
        q, u, simulated = run(jointed(d, kind, friction=f, velocity=1.0), 1500)
        expected = friction_speed(1.0, SLIP, f / M, 1.5)
        yield absolute(f'{d}D, {kind}: speed', u, expected, 1e-8)
        yield absolute(f'{d}D, {kind}: way', q, friction_way(1.0, SLIP, f / M, 1.5), 1e-8)
        yield small(f'{d}D, {kind}: residual', residual(simulated), 1e-8)


@case(
    'J3',
    'a joint runs against a stop',
    'a spring and damper without tension: e = exp(-decay t), t until the force is 0',
)
def stops() -> Iterator[Row]:
    k = 2000.0
    for d, kind in kinds():
        for damping in (0.0, 20.0):
            for way in (1.0, -1.0):
                limits = {'lower': -0.1, 'upper': 0.1, 'stiffness': k, 'damping': damping}
                made = jointed(d, kind, limits=limits, velocity=way)
                _, u, simulated = run(made, 20000, h=1e-5)
                expected = -way * stop_restitution(0.5 * damping / M, math.sqrt(k / M))
                name = f'{d}D, {kind}, damping {damping:g}, {"upper" if way > 0 else "lower"}'
                # The damper begins with a jump of the force: order 1 at that instant.
                yield absolute(f'{name}: speed after', u, expected, 1e-4 if damping else 1e-7)
                yield small(f'{name}: residual', residual(simulated), 1e-4 if damping else 1e-7)


@case(
    'J4',
    'a servo follows a position and a velocity',
    'step response of m q.. = kp (target - q) + kd (target speed - u)',
)
def servos() -> Iterator[Row]:
    kp, kd = 20.0, 2.0
    decay = 0.5 * kd / M
    omega = math.sqrt(kp / M - decay**2)
    for d, kind in kinds():
        made = jointed(d, kind, servo={'kp': kp, 'kd': kd})
        q, _, simulated = run(made, 1000, set_target={'position': 0.5})
        left = math.exp(-decay) * (math.cos(omega) + decay / omega * math.sin(omega))
        yield absolute(f'{d}D, {kind}: position after 1 s', q, 0.5 * (1.0 - left), 1e-9)
        yield small(f'{d}D, {kind}: residual', residual(simulated), 1e-9)
        _, u, simulated = run(made, 1000, set_target={'velocity': 0.5})
        expected = 0.5 * (1.0 - math.exp(-kd / M))
        yield absolute(f'{d}D, {kind}: speed after 1 s', u, expected, 1e-9)
        yield small(f'{d}D, {kind}: residual at speed', residual(simulated), 1e-9)


@case('J5', 'effort and armature', 'q = effort t^2 / 2 (m + armature)')
def efforts() -> Iterator[Row]:
    for d, kind in kinds():
        made = jointed(d, kind, armature=0.2)
        q, u, simulated = run(made, 1000, set_effort={'value': 3.0})
        yield relative(f'{d}D, {kind}: position', q, 0.5 * 3.0 / (M + 0.2), 1e-12)
        yield relative(f'{d}D, {kind}: speed', u, 3.0 / (M + 0.2), 1e-12)
        energy = simulated.energy()
        yield absolute(
            f'{d}D, {kind}: kinetic energy', energy.kinetic, 0.5 * (M + 0.2) * u * u, 1e-12
        )
        yield small(f'{d}D, {kind}: residual', residual(simulated), 1e-12)


@case(
    'J6',
    'a live change of a spring',
    'the energy that the change adds is counted as work',
)
def live_change() -> Iterator[Row]:
    for d, kind in kinds():
        made = jointed(d, kind, stiffness=20.0, damping=0.1, position=0.5)
        simulated = simulation(made)
        simulated.step(1000)
        simulated.set_parameters({'joint.stiffness': 40.0, 'joint.damping': 0.3, 'body.mass': 1.1})
        simulated.step(1000)
        yield small(f'{d}D, {kind}: residual', residual(simulated), 1e-8)


@case(
    'J7',
    'a servo too stiff for the step (frequency x step = 3.2)',
    'substeps resolve it, or the run ends with an error: no meaningless results',
)
def too_stiff() -> Iterator[Row]:
    for d, kind in kinds():
        made = jointed(d, kind, servo={'kp': 8e6, 'kd': 100.0})
        simulated = simulation(made)
        simulated.set_target('joint', 0.1)
        try:
            simulated.step(50)
        except sc.SymcontactError:
            simulated.reset()
        yield at_most(f'{d}D, {kind}: overshoot', abs(simulated.q[0]), 0.2)
