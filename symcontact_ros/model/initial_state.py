"""The state of a model as an array, and how it starts."""

from __future__ import annotations

from functools import partial
import math
from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.placements import matrix, Placement
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.model.model import Model

INSIDE = 1e-9  # of the range of a joint: how far from its stop one starts that would be beyond it


def initial_state(model: Model, values: Values) -> tuple[Vector, Vector]:
    """
    Return q and u at the start.

    Positions and velocities of ``initial`` are in world axes; on a parent that moves they are
    taken relative to the joint's own frame. A body without ``initial`` starts at q = 0, and no
    joint beyond its stops.
    """
    q: list[float] = []
    u: list[float] = []
    for body in model.moving:
        frame = partial(ground_pose, model, body, values) if body.initial.is_given else _no_frame
        own_q, own_u = body.joint.kind.start(body.initial, values, frame)
        q += [within_limits(body, own_q[0], values)] if body.joint.limits is not None else own_q
        u += own_u
    return np.array(q, dtype=float), np.array(u, dtype=float)


def _no_frame() -> tuple[Vector, Vector]:
    """Return the joint frame as seen from itself."""
    return np.eye(3), np.zeros(3)


def within_limits(body: Body, position: float, values: Values) -> float:
    """Return a position of the joint of a body [rad or m]; beyond a stop: just inside of it."""
    if body.joint.limits is None:
        return position
    lower, upper = evaluate_all((body.joint.limits.lower, body.joint.limits.upper), values)
    if lower <= position <= upper:
        return position
    # A servo that holds the joint there must not touch the stop again and again.
    inside = INSIDE * (upper - lower) if upper - lower < math.inf else 0.0
    return lower + inside if position < lower else upper - inside


def ground_pose(model: Model, body: Body, values: Values) -> tuple[Vector, Vector]:
    """Return rotation and position, in the world, of a joint frame on fixed ground."""
    chain = [body]
    while chain[0].joint.parent != WORLD:
        parent = model.body(chain[0].joint.parent)
        if not parent.joint.kind.is_fixed:
            break  # a moving parent: its joint frame is the reference
        chain.insert(0, parent)
    rotation: Vector = np.eye(3)
    position: Vector = np.zeros(3)
    for link in chain:
        turn, shift = _pose(link.joint.origin, values)
        position = position + rotation @ shift
        rotation = rotation @ turn
    return rotation, position


def normalise(model: Model, q: Vector) -> None:
    """Make the quaternions in q unit again, in place; ValueError: one has no direction."""
    at = 0
    for body in model.moving:
        kind = body.joint.kind
        if kind.quaternion_at is not None:
            part = q[at + kind.quaternion_at : at + kind.quaternion_at + 4]
            length = np.linalg.norm(part)
            if length == 0.0:
                raise ValueError(f'the quaternion of {body.name} is zero')
            part /= length
        at += kind.coordinates


def _pose(placement: Placement, values: Values) -> tuple[Vector, Vector]:
    position = np.array(evaluate_all(placement.position, values))
    return matrix(placement.rotation.evaluated(values)), position
