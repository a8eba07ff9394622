"""Hopper: hop along x with one leg."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from symcontact_ros.gym.task import Flags, Task, Worlds
from symcontact_ros.gym.tasks.model_files import MODELS
from symcontact_ros.model.library import load_model
from symcontact_ros.types import Vector

EFFORTS = np.array([80.0, 120.0, 60.0])  # of hip, knee and ankle at an action of 1 [N m]
LOW = 0.75  # [m]: the trunk is fallen below it
TILT = 0.4  # [rad] of the trunk at which it has fallen
FASTEST = 10.0  # of observed rates [m/s, rad/s]: impacts are short and large
SPREAD = 0.01  # of the start
EFFORT_COST = 1e-3  # per action squared


class Hopper(Task):
    """
    Hop along x as fast as can be without falling over.

    An action of 8 ms are efforts of hip, knee and ankle, -1 to 1 times 80, 120 and 60 N m.
    Observations are the height of the trunk [m], its tilt [rad], the angles of the three joints,
    and the six rates, with that along x [m/s] first, clipped to 10. An action is worth the speed
    along x [m/s] and 1 for being up, less a thousandth of the sum of its squares. The episode ends
    with the trunk below 0.75 m or tilted by 0.4 rad.
    """

    options: ClassVar[Mapping[str, Any]] = {'integrator': 'implicit', 'step_size': 2e-3}
    steps: ClassVar[int] = 4

    def __init__(self) -> None:
        unlimited = np.full(11, np.inf)
        unlimited[5:] = FASTEST
        limit = np.ones(3)
        super().__init__(
            load_model(MODELS / 'hopper.yaml'), (-limit, limit), (-unlimited, unlimited)
        )

    def start(self, q: Vector, u: Vector, random: np.random.Generator) -> None:
        """Start standing, a little off."""
        q[2:] += random.uniform(-SPREAD, SPREAD, 4)
        u += random.uniform(-SPREAD, SPREAD, 6)

    def act(self, worlds: Worlds, actions: Vector) -> None:
        """Drive the joints."""
        worlds.effort[:] = EFFORTS * actions

    def observe(self, worlds: Worlds) -> Vector:
        """Return what does not depend on the place along x."""
        rates = np.minimum(np.maximum(worlds.u, -FASTEST), FASTEST)
        return np.concatenate([worlds.q[:, 1:], rates], axis=1)

    def judge(self, worlds: Worlds, observations: Vector, actions: Vector) -> tuple[Vector, Flags]:
        """Give the speed along x, and 1 while it is up."""
        over = (observations[:, 0] < LOW) | (np.abs(observations[:, 1]) > TILT)
        cost = EFFORT_COST * np.square(actions).sum(axis=1)
        return observations[:, 5] + np.where(over, 0.0, 1.0) - cost, over
