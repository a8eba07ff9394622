"""SymcontactVectorEnv: a task in many worlds, on a batch, as Gymnasium calls it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
import numpy as np
from numpy.typing import ArrayLike, NDArray

from symcontact_ros.batch.batch import Batch, MOST_WORLDS
from symcontact_ros.batch.distributions import Distribution
from symcontact_ros.errors import OptionError, shown_value
from symcontact_ros.gym.episodes import Starts, task_of
from symcontact_ros.gym.picture import picture_of, PICTURES
from symcontact_ros.gym.spaces import action_space, checked_actions, observation_space
from symcontact_ros.gym.task import Flags, Task
from symcontact_ros.types import Vector, whole_number

Seed = int | np.integer | None
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
    render_mode
        'rgb_array', pictures of all worlds (needs matplotlib), or None.
    randomise
        Live symbols of the model that every episode draws anew.
    autoreset_mode
        When worlds whose episode is over begin another one: 'NextStep', in the next step, whose
        action is ignored; 'SameStep', at once: what there was at the end is in
        ``info['final_obs']`` and ``info['final_info']``; 'Disabled', when `reset` is called with
        ``options={'reset_mask': mask}``.
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
        render_mode: str | None = None,
        randomise: Mapping[str, Distribution] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        self.task = task_of(task, options)
        self.num_envs = num_envs = whole_number('num_envs', num_envs, 1, MOST_WORLDS)
        self._longest = _longest_of(max_episode_steps)
        self._mode = _mode_of(autoreset_mode)
        self._picture = picture_of(self.task.model, render_mode)
        self.render_mode = render_mode
        self.batch = Batch(self.task.model, num_envs, threads=threads, **self.task.options)
        self.single_action_space = action_space(self.task)
        self.single_observation_space = observation_space(self.task)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.metadata = {
            'render_modes': [PICTURES],
            'render_fps': round(1.0 / (self.task.steps * self.batch.step_size)),
            'autoreset_mode': self._mode,
        }
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
        mask = np.asarray(given.pop('reset_mask', np.ones(self.num_envs, bool)))
        if given:
            unknown = ', '.join(map(repr, given))
            raise OptionError(f'options: {unknown} is unknown; reset_mask is known')
        if mask.dtype != bool or mask.shape != (self.num_envs,):
            need = f'an array of {self.num_envs} bool is needed'
            raise OptionError(f'options.reset_mask: {need}, got {shown_value(mask)}')
        self._seed(seed, mask)
        self._begin(mask)
        return self.task.observe(self.batch), {}

    def _seed(self, seed: int | Sequence[int | None] | None, mask: Flags) -> None:
        """Give worlds their own generators of random numbers."""
        if seed is None or isinstance(seed, int | np.integer):
            seeds = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed) if isinstance(seed, Iterable) else []
        if len(seeds) != self.num_envs or not all(isinstance(own, Seed) for own in seeds):
            need = f'a whole number, or {self.num_envs} of them, needed'
            raise OptionError(f'seed: {need}; got {shown_value(seed)}')
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
        now = self.batch.parameters if self._starts.names else {}
        parameters = {name: now[name] for name in self._starts.names}
        for world in np.flatnonzero(mask).tolist():
            drawn, q[world], u[world] = self._starts.draw(self.task, self._random[world])
            for name, value in drawn.items():
                parameters[name][world] = value
        self.batch.reset(mask, parameters=parameters, starts=(q, u))
        self._actions_made[mask] = 0
        self._over[mask] = False

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
        rewards, over = self.task.judge(self.batch, observations, given)
        self._actions_made[~ended] += 1
        terminated = (over | (self.batch.diverged != 0)) & ~ended
        truncated = (self._actions_made >= self._longest) & ~ended
        rewards = np.where(ended, 0.0, rewards)
        info = self._info(terminated)
        self._over = terminated | truncated
        if self._mode is AutoresetMode.SAME_STEP and self._over.any():
            over = self._over.copy()
            info = {'final_obs': observations, 'final_info': info}
            info |= {'_final_obs': over, '_final_info': over}
            self._begin(over)
            observations = self.task.observe(self.batch)
        return observations, rewards, terminated, truncated, info

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Return a picture of every world, (height, width, 3); None without a render mode."""
        if self._picture is None:
            return None
        return tuple(self._picture.draw(self.batch.world(i)) for i in range(self.num_envs))

    def _info(self, terminated: Flags) -> dict[str, Any]:
        """Return why worlds have diverged, and which, where some have."""
        diverged = terminated & (self.batch.diverged != 0)
        if not diverged.any():
            return {}
        messages = [self.batch.message(world) for world in range(self.num_envs)]
        return {'diverged': np.array(messages, object), '_diverged': diverged}


def _longest_of(most: int | None) -> int:
    """Return the most actions of an episode, None: as many as there are."""
    if most is None:
        return int(np.iinfo(np.int64).max)
    if not isinstance(most, int | np.integer) or not 1 <= most <= np.iinfo(np.int64).max:
        raise OptionError(
            f'max_episode_steps: 1 or more, or None, needed; got {shown_value(most)}'
        )
    return int(most)


def _mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    """Return a mode, or the one of a name."""
    try:
        return AutoresetMode(mode)
    except ValueError as error:
        known = ', '.join(repr(own.value) for own in AutoresetMode)
        raise OptionError(
            f'autoreset_mode: one of {known} is needed, got {shown_value(mode)}'
        ) from error
