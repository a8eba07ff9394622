"""Tolerances of a trajectory: on its way, at its end, and of the time in which it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
import math
from typing import Any

import numpy as np

from symcontact_ros.errors import shown
from symcontact_ros.ros.stepping.rejections import Rejected
from symcontact_ros.types import Vector

ERASED = -1.0  # in a message: no bound; 0 stands for the default


@dataclass(frozen=True)
class DefaultTolerances:
    """Tolerances of the node, for all joints; 0: none."""

    path: float = 0.0  # of positions on the way [rad or m]
    goal: float = 0.0  # of positions at the end [rad or m]
    stopped_velocity: float = 0.01  # at the end [rad/s or m/s]
    goal_time: float = 0.0  # in which the end must be reached [s]; 0: any


@dataclass(frozen=True)
class Bounds:
    """Largest errors by joint; inf: any."""

    position: Vector  # [rad or m]
    velocity: Vector  # [rad/s or m/s]

    def broken(self, names: Sequence[str], position: Vector, velocity: Vector) -> str:
        """Return which joint has a larger error than it may have, or ''."""
        for word, errors, most in (
            ('position', position, self.position),
            ('velocity', velocity, self.velocity),
        ):
            wrong = np.flatnonzero(np.abs(errors) > most)
            if wrong.size:
                i = int(wrong[0])
                return f'{names[i]}: {word} error {errors[i]:.6g}, tolerance {most[i]:g}'
        return ''


@dataclass(frozen=True)
class Tolerances:
    """All tolerances of one trajectory."""

    path: Bounds
    goal: Bounds
    goal_time: float = math.inf  # [s]
    joints: tuple[str, ...] = field(default=())


def default_tolerances(names: Sequence[str], default: DefaultTolerances) -> Tolerances:
    """Return the node's tolerances for some joints."""

    def column(number: float) -> Vector:
        return np.full(len(names), number or math.inf)

    return Tolerances(
        Bounds(column(default.path), column(0.0)),
        Bounds(column(default.goal), column(default.stopped_velocity)),
        default.goal_time or math.inf,
        tuple(names),
    )


def goal_tolerances(names: Sequence[str], goal: Any, default: DefaultTolerances) -> Tolerances:
    """Return the tolerances of a FollowJointTrajectory goal; Rejected for wrong ones."""
    made = default_tolerances(names, default)
    for bounds, messages in ((made.path, goal.path_tolerance), (made.goal, goal.goal_tolerance)):
        for message in messages:
            if message.name not in names:
                raise Rejected(
                    'unknown_joint', f'a tolerance of {shown(message.name)}, which is not moved'
                )
            row = list(names).index(message.name)
            for column, number in (
                (bounds.position, message.position),
                (bounds.velocity, message.velocity),
            ):
                column[row] = _chosen(message.name, number, column[row])
            _chosen(message.name, message.acceleration, math.inf)  # of what nothing commands
    duration = goal.goal_time_tolerance
    seconds = duration.sec + 1e-9 * duration.nanosec
    goal_time = _chosen('goal_time_tolerance', seconds, made.goal_time)
    return Tolerances(made.path, made.goal, goal_time, made.joints)


def _chosen(name: str, number: float, default: float) -> float:
    """Return a tolerance: a number, the default for 0, any error for -1."""
    if number == ERASED:
        return math.inf
    if not number >= 0.0:  # NaN too
        raise Rejected(
            'tolerance', f'{shown(name)}: tolerance {number:g}: -1, 0 or a positive number'
        )
    return number or default
