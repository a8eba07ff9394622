"""Angles of the bodies of a planar model."""

from __future__ import annotations

import math

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.joint_places import JointPlaces
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import WORLD
from symcontact_ros.types import Vector


def planar_angles(model: Model, q: Vector, values: Values) -> dict[str, float]:
    """
    Return the angle [rad] of every body in the world, by name, at coordinates q.

    The angles are sums of coordinates, so that they are continuous: they do not jump from pi to
    -pi, however fast a body turns.
    """
    angles, places = {WORLD: 0.0}, JointPlaces(model)
    for body in model.bodies:
        joint = body.joint
        _, _, z, w = joint.origin.rotation.evaluated(values)
        turn = 2.0 * math.atan2(z, w)
        own = places.coordinates(body, q, values).tolist()
        turn += joint.kind.planar_angle(own, evaluate_all(joint.axis, values))
        angles[body.name] = angles[joint.parent] + turn
    del angles[WORLD]
    return angles
