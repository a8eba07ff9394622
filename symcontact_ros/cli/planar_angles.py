"""Angles of the bodies of a planar model."""

from __future__ import annotations

import math

from symcontact_ros.expressions import evaluate, Values
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import COORDINATES, WORLD
from symcontact_ros.types import Vector


def planar_angles(model: Model, q: Vector, values: Values) -> dict[str, float]:
    """
    Return the angle [rad] of every body in the world, by name, at coordinates q.

    The angles are sums of coordinates, so that they are continuous: they do not jump from pi to
    -pi, however fast a body turns.
    """
    angles, first = {WORLD: 0.0}, 0
    for body in model.bodies:
        joint = body.joint
        _, _, z, w = joint.origin.rotation.evaluated(values)
        turn = 2.0 * math.atan2(z, w)
        if joint.type == 'revolute':
            turn += evaluate(joint.axis[2], values) * float(q[first])  # about z or -z
        elif joint.type == 'planar':
            turn += float(q[first + 2])
        angles[body.name] = angles[joint.parent] + turn
        first += COORDINATES[joint.type]
    del angles[WORLD]
    return angles
