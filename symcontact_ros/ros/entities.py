"""Bodies as others see them: a pose and a twist of the origin, in the world."""

from __future__ import annotations

import numpy as np

from symcontact_ros.errors import OptionError
from symcontact_ros.model.parts import COORDINATES, SPEEDS, WORLD
from symcontact_ros.simulation.instants import cross, Instant
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.simulation.state import ground_pose, matrix, quaternion_of
from symcontact_ros.types import Vector

Numbers = tuple[float, ...]


def body_state(instant: Instant, row: int) -> tuple[Vector, Vector, Vector, Vector]:
    """Return position, quaternion, velocity of the origin and rate of turn, in world axes."""
    arms = instant.position - instant.com
    velocity = instant.velocity + cross(instant.rate, arms)
    return instant.position[row], instant.quaternion[row], velocity[row], instant.rate[row]


def place_body(
    simulation: Simulation,
    name: str,
    pose: tuple[Numbers, Numbers] | None,
    twist: tuple[Numbers, Numbers] | None,
) -> None:
    """
    Put a body somewhere, and in motion; None leaves as it is.

    Parameters
    ----------
    simulation
        Whose state is changed.
    name
        A body on a free or planar joint in the world: others are where their joints say.
    pose
        Position [m] and quaternion x, y, z, w of the origin.
    twist
        Velocity of the origin [m/s] and rate of turn [rad/s], world axes.

    """
    body = simulation.model.body(name)
    if body.joint.type not in ('free', 'planar') or body.joint.parent != WORLD:
        raise OptionError(f'{name} does not move by itself: set its joints instead')
    q, u = simulation.q, simulation.u
    at_q, at_u = _places(simulation, name)
    axes, origin = ground_pose(simulation.model, body, simulation.parameters)
    if pose is not None:
        place = axes.T @ (np.array(pose[0]) - origin)
        length = np.linalg.norm(pose[1])
        if not (np.isfinite(place).all() and 0.5 < length < 2.0):
            raise OptionError('a pose needs finite numbers and a unit quaternion')
        attitude = axes.T @ matrix(tuple(np.array(pose[1]) / length))
        if body.joint.type == 'free':
            q[at_q : at_q + 7] = *place, *quaternion_of(attitude)
        else:
            q[at_q : at_q + 3] = place[0], place[1], np.arctan2(attitude[1, 0], attitude[0, 0])
    if twist is not None:
        velocity, rate = axes.T @ np.array(twist[0]), axes.T @ np.array(twist[1])
        if body.joint.type == 'free':
            attitude = matrix(tuple(q[at_q + 3 : at_q + 7]))
            u[at_u : at_u + 6] = *(attitude.T @ velocity), *(attitude.T @ rate)
        else:
            u[at_u : at_u + 3] = velocity[0], velocity[1], rate[2]
    simulation.set_state(q=q, u=u)


def _places(simulation: Simulation, name: str) -> tuple[int, int]:
    """Return where q and u of a body begin."""
    at_q = at_u = 0
    for body in simulation.model.moving:
        if body.name == name:
            break
        at_q += COORDINATES[body.joint.type]
        at_u += SPEEDS[body.joint.type]
    return at_q, at_u
