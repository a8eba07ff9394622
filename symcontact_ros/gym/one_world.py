"""One simulation that looks to a task like a batch of one world."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import numpy as np
from numpy.typing import ArrayLike

from symcontact_ros.errors import DivergenceError
from symcontact_ros.gym.task import Task
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector


class OneWorld:
    """
    The world of a `SymcontactEnv`: see `Worlds`.

    Far faster than a batch of one: 5 us, not 60, for a step and its state.

    Attributes
    ----------
    simulation
        What is simulated.
    message
        Why it has diverged; '' where it has not.
    effort, target, wrench
        See `Batch`.
    """

    def __init__(self, task: Task) -> None:
        self.simulation = Simulation(task.model, **task.options)
        model = task.model
        self._joints = model.joint_names
        self._bodies = model.body_names
        self.effort: Vector = np.zeros((1, len(self._joints)))
        self.target: Vector = np.full((1, len(self._joints)), np.nan)
        self.wrench: Vector = np.zeros((1, len(self._bodies), 6))
        self.message = ''
        self._state, self._values = b'', self.simulation.parts.live.values
        self._read_loads()

    def _read_loads(self) -> None:
        """Have the loads of the start: servos hold what the model says."""
        self.effort[:] = self.wrench[:] = 0.0
        self.target[0] = np.nan
        for column, name in enumerate(self._joints):
            position = self.simulation.parts.loads.target_position(name)
            if position is not None:
                self.target[0, column] = position
        self._keep()

    def _keep(self) -> None:
        self._written = self.effort[0].tolist(), self.target[0].tolist(), self.wrench[0].copy()

    @property
    def q(self) -> Vector:
        """Coordinates, ``(1, nq)``."""
        return self._both[0][None].copy()

    @property
    def u(self) -> Vector:
        """Speeds, ``(1, nu)``."""
        return self._both[1][None].copy()

    @property
    def _both(self) -> tuple[Vector, Vector]:
        """Coordinates and speeds, found once for each state: those of free bodies take a while."""
        live = self.simulation.parts.live
        state = live.memory.state.tobytes()
        if state != self._state or live.values is not self._values:
            self._state, self._values = state, live.values
            self._found = live.coordinates()
        return self._found

    @property
    def body_poses(self) -> Vector:
        """Poses of all bodies, ``(1, bodies, 7)``."""
        return self.simulation.body_poses[None]

    @property
    def body_twists(self) -> Vector:
        """Velocities of all bodies, ``(1, bodies, 6)``."""
        return self.simulation.body_twists[None]

    def contact_force(self, pairs: Sequence[tuple[str, str]]) -> Vector:
        """Return the contact forces of pairs (a, b) on b, ``(1, pairs, 3)`` [N]."""
        forces = np.zeros((1, len(pairs), 3))
        for contact in self.simulation.contacts():
            for i, (a, b) in enumerate(pairs):
                if (contact.body_a, contact.body_b) == (a, b):
                    forces[0, i] += contact.force
                elif (contact.body_b, contact.body_a) == (a, b):
                    forces[0, i] -= contact.force
        return forces

    def reset(self, q: ArrayLike, u: ArrayLike) -> None:
        """Start at coordinates and speeds."""
        self.simulation.reset(q, u)
        self.message = ''
        self._read_loads()

    def step(self, count: int) -> None:
        """Advance, unless it diverges: then it is in its last good state."""
        self._write_loads()
        try:
            self.simulation.step(count)
        except DivergenceError as error:
            self.message = str(error)

    def _write_loads(self) -> None:
        """Hand what has changed to the simulation."""
        efforts, targets, wrench = self._written
        changed = False
        for name, now, before in zip(self._joints, self.effort[0].tolist(), efforts, strict=True):
            if now != before:
                self.simulation.set_effort(name, now)
                changed = True
        for name, now, before in zip(self._joints, self.target[0].tolist(), targets, strict=True):
            if now != before and not (isnan(now) and isnan(before)):  # NaN is none
                self.simulation.set_target(name, None if isnan(now) else now)
                changed = True
        if self.wrench.any() or wrench.any():
            for name, own in zip(self._bodies, self.wrench[0], strict=True):
                self.simulation.set_wrench(name, own[:3], own[3:])
            changed = True
        if changed:
            self._keep()
