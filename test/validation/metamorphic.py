"""Scenes that must move alike: mirrored, turned, in a moving frame, in other units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
import math
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from validation import case, Row, simulation, small

KINDS = {
    2: ('circle', 'rectangle', 'capsule', 'polygon'),
    3: ('sphere', 'box', 'capsule', 'box'),
}


@dataclass(frozen=True)
class Thing:
    """A body of a scene, in world axes."""

    kind: str
    sizes: Any  # lengths, or vertices
    mass: float
    position: np.ndarray
    attitude: np.ndarray  # rotation matrix
    velocity: np.ndarray
    spin: np.ndarray


@dataclass(frozen=True)
class Scene:
    """All that a run depends on."""

    dimension: int
    things: tuple[Thing, ...]
    gravity: np.ndarray
    normal: np.ndarray | None  # of the floor, through the origin
    stiffness: float
    damping: float
    friction: float
    slip_speed: float
    h: float
    steps: int = field(default=300)


@dataclass(frozen=True)
class End:
    """Where a run ended: rows are things."""

    positions: np.ndarray
    attitudes: np.ndarray
    velocities: np.ndarray
    spins: np.ndarray
    touched: bool


def random_scene(
    random: np.random.Generator, d: int, floor: bool, kinds: tuple[str, ...] = ()
) -> Scene:
    """Return one thing of every kind, on their way to each other."""
    kinds = kinds or KINDS[d]
    things = []
    for i, kind in enumerate(kinds):
        away = 2.0 * math.pi * (i + random.uniform(0.1, 0.4)) / len(kinds)
        reach = random.uniform(0.35, 0.45)
        place = np.array([reach * math.cos(away), reach * math.sin(away), 0.0])
        if d == 3:
            place[2] = random.uniform(-0.1, 0.1)
        velocity = -random.uniform(1.0, 2.0) * place / reach + random.normal(0.0, 0.1, 3)
        spin = random.normal(0.0, 2.0, 3)
        turn = Rotation.from_rotvec(random.normal(0.0, 1.5, 3))
        if d == 2:
            velocity[2], spin[:2] = 0.0, 0.0
            turn = Rotation.from_rotvec([0.0, 0.0, random.uniform(-3.0, 3.0)])
        sizes = _sizes(random, kind)
        mass = random.uniform(0.5, 2.0)
        things.append(Thing(kind, sizes, mass, place, turn.as_matrix(), velocity, spin))
    normal = None
    if floor:
        normal = np.array([0.0, 1.0, 0.0] if d == 2 else [0.0, 0.0, 1.0])
        things = [replace(t, position=t.position + 0.62 * normal) for t in things]
    gravity = random.normal(0.0, 3.0, 3) - 5.0 * (normal if floor else np.zeros(3))
    if d == 2:
        gravity[2] = 0.0
    damping, friction = random.uniform(0.0, 1.0), random.uniform(0.0, 0.8)
    return Scene(d, tuple(things), gravity, normal, 1e6, damping, friction, 0.1, 1e-3)


def _sizes(random: np.random.Generator, kind: str) -> Any:
    if kind in ('circle', 'sphere'):
        return random.uniform(0.1, 0.15)
    if kind in ('capsule', 'cylinder'):
        return random.uniform((0.05, 0.06), (0.08, 0.12))
    if kind == 'polygon':
        angles = np.linspace(0.0, 2.0 * math.pi, 5, endpoint=False) + random.uniform(0.0, 0.5, 5)
        return 0.15 * np.column_stack([np.cos(angles), np.sin(angles)])
    return random.uniform(0.08, 0.14, 2 if kind == 'rectangle' else 3)


def _shape(thing: Thing) -> dict[str, Any]:
    sizes = np.asarray(thing.sizes).tolist()
    if thing.kind in ('circle', 'sphere'):
        return {'type': thing.kind, 'radius': sizes}
    if thing.kind in ('capsule', 'cylinder'):
        return {'type': thing.kind, 'radius': sizes[0], 'half_length': sizes[1]}
    key = 'vertices' if thing.kind == 'polygon' else 'half_extents'
    return {'type': thing.kind, key: sizes}


def simulated(scene: Scene, **keys: Any) -> Any:
    """Return the simulation of a scene, at its start."""
    made = sc.Model('scene', dimension=scene.dimension, gravity=scene.gravity.tolist())
    made.add_material(
        'default',
        stiffness=scene.stiffness,
        damping=scene.damping,
        friction=scene.friction,
        slip_speed=scene.slip_speed,
    )
    if scene.normal is not None:
        shape = {'type': 'half_space', 'normal': scene.normal.tolist()}
        made.add_body('floor', fixed=True, shapes=[shape])
    for i, thing in enumerate(scene.things):
        turn = Rotation.from_matrix(thing.attitude)
        start: dict[str, Any] = {
            'position': thing.position.tolist(),
            'velocity': thing.velocity.tolist(),
        }
        if scene.dimension == 2:
            start |= {'angle': turn.as_rotvec()[2], 'angular_velocity': thing.spin[2]}
        else:
            start |= {
                'quaternion': turn.as_quat().tolist(),
                'angular_velocity': thing.spin.tolist(),
            }
        made.add_body(f'b{i}', mass=thing.mass, shapes=[_shape(thing)], initial=start)
    # Sub-steps off: a run and its twin must make the same steps, also next to a limit.
    return simulation(made, h=scene.h, **{'max_substeps': 1, **keys})


def end_of(scene: Scene, **keys: Any) -> End:
    """Run a scene."""
    running = simulated(scene, **keys)
    touched = False
    for _ in range(10):
        running.step(scene.steps // 10)
        touched |= bool(running.contacts())
    names = [f'b{i}' for i in range(len(scene.things))]
    poses, twists = running.poses(), running.twists()
    coms = running.snapshot().coms
    return End(
        np.array([coms[n] for n in names]),
        Rotation.from_quat([poses[n].quaternion for n in names]).as_matrix(),
        np.array([twists[n].linear for n in names]),
        np.array([twists[n].angular for n in names]),
        touched,
    )


# Changes: each returns the changed scene, and the function that changes an end alike -------------

Changed = tuple[Scene, Callable[[End], End]]


def mirrored(scene: Scene, random: np.random.Generator) -> Changed:
    """Mirror x."""
    s = np.diag([-1.0, 1.0, 1.0])

    def thing(t: Thing) -> Thing:
        sizes = t.sizes
        if t.kind == 'polygon':
            sizes = (t.sizes * [-1.0, 1.0])[::-1]
        return replace(
            t,
            sizes=sizes,
            position=s @ t.position,
            attitude=s @ t.attitude @ s,
            velocity=s @ t.velocity,
            spin=-s @ t.spin,
        )

    def ended(end: End) -> End:
        return End(
            end.positions @ s, s @ end.attitudes @ s, end.velocities @ s, -end.spins @ s, True
        )

    normal = None if scene.normal is None else s @ scene.normal
    things = tuple(map(thing, scene.things))
    return replace(scene, things=things, gravity=s @ scene.gravity, normal=normal), ended


def turned(scene: Scene, random: np.random.Generator) -> Changed:
    """Turn everything, gravity and floor included."""
    vector = random.normal(0.0, 1.0, 3) if scene.dimension == 3 else [0.0, 0.0, random.normal()]
    r = Rotation.from_rotvec(vector).as_matrix()

    def thing(t: Thing) -> Thing:
        return replace(
            t,
            position=r @ t.position,
            attitude=r @ t.attitude,
            velocity=r @ t.velocity,
            spin=r @ t.spin,
        )

    def ended(end: End) -> End:
        return End(
            end.positions @ r.T, r @ end.attitudes, end.velocities @ r.T, end.spins @ r.T, True
        )

    normal = None if scene.normal is None else r @ scene.normal
    things = tuple(map(thing, scene.things))
    return replace(scene, things=things, gravity=r @ scene.gravity, normal=normal), ended


def shifted(scene: Scene, random: np.random.Generator) -> Changed:
    """Look from a frame that moves at a constant velocity, from another place; no floor."""
    move, place = random.normal(0.0, 3.0, 3), random.normal(0.0, 2.0, 3)
    if scene.dimension == 2:
        move[2] = place[2] = 0.0
    things = tuple(
        replace(t, position=t.position + place, velocity=t.velocity + move) for t in scene.things
    )

    def ended(end: End) -> End:
        way = place + move * scene.h * scene.steps
        return replace(
            end, positions=end.positions + way, velocities=end.velocities + move, touched=True
        )

    return replace(scene, things=things), ended


def scaled(scene: Scene, random: np.random.Generator) -> Changed:
    """Measure in other units of length, time and mass."""
    length, time, mass = np.exp(random.uniform(-1.0, 1.0, 3))

    def thing(t: Thing) -> Thing:
        return replace(
            t,
            sizes=np.asarray(t.sizes) * length,
            mass=t.mass * mass,
            position=t.position * length,
            velocity=t.velocity * length / time,
            spin=t.spin / time,
        )

    def ended(end: End) -> End:
        return End(
            end.positions * length,
            end.attitudes,
            end.velocities * length / time,
            end.spins / time,
            True,
        )

    return (
        replace(
            scene,
            things=tuple(map(thing, scene.things)),
            gravity=scene.gravity * length / time**2,
            stiffness=scene.stiffness * mass / (time * length) ** 2,
            damping=scene.damping * time / length,
            slip_speed=scene.slip_speed * length / time,
            h=scene.h * time,
        ),
        ended,
    )


CHANGES = {'mirror': mirrored, 'turn': turned, 'moving frame': shifted, 'units': scaled}


def difference(seed: int, d: int, change: str, kinds: tuple[str, ...] = ()) -> tuple[float, bool]:
    """Return how far a changed scene ends from the changed end; and whether things touched."""
    random = np.random.default_rng([seed, d])
    scene = random_scene(random, d, floor=change != 'moving frame' and seed % 2 == 0, kinds=kinds)
    other, ended = CHANGES[change](scene, random)
    first = end_of(scene)
    expected, found = ended(first), end_of(other)
    scale = max(1.0, np.abs(expected.positions).max())
    speed = max(1.0, np.abs(expected.velocities).max())
    turn = max(1.0, np.abs(expected.spins).max())
    worst = max(
        np.abs(found.positions - expected.positions).max() / scale,
        np.abs(found.attitudes - expected.attitudes).max(),
        np.abs(found.velocities - expected.velocities).max() / speed,
        np.abs(found.spins - expected.spins).max() / turn,
    )
    return float(worst), first.touched


@case(
    'M13',
    'scenes that are mirrored, rotated, in a moving frame, in other units',
    'equal motion',
)
def metamorphic() -> list[Row]:
    rows = []
    for d in (2, 3):
        for change in CHANGES:
            found = [difference(seed, d, change) for seed in range(2)]
            worst = max(error for error, _ in found)
            rows.append(small(f'{d}D, {change}: largest difference', worst, 1e-9))
    return rows


SYMMETRIC = {
    'cylinder': {'type': 'cylinder', 'radius': 0.1, 'half_length': 0.1},
    'capsule': {'type': 'capsule', 'radius': 0.05, 'half_length': 0.1},
    'box': {'type': 'box', 'half_extents': [0.1, 0.1, 0.1]},
}
GROUNDS = {
    'half_space': {'type': 'half_space', 'normal': [0, 0, 1]},
    'box': {'type': 'box', 'half_extents': [9, 9, 0.2], 'pose': {'position': [0, 0, -0.2]}},
}


def out_of_plane(ground: str, tilt: float) -> dict[str, float]:
    """Return how fast things that fall tilted in the xz plane leave that plane, in 1 s."""
    made = sc.Model('symmetric', dimension=3)
    made.add_material('default', stiffness=1e7, damping=0.5, friction=0.4, slip_speed=0.05)
    made.add_body('ground', fixed=True, shapes=[GROUNDS[ground]])
    for i, (kind, shape) in enumerate(SYMMETRIC.items()):
        start = {'position': [4 * i - 4, 0, 0.2], 'rpy': [0, tilt, 0]}
        made.add_body(kind, mass=1.0, shapes=[shape], initial=start)
    running = simulation(made)
    worst = dict.fromkeys(SYMMETRIC, 0.0)
    for _ in range(20):
        running.step(50)
        for kind, twist in running.twists().items():
            if kind in worst:
                across = [twist.linear[1], twist.angular[0], twist.angular[2]]
                worst[kind] = max(worst[kind], float(np.abs(across).max()))
    return worst


@case(
    'M16',
    'a body that falls tilted in a plane of symmetry stays in it',
    'velocity and rotation out of the plane are 0',
)
def symmetric() -> list[Row]:
    rows = []
    for ground in GROUNDS:
        found = [out_of_plane(ground, tilt) for tilt in (0.05, 0.3, 1.0, 1.5)]
        for kind in SYMMETRIC:
            worst = max(run[kind] for run in found)
            # Two corners that should touch at once may do so a rounding apart: hence not quite 0.
            rows.append(small(f'{kind} on {ground}: out of the plane [m/s, rad/s]', worst, 1e-6))
    return rows
