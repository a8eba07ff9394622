"""
Splines through points of a trajectory, as joint_trajectory_controller makes them.

A segment is quintic where both of its ends have accelerations, cubic where both have velocities,
else linear: through the positions, with the velocity of the segment.
"""

from __future__ import annotations

import numpy as np

from symcontact_ros.types import Vector


class Spline:
    """
    Positions, velocities and accelerations of some joints as functions of time.

    Parameters
    ----------
    times
        Of the points, strictly increasing [s].
    positions, velocities, accelerations
        A row per point, a column per joint [rad or m, per s, per s^2]. Rows of NaN: not given.

    """

    def __init__(
        self, times: Vector, positions: Vector, velocities: Vector, accelerations: Vector
    ) -> None:
        self.times = times
        self._last = positions[-1]
        segments = range(len(times) - 1)
        self._coefficients = [
            _segment(
                times[i + 1] - times[i],
                positions[i : i + 2],
                velocities[i : i + 2],
                accelerations[i : i + 2],
            )
            for i in segments
        ]

    @property
    def end(self) -> float:
        """Time of the last point [s]."""
        return float(self.times[-1])

    def sample(self, time: float) -> tuple[Vector, Vector, Vector]:
        """Return positions, velocities and accelerations; before and after: at rest."""
        segment = int(np.searchsorted(self.times, time, side='right')) - 1
        if segment >= len(self._coefficients):
            return self._last, np.zeros_like(self._last), np.zeros_like(self._last)
        if segment < 0:
            first = self._coefficients[0][0]
            return first, np.zeros_like(first), np.zeros_like(first)
        return _evaluate(self._coefficients[segment], time - float(self.times[segment]))


def _segment(duration: float, p: Vector, v: Vector, a: Vector) -> Vector:
    """Return the coefficients of a polynomial in time since the first of two points."""
    way = p[1] - p[0]
    made = np.zeros((6, p.shape[1]))
    made[0] = p[0]
    if not np.isfinite(v).all():
        made[1] = way / duration
        return made
    made[1] = v[0]
    if not np.isfinite(a).all():
        made[2] = (3.0 * way / duration - 2.0 * v[0] - v[1]) / duration
        made[3] = (v[0] + v[1] - 2.0 * way / duration) / duration**2
        return made
    made[2] = 0.5 * a[0]
    # What is left to reach at the other end: way, velocity and acceleration.
    x = way - duration * (v[0] + 0.5 * duration * a[0])
    y = (v[1] - v[0] - duration * a[0]) * duration
    z = (a[1] - a[0]) * duration**2
    made[3] = (10.0 * x - 4.0 * y + 0.5 * z) / duration**3
    made[4] = (-15.0 * x + 7.0 * y - z) / duration**4
    made[5] = (6.0 * x - 3.0 * y + 0.5 * z) / duration**5
    return made


def _evaluate(c: Vector, t: float) -> tuple[Vector, Vector, Vector]:
    position = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))))
    velocity = c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * (4.0 * c[4] + t * 5.0 * c[5])))
    acceleration = 2.0 * c[2] + t * (6.0 * c[3] + t * (12.0 * c[4] + t * 20.0 * c[5]))
    return position, velocity, acceleration
