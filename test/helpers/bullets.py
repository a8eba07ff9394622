"""Bullets of every convex shape at thin plates: how many come out behind one without a word."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
import tempfile
from typing import Any

import numpy as np
from numpy.typing import NDArray
import yaml

import symcontact_ros as sc

Array = NDArray[np.float64]

# All about 10 mm; hulls and polygons are irregular.
SPATIAL: dict[str, dict[str, Any]] = {
    'box': {'type': 'box', 'half_extents': [0.005, 0.004, 0.006]},
    'cylinder': {'type': 'cylinder', 'radius': 0.004, 'half_length': 0.008},
    'convex_hull': {
        'type': 'convex_hull',
        'vertices': [
            [0.005, 0, -0.004],
            [-0.005, 0.004, -0.004],
            [-0.004, -0.005, -0.004],
            [0, 0, 0.006],
        ],
    },
    'ellipsoid': {'type': 'ellipsoid', 'radii': [0.005, 0.003, 0.008]},
    'capsule': {'type': 'capsule', 'radius': 0.003, 'half_length': 0.008},
    'sphere': {'type': 'sphere', 'radius': 0.005},
}
PLANAR: dict[str, dict[str, Any]] = {
    'circle': {'type': 'circle', 'radius': 0.005},
    'rectangle': {'type': 'rectangle', 'half_extents': [0.005, 0.007]},
    'polygon': {
        'type': 'polygon',
        'vertices': [[0.006, 0.0], [0.001, 0.005], [-0.005, 0.002], [-0.003, -0.006]],
    },
    'ellipse': {'type': 'ellipse', 'radii': [0.004, 0.008]},
}
INTEGRATORS = ('rk4', 'verlet', 'semi_implicit', 'implicit', 'implicit2', 'auto')
DETECTORS = ('sat', 'co')
HALF = 1.0  # width of a plate, half [m]
MASS = 0.01  # of a bullet [kg]
SLOWEST = 5.0  # [m/s]
FASTEST = 400.0  # with the default material [m/s]
FASTEST_STIFF = 1000.0  # with one that stops the bullet within the plate [m/s]
SPIN = 500.0  # [rad/s] at most
EXPONENT = 3  # of the default law
AFTER = 12  # steps to go on for, after the last bullet has arrived


@dataclass(frozen=True)
class Volley:
    """What became of some bullets."""

    shots: int
    passed: int  # came out behind the plate
    silent: int  # of these, with a run that said nothing
    stopped: int  # by a guard, or diverged
    gained: float  # largest part of its kinetic energy that a run won, of those not stopped


def fire(
    shape: str,
    integrator: str,
    detector: str,
    shots: int,
    seed: int,
    step_size: float = 1e-3,
    is_stiff: bool = False,
    is_loose: bool = False,
) -> Volley:
    """Fire bullets of a shape; ``is_loose``: the plate moves, and can be pushed away."""
    rng = np.random.default_rng(seed)
    planar = shape in PLANAR
    thickness = rng.uniform(1e-3, 5e-3)
    fastest = FASTEST_STIFF if is_stiff else FASTEST
    model = scene(shape, thickness, fastest if is_stiff else 0.0, is_loose)
    batch = sc.Batch(model, shots, detector=detector, integrator=integrator, step_size=step_size)
    q, u, arrival = starts(rng, shots, planar, fastest, step_size, is_loose)
    batch.set_state(q=q, u=u)
    start = batch.energies()['kinetic']
    local = relative(batch, planar)
    passed = np.zeros(shots, dtype=bool)
    for _ in range(int(arrival / step_size) + AFTER):
        batch.step(1)
        before, local = local, relative(batch, planar)
        passed |= crosses(before, local)
    passed &= local[:, -1] < 0.0
    said = np.asarray(batch.diverged) != 0
    gained = (batch.energies()['kinetic'] - start) / start
    gained = gained[~said]
    return Volley(
        shots,
        int(passed.sum()),
        int((passed & ~said).sum()),
        int(said.sum()),
        float(gained.max(initial=-1.0)),
    )


def starts(
    rng: np.random.Generator,
    shots: int,
    planar: bool,
    fastest: float,
    step_size: float,
    is_loose: bool,
) -> tuple[Array, Array, float]:
    """Return states of plate and bullet that will meet, and the last time of arrival [s]."""
    width = 1 if planar else 2
    speed = np.exp(rng.uniform(np.log(SLOWEST), np.log(fastest), shots))
    velocity = np.zeros((shots, width + 1))
    velocity[:, :-1] = 0.35 * speed[:, None] * rng.uniform(-1.0, 1.0, (shots, width))
    velocity[:, -1] = -np.sqrt(speed**2 - (velocity[:, :-1] ** 2).sum(axis=1))
    way = 0.03 + rng.uniform(0.0, 1.0, shots) * speed * step_size
    flight = way / -velocity[:, -1]
    place = rng.uniform(-0.5, 0.5, (shots, width + 1)) - flight[:, None] * velocity
    place[:, -1] = way
    spin = rng.uniform(0.0, SPIN, shots)[:, None] * unit(rng.normal(size=(shots, 3)))
    turn = unit(rng.normal(size=(shots, 4)))
    plate = np.zeros((shots, 3)) if planar else np.tile([0.0, 0, 0, 0, 0, 0, 1], (shots, 1))
    still = np.zeros((shots, 3 if planar else 6))
    if is_loose:  # half of the speed is its own
        still[:, width] = -0.5 * velocity[:, -1]
        velocity[:, -1] *= 0.5
    if planar:
        angle = rng.uniform(-np.pi, np.pi, (shots, 1))
        bullet, motion = np.hstack([place, angle]), np.hstack([velocity, spin[:, 2:]])
    else:
        bullet, motion = np.hstack([place, turn]), np.hstack([in_body(turn, velocity), spin])
    if not is_loose:
        return bullet, motion, float(flight.max())
    return np.hstack([plate, bullet]), np.hstack([still, motion]), float(flight.max())


def unit(vectors: Array) -> Array:
    """Return vectors of length 1."""
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def in_body(attitude: Array, vector: Array) -> Array:
    """Return vectors of the world in body axes, of attitudes x, y, z, w."""
    axis = -attitude[:, :3]
    half = 2.0 * np.cross(axis, vector)
    return vector + attitude[:, 3:] * half + np.cross(axis, half)


def relative(batch: sc.Batch, planar: bool) -> Array:
    """Return where bullets are in the axes of their plates; the last number is across [m]."""
    poses = batch.body_poses
    plate, bullet = poses[:, -2], poses[:, -1]
    way = in_body(plate[:, 3:7], bullet[:, :3] - plate[:, :3])
    return way[:, :2] if planar else way


def crosses(before: Array, after: Array) -> NDArray[np.bool_]:
    """Return which bullets went through the middle of a plate, within its borders."""
    is_through = (before[:, -1] > 0.0) & (after[:, -1] <= 0.0)
    part = before[:, -1] / np.where(is_through, before[:, -1] - after[:, -1], 1.0)
    place = before + part[:, None] * (after - before)
    return is_through & (np.abs(place[:, :-1]) < HALF - 0.02).all(axis=1)


def scene(shape: str, thickness: float, stops: float, is_loose: bool) -> Any:
    """Return a model of a plate and a bullet; one that stops a speed [m/s] within the plate."""
    planar = shape in PLANAR
    half = [HALF] if planar else [HALF, HALF]
    plate: dict[str, Any] = {
        'shapes': [
            {
                'type': 'rectangle' if planar else 'box',
                'half_extents': [*half, 0.5 * thickness],
            }
        ]
    }
    bullet: dict[str, Any] = {
        'mass': MASS,
        'shapes': [(PLANAR if planar else SPATIAL)[shape]],
        'initial': {'position': [0.0, 0.5, 0.0] if planar else [0.0, 0.0, 0.5]},
    }
    plate |= {'mass': 2.0} if is_loose else {'fixed': True}
    model: dict[str, Any] = {
        'format_version': 1,
        'name': 'bullet',
        'dimension': 2 if planar else 3,
        'gravity': [0, 0, 0],
        'bodies': {'a': plate, 'b': bullet},
    }
    if stops > 0.0:
        # A corner alone has a quarter of the stiffness.
        energy = 4.0 * 0.5 * MASS * (1.1 * stops) ** 2
        stiffness = energy * (EXPONENT + 1) / thickness ** (EXPONENT + 1)
        model['materials'] = {
            'default': {'stiffness': stiffness, 'restitution': 0.6, 'impact_speed': 1.0}
        }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, 'bullet.yaml')
        path.write_text(yaml.safe_dump(model), encoding='utf-8')
        return sc.load_model(path)
