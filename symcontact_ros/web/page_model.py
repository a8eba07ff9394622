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
LOOKED_AT = 8.0  # [s] of the run, at least, to find what is to be seen
LONGEST_LOOK = 30.0  # [s], of few bodies
LOOKED_AT_OF_BODIES = 300.0  # [s] over the number of bodies, in between
FARTHEST = 20.0  # times the size at the start: what flies farther is not followed
SMALLEST = 0.1  # [m] of a view
SMALLEST_REACH, FARTHEST_REACH = 1e-3, 1e3  # [m]


def page_model(sim: Simulation, text: str = '') -> dict[str, Any]:
    """Return what a page with an engine shows; ``text`` says in a line what it is of."""
    return {
        **shown_model(sim),
        'view': _view(sim),
        'text': text,
        'masses': [_mass(sim, body) for body in sim.model.bodies],
        'slots': _slots(sim),
    }


def shown_model(sim: Simulation) -> dict[str, Any]:
    """Return what any page shows, also of a run whose future nobody knows."""
    return {
        'duration': _duration(sim),
        'rods': _rods(sim),
        'effortRanges': _effort_ranges(sim),
        'targetRanges': _target_ranges(sim),
    }


def _duration(sim: Simulation) -> float:
    return sim.model.duration if math.isfinite(sim.model.duration) else LONGEST


def _mass(sim: Simulation, body: Body) -> float | str:
    """Return the mass of a body [kg], or the live symbol that it is."""
    if body.name in sim.model.grounded:
        return 0.0
    if isinstance(body.mass, Formula) and body.mass.operation == 'name':
        return str(body.mass.arguments[0])
    return evaluate(body.mass, sim.parameters)


def _rods(sim: Simulation) -> dict[str, float]:
    """
    Return how far bodies without shapes go on beyond their centres of mass, by name.

    In the length from the joint to there, such that uniform rods of these lengths have the inertia
    of the bodies: 1 for a rod that hangs on its end, 0 for a point on a string.
    """
    rods = {}
    for body in sim.model.bodies:
        com = np.array(evaluate_all(body.com, sim.parameters))
        mass, length = evaluate(body.mass, sim.parameters), float(np.linalg.norm(com))
        if body.shapes or body.name in sim.model.grounded or mass <= 0.0 or length <= 0.0:
            continue
        xx, yy, zz, xy, xz, yz = evaluate_all(body.inertia, sim.parameters)
        along = com / length
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        across = (
            zz if sim.model.dimension == 2 else (np.trace(inertia) - along @ inertia @ along) / 2
        )
        rods[body.name] = math.sqrt(max(0.0, 3.0 * across / mass)) / length
    return rods


# The view ----------------------------------------------------------------------------------------


def _view(sim: Simulation) -> dict[str, Any]:
    """
    Return what the camera is to see of a run that is known ahead.

    A box around it, x, y, z of two corners [m]; balls around bodies, at some times.
    """
    looked_at = max(LOOKED_AT, min(LONGEST_LOOK, LOOKED_AT_OF_BODIES / len(sim.model.bodies)))
    seconds = min(_duration(sim), looked_at)
    run = copy.copy(sim)
    run.reset()
    reaches = _reaches(run)
    moving = [i for i, b in enumerate(run.model.bodies) if b.name not in run.model.grounded]
    moving = [i for i in moving if reaches[i] > 0.0] or moving  # what is no more than a point
    low, high = np.full(3, math.inf), np.full(3, -math.inf)
    balls: list[list[float]] = []
    limit = math.inf
    for sample in range(SAMPLES + 1):
        centres = _centres(run)
        for i in moving:
            reach = max(reaches[i], SMALLEST_REACH)
            if np.max(np.abs(centres[i] - centres[moving[0]])) > limit:
                continue
            low, high = np.minimum(low, centres[i] - reach), np.maximum(high, centres[i] + reach)
            if sample % 10 == 0:
                balls.append([round(float(x), 4) for x in (*centres[i], reach)])
        if sample == 0:
            size = float(np.max(high - low)) if moving else 1.0
            limit = FARTHEST * max(size, SMALLEST)
        try:
            run.step(max(1, round(seconds / SAMPLES / run.step_size)))
        except DivergenceError:
            break
    if not moving:
        low, high = np.full(3, -1.0), np.full(3, 1.0)
    low, high = _with_planes(run, low, high)
    thin = np.maximum(SMALLEST - (high - low), 0.0) / 2.0
    return {'box': [*(low - thin).tolist(), *(high + thin).tolist()], 'balls': balls}


def _reaches(sim: Simulation) -> list[float]:
    """Return how far bodies reach [m]; those without shapes are drawn as rods to their joints."""
    bodies, centres, poses = sim.model.bodies, _centres(sim), sim.body_poses
    known = np.minimum(sim.parts.live.memory.image['bodies']['reach'], FARTHEST_REACH)
    reaches, longer = [], _rods(sim)
    for i, (body, reach) in enumerate(zip(bodies, known, strict=True)):
        ends = [i, *(k for k, other in enumerate(bodies) if other.joint.parent == body.name)]
        rods = [float(np.linalg.norm(poses[k][:3] - centres[i])) for k in ends]
        beyond = longer.get(body.name, 0.0) * rods[0]
        reaches.append(float(reach) if reach > 0.0 else max(beyond, *rods))
    return reaches


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
