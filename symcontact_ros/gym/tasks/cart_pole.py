"""CartPole: balance a pole on a cart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from symcontact_ros.gym.task import Flags, Task, Worlds
from symcontact_ros.model.library import load_model
from symcontact_ros.types import Vector

FORCE = 10.0  # at an action of 1 [N]
RAIL = 2.4  # [m] to both sides
TILT = 0.2  # [rad] from upright at which the pole has fallen
SPREAD = 0.05  # of the start [m, rad, m/s, rad/s]


class CartPole(Task):
    """
    Balance the pole of the model ``cart_pole``.

    An action of 20 ms is a force on the cart along x, -1 to 1 times 10 N. Observations are the
    place of the cart [m], the angle of the pole from upright [rad] and their rates. Each action is
    worth 1 until the pole is 0.2 rad from upright or the cart 2.4 m from the middle.
    """

    options: ClassVar[Mapping[str, Any]] = {'step_size': 1e-2}
    steps: ClassVar[int] = 2

    def __init__(self) -> None:
        unlimited = np.full(4, np.inf)
        super().__init__(load_model('cart_pole'), ([-1.0], [1.0]), (-unlimited, unlimited))

    def start(self, q: Vector, u: Vector, random: np.random.Generator) -> None:
        """Start near upright."""
        q[:] = random.uniform(-SPREAD, SPREAD, 2)
        u[:] = random.uniform(-SPREAD, SPREAD, 2)

    def act(self, worlds: Worlds, actions: Vector) -> None:
        """Push the cart."""
        worlds.effort[:, 0] = FORCE * actions[:, 0]

    def observe(self, worlds: Worlds) -> Vector:
        """Return coordinates and speeds."""
        return np.concatenate([worlds.q, worlds.u], axis=1)

    def judge(self, worlds: Worlds, observations: Vector, actions: Vector) -> tuple[Vector, Flags]:
        """Give 1 while the pole is up."""
        place = np.abs(observations)
        over = (place[:, 1] > TILT) | (place[:, 0] > RAIL)
        return np.where(over, 0.0, 1.0), over
