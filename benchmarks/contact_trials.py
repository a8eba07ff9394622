"""Trials of `contact_study.py`: small scenes in contact, each a few seconds."""

import math
from typing import Any

import numpy as np

import symcontact_ros as sc
from symcontact_ros.contact.constants import restitution_for

G = 9.81
H = 1e-3  # step [s]
FIRM = {'law': 'linear', 'stiffness': 1e5, 'damping': 10.0, 'friction': 0.6}  # at rest in 5 ms
FLOOR = {'fixed': True, 'shapes': [{'type': 'half_space', 'normal': [0, 0, 1]}]}
INTEGRATORS = ('rk4', 'verlet', 'semi_implicit', 'implicit', 'implicit2')


def simulation(model: sc.Model, integrator: str, h: float = H, **options: Any) -> sc.Simulation:
    """Return a simulation that says nothing, and that no guard stops."""
    options = {'max_residual': 0.0, 'max_depth_ratio': 0.0, 'max_exceeded_steps': 0, **options}
    return sc.Simulation(
        model, integrator=integrator, step_size=h, progress=lambda text: None, **options
    )


def scene(bodies: dict[str, Any], degrees: float | None = 0.0, **material: Any) -> sc.Model:
    """Return a spatial model; degrees: a slope, as a tilt of gravity; None: no gravity."""
    angle, g = math.radians(degrees or 0.0), 0.0 if degrees is None else G
    gravity = [g * math.sin(angle), 0.0, -g * math.cos(angle)]
    model = sc.Model('trial', dimension=3, gravity=gravity)
    model.add_material('default', **{**FIRM, **material})
    for name, keys in bodies.items():
        model.add_body(name, **keys)
    return model


def on_slope(degrees: float, **material: Any) -> sc.Model:
    """Return a box of 1 kg that lies on a slope, as deep as it rests."""
    place = 0.1 - G * math.cos(math.radians(degrees)) / FIRM['stiffness']
    shape = {'type': 'box', 'half_extents': [0.1, 0.1, 0.1]}
    box = {'mass': 1.0, 'shapes': [shape], 'initial': {'position': [0.0, 0.0, place]}}
    return scene({'floor': FLOOR, 'box': box}, degrees, **material)


# Friction ---------------------------------------------------------------------------------------

FRICTIONS = {
    'regularised, vs = 0.01 m/s': {'slip_speed': 0.01},
    'sticking': {},
}
CREEPING = (
    ('regularised, vs = 0.01 m/s', 'rk4'),
    ('regularised, vs = 0.01 m/s', 'implicit'),
    ('sticking', 'rk4'),
    ('sticking', 'implicit'),
    ('sticking', 'implicit2'),
)


def creep(friction: str, integrator: str, settling: float = 1.0) -> tuple[Any, Any]:
    """Return 60 s of times after settling [s], and how far a box on 15 degrees went since [m]."""
    running = simulation(on_slope(15.0, **FRICTIONS[friction]), integrator)
    running.step(round(settling / H))
    start = running.q[:3].copy()
    ends = np.unique(np.round(np.geomspace(1, 60.0 / H, 80)).astype(int))
    ways, made = [], 0
    for end in ends:
        running.step(int(end) - made)
        made = int(end)
        ways.append(float(np.linalg.norm(running.q[:3] - start)))
    return H * ends, np.array(ways)


def breakaway(part: float, integrator: str) -> float:
    """Return the speed of a box 1 s after a force has risen, in 1 s, to a part of mu F_N [m/s]."""
    running = simulation(on_slope(0.0), integrator)
    running.step(round(0.1 / H))
    for i in range(2000):
        force = part * FIRM['friction'] * G * min(1.0, i / 1000)
        running.set_wrench('box', force=[force, 0.0, 0.0])
        running.step(1)
    return float(np.linalg.norm(running.u[:3]))


def dry_joint(integrator: str, part: float = 0.5) -> float:
    """Return by how much a lever sinks in 10 s under a part of its dry friction [rad]."""
    model = sc.Model('lever', dimension=2, gravity=[0.0, -G, 0.0])
    joint = {'type': 'revolute', 'friction': 0.5 * G / part}
    model.add_body('lever', mass=1.0, com=[0.5, 0, 0], inertia={'izz': 0.1}, joint=joint)
    running = simulation(model, integrator)
    running.step(round(1.0 / H))
    start = running.q[0]
    running.step(round(10.0 / H))
    return abs(float(running.q[0] - start))


# Impacts ----------------------------------------------------------------------------------------

DAMPING = 0.3  # [s/m]: of a restitution of 0.83 at 1 m/s


def bounce(
    integrator: str, ratio: float, law: str = 'linear', h: float = H
) -> tuple[float, float, float]:
    """
    Return restitution, and dissipated energy and `integration` over the energy before.

    A ball of 1 kg hits a wall at 1 m/s; ``ratio``: duration of the contact over the step.
    """
    stiffness = (math.pi / (ratio * h)) ** 2  # linear, undamped: the duration is pi sqrt(m / k)
    if law != 'linear':  # as deep as with the linear one: the same energy there
        n = {'hunt_crossley': 1.5, 'elastic_plastic': 3.0}[law]
        depth = stiffness**-0.5
        stiffness = 0.5 * (n + 1.0) / depth ** (n + 1.0)
    ball = {
        'mass': 1.0,
        'shapes': [{'type': 'sphere', 'radius': 10.0}],
        'initial': {'position': [0, 0, 10.0 + 0.0103], 'velocity': [0, 0, -1.0]},
    }
    material = {'law': law, 'stiffness': stiffness, 'damping': DAMPING, 'friction': 0.0}
    model = scene({'floor': FLOOR, 'ball': ball}, None, **material)
    running = simulation(model, integrator, h)
    for _ in range(100):
        running.step(max(20, round(ratio)))
        if running.u[2] > -0.5 and not running.contacts():
            break
    energy = running.energy()
    return float(running.u[2]), energy.dissipated / 0.5, energy.integration / 0.5


def exact_restitution() -> float:
    """Return the restitution of the law at 1 m/s."""
    return restitution_for(DAMPING, 1.0)


def jump(integrator: str, speed: float) -> str:
    """Return what becomes of a ball of 10 mm that flies at a plate of 2 mm."""
    plate = {'fixed': True, 'shapes': [{'type': 'box', 'half_extents': [0.1, 0.1, 0.001]}]}
    ball = {
        'mass': 0.01,
        'shapes': [{'type': 'sphere', 'radius': 0.005}],
        'initial': {'position': [0.003, 0.002, 0.0371], 'velocity': [0.0, 0.0, -speed]},
    }
    running = simulation(scene({'plate': plate, 'ball': ball}, None, stiffness=1e4), integrator)
    running.step(200)
    return 'through' if running.q[2] < 0.0 else 'back'


# Momentum ---------------------------------------------------------------------------------------


def momentum(integrator: str, h: float = H) -> tuple[float, float]:
    """Return how linear and angular momentum change in an impact of two rough turning boxes."""
    shape = {'type': 'box', 'half_extents': [0.1, 0.15, 0.2]}
    bodies = {
        'a': {
            'mass': 1.0,
            'shapes': [shape],
            'initial': {
                'position': [-0.5, 0.05, 0.02],
                'velocity': [1.0, 0.0, 0.0],
                'angular_velocity': [1.0, -2.0, 3.0],
            },
        },
        'b': {
            'mass': 2.0,
            'shapes': [shape],
            'initial': {'rpy': [0.2, 0.3, 0.4], 'angular_velocity': [0.5, 1.0, -1.0]},
        },
    }
    running = simulation(scene(bodies, None, stiffness=1e4, damping=0.3), integrator, h)
    start = running.momentum()
    running.step(round(2.0 / h))
    if running.energy().dissipated < 1e-3:
        raise ValueError('the boxes have not met')
    return _change(running, start)


def momentum_of_tree(integrator: str, h: float = H) -> tuple[float, float]:
    """Return the same of a free chain of three bodies that turn about each other."""
    model = sc.Model('chain', dimension=3, gravity=[0.0, 0.0, 0.0])
    inertia = {'ixx': 0.02, 'iyy': 0.03, 'izz': 0.04}
    speeds = {'velocity': [1.0, 0.0, 0.0], 'angular_velocity': [1.0, -2.0, 3.0]}
    model.add_body('base', mass=1.0, inertia=inertia, joint={'type': 'free'}, initial=speeds)
    parent = 'base'
    for name, axis in (('thigh', [0, 1, 0]), ('shank', [1, 0, 0])):
        joint = {'type': 'revolute', 'parent': parent, 'axis': axis}
        joint['origin'] = {'xyz': [0.0, 0.0, -0.3]}
        model.add_body(
            name, mass=1.0, com=[0, 0, -0.15], inertia=inertia, joint=joint,
            initial={'velocity': 3.0},
        )  # fmt: skip
        parent = name
    running = simulation(model, integrator, h)
    start = running.momentum()
    running.step(round(1.0 / h))
    return _change(running, start)


def _change(running: sc.Simulation, start: Any) -> tuple[float, float]:
    now = running.momentum()
    return (
        float(np.linalg.norm(now.linear - start.linear) / np.linalg.norm(start.linear)),
        float(np.linalg.norm(now.angular - start.angular) / np.linalg.norm(start.angular)),
    )
