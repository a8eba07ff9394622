"""Trials of `contact_study.py` at the limits: lagging caps, large islands, a robot that lands."""

import math
from pathlib import Path
import tempfile
import time
from typing import Any

from contact_trials import FLOOR, H, scene, simulation
import numpy as np
from robot_scenes import robots_folder, SCENES
from robot_simulators import Ours

import symcontact_ros as sc


def lag(friction: float, stiffness: float) -> tuple[float, float, float, float]:
    """
    Return how far limits of friction are from mu F_N after the last update, for sliding rods.

    40 rods of 1 m and 1 kg that lean by 10 to 50 degrees slide over a floor at 0.3 to 6 m/s, with
    the end that touches ahead: friction presses that end down. The part of the steps in contact
    whose limits are off by more than 1e-4; by how much at most; the largest number of iterations
    in a step; the largest rise of mechanical energy [J].
    """
    touching, off, most, iterations, rise = 0, 0, 0.0, 0.0, 0.0
    for degrees in (10.0, 20.0, 30.0, 40.0, 50.0):
        for speed in (0.3, 1.0, 3.0, 6.0):
            for down in (0.0, 1.0):
                running = _rod(friction, stiffness, degrees, [-speed, 0.0, -down])
                start = running.energy().mechanical
                for _ in range(100):
                    running.step(1)
                    size, apart = _limits(running)
                    touching += size > 0.0
                    off += apart > 1e-4 * size
                    most = max(most, apart / max(size, apart, 1e-300))
                    rise = max(rise, running.energy().mechanical - start)
                iterations = max(iterations, running.counters['newton_largest'])
    return off / touching, most, iterations, rise


def _rod(friction: float, stiffness: float, degrees: float, velocity: Any) -> sc.Simulation:
    angle, half, radius = math.radians(degrees), 0.5, 0.02
    start = {'rpy': [0.0, angle, 0.0], 'velocity': velocity}
    start['position'] = [0.0, 0.0, half * math.cos(angle) + radius + 1e-6]
    shape = {'type': 'capsule', 'radius': radius, 'half_length': half}
    rod = {'mass': 1.0, 'shapes': [shape], 'initial': start}
    material = {'friction': friction, 'stiffness': stiffness, 'damping': 0.3}
    return simulation(scene({'floor': FLOOR, 'rod': rod}, **material), 'implicit')


def _limits(running: sc.Simulation) -> tuple[float, float]:
    """Return the sum of the normal forces of the last step [N], and how far limits are off."""
    solver = running.parts.live.memory.world.solver
    rows = [solver.rows[i] for i in range(solver.row_count)]
    off = sum(abs(row.force[0] - row.normal_force) for row in rows)
    return sum(row.force[0] for row in rows), off


def brick_wall(side: int, integrator: str, limit: float = 2.0) -> tuple[float, float, int]:
    """Return ms per step of a wall of side x side bricks that falls, and at rest; contacts."""
    moving = _steps(side, integrator, 0.3, 0, limit)
    resting = _steps(side, integrator, 0.0, 50, limit)
    return moving[0], *resting


def _steps(
    side: int, integrator: str, speed: float, before: int, limit: float
) -> tuple[float, int]:
    bodies: dict[str, Any] = {'floor': FLOOR}
    shape = {'type': 'box', 'half_extents': [0.1, 0.05, 0.05]}
    random = np.random.default_rng(0)
    for row in range(side):
        for i in range(side):
            place = [0.201 * i + 0.1 * (row % 2), 0.0, 0.05 + 0.0999 * row]
            start = {'position': place, 'velocity': (speed * random.normal(size=3)).tolist()}
            body = {'mass': 1.0, 'shapes': [shape], 'initial': start}
            bodies[f'brick{row:02d}_{i:02d}'] = body
    running = simulation(scene(bodies), integrator)
    running.step(max(1, before))
    started, made = time.process_time(), 0
    while made < 200 and time.process_time() - started < limit:
        running.step(10)
        made += 10
    return 1e3 * (time.process_time() - started) / made, len(running.contacts())


# A robot that lands -----------------------------------------------------------------------------

TERMS = ('kinetic', 'potential', 'elastic', 'dissipated', 'work_in', 'integration', 'residual')


def landing(
    integrator: str, height: float = 0.1, duration: float = 0.6, h: float = H
) -> tuple[Any, dict[str, Any]] | None:
    """Return times [s] and energies [J] of Go2, dropped with its servos on; None: no such file."""
    folder = robots_folder()
    if folder is None:
        return None
    with tempfile.TemporaryDirectory() as place:
        robot = Ours(SCENES['Go2'], folder, Path(place), 'rk4')
    running = simulation(robot.model, integrator, h)
    for joint, target in robot.targets.items():
        running.set_target(joint, target)
    q = running.q.copy()
    q[2] += height
    running.set_state(q=q)
    return _recorded(running, duration, h)


def _recorded(running: sc.Simulation, duration: float, h: float) -> tuple[Any, dict[str, Any]]:
    first = running.energy()
    times, rows = [], []
    for _ in range(round(duration / 2e-3)):
        energy = running.energy()
        times.append(running.time)
        rows.append([getattr(energy, term) for term in TERMS])
        running.step(round(2e-3 / h))
    columns = dict(zip(TERMS, np.array(rows).T, strict=True))
    columns['potential'] = columns['potential'] - first.potential
    for term in ('work_in', 'dissipated', 'integration', 'residual'):  # counted from here
        columns[term] = columns[term] - getattr(first, term)
    return np.array(times), columns
