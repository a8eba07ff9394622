"""Push: push a box to a goal with a finger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from symcontact_ros.gym.task import Flags, Task, Worlds
from symcontact_ros.gym.tasks.model_files import MODELS
from symcontact_ros.model.library import load_model
from symcontact_ros.types import Vector

STROKE = 0.04  # of the finger at an action of 1, from where it is [m]
NEAREST, FARTHEST = 0.1, 0.25  # of the box from the goal at the start [m]
BEHIND = 0.12  # the finger starts on the far side of the box, seen from the goal [m]
REACH = 0.5  # [m] from the goal at which the box is lost
NEAR_COST = 0.2  # of the distance of finger and box


class Push(Task):
    """
    Push a box of 10 cm and 0.3 kg over a table to the origin, where the goal is.

    An action of 40 ms moves the place that the finger is driven to, -1 to 1 times 40 mm from where
    it is, along x and y. Observations are finger and box (x, y) [m], cosine and sine of the
    heading of the box, the velocity of the finger [m/s], that of the box and its rate of turning
    [rad/s]. An action costs the distance of the box from the goal, 0.2 times that of the finger
    from the box [m], and a thousandth of the sum of its squares. The episode ends with the box
    0.5 m from the goal.
    """

    options: ClassVar[Mapping[str, Any]] = {'integrator': 'implicit', 'step_size': 2e-3}
    steps: ClassVar[int] = 20

    def __init__(self) -> None:
        unlimited = np.full(11, np.inf)
        limit = np.ones(2)
        super().__init__(
            load_model(MODELS / 'push.yaml'), (-limit, limit), (-unlimited, unlimited)
        )

    def start(self, q: Vector, u: Vector, random: np.random.Generator) -> None:
        """Put the box somewhere around the goal, and the finger behind it."""
        distance, direction = random.uniform(NEAREST, FARTHEST), random.uniform(-np.pi, np.pi)
        heading = 0.5 * random.uniform(-np.pi, np.pi)
        towards = np.array([np.cos(direction), np.sin(direction)])
        q[:2] = (distance + BEHIND) * towards
        q[2:4] = distance * towards
        q[5:9] = 0.0, 0.0, np.sin(0.5 * heading), np.cos(0.5 * heading)

    def act(self, worlds: Worlds, actions: Vector) -> None:
        """Move the place that the finger is driven to."""
        worlds.target[:] = worlds.q[:, :2] + STROKE * actions

    def observe(self, worlds: Worlds) -> Vector:
        """Return finger and box as seen from above."""
        q, u = worlds.q, worlds.u
        heading = np.stack([1.0 - 2.0 * q[:, 7] ** 2, 2.0 * q[:, 7] * q[:, 8]], axis=1)
        return np.concatenate([q[:, :4], heading, u[:, :4], u[:, 7:8]], axis=1)

    def judge(self, worlds: Worlds, observations: Vector, actions: Vector) -> tuple[Vector, Flags]:
        """Take the distance of the box from the goal."""
        box = observations[:, 2:4]
        away = np.hypot(*box.T)
        near = np.hypot(*(observations[:, :2] - box).T)
        cost = 1e-3 * np.square(actions).sum(axis=1)
        return -(away + NEAR_COST * near + cost), away > REACH
