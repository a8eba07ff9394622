"""Settings of a page beyond its engine: view, masses, ranges of commands."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np

from symcontact_ros.errors import DivergenceError
from symcontact_ros.expressions import evaluate, evaluate_all, Formula
from symcontact_ros.model.initial_state import ground_pose
from symcontact_ros.model.joint_places import JointPlaces
from symcontact_ros.model.parts import Body
from symcontact_ros.placements import matrix
from symcontact_ros.shapes.base import number, numbers
from symcontact_ros.shapes.half_space import HalfSpace
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

SAMPLES = 60  # of the run
LONGEST = 20.0  # [s] of a timeline without an end
LOOKED_AT = 8.0  # [s] of the run, at most, to find what is to be seen
FARTHEST = 20.0  # times the size at the start: what flies farther is not followed
SMALLEST = 0.1  # [m] of a view


def page_model(sim: Simulation, text: str = '') -> dict[str, Any]:
    """Return what a page with an engine shows; ``text`` says in a line what it is of."""
    return {
        **shown_model(sim, LOOKED_AT),
        'text': text,
        'masses': [_mass(sim, body) for body in sim.model.bodies],
        'slots': _slots(sim),
    }


def shown_model(sim: Simulation, seconds: float) -> dict[str, Any]:
    """Return what any page shows; the camera is to see so much of the run, 0: the start."""
    model = sim.model
    duration = model.duration if math.isfinite(model.duration) else LONGEST
    box, balls = _view(sim, min(duration, seconds))
    return {
        'duration': duration,
        'view': {'box': box, 'balls': balls},
        'effortRanges': _effort_ranges(sim),
        'targetRanges': _target_ranges(sim),
    }


def _mass(sim: Simulation, body: Body) -> float | str:
    """Return the mass of a body [kg], or the live symbol that it is."""
    if body.name in sim.model.grounded:
        return 0.0
    if isinstance(body.mass, Formula) and body.mass.operation == 'name':
        return str(body.mass.arguments[0])
    return evaluate(body.mass, sim.parameters)


# The view ----------------------------------------------------------------------------------------


def _view(sim: Simulation, seconds: float) -> tuple[list[float], list[list[float]]]:
    """
    Return what the camera is to see.

    A box around the run, x, y, z of two corners [m]; balls around bodies, at some times.
    """
    run = copy.copy(sim)
    run.reset()
    reaches = np.minimum(run.parts.live.memory.image['bodies']['reach'], 1e3)
    moving = [i for i, b in enumerate(run.model.bodies) if b.name not in run.model.grounded]
    low, high = np.full(3, math.inf), np.full(3, -math.inf)
    balls: list[list[float]] = []
    limit = math.inf
    for sample in range(SAMPLES + 1):
        centres = _centres(run)
        for i in moving:
            reach = max(float(reaches[i]), 1e-3)
            if np.max(np.abs(centres[i] - centres[moving[0]])) > limit:
                continue
            low, high = np.minimum(low, centres[i] - reach), np.maximum(high, centres[i] + reach)
            if sample % 10 == 0:
                balls.append([round(float(x), 4) for x in (*centres[i], reach)])
        if sample == 0:
            size = float(np.max(high - low)) if moving else 1.0
            limit = FARTHEST * max(size, SMALLEST)
        if seconds <= 0.0:
            break
        try:
            run.step(max(1, round(seconds / SAMPLES / run.step_size)))
        except DivergenceError:
            break
    if not moving:
        low, high = np.full(3, -1.0), np.full(3, 1.0)
    low, high = _with_planes(run, low, high)
    thin = np.maximum(SMALLEST - (high - low), 0.0) / 2.0
    return [*(low - thin).tolist(), *(high + thin).tolist()], balls


def _centres(sim: Simulation) -> Vector:
    """Return the centres of mass of all bodies (n, 3)."""
    coms = [evaluate_all(body.com, sim.parameters) for body in sim.model.bodies]
    poses = sim.body_poses
    return np.array(
        [p[:3] + matrix(tuple(p[3:])) @ np.array(c) for p, c in zip(poses, coms, strict=True)]
    ).reshape(-1, 3)


def _with_planes(sim: Simulation, low: Vector, high: Vector) -> tuple[Vector, Vector]:
    """Return a box with the surfaces of half-spaces near by, and a little of what is behind."""
    size, middle = float(np.linalg.norm(high - low)), (low + high) / 2.0
    behind = 0.05 * size if sim.model.dimension == 2 else 0.0
    for owner, placed in sim.parts.live.memory.layout.placed:
        shape = placed.shape.evaluated(sim.parameters)
        if not isinstance(shape, HalfSpace):
            continue
        body = sim.model.bodies[owner]
        rotation, position = ground_pose(sim.model, body, sim.parameters)
        normal = rotation @ np.array(numbers(list(shape.normal)))
        gap = float(normal @ (middle - position)) - number(shape.offset)
        if abs(gap) < size:
            foot = middle - (gap + behind) * normal
            low, high = np.minimum(low, foot), np.maximum(high, foot)
    return low, high


# Commands and coordinates ------------------------------------------------------------------------


def _slots(sim: Simulation) -> dict[str, int]:
    """Return where the state has coordinates and speeds as they are, by their symbols."""
    from symcontact_ros.symbolic.naming import names_of

    layout, model = sim.parts.live.memory.layout, sim.model
    names = names_of(model)
    slots = {names.q[q].name: at for q, at in layout.state_of_q.items()}
    slots |= {names.u[u].name: at for u, at in layout.state_of_u.items()}
    floating = {body.name: i for i, body in enumerate(layout.floating)}
    q, u = 0, 0
    for body in model.moving:
        kind = body.joint.kind
        if body.name in floating and model.dimension == 2 and _is_plain(sim, body):
            start = layout.space.STATE * floating[body.name]
            slots |= {names.q[q + k].name: start + k for k in range(3)}
            slots |= {names.u[u + k].name: start + 3 + k for k in range(3)}
        q, u = q + kind.coordinates, u + kind.speeds
    return slots


def _is_plain(sim: Simulation, body: Body) -> bool:
    """Return whether a body's origin is its centre of mass, and its joint's frame the world's."""
    rotation, position = ground_pose(sim.model, body, sim.parameters)
    com = evaluate_all(body.com, sim.parameters)
    return bool(not any(com) and not position.any() and (rotation == np.eye(3)).all())


def _effort_ranges(sim: Simulation) -> dict[str, float]:
    """Return the largest effort of a slider, by joint [N m or N]."""
    total = sum(
        evaluate(body.mass, sim.parameters)
        for body in sim.model.bodies
        if body.name not in sim.model.grounded
    )
    ranges = {}
    for body in sim.model.jointed:
        limit = evaluate(body.joint.effort_limit, sim.parameters)
        ranges[body.joint.name] = limit if math.isfinite(limit) else _round(10.0 * total)
    return ranges


def _round(effort: float) -> float:
    """Return a number in one digit."""
    return float(f'{max(effort, 1e-3):.0e}')


def _target_ranges(sim: Simulation) -> dict[str, dict[str, float]]:
    """Return lowest, highest and first target of a slider, by joint with a servo [rad or m]."""
    values, ranges = sim.parameters, {}
    places = JointPlaces(sim.model)
    start = copy.copy(sim)
    start.reset()
    for body in sim.model.jointed:
        joint = body.joint
        if joint.servo is None or not joint.is_driven:
            continue
        here = float(start.q[places.q[body.name].start])
        around = math.pi if joint.kind.unit == 'rad' else 0.5
        lower, upper = here - around, here + around
        if joint.limits is not None:
            lower = max(lower, evaluate(joint.limits.lower, values))
            upper = min(upper, evaluate(joint.limits.upper, values))
        target = here if joint.servo.target is None else evaluate(joint.servo.target, values)
        ranges[joint.name] = {'min': lower, 'max': upper, 'value': target}
    return ranges
