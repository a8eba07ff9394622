"""What a simulation tells of an instant, from the numbers of the collision tests."""

from __future__ import annotations

import numpy as np

from symcontact_ros.model.expressions import evaluate_all, Values
from symcontact_ros.model.parts import Placement
from symcontact_ros.simulation.dynamics import Kinematics
from symcontact_ros.simulation.interaction import Touch
from symcontact_ros.simulation.state import matrix, quaternion_of
from symcontact_ros.types import Contact, PairState, Pose, Proximity, Vector, vector, Wrench


def pose_of(body: Kinematics) -> Pose:
    """Return the pose of a body's origin."""
    return Pose(vector(body.position), quaternion_of(np.reshape(body.rotation, (3, 3))))


def placed_on(body: Pose, placement: Placement, values: Values) -> Pose:
    """Return the pose of a frame that is fixed to a body."""
    attitude = matrix(tuple(body.quaternion))
    shift = vector(evaluate_all(placement.position, values))
    turn = matrix(placement.rotation.evaluated(values))
    return Pose(body.position + attitude @ shift, quaternion_of(attitude @ turn))


def pair_state(body_a: str, body_b: str, touches: list[Touch]) -> PairState:
    """Return what two bodies do to each other, from the touches of their shapes."""
    proximities = tuple(_proximity(touch.gap) for touch in touches)
    contacts = tuple(
        Contact(body_a, body_b, p.point, p.normal, p.distance, vector([touch.fx, touch.fy, 0.0]))
        for p, touch in zip(proximities, touches, strict=True)
        if p.distance < 0.0
    )
    nearest = min(proximities, key=lambda p: p.distance)
    point: Vector = nearest.point
    force: Vector = np.zeros(3)
    torque: Vector = np.zeros(3)
    weights = [float(np.linalg.norm(contact.force)) for contact in contacts]
    if sum(weights) > 0.0:
        point = np.average([contact.point for contact in contacts], axis=0, weights=weights)
    for contact in contacts:
        force = force + contact.force
        torque = torque + np.cross(contact.point - point, contact.force)
    return PairState(body_a, body_b, proximities, contacts, point, Wrench(force, torque))


def _proximity(gap: tuple[float, ...]) -> Proximity:
    distance, nx, ny, ax, ay, bx, by = gap
    return Proximity(distance, vector([nx, ny, 0]), vector([ax, ay, 0]), vector([bx, by, 0]))
