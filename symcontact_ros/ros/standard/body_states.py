"""States of bodies for simulation_interfaces: pose and twist of the origin, in the world."""

from __future__ import annotations

import numpy as np

from symcontact_ros.errors import OptionError
from symcontact_ros.model.parts import COORDINATES, SPEEDS, WORLD
from symcontact_ros.simulation.equations.initial_state import ground_pose, matrix, quaternion_of
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

Numbers = tuple[float, ...]
FLAT = 1e-6  # [m] and [1]: tolerance of a pose out of the plane of a planar joint


class PoseError(OptionError):
    """A pose that is not possible for a body."""


def body_state(instant: Instant, row: int) -> tuple[Vector, Vector, Vector, Vector]:
    """Return position, quaternion, velocity of the origin and rate of turn, in world axes."""
    velocity = instant.origin_velocity[row]
    return instant.position[row], instant.quaternion[row], velocity, instant.rate[row]


def place_body(
    simulation: Simulation,
    name: str,
    pose: tuple[Numbers, Numbers] | None,
    twist: tuple[Numbers, Numbers] | None,
) -> None:
    """
    Set pose and twist of a body; None leaves them unchanged.

    Parameters
    ----------
    simulation
        Whose state is changed.
    name
        A body with a free or planar joint to the world.
    pose
        Position [m] and quaternion x, y, z, w of the origin.
    twist
        Velocity of the origin [m/s] and rate of turn [rad/s], world axes.

    """
    body = simulation.model.body(name)
    if body.joint.type == 'fixed':
        raise OptionError(f'{name} is fixed')
    if body.joint.type not in ('free', 'planar') or body.joint.parent != WORLD:
        raise OptionError(f'{name} is held by its joint: its pose cannot be set')
    q, u = simulation.q, simulation.u
    at_q, at_u = _first_indices(simulation, name)
    axes, origin = ground_pose(simulation.model, body, simulation.parameters)
    if pose is not None:
        place, attitude = _checked(pose)
        place, attitude = axes.T @ (place - origin), axes.T @ attitude
        if body.joint.type == 'free':
            q[at_q : at_q + 7] = *place, *quaternion_of(attitude)
        elif abs(place[2]) > FLAT or attitude[2, 2] < 1.0 - FLAT:
            raise PoseError(f'{name} moves in a plane: z must be 0, and it turns about z only')
        else:
            q[at_q : at_q + 3] = place[0], place[1], np.arctan2(attitude[1, 0], attitude[0, 0])
    if twist is not None:
        if not np.isfinite(twist).all():
            raise OptionError('a twist must have finite numbers')
        velocity, rate = axes.T @ np.array(twist[0]), axes.T @ np.array(twist[1])
        if body.joint.type == 'free':
            attitude = matrix(tuple(q[at_q + 3 : at_q + 7]))
            u[at_u : at_u + 6] = *(attitude.T @ velocity), *(attitude.T @ rate)
        else:
            u[at_u : at_u + 3] = velocity[0], velocity[1], rate[2]
    simulation.set_state(q=q, u=u)


def _checked(pose: tuple[Numbers, Numbers]) -> tuple[Vector, Vector]:
    """Return position and rotation matrix of a pose in a message."""
    length = np.linalg.norm(pose[1])
    if not (np.isfinite(pose[0]).all() and 0.5 < length < 2.0):
        raise PoseError('a pose must have finite numbers and a unit quaternion')
    return np.array(pose[0]), matrix(tuple(np.array(pose[1]) / length))


def _first_indices(simulation: Simulation, name: str) -> tuple[int, int]:
    """Return the first indices of a body in q and u."""
    at_q = at_u = 0
    for body in simulation.model.moving:
        if body.name == name:
            break
        at_q += COORDINATES[body.joint.type]
        at_u += SPEEDS[body.joint.type]
    return at_q, at_u
