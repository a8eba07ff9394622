"""Jacobians in numbers, from the poses of the joints in the world."""

from __future__ import annotations

import numpy as np

from symcontact_ros.model.expressions import evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body, Placement, SPEEDS, WORLD
from symcontact_ros.simulation.dynamics import Dynamics, Kinematics
from symcontact_ros.simulation.state import matrix
from symcontact_ros.types import Vector


def numeric_jacobian(dynamics: Dynamics, frame: str, q: Vector, u: Vector) -> Vector:
    """Return the 6 x nu Jacobian of a body's origin or of a site, world axes."""
    model = dynamics.model
    body, placement = frame_of(model, frame)
    motions = dynamics.kinematics(q, u)
    jacobian = np.zeros((6, len(u)))
    if body.name not in motions:
        return jacobian  # it never moves
    here = motions[body.name]
    offset = np.array(evaluate_all(placement.position, model.parameters))
    point = np.array(here.position) + np.reshape(here.rotation, (3, 3)) @ offset
    first = dict(zip(model.body_names, _first_speeds(model), strict=True))
    at: Body | None = body
    while at is not None:
        own = slice(first[at.name], first[at.name] + SPEEDS[at.joint.type])
        if SPEEDS[at.joint.type]:
            linear, angular = joint_columns(at, motions, model.parameters)
            arm = point - np.array(motions[at.name].position)
            jacobian[:3, own] = linear + np.cross(angular, arm, axisa=0, axisc=0)
            jacobian[3:, own] = angular
        at = model.body(at.joint.parent) if at.joint.parent != WORLD else None
    return jacobian


def frame_of(model: Model, frame: str) -> tuple[Body, Placement]:
    """Return the body that a frame is on, and where; KeyError lists the frames there are."""
    for body in model.bodies:
        if body.name == frame:
            return body, Placement()
        if frame in body.sites:
            return body, body.sites[frame]
    known = [*model.body_names, *(site for body in model.bodies for site in body.sites)]
    raise KeyError(f'no body or site {frame!r}; there are: {", ".join(known)}')


def _first_speeds(model: Model) -> list[int]:
    counts = [SPEEDS[body.joint.type] for body in model.bodies]
    return [sum(counts[:i]) for i, _ in enumerate(counts)]


def joint_columns(
    body: Body, motions: dict[str, Kinematics], values: Values
) -> tuple[Vector, Vector]:
    """Return linear and angular velocity of the body origin per unit of each speed."""
    attitude = np.reshape(motions[body.name].rotation, (3, 3))
    none = np.zeros((3, 3))
    kind = body.joint.type
    if kind == 'free':
        return np.hstack([attitude, none]), np.hstack([none, attitude])
    if kind == 'spherical':
        return none, attitude
    if kind == 'planar':
        plane = _joint_attitude(body, motions, values)
        zero = np.zeros((3, 1))
        return np.hstack([plane[:, :2], zero]), np.hstack([zero, zero, plane[:, 2:]])
    axis = (attitude @ np.array(body.joint.axis, dtype=float))[:, None]
    return (axis, 0.0 * axis) if kind == 'prismatic' else (0.0 * axis, axis)


def _joint_attitude(body: Body, motions: dict[str, Kinematics], values: Values) -> Vector:
    """Return the axes of a planar joint: those of the body, turned back to its parent's."""
    attitude = np.eye(3)
    if body.joint.parent in motions:
        attitude = np.reshape(motions[body.joint.parent].rotation, (3, 3))
    turn = matrix(body.joint.origin.rotation.evaluated(values))
    joint: Vector = attitude @ turn
    return joint
