"""A trajectory that joints follow: targets, tolerances, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
import logging
import math

import numpy as np

from symcontact_ros.ros.trajectories.following import (
    GOAL_TOLERANCE_VIOLATED,
    Outcome,
    PATH_TOLERANCE_VIOLATED,
    SUCCESSFUL,
)
from symcontact_ros.ros.trajectories.points import Points
from symcontact_ros.ros.trajectories.splines import Spline
from symcontact_ros.ros.trajectories.tolerances import Tolerances
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

_log = logging.getLogger(__name__)
ROUNDING = 1e-9  # of sums of times [s]: a step at the stamp is not before it
TURN = 2.0 * math.pi


@dataclass(frozen=True)
class Progress:
    """What was desired at an instant, and what was there."""

    elapsed: float  # since the start of the trajectory [s]
    desired: tuple[Vector, Vector, Vector]  # positions, velocities, accelerations
    actual: tuple[Vector, Vector]  # positions, velocities


class TrajectoryMotion:
    """
    Motion through the points of a trajectory.

    It begins from where the joints are, with the velocity that they have, and reaches the first
    point at its time. Joints that turn without limits take the nearer way: points are moved by
    whole turns.

    Attributes
    ----------
    joints, outcome
        Joints that it moves, and its end.
    progress
        Its latest instant.

    """

    def __init__(self, simulation: Simulation, points: Points, tolerances: Tolerances) -> None:
        self.joints = points.joints
        self.outcome: Outcome | None = None
        self.progress: Progress | None = None
        self._simulation = simulation
        self._points = points
        self._tolerances = tolerances
        self._spline: Spline | None = None
        self._offset = 0.0  # of the time of the trajectory when it is taken [s]

    def begin(self, time: float, period: float) -> None:
        """Hold the joints, until its stamp if that is in the future."""
        if self._points.stamp:
            self._offset = time - 1e-9 * self._points.stamp
        self._set(
            self._simulation.parts.loads.joint_motion(self.joints)[0], np.zeros(len(self.joints))
        )

    def apply(self, elapsed: float) -> bool:
        """Set targets, check tolerances; return whether it goes on."""
        time = elapsed + self._offset
        if time < -ROUNDING:
            return True
        position, velocity = self._simulation.parts.loads.joint_motion(self.joints)
        if self._spline is None:
            self._spline = self._begun(time, position, velocity)
        desired = self._spline.sample(time)
        self.progress = Progress(time, desired, (position, velocity))
        self._set(desired[0], desired[1])
        self._check(time, desired[0] - position, desired[1] - velocity, position)
        return self.outcome is None

    def _set(self, positions: Vector, velocities: Vector) -> None:
        targets = zip(self.joints, positions.tolist(), velocities.tolist(), strict=True)
        for joint, position, velocity in targets:
            self._simulation.set_target(joint, position, velocity)

    def _begun(self, time: float, position: Vector, velocity: Vector) -> Spline:
        """Return the spline from the present state."""
        points = self._points
        positions = points.positions + self._turns(position)
        times, velocities, accelerations = points.times, points.velocities, points.accelerations
        if time < times[0] or len(times) == 1:
            # One point at once still needs a segment before it, of no length that matters.
            start = min(time, times[0] - 1e-9)
            times = np.concatenate([[start], times])
            positions = np.vstack([position, positions])
            velocities = np.vstack([velocity, velocities])
            accelerations = np.vstack([np.full(len(position), math.nan), accelerations])
        return Spline(times, positions, velocities, accelerations)

    def _turns(self, position: Vector) -> Vector:
        """Return the whole turns by which the nearest of points that mean the same are away."""
        joints = {body.joint.name: body.joint for body in self._simulation.model.bodies}
        own = [joints[name] for name in self.joints]
        # Types that may turn on and on are those that have a name for it in URDF.
        free = [bool(joint.kind.urdf_unlimited) and joint.limits is None for joint in own]
        turns: Vector = np.round((position - self._points.positions[0]) / TURN)
        return np.where(free, TURN * turns, 0.0)

    def _check(self, time: float, error: Vector, rate: Vector, position: Vector) -> None:
        """End it where a tolerance is broken, or at its end."""
        bounds, late = self._tolerances, time - self._points.end
        if late < 0.0:
            if broken := bounds.path.broken(self.joints, error, rate):
                text = f'Aborted due to path tolerance violation: {broken}'
                self._abort(PATH_TOLERANCE_VIOLATED, text, position)
            return
        broken = bounds.goal.broken(self.joints, error, rate)
        if not broken:
            self.outcome = Outcome(SUCCESSFUL, 'Goal successfully reached!')
        elif late > bounds.goal_time:
            over = f'exceeding by {late - bounds.goal_time:.6f} seconds'
            text = f'Aborted due to goal_time_tolerance {over}: {broken}'
            self._abort(GOAL_TOLERANCE_VIOLATED, text, position)

    def _abort(self, code: int, text: str, position: Vector) -> None:
        self.outcome = Outcome(code, text)
        self._set(position, np.zeros(len(self.joints)))
        _log.warning('trajectory: %s; its joints hold where they are', text)
