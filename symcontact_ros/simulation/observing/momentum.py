"""Momentum of all that moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from symcontact_ros.expressions import evaluate, Values
from symcontact_ros.model.parts import Body
from symcontact_ros.simulation.equations.dynamics import Kinematics
from symcontact_ros.simulation.world.coordinates import inertia_of
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.types import Vector


@dataclass(frozen=True)
class Momentum:
    """Momentum of all that moves, about the world origin, world axes."""

    linear: Vector  # [kg m/s]
    angular: Vector  # [kg m^2/s]


def momentum_of(memory: WorldMemory, bodies: Mapping[str, Kinematics]) -> Momentum:
    """Return the momentum of a state; floating bodies have theirs in the state itself."""
    layout, state, values = memory.layout, memory.state, memory.values
    linear, angular = np.zeros(3), np.zeros(3)
    fixed = layout.model.grounded
    floating = {body.name: i for i, body in enumerate(layout.floating)}
    size = layout.space.STATE
    for body in layout.model.bodies:
        if body.name in fixed:
            continue
        mass = evaluate(body.mass, values)
        motion = bodies[body.name]
        centre, velocity = np.array(motion.com), np.array(motion.twist[:3])
        spin = _spin(body, motion, values)
        if body.name in floating:
            own = state[size * floating[body.name] : size * (floating[body.name] + 1)]
            if layout.is_planar:
                centre = np.array([own[0], own[1], 0.0])
                velocity = np.array([own[3], own[4], 0.0])
                spin = np.array([0.0, 0.0, evaluate(body.inertia[2], values) * own[5]])
            else:
                centre, velocity, spin = own[:3], own[7:10], own[10:13]
        linear = linear + mass * velocity
        angular = angular + np.cross(centre, mass * velocity) + spin
    return Momentum(linear, angular)


def _spin(body: Body, motion: Kinematics, values: Values) -> Vector:
    """Return the angular momentum of a body about its centre of mass."""
    rotation = np.reshape(motion.rotation, (3, 3))
    turn = np.array(motion.twist[3:])
    spin: Vector = rotation @ (inertia_of(body, values) @ (rotation.T @ turn))
    return spin
