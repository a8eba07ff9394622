"""A grip: joints that go to positions with a largest velocity and effort, and stay there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symcontact_ros.ros.trajectories.following import Outcome, SUCCESSFUL
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

REACHED = 1e-3  # error of a joint that has reached its position [m or rad]
STOPPED = 1e-2  # velocity of a joint that does not just pass it [m/s or rad/s]
STALLED = 1e-3  # velocity of a joint that stands still [m/s or rad/s]
STALL_TIME = 0.5  # for which it must stand still [s simulated]


class GripMotion:
    """
    Motion of a gripper: it ends where the position is reached, or something is in its way.

    Parameters
    ----------
    simulation
        Whose joints they are.
    joints, goals
        Their names and the positions to go to [m or rad].
    velocities, efforts
        The largest ones [m/s or rad/s, N or N m]; inf: those of the servos.

    Attributes
    ----------
    joints, outcome
        Joints that it moves, and its end; it holds them after that, with that effort.
    stalled, reached
        Whether it stands still before its goal, or has reached it.

    """

    def __init__(
        self,
        simulation: Simulation,
        joints: Sequence[str],
        goals: Vector,
        velocities: Vector,
        efforts: Vector,
    ) -> None:
        self.joints = tuple(joints)
        self.outcome: Outcome | None = None
        self.stalled = self.reached = False
        self._simulation = simulation
        self._goals, self._velocities, self._efforts = goals, velocities, efforts
        self._period = 0.0  # from one target to the next [s]
        self._moved = 0.0  # time since the beginning at which a joint moved last [s]

    def state(self) -> tuple[Vector, Vector, Vector]:
        """Return positions, velocities, and efforts of the servos now."""
        position, velocity = self._simulation.parts.loads.joint_motion(self.joints)
        return position, velocity, self._wanted(position, velocity)

    def begin(self, time: float, period: float) -> None:
        """Begin where the joints are."""
        self._period = period
        self._target = self._simulation.parts.loads.joint_motion(self.joints)[0]

    def apply(self, elapsed: float) -> bool:
        """Set targets; return whether it needs more, which a largest effort always does."""
        position, velocity = self._simulation.parts.loads.joint_motion(self.joints)
        way = self._goals - self._target
        most = self._velocities * self._period
        self._target = self._target + np.clip(way, -most, most)
        for joint, target in zip(self.joints, self._targets(position, velocity), strict=True):
            self._simulation.set_target(joint, float(target), 0.0)
        if self.outcome is None:
            self._check(elapsed, position, velocity)
        is_there = bool(np.array_equal(self._target, self._goals))
        return self.outcome is None or not is_there or bool(np.isfinite(self._efforts).any())

    def _gains(self) -> tuple[Vector, Vector]:
        gains = self._simulation.servo_gains
        kp, kd = np.array([gains[joint] for joint in self.joints]).T
        return kp, kd

    def _wanted(self, position: Vector, velocity: Vector) -> Vector:
        """Return the efforts that servos make, within the largest ones."""
        kp, kd = self._gains()
        effort: Vector = kp * (self._target - position) - kd * velocity
        return np.clip(effort, -self._efforts, self._efforts)

    def _targets(self, position: Vector, velocity: Vector) -> Vector:
        """Return the targets at which the servos make these efforts."""
        if not np.isfinite(self._efforts).any():
            return self._target
        kp, kd = self._gains()
        near = position + (self._wanted(position, velocity) + kd * velocity) / np.maximum(kp, 1e-9)
        return np.where(np.isfinite(self._efforts) & (kp > 0.0), near, self._target)

    def _check(self, elapsed: float, position: Vector, velocity: Vector) -> None:
        is_slow = np.all(np.abs(velocity) <= STOPPED)
        if is_slow and np.all(np.abs(self._goals - position) <= REACHED):
            self.reached = True
            self.outcome = Outcome(SUCCESSFUL, 'reached')
        elif np.any(np.abs(velocity) > STALLED):
            self._moved = elapsed
        elif elapsed - self._moved >= STALL_TIME:
            self.stalled = True
            self.outcome = Outcome(SUCCESSFUL, 'stalled')
