"""SymcontactEnv: a task in one world, as Gymnasium calls it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import ArrayLike, NDArray

from symcontact_ros.batch.distributions import Distribution
from symcontact_ros.errors import OptionError
from symcontact_ros.gym.episodes import Starts, task_of
from symcontact_ros.gym.one_world import OneWorld
from symcontact_ros.gym.picture import picture_of, PICTURES
from symcontact_ros.gym.spaces import action_space, checked_actions, observation_space
from symcontact_ros.gym.task import Task
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector


class SymcontactEnv(gymnasium.Env[Vector, NDArray[np.float32]]):
    """
    A task in one world.

    A world that diverges ends its episode, in its last good state: ``info['diverged']`` says why.

    Parameters
    ----------
    task
        A task, or the name of one: 'cart_pole', 'hopper', 'push', 'go2_stand'.
    randomise
        Live symbols of the model that every episode draws anew: ``{'m': sc.Uniform(0.05, 0.2)}``.
    render_mode
        'rgb_array', pictures of the world (needs matplotlib), or None.
    options
        Of a task that is named: ``urdf`` of 'go2_stand', say.

    Attributes
    ----------
    task
        The task.
    """

    metadata: dict[str, Any] = {'render_modes': [PICTURES]}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        task: Task | str,
        randomise: Mapping[str, Distribution] | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.task = task_of(task, options)
        self._picture = picture_of(self.task.model, render_mode)
        self.render_mode = render_mode
        self.action_space = action_space(self.task)
        self.observation_space = observation_space(self.task)
        self._world = OneWorld(self.task)
        rate = 1.0 / (self.task.steps * self.simulation.step_size)
        self.metadata = {**self.metadata, 'render_fps': round(rate)}
        self._starts = Starts(self.task.model, self.simulation.parameters, randomise or {})

    @property
    def simulation(self) -> Simulation:
        """The world, for all that an environment has not: contacts, energies, equations."""
        return self._world.simulation

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """
        Begin an episode; return its first observation.

        ``options={'q': .., 'u': ..}`` are coordinates and speeds to begin it with.
        """
        given = dict(options or {})
        if unknown := given.keys() - {'q', 'u'}:
            names = ', '.join(sorted(map(repr, unknown)))
            raise OptionError(f'options: {names} is unknown; q and u are known')
        super().reset(seed=seed)
        parameters, q, u = self._starts.draw(self.task, self.np_random)
        if parameters:
            self.simulation.set_parameters(parameters)
        self._world.reset(given.get('q', q), given.get('u', u))
        return self.task.observe(self._world)[0], {}

    def step(self, action: ArrayLike) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Act; return observation, reward, whether the episode is over, False, and info."""
        actions = checked_actions(self.task, [action])
        self.task.act(self._world, actions)
        self._world.step(self.task.steps)
        observations = self.task.observe(self._world)
        rewards, over = self.task.judge(self._world, observations, actions)
        message = self._world.message
        info = {'diverged': message} if message else {}
        return observations[0], float(rewards[0]), bool(over[0] or message), False, info

    def render(self) -> NDArray[np.uint8] | None:
        """Return a picture, (height, width, 3); None without a render mode."""
        return self._picture.draw(self.simulation) if self._picture else None
