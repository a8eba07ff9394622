"""Task: what is simulated, done, seen and rewarded; written once, for one world and for many."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symcontact_ros.model.model import Model
from symcontact_ros.types import Vector

Flags = NDArray[np.bool_]


class Worlds(Protocol):
    """
    What a task has of its worlds: a `Batch`, or one simulation that looks like one.

    The first axis of all arrays is the world. `effort`, `target` and `wrench` are written into;
    the others are copies.
    """

    effort: Vector
    target: Vector
    wrench: Vector

    @property
    def q(self) -> Vector:
        """Coordinates, ``(n, nq)``."""

    @property
    def u(self) -> Vector:
        """Speeds, ``(n, nu)``."""

    @property
    def body_poses(self) -> Vector:
        """Positions [m] and quaternions x, y, z, w of all bodies, ``(n, bodies, 7)``."""

    @property
    def body_twists(self) -> Vector:
        """Velocities [m/s, rad/s] of all bodies, world axes, ``(n, bodies, 6)``."""

    def contact_force(self, pairs: Sequence[tuple[str, str]]) -> Vector:
        """Return the contact forces of pairs (a, b) on b, ``(n, pairs, 3)`` [N]."""


class Task(ABC):
    """
    What worlds are for: a model, actions, observations, rewards.

    A task holds nothing that changes from step to step, so that one serves any number of worlds.

    Parameters
    ----------
    model
        What is simulated.
    action_limits
        Least and largest action, a number for each of its entries. Actions are clipped to them.
    observation_limits
        Least and largest observation, likewise; infinite where there is none.

    Attributes
    ----------
    model
        As given.
    action_low, action_high, observation_low, observation_high
        The limits as arrays.
    options
        Options of the simulation: ``integrator``, ``step_size`` [s] and so on; of the class.
    steps
        Steps of the simulation in one action; of the class.
    """

    options: ClassVar[Mapping[str, Any]] = {}
    steps: ClassVar[int] = 10

    def __init__(
        self,
        model: Model,
        action_limits: tuple[ArrayLike, ArrayLike],
        observation_limits: tuple[ArrayLike, ArrayLike],
    ) -> None:
        self.model = model
        self.action_low, self.action_high = _limits('action_limits', action_limits)
        self.observation_low, self.observation_high = _limits(
            'observation_limits', observation_limits
        )

    @abstractmethod
    def start(self, q: Vector, u: Vector, random: np.random.Generator) -> None:
        """Change coordinates and speeds of the model's start, of one world, in place."""

    @abstractmethod
    def act(self, worlds: Worlds, actions: Vector) -> None:
        """Write actions ``(n, entries)`` into efforts, targets or wrenches of the worlds."""

    @abstractmethod
    def observe(self, worlds: Worlds) -> Vector:
        """Return observations, ``(n, entries)``."""

    @abstractmethod
    def judge(self, worlds: Worlds, observations: Vector, actions: Vector) -> tuple[Vector, Flags]:
        """Return the rewards of actions that led to observations, and which episodes end."""


def _limits(name: str, limits: tuple[ArrayLike, ArrayLike]) -> tuple[Vector, Vector]:
    """Return limits as arrays of one shape; ValueError where they are none."""
    low, high = (np.array(limit, float) for limit in limits)
    if low.ndim != 1 or low.shape != high.shape or not (low < high).all():
        raise ValueError(f'{name}: two lists of one length, low < high, needed; got {limits!r}')
    return low, high
