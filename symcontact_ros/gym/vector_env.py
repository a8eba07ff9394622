"""SymcontactVectorEnv: a task in many worlds, on a batch, as Gymnasium calls it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
import numpy as np
from numpy.typing import ArrayLike, NDArray

from symcontact_ros.batch.batch import Batch
from symcontact_ros.batch.distributions import Distribution
from symcontact_ros.errors import OptionError
from symcontact_ros.gym.episodes import Starts, task_of
from symcontact_ros.gym.spaces import action_space, checked_actions, observation_space
from symcontact_ros.gym.task import Flags, Task
from symcontact_ros.types import Vector

Results = tuple[Vector, Vector, Flags, Flags, dict[str, Any]]


class SymcontactVectorEnv(VectorEnv[Vector, NDArray[np.float32], NDArray[Any]]):
    """
    A task in many worlds, stepped on all cores in compiled calls.

    World i with ``reset(seed=s)`` is bit for bit the `SymcontactEnv` with ``reset(seed=s + i)``. A
    world that diverges ends its episode alone: ``info['diverged']`` says why.

    Parameters
    ----------
    task
        A task, or the name of one.
    num_envs
        Number of worlds.
    max_episode_steps
        Actions after which an episode is truncated; None: never.
    randomise
        Live symbols of the model that every episode draws anew.
    autoreset_mode
        When worlds whose episode is over begin another one: 'NextStep', in the next step, whose
        action is ignored; 'SameStep', at once: the last observation is in ``info['final_obs']``;
        'Disabled', when `reset` is called with ``options={'reset_mask': mask}``.
    threads
        Number of threads; None: one per core.
    options
        Of a task that is named.

    Attributes
    ----------
    task
        The task.
    batch
        The worlds, for all that an environment has not.
    """

    def __init__(
        self,
        task: Task | str,
        num_envs: int = 1,
        max_episode_steps: int | None = None,
        *,
        randomise: Mapping[str, Distribution] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        self.task = task_of(task, options)
        self.num_envs = num_envs
        self.batch = Batch(self.task.model, num_envs, threads=threads, **self.task.options)
        self.single_action_space = action_space(self.task)
        self.single_observation_space = observation_space(self.task)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._mode = _mode_of(autoreset_mode)
        self.metadata = {'render_modes': [], 'autoreset_mode': self._mode}
        self._longest = max_episode_steps or np.iinfo(np.int64).max
        values = {name: float(own[0]) for name, own in self.batch.parameters.items()}
        self._starts = Starts(self.task.model, values, randomise or {})
        self._random: list[np.random.Generator] = []
        self._actions_made = np.zeros(num_envs, np.int64)
        self._over: Flags = np.zeros(num_envs, bool)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Vector, dict[str, Any]]:
        """
        Begin episodes in all worlds, or in those of ``options={'reset_mask': mask}``.

        A seed is that of world 0, seed + i is that of world i; or a list of them.
        """
        given = dict(options or {})
        mask = given.pop('reset_mask', None)
        if given:
            unknown = ', '.join(map(repr, given))
            raise OptionError(f'options: unknown: {unknown}; reset_mask is known')
        if mask is None:
            mask = np.ones(self.num_envs, bool)
        self._seed(seed, mask)
        self._begin(mask)
        return self.task.observe(self.batch), {}

    def _seed(self, seed: int | Sequence[int | None] | None, mask: Flags) -> None:
        """Give worlds their own generators of random numbers."""
        if seed is None or isinstance(seed, int | np.integer):
            seeds = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise OptionError(f'seed: one, or {self.num_envs}, needed; got {len(seeds)}')
        if not self._random:
            self._random = [np_random(own)[0] for own in seeds]
            return
        for world in np.flatnonzero(mask).tolist():
            if seeds[world] is not None:
                self._random[world] = np_random(seeds[world])[0]

    def _begin(self, mask: Flags) -> None:
        """Begin episodes in worlds of a mask."""
        if not mask.any():
            return
        model = self.task.model
        q = np.zeros((self.num_envs, model.coordinate_count))
        u = np.zeros((self.num_envs, model.speed_count))
        parameters = {name: own.copy() for name, own in self._drawn_parameters().items()}
        for world in np.flatnonzero(mask).tolist():
            drawn, q[world], u[world] = self._starts.draw(self.task, self._random[world])
            for name, value in drawn.items():
                parameters[name][world] = value
        self.batch.reset(mask, parameters=parameters, starts=(q, u))
        self._actions_made[mask] = 0
        self._over[mask] = False

    def _drawn_parameters(self) -> dict[str, Vector]:
        """Return the values of the live symbols that are drawn."""
        own = self._starts.names
        return {name: now for name, now in self.batch.parameters.items() if name in own}

    def step(self, actions: ArrayLike) -> Results:
        """Act in all worlds; return observations, rewards, which are over or cut off, and info."""
        if not self._random:
            raise OptionError('step: `reset` comes first')
        given = checked_actions(self.task, actions)
        if len(given) != self.num_envs:
            raise OptionError(f'actions: {self.num_envs} rows are needed, got {len(given)}')
        ended = self._over.copy()
        if self._mode is AutoresetMode.DISABLED and ended.any():
            worlds = np.flatnonzero(ended)[:5].tolist()
            raise OptionError(f'step: episodes are over, `reset` them: of worlds {worlds}')
        self.task.act(self.batch, given)
        self.batch.step(self.task.steps)
        # Those that had ended were stepped with all others; what came of it is thrown away.
        self._begin(ended)
        observations = self.task.observe(self.batch)
        rewards, over = self.task.judge(observations, given)
        self._actions_made[~ended] += 1
        terminated = (over | (self.batch.diverged != 0)) & ~ended
        truncated = (self._actions_made >= self._longest) & ~ended
        rewards = np.where(ended, 0.0, rewards)
        info = self._info(terminated)
        self._over = terminated | truncated
        if self._mode is AutoresetMode.SAME_STEP and self._over.any():
            info = {'final_obs': observations, '_final_obs': self._over.copy(), **info}
            self._begin(self._over.copy())
            observations = self.task.observe(self.batch)
        return observations, rewards, terminated, truncated, info

    def _info(self, terminated: Flags) -> dict[str, Any]:
        """Return why worlds have diverged, and which, where some have."""
        diverged = terminated & (self.batch.diverged != 0)
        if not diverged.any():
            return {}
        messages = [self.batch.message(world) for world in range(self.num_envs)]
        return {'diverged': np.array(messages, object), '_diverged': diverged}


def _mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    """Return a mode, or the one of a name."""
    try:
        return AutoresetMode(mode)
    except ValueError as error:
        known = ', '.join(repr(own.value) for own in AutoresetMode)
        raise OptionError(f'autoreset_mode: one of {known} is needed, got {mode!r:.60}') from error
