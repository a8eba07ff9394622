"""Trajectories from messages, with all checks: names, sizes, times, numbers and limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import math
from typing import Any

import numpy as np

from symcontact_ros.ros.conversions import nanoseconds
from symcontact_ros.ros.stepping.rejections import Rejected
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

SLACK = 1e-3  # by which a point may be beyond a limit [rad or m]: planners round
STILL = 1e-9  # velocity of a last point that counts as 0 [rad/s or m/s]


@dataclass(frozen=True)
class Points:
    """Points of a trajectory; rows of NaN: not given."""

    joints: tuple[str, ...]
    times: Vector  # since the start [s]
    positions: Vector  # a row per point, a column per joint [rad or m]
    velocities: Vector
    accelerations: Vector
    stamp: int  # of the start [ns]; 0: now

    @property
    def end(self) -> float:
        """Time of the last point since the start [s]."""
        return float(self.times[-1])


def read_points(message: Any, simulation: Simulation, now: int) -> Points:
    """Return a JointTrajectory whose names were checked; Rejected if it cannot be followed."""
    names = tuple(message.joint_names)
    if not message.points:
        raise Rejected('wrong_size', 'a trajectory needs points')
    times = np.array([_seconds(point.time_from_start) for point in message.points])
    _check_times(times)
    columns = {
        kind: _rows(message.points, kind, len(names))
        for kind in ('positions', 'velocities', 'accelerations')
    }
    if any(len(point.effort) for point in message.points):
        raise Rejected('effort', 'points must have no effort: servos make it')
    _check_numbers(names, columns)
    points = Points(names, times, **columns, stamp=nanoseconds(message.header.stamp))
    _check_end(points, now)
    _check_limits(points, simulation)
    return points


def _seconds(duration: Any) -> float:
    return float(duration.sec) + 1e-9 * float(duration.nanosec)


def _check_times(times: Vector) -> None:
    if times[0] < 0.0:
        raise Rejected('times', f'time_from_start {times[0]:g} s of the first point is negative')
    wrong = np.flatnonzero(np.diff(times) <= 0.0)
    if wrong.size:
        i = int(wrong[0])
        raise Rejected(
            'times',
            f'times are not strictly increasing: points {i} and {i + 1} are at {times[i]:g} s and '
            f'{times[i + 1]:g} s',
        )


def _rows(points: Sequence[Any], kind: str, count: int) -> Vector:
    """Return one kind of number of all points, NaN where a point has none."""
    rows = np.full((len(points), count), math.nan)
    for i, point in enumerate(points):
        numbers = getattr(point, kind)
        if len(numbers) not in ((count,) if kind == 'positions' else (0, count)):
            raise Rejected(
                'wrong_size', f'{count} joints, but point {i} has {len(numbers)} {kind}'
            )
        if len(numbers):
            rows[i] = numbers
            if not np.isfinite(rows[i]).all():
                raise Rejected('not_finite', f'{kind} of point {i}: all must be finite')
    return rows


def _check_numbers(names: Sequence[str], columns: Mapping[str, Vector]) -> None:
    """Reject a last point that moves: nothing would stop the joints there."""
    last = columns['velocities'][-1]
    moving = [i for i in range(len(names)) if abs(last[i]) > STILL]
    if moving:
        i = moving[0]
        raise Rejected(
            'moving_end', f'velocity of the last point of {names[i]} is {last[i]:g}: it must be 0'
        )


def _check_end(points: Points, now: int) -> None:
    end = 1e-9 * points.stamp + points.end
    if points.stamp and end < 1e-9 * now:
        raise Rejected(
            'stale',
            f'stamp {1e-9 * points.stamp:.3f} s: it ends at {end:.3f} s, before simulated time '
            f'{1e-9 * now:.3f} s: stamp 0 starts it now',
        )


def _check_limits(points: Points, simulation: Simulation) -> None:
    limits = simulation.parts.loads
    for joint, column in zip(points.joints, points.positions.T, strict=True):
        for number in (float(column.min()), float(column.max())):
            near = (number - SLACK, number + SLACK, number)
            texts = [limits.beyond_limits(joint, place) for place in near]
            if all(texts):
                raise Rejected('beyond_limits', texts[-1])
