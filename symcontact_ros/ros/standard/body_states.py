"""States of bodies for simulation_interfaces: pose and twist of the origin, in the world."""

from __future__ import annotations

import numpy as np

from symcontact_ros.errors import OptionError
from symcontact_ros.model.initial_state import ground_pose
from symcontact_ros.model.parts import WORLD
from symcontact_ros.placements import matrix
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

Numbers = tuple[float, ...]
Quaternion = tuple[float, float, float, float]  # x, y, z, w


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
    kind = body.joint.kind
    if kind.is_fixed:
        raise OptionError(f'{name} is fixed')
    if not kind.can_be_placed or body.joint.parent != WORLD:
        raise OptionError(f'{name} is held by its joint: its pose cannot be set')
    q, u = simulation.q, simulation.u
    own_q, own_u = _slices(simulation, name)
    axes, origin = ground_pose(simulation.model, body, simulation.parameters)
    if pose is not None:
        place, turn = checked_pose(pose)
        attitude = matrix(turn)
        try:
            q[own_q] = kind.coordinates_at(axes.T @ (np.array(place) - origin), axes.T @ attitude)
        except ValueError as error:
            raise PoseError(f'{name} {error}') from None
    if twist is not None:
        if not np.isfinite(twist).all():
            raise OptionError('a twist must have finite numbers')
        velocity, rate = axes.T @ np.array(twist[0]), axes.T @ np.array(twist[1])
        u[own_u] = kind.speeds_at(q[own_q], velocity, rate)
    simulation.set_state(q=q, u=u)


def checked_pose(pose: tuple[Numbers, Numbers]) -> tuple[Numbers, Quaternion]:
    """Return position and unit quaternion of a pose in a message; PoseError: it is none."""
    length = np.linalg.norm(pose[1])
    if not (np.isfinite(pose[0]).all() and 0.5 < length < 2.0):
        raise PoseError('a pose must have finite numbers and a unit quaternion')
    x, y, z, w = (float(number / length) for number in pose[1])
    return pose[0], (x, y, z, w)


def _slices(simulation: Simulation, name: str) -> tuple[slice, slice]:
    """Return the parts of q and u that belong to the joint of a body."""
    q = u = slice(0, 0)
    for body in simulation.model.moving:
        kind = body.joint.kind
        q, u = slice(q.stop, q.stop + kind.coordinates), slice(u.stop, u.stop + kind.speeds)
        if body.name == name:
            break
    return q, u
