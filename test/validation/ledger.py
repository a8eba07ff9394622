"""What is at rest stays; what is published adds up: depths, energies, wrenches."""

from __future__ import annotations

from collections.abc import Iterator
import itertools

import numpy as np

import symcontact_ros as sc
from validation import (
    absolute,
    ball,
    block,
    case,
    floor,
    G,
    model,
    orders,
    residual,
    Row,
    simulation,
    small,
    true,
    up,
)

# The paper's, with joints, with stops and sensors. The others have closed forms of their own.
BALANCED = (
    'bouncing_circle',
    'cart_pole',
    'cart_pole_walls',
    'circle_circle',
    'docking_probe_drogue',
    'double_pendulum',
    'rectangle_circle',
    'rectangle_rectangle',
    'sphere_cuboid',
    'wall_push',
)


def stack(d: int, count: int, k: float = 1e7, **material):
    """Return boxes on each other, started at the depths at which they rest."""
    half = 0.15
    height, bodies = 0.0, {'floor': floor(d)}
    for i in range(count):
        height -= ((count - i) * G / k) ** (1.0 / 3.0)
        centre = (height + half) * up(d)
        bodies[f'box{i}'] = block(d, [half] * d, centre)
        height += 2.0 * half
    return model(d, bodies, G, {'stiffness': k, 'friction': 0.5, 'slip_speed': 0.05, **material})


@case(
    'M12',
    'a box and a stack of five stand for 60 s',
    'depth of each (n m g / k)^(1/3), n: number of boxes from it upwards; no drift',
)
def stacks() -> Iterator[Row]:
    k = 1e7
    for d in (2, 3):
        for count in (1, 5):
            simulated = simulation(stack(d, count, k))
            start = simulated.poses()
            simulated.step(60000)
            name = f'{d}D, {count} box{"es" if count > 1 else ""}'
            depths = {(p.body_a, p.body_b): p.penetration for p in simulated.proximities()}
            order = [f'box{i}' for i in range(count)]
            below = [('box0', 'floor'), *itertools.pairwise(order)]
            errors = [
                depths[pair] - ((count - i) * G / k) ** (1.0 / 3.0) for i, pair in enumerate(below)
            ]
            yield small(f'{name}: depths [m]', np.abs(errors).max(), 1e-6)
            poses = simulated.poses()
            aside = max(
                np.abs((poses[b].position - start[b].position) * (1.0 - up(d))).max()
                for b in order
            )
            yield small(f'{name}: sideways [m]', aside, 1e-9)
            tilt = max(2.0 * np.abs(poses[b].quaternion[:3]).max() for b in order)
            yield small(f'{name}: tilt [rad]', tilt, 1e-9)


@case(
    'M14',
    'the energy balance',
    'change of energy = work in - losses, integrated along with the state',
)
def ledgers() -> Iterator[Row]:
    for name in BALANCED:
        made = sc.load_model(name)
        if (made.integrator or 'rk4') != 'rk4':
            continue  # too stiff for it; test_implicit_ledger.py
        simulated = simulation(made)
        simulated.step(round((made.duration or 5.0) / 1e-3))
        yield small(f'{name}: residual, part of throughput', residual(simulated), 1e-6)
        guarded = simulated.counters['exceeded_steps'] == 0.0
        yield true(f'{name}: guards not exceeded', guarded)
    # One elastic bounce of a circle: nothing is lost, and no points of contact come and go.
    verlet = [_misread('verlet', h) for h in (1e-3, 5e-4, 2.5e-4)]
    order = min(orders(verlet)[-1], 2.0)
    yield absolute('verlet, elastic bounce: order of residual, up to 2', order, 2.0, 0.2)
    # It books powers at the velocities before each kick: of order 1, as the method is.
    euler = [_misread('semi_implicit', h) for h in (1e-3, 5e-4, 2.5e-4)]
    order = min(orders(euler)[-1], 1.0)
    yield absolute('semi_implicit, elastic bounce: order of residual, up to 1', order, 1.0, 0.1)
    for d in (2, 3):
        found = []
        for h in (4e-4, 2e-4, 1e-4):
            simulated = simulation(scene(d), h=h)
            simulated.step(round(2.0 / h))
            found.append(residual(simulated))
        yield small(f'{d}D, several bodies, 0.4 ms: residual', found[0], 1e-6)
        yield absolute(f'{d}D, several bodies: order of the residual', orders(found)[-1], 4.0, 0.3)
        for label, torque in (('force', 0.0), ('force and torque', 2.0)):
            simulated = simulation(_pushed(d))
            turn = [0.0, 0.0, torque] if d == 2 else [torque, 0.3 * torque, torque]
            simulated.set_wrench('body', force=[1.0, 2.0, 0.0], torque=turn)
            simulated.step(2000)
            yield small(f'{d}D, {label} on a free body: residual', residual(simulated), 1e-6)
            energy = simulated.energy()
            change = energy.kinetic - energy.start - energy.work_in
            yield small(f'{d}D, {label}: kinetic - work', change / energy.throughput, 1e-6)


def _misread(integrator: str, h: float) -> float:
    """Return how far the residual is from the true error of the energy, part of throughput."""
    smooth = {'materials.default.damping': 0.0, 'materials.default.friction': 0.0}
    made = sc.load_model('bouncing_circle', parameters=smooth)
    simulated = simulation(made, integrator, h, max_substeps=1)
    simulated.step(round(1.0 / h))
    energy = simulated.energy()
    return abs(energy.residual - (energy.mechanical - energy.start)) / energy.throughput


def _pushed(d: int):
    inertia = {'izz': 0.1} if d == 2 else {'ixx': 0.1, 'iyy': 0.25, 'izz': 0.3}
    spin = 3.0 if d == 2 else [3.0, 1.0, 2.0]
    start = {'velocity': [0.5, 0.0, 0.0], 'angular_velocity': spin}
    return model(d, {'body': {'mass': 2.0, 'inertia': inertia, 'initial': start}})


def scene(d: int):
    """Return balls and blocks that fall on the floor and on each other, softly."""
    across = (lambda x, y, z: [x, z, 0.0]) if d == 2 else (lambda x, y, z: [x, y, z])
    bodies = {
        'floor': floor(d),
        'low': block(d, [0.4, 0.1] if d == 2 else [0.4, 0.3, 0.1], across(0.0, 0.0, 0.12)),
        'ball': ball(d, 0.15, across(0.1, 0.02, 0.6), mass=0.7, velocity=across(0.3, 0.1, 0.0)),
        'second': ball(d, 0.1, across(-0.15, -0.03, 0.9), mass=0.4),
        'top': block(
            d,
            [0.1, 0.07] if d == 2 else [0.1, 0.09, 0.07],
            across(-0.1, 0.05, 1.3),
            mass=0.5,
            **({'angle': 0.4} if d == 2 else {'rpy': [0.3, 0.4, 0.2]}),
        ),
    }
    return model(d, bodies, G, {'stiffness': 1e6, 'friction': 0.4, 'slip_speed': 0.2})


@case(
    'M15',
    'contact wrenches agree with the motion of the bodies',
    'sum of contact wrenches = rate of momentum - weight; on a by b = - on b by a',
)
def wrench_feedback() -> Iterator[Row]:
    for d in (2, 3):
        yield small(f'{d}D, one body: force and torque', _one_body(d), 1e-9)
        forces, opposite = _many_bodies(d)
        yield small(f'{d}D, several bodies: forces [N], part of the largest', forces, 1e-9)
        yield small(f'{d}D, several bodies: on a by b + on b by a [N]', opposite, 0.0)


def _one_body(d: int) -> float:
    """
    Return the worst error of force and torque on a tumbling block, part of the largest.

    Euler's method with new velocities adds h times the wrenches at the start of a step to the
    momenta, exactly: what is told before a step must be what the step does.
    """
    h = 1e-4
    turn = {'angle': 0.3, 'angular_velocity': 2.0}
    if d == 3:
        turn = {'rpy': [0.3, 0.2, 0.1], 'angular_velocity': [2.0, -1.0, 3.0]}
    half = [0.2, 0.1] if d == 2 else [0.2, 0.15, 0.1]
    bodies = {
        'floor': floor(d),
        'body': block(d, half, 0.22 * up(d), velocity=[0.7, 0.0, 0.0], **turn),
    }
    made = model(d, bodies, G, {'stiffness': 1e6, 'friction': 0.4, 'slip_speed': 0.05})
    simulated = simulation(made, 'semi_implicit', h, max_substeps=1)
    worst, largest = 0.0, 0.0
    for _ in range(100):
        simulated.step(40)
        if not simulated.contacts():
            continue  # it flies, on the exact parabola
        before, wrench = simulated.momentum(), simulated.contact_wrench('body')
        centre = simulated.poses()['body'].position
        weight = -G * up(d)
        simulated.step()
        after = simulated.momentum()
        force = (after.linear - before.linear) / h - weight
        torque = (after.angular - before.angular) / h - np.cross(centre, wrench.force + weight)
        worst = max(
            worst, np.abs(force - wrench.force).max(), np.abs(torque - wrench.torque).max()
        )
        largest = max(largest, np.abs(wrench.force).max())
    return worst / largest


def _many_bodies(d: int) -> tuple[float, float]:
    h = 1e-4
    simulated = simulation(scene(d), 'semi_implicit', h, max_substeps=1)
    masses = {b.name: simulated.model.number(b.mass) for b in simulated.model.bodies}
    masses.pop('floor')
    worst, largest, opposite = 0.0, 1e-300, 0.0
    for _ in range(20):
        simulated.step(400)
        before, told = simulated.twists(), simulated.snapshot()
        wrenches = {name: simulated.contact_wrench(name) for name in masses}
        for pair in told.pairs:
            a, b = pair.body_a, pair.body_b
            total = simulated.contact_wrench(a, b).force + simulated.contact_wrench(b, a).force
            opposite = max(opposite, np.abs(total).max())
        simulated.step()
        after = simulated.twists()
        for name, mass in masses.items():
            force = mass * ((after[name].linear - before[name].linear) / h + G * up(d))
            worst = max(worst, np.abs(force - wrenches[name].force).max())
            largest = max(largest, np.abs(wrenches[name].force).max())
            same = told.contact_wrench(name)
            worst = max(worst, np.abs(same.torque - wrenches[name].torque).max())
    return worst / largest, opposite


@case(
    'M17',
    'inspecting, resetting, saving and restoring do not change the motion',
    'states are equal bit for bit',
)
def repeated() -> Iterator[Row]:
    for d in (2, 3):
        for name, made in (('floating bodies', scene(d)), ('an arm and a ball', _arm(d))):
            yield from _repeated(f'{d}D, {name}', made)


def _arm(d: int):
    """Return an arm that starts with its hand in the floor, and a ball that falls on it."""
    radius = 0.1
    hand = {'type': 'circle' if d == 2 else 'sphere', 'radius': radius}
    arm = {
        'mass': 1.0,
        'com': [0.5, 0.0, 0.0],
        'inertia': {'izz': 0.1} if d == 2 else {'ixx': 0.1, 'iyy': 0.1, 'izz': 0.1},
        'shapes': [{**hand, 'pose': {'position': [1.0, 0.0, 0.0]}}],
        'joint': {'type': 'revolute', 'axis': [0, 0, 1] if d == 2 else [0, -1, 0]},
        'initial': {'position': 0.05},
    }
    bodies = {
        'floor': floor(d),
        'arm': arm,
        'ball': ball(d, radius, np.array([1.05, 0.0, 0.0]) + 0.5 * up(d), mass=0.3),
    }
    return model(d, bodies, G, {'stiffness': 1e6, 'damping': 0.1, 'friction': 0.3})


def _repeated(name: str, made) -> Iterator[Row]:
    """Leave at several times, in contact and out of it, and come back to the start or to 0.3 s."""
    plain = simulation(made)
    first = plain.save_state()
    plain.step(300)
    saved = plain.save_state()
    plain.step(700)
    expected = plain.state_hash()
    watched, fresh = simulation(made), simulation(made)
    for _ in range(100):
        watched.step(10)
        watched.contacts(), watched.energy(), watched.snapshot()
    yield true(f'{name}: inspected', watched.state_hash() == expected)
    fresh.restore_state(saved)
    fresh.step(700)
    yield true(f'{name}: restored elsewhere', fresh.state_hash() == expected)
    same = {'reset': True, 'restored, the start': True, 'restored, 0.3 s': True}
    for away in (50, 100, 200, 500):
        for which, data, left in (('the start', first, 1000), ('0.3 s', saved, 700)):
            plain.reset()
            plain.step(away)
            plain.restore_state(data)
            plain.step(left)
            same[f'restored, {which}'] &= plain.state_hash() == expected
        plain.reset()
        plain.step(away)
        plain.reset()
        plain.step(1000)
        same['reset'] &= plain.state_hash() == expected
    for what, fact in same.items():
        yield true(f'{name}: {what}', fact)
