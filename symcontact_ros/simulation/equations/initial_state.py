"""The state of a model as an array, and how it starts."""

from __future__ import annotations

import math

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body, COORDINATES, Placement, WORLD
from symcontact_ros.types import Vector


def initial_state(model: Model, values: Values) -> tuple[Vector, Vector]:
    """
    Return q and u at the start.

    Positions and velocities of ``initial`` are in world axes; on a parent that moves they are
    taken relative to the joint's own frame.
    """
    q: list[float] = []
    u: list[float] = []
    for body in model.moving:
        start = body.initial
        position, velocity = (
            evaluate_all(start.position, values),
            evaluate_all(start.velocity, values),
        )
        spin = np.array(evaluate_all(start.angular_velocity, values))
        quaternion = start.rotation.evaluated(values)
        if body.joint.type in ('revolute', 'prismatic'):
            q += position or (0.0,)
            u += velocity or (0.0,)
        elif body.joint.type == 'planar':
            frame = ground_pose(model, body, values)
            x, y, _ = _into(frame, np.array(position))
            vx, vy, _ = frame[0].T @ np.array(velocity)
            q += [x, y, 2.0 * math.atan2(quaternion[2], quaternion[3]) - _heading(frame[0])]
            u += [vx, vy, spin[2]]
        else:
            frame = ground_pose(model, body, values)
            attitude = frame[0].T @ matrix(quaternion)
            if body.joint.type == 'free':
                q += _into(frame, np.array(position)).tolist()
                u += (matrix(quaternion).T @ np.array(velocity)).tolist()
            q += quaternion_of(attitude).tolist()
            u += (matrix(quaternion).T @ spin).tolist()
    return np.array(q, dtype=float), np.array(u, dtype=float)


def ground_pose(model: Model, body: Body, values: Values) -> tuple[Vector, Vector]:
    """Return rotation and position, in the world, of a joint frame on fixed ground."""
    chain = [body]
    while chain[0].joint.parent != WORLD:
        parent = model.body(chain[0].joint.parent)
        if COORDINATES[parent.joint.type]:
            break  # a moving parent: its joint frame is the reference
        chain.insert(0, parent)
    rotation: Vector = np.eye(3)
    position: Vector = np.zeros(3)
    for link in chain:
        turn, shift = _pose(link.joint.origin, values)
        position = position + rotation @ shift
        rotation = rotation @ turn
    return rotation, position


def matrix(quaternion: tuple[float, ...]) -> Vector:
    """Return the rotation matrix of a unit quaternion x, y, z, w."""
    x, y, z, w = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_of(rotation: Vector) -> Vector:
    """Return the unit quaternion x, y, z, w with w >= 0 of a rotation matrix."""
    trace = rotation.trace()
    diagonal = np.array([*rotation.diagonal(), trace])
    k = int(np.argmax(diagonal))
    if k == 3:
        q = np.array(
            [
                rotation[2, 1] - rotation[1, 2],
                rotation[0, 2] - rotation[2, 0],
                rotation[1, 0] - rotation[0, 1],
                1.0 + trace,
            ]
        )
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        q = np.empty(4)
        q[k] = 1.0 + 2.0 * rotation[k, k] - trace
        q[i] = rotation[i, k] + rotation[k, i]
        q[j] = rotation[j, k] + rotation[k, j]
        q[3] = rotation[j, i] - rotation[i, j]
    q /= np.linalg.norm(q)
    return -q if q[3] < 0.0 else q


def normalise(model: Model, q: Vector) -> None:
    """Make the quaternions in q unit again, in place."""
    at = 0
    for body in model.moving:
        count = COORDINATES[body.joint.type]
        if body.joint.type in ('free', 'spherical'):
            part = q[at + count - 4 : at + count]
            part /= np.linalg.norm(part)
        at += count


def _pose(placement: Placement, values: Values) -> tuple[Vector, Vector]:
    position = np.array(evaluate_all(placement.position, values))
    return matrix(placement.rotation.evaluated(values)), position


def _into(frame: tuple[Vector, Vector], point: Vector) -> Vector:
    rotation, position = frame
    return rotation.T @ (point - position)


def _heading(rotation: Vector) -> float:
    return math.atan2(rotation[1, 0], rotation[0, 0])
