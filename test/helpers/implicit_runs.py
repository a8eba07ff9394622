"""Runs of the integrator `implicit`: scenes, forces and counters of its solver."""

import math
from typing import NamedTuple

import numpy as np
from validation import block, floor, G, model, simulation, up

import symcontact_ros as sc

LAWS = {'elastic_plastic': 3.0, 'hunt_crossley': 1.5, 'linear': 1.0}  # exponents
MOST_ITERATIONS = 25  # of Newton's method, in one step of an island
STICKS = {'presliding': 1e-4}  # [m], the default
MADE = []  # simulations of this test


def implicit(made, h=1e-3, **keys):
    """Return a simulation with implicit steps, which `assert_converged` asks in the end."""
    made = simulation(made, 'implicit', h, **keys)
    MADE.append(made)
    return made


def assert_converged():
    """Check that every step of every simulation found its velocities, in a few iterations."""
    found = [solver(simulated) for simulated in MADE]
    MADE.clear()
    assert sum(one.unconverged for one in found) == 0
    assert max((one.most_iterations for one in found), default=0) <= MOST_ITERATIONS


def solver(simulated):
    return simulated.parts.live.memory.world.solver


def forces(simulated):
    """Return the forces of the last step: rows of normal, tangents, spin [N]."""
    rows = solver(simulated).rows
    return np.array([rows[i].force for i in range(solver(simulated).row_count)]).reshape(-1, 4)


def material(law='linear', load=G, depth=1e-4, **keys):
    """Return a material that sticks, and rests at a depth [m] under a load [N]."""
    return {**STICKS, 'law': law, 'stiffness': load / depth ** LAWS[law], **keys}


def slab(d, tilt=0.0):
    """Return a fixed plate instead of a half-space: both detectors have their own way with it."""
    normal = math.sin(tilt) * np.array([1.0, 0.0, 0.0]) + math.cos(tilt) * up(d)
    turn = {'angle': -tilt} if d == 2 else {'rpy': [0.0, tilt, 0.0]}
    half = [50.0, 0.5] if d == 2 else [50.0, 50.0, 0.5]
    return {**block(d, half, -0.5 * normal, **turn), 'fixed': True}


def on_slope(d, tilt, under, h=1e-3, ground=floor, detector='sat'):
    """Return a box of 1 kg at its depth of rest on a slope that goes down towards +x."""
    depth = 1e-4
    normal = math.sin(tilt) * np.array([1.0, 0.0, 0.0]) + math.cos(tilt) * up(d)
    turn = {'angle': -tilt} if d == 2 else {'rpy': [0.0, tilt, 0.0]}
    half = (0.1, 0.02) if d == 2 else (0.1, 0.08, 0.02)
    box = block(d, half, (0.02 - depth) * normal, **turn)
    made = model(d, {'floor': ground(d, tilt), 'box': box}, G, under)
    return implicit(made, h, detector=detector)


def where(simulated, name='box'):
    return simulated.poses()[name].position.copy()


def speed(simulated, name='box'):
    return float(np.linalg.norm(simulated.twists()[name].linear))


# Random scenes ----------------------------------------------------------------------------------

SOLIDS = {
    2: ('circle', 'rectangle', 'capsule', 'ellipse'),
    3: ('sphere', 'box', 'capsule', 'cylinder', 'ellipsoid'),
}


def random_material(random):
    """Return any law, stiffness, damping, and friction of any kind."""
    law = str(random.choice(list(LAWS)))
    found = {
        'law': law,
        'stiffness': random.uniform(5.0, 20.0) / 10.0 ** (random.uniform(-5.0, -3.5) * LAWS[law]),
        'damping': random.choice([0.0, random.uniform(0.0, 2.0)]),
        'friction': random.choice([0.0, random.uniform(0.0, 1.5)]),
    }
    kind = random.integers(3)
    if kind == 0:
        found['slip_speed'] = random.uniform(0.005, 0.2)
    elif kind == 1:
        found['presliding'] = 10.0 ** random.uniform(-5.0, -3.0)
        found['slip_speed'] = random.uniform(0.005, 0.2)
        found['static_friction'] = found['friction'] * random.uniform(1.0, 1.5)
    else:
        found['torsional_radius'] = random.choice([0.0, random.uniform(0.0, 0.02)])
    return {key: value if key == 'law' else float(value) for key, value in found.items()}


def random_shape(random, kind):
    size = random.uniform(0.05, 0.15, 3).tolist()
    if kind in ('circle', 'sphere'):
        return {'type': kind, 'radius': size[0]}
    if kind in ('capsule', 'cylinder'):
        return {'type': kind, 'radius': size[0], 'half_length': size[1]}
    key = 'radii' if kind.startswith('ellips') else 'half_extents'
    return {'type': kind, key: size[:2] if kind in ('ellipse', 'rectangle') else size}


def random_throw(random, d, with_floor=True):
    """
    Return a model of 2 to 5 bodies that are thrown at each other, and at a floor.

    Of every kind of shape there is one, so that all scenes share their machine code; those that
    are not thrown are light, and fly far away.
    """
    bodies = {'floor': floor(d)}
    if not with_floor:
        bodies['floor']['initial'] = {'position': (-1e3 * up(d)).tolist()}
    count = int(random.integers(2, len(SOLIDS[d]) + 1))
    middle = (1.2 if d == 2 else 0.45) * up(d)
    thrown = random.permutation(len(SOLIDS[d])).tolist()
    for kind, i in zip(SOLIDS[d], thrown, strict=True):
        angle = 2.0 * math.pi * (i + random.uniform(-0.2, 0.2)) / count
        away = random.uniform(0.4, 0.6) * (1.0 if count < 4 else 1.3)  # apart at the start
        place = away * np.array([math.cos(angle), math.sin(angle), 0.0])
        place += random.uniform(-0.1, 0.1) * up(3)[: len(place)] * (d == 3)
        velocity = -random.uniform(0.5, 3.0) * place + random.normal(0.0, 0.3, 3) * (1, 1, d == 3)
        spin, attitude = random.normal(0.0, 4.0, 3), random.uniform(-3.0, 3.0, 3)
        turn = {'angular_velocity': spin, 'rpy': attitude}
        if d == 2:
            turn = {'angular_velocity': spin[2], 'angle': attitude[2]}
        mass = 10.0 ** random.uniform(-1.0, 0.5)
        if i >= count:
            place, velocity, mass = (
                np.array([100.0 * i, 0.0, 0.0]) + 10.0 * up(d),
                0.0 * spin,
                1e-9,
            )
        start = {'position': place + middle, 'velocity': velocity, **turn}
        bodies[kind] = {
            'mass': mass,
            'shapes': [random_shape(random, kind)],
            'initial': {key: np.asarray(value).tolist() for key, value in start.items()},
        }
    gravity = -G * up(d) if with_floor else np.zeros(3)
    found = sc.Model('throw', dimension=d, gravity=gravity.tolist())
    found.add_material('default', **random_material(random))
    for name, keys in bodies.items():
        found.add_body(name, **keys)
    return found


class Throw(NamedTuple):
    """What a random scene reached; energies as parts of that at the start."""

    gain: float  # of kinetic and potential energy, less work and what the manifolds put in
    residual: float  # of the ledger, as a part of the throughput
    undone: float  # largest fall of what the integrator has lost
    momentum: float  # largest change, as a part of all momenta; without a floor
    iterations: int
    unconverged: int


def thrown(seed, d, looks=5, seconds=0.6):
    """Run a random scene, and return the worst of some looks at it."""
    random = np.random.default_rng([seed, d])
    has_floor = seed % 4 != 3
    made = random_throw(random, d, has_floor)
    h = 10.0 ** random.uniform(math.log10(5e-4), math.log10(5e-3))
    running = simulation(made, 'implicit', h, detector='co' if seed % 10 == 0 else 'sat')
    begin, put_in, gain, residual, undone, lost = running.momentum(), 0.0, 0.0, 0.0, 0.0, 0.0
    for _ in range(looks):
        running.step(math.ceil(seconds / looks / h))
        energy = running.energy()
        put_in = max(put_in, energy.manifold)  # as with any integrator: shares that jump
        free = energy.kinetic + energy.potential - energy.work_in - energy.start - put_in
        gain = max(gain, free / energy.start)
        residual = max(residual, abs(energy.residual) / energy.throughput)
        undone = max(undone, (lost - energy.integration) / energy.start)
        lost = energy.integration
    end = running.momentum()
    change = np.abs([end.linear - begin.linear, end.angular - begin.angular]).max()
    masses = [made.number(body.mass) for body in made.bodies]
    scale = max(masses) * max(np.linalg.norm(t.linear) for t in running.twists().values())
    found = solver(running)
    return Throw(
        gain,
        residual,
        undone,
        0.0 if has_floor else change / scale,
        found.most_iterations,
        found.unconverged,
    )
