"""
Coordinates of floating bodies and their states, of one world or of many.

Numbers are floats, or arrays ``(n,)`` with one number per world. They are multiplied and added one
by one, never by NumPy's products of matrices, whose last bits depend on the processor and on how
many there are: so a world has the same bits alone and among others, on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.kernels.vectors.spatial import (
    cross,
    direction_in,
    minus,
    placed,
    plus,
    point_in,
    turned,
)
from symcontact_ros.model.initial_state import ground_pose
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body
from symcontact_ros.placements import quaternion_of
from symcontact_ros.types import Vector

Number: TypeAlias = Any  # a float, or an array of one per world
Triple: TypeAlias = tuple[Number, Number, Number]
Frame: TypeAlias = tuple[Triple, Triple, Triple, Triple]  # axes and origin
Columns: TypeAlias = tuple[Number, ...]

NOWHERE: Triple = (0.0, 0.0, 0.0)


class Constants(NamedTuple):
    """Constants of a floating body."""

    ground: Frame  # that of the joint, in the world
    heading: Number  # of that frame [rad]
    upright: bool  # whether it has the axes of the world
    com: Triple  # [m]
    inertia: Columns  # xx, yy, zz, xy, xz, yz about the centre of mass, body axes [kg m^2]

    def numbers(self) -> Vector:
        """Return all of them but `upright`, in a row."""
        frame = [number for axis in self.ground for number in axis]
        return np.array([*frame, self.heading, *self.com, *self.inertia])


def constants_of(model: Model, body: Body, values: Values) -> Constants:
    """Return the constants of a floating body, by the live symbols."""
    rotation, position = ground_pose(model, body, values)
    x, y, z = (_triple(axis) for axis in rotation.T.tolist())
    return Constants(
        ground=(x, y, z, _triple(position.tolist())),
        heading=math.atan2(rotation[1, 0], rotation[0, 0]),
        upright=bool((rotation == np.eye(3)).all()),
        com=_triple(evaluate_all(body.com, values)),
        inertia=tuple(evaluate_all(body.inertia, values)),
    )


def _triple(numbers: Sequence[float]) -> Triple:
    x, y, z = numbers
    return x, y, z


def constants_of_worlds(variants: list[Constants], of_world: NDArray[np.int64]) -> Constants:
    """Return constants as arrays with those of every world, given the variant of each."""
    if len(variants) == 1:
        return variants[0]
    table = np.array([own.numbers() for own in variants])
    column = iter(table.T[:, of_world])
    x, y, z, origin = ((next(column), next(column), next(column)) for _ in range(4))
    return Constants(
        ground=(x, y, z, origin),
        heading=next(column),
        upright=all(own.upright for own in variants),
        com=(next(column), next(column), next(column)),
        inertia=tuple(column),
    )


def planar_state(body: Constants, q: Columns, u: Columns) -> Columns:
    """Return the state of a body in the plane."""
    angle = q[2] + body.heading
    arm = _arm(angle, body.com)
    x, y, _ = plus(placed(body.ground, (q[0], q[1], 0.0)), arm)
    vx, vy, _ = turned(body.ground, (u[0], u[1], 0.0))
    return x, y, angle, vx - u[2] * arm[1], vy + u[2] * arm[0], u[2]


def planar_coordinates(body: Constants, state: Columns) -> Columns:
    """Return the coordinates of a body in the plane."""
    x, y, angle = state[:3]
    x, y, _ = point_in(body.ground, minus((x, y, 0.0), _arm(angle, body.com)))
    return x, y, angle - body.heading


def planar_speeds(body: Constants, state: Columns) -> Columns:
    """Return the speeds of a body in the plane."""
    _, _, angle, vx, vy, turn = state
    arm = _arm(angle, body.com)
    vx, vy, _ = direction_in(body.ground, (vx + turn * arm[1], vy - turn * arm[0], 0.0))
    return vx, vy, turn


def _arm(angle: Number, com: Triple) -> Triple:
    """Return where the centre of mass is from the origin of the body, world axes [m]."""
    c, s = _each(math.cos, angle), _each(math.sin, angle)
    return c * com[0] - s * com[1], s * com[0] + c * com[1], com[2]


def _each(function: Callable[[float], float], number: Number) -> Number:
    """Return a function of a number; NumPy's own may differ in the last bits."""
    if isinstance(number, np.ndarray):
        return np.array([function(own) for own in number.tolist()])
    return function(number)


def free_state(body: Constants, q: Columns, u: Columns) -> Columns:
    """Return the state of a body in space."""
    x, y, z = (turned(body.ground, axis) for axis in _axes(q[3:7]))
    attitude = x, y, z, NOWHERE
    centre = plus(placed(body.ground, q[:3]), turned(attitude, body.com))
    velocity = turned(attitude, plus(u[:3], cross(u[3:6], body.com)))
    momentum = turned(attitude, _times(body.inertia, u[3:6]))
    quaternion = q[3:7] if body.upright else _quaternion(attitude)
    return *centre, *quaternion, *velocity, *momentum


def free_coordinates(body: Constants, state: Columns) -> Columns:
    """Return the coordinates of a body in space."""
    x, y, z = _axes(state[3:7])
    origin = point_in(body.ground, minus(state[:3], turned((x, y, z, NOWHERE), body.com)))
    if body.upright:
        return *origin, *state[3:7]
    x, y, z = (direction_in(body.ground, axis) for axis in (x, y, z))
    return *origin, *_quaternion((x, y, z, NOWHERE))


def free_speeds(body: Constants, state: Columns) -> Columns:
    """Return the speeds of a body in space."""
    attitude = *_axes(state[3:7]), NOWHERE
    turn = _solved(body.inertia, direction_in(attitude, state[10:13]))
    return *minus(direction_in(attitude, state[7:10]), cross(turn, body.com)), *turn


def _axes(quaternion: Columns) -> tuple[Triple, Triple, Triple]:
    """Return the axes of the frame of a unit quaternion: the columns of `placements.matrix`."""
    x, y, z, w = quaternion
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
        (2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
        (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)),
    )


def _quaternion(frame: Frame) -> Columns:
    """Return the unit quaternion x, y, z, w of the attitude of a frame."""
    rotations = np.moveaxis(np.array(frame[:3]), 0, 1)  # axes are columns; worlds come last
    if rotations.ndim == 2:
        return tuple(quaternion_of(rotations).tolist())
    return tuple(np.array([quaternion_of(own) for own in np.moveaxis(rotations, 2, 0)]).T)


def _times(inertia: Columns, rate: Triple) -> Triple:
    """Return an inertia times a rate of turn."""
    xx, yy, zz, xy, xz, yz = inertia
    x, y, z = rate
    return xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z


def _solved(inertia: Columns, momentum: Triple) -> Triple:
    """Return the rate of turn of an angular momentum: L D L^T of the inertia."""
    xx, yy, zz, xy, xz, yz = inertia
    x, y, z = momentum
    yx, zx = xy / xx, xz / xx
    middle, beside = yy - yx * xy, yz - zx * xy
    zy = beside / middle
    last = zz - zx * xz - zy * beside
    y = y - yx * x
    z = (z - zx * x - zy * y) / last
    y = y / middle - zy * z
    return x / xx - yx * y - zx * z, y, z
