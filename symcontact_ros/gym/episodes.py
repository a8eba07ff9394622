"""The task of a name, and starts of episodes, which are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from symcontact_ros.batch.distributions import Distribution
from symcontact_ros.errors import no_such, OptionError, shown_value
from symcontact_ros.gym.task import Task
from symcontact_ros.gym.tasks.cart_pole import CartPole
from symcontact_ros.gym.tasks.go2_stand import Go2Stand
from symcontact_ros.gym.tasks.hopper import Hopper
from symcontact_ros.gym.tasks.push import Push
from symcontact_ros.model.initial_state import initial_state
from symcontact_ros.model.model import Model
from symcontact_ros.types import Vector

TASKS: dict[str, type[Task]] = {
    'cart_pole': CartPole,
    'hopper': Hopper,
    'push': Push,
    'go2_stand': Go2Stand,
}


def task_of(task: Task | str, options: Mapping[str, Any]) -> Task:
    """Return a task, or the one of a name; OptionError for names and options that it has not."""
    if isinstance(task, Task):
        if options:
            raise OptionError(f'{", ".join(options)}: options are of tasks that are named')
        return task
    if not isinstance(task, str) or task not in TASKS:
        raise no_such('task', task, tuple(TASKS))
    try:
        return TASKS[task](**options)
    except TypeError as error:
        raise OptionError(f'task {task}: {error}') from error


class Starts:
    """
    Starts of episodes, drawn by the generator of a world.

    Parameters
    ----------
    model
        What is simulated.
    values
        Values of its live symbols.
    randomise
        Distributions of live symbols; OptionError where there is no such symbol.

    Attributes
    ----------
    names
        Live symbols that are drawn.
    """

    def __init__(
        self, model: Model, values: Mapping[str, float], randomise: Mapping[str, Distribution]
    ) -> None:
        if not isinstance(randomise, Mapping):
            need = "symbols and distributions, {'m': sc.Uniform(0.5, 2.0)}, are needed"
            raise OptionError(f'randomise: {need}; got {shown_value(randomise)}')
        for name, distribution in randomise.items():
            if name not in values:
                raise no_such('live symbol', name, tuple(values))
            if not isinstance(distribution, Distribution):
                need = 'a distribution is needed, such as sc.Uniform(0.5, 2.0)'
                raise OptionError(f'randomise.{name}: {need}; got {shown_value(distribution)}')
        self._model, self._values = model, dict(values)
        self._randomise = dict(randomise)
        self._first = initial_state(model, values)
        self.names = frozenset(randomise)

    def draw(
        self, task: Task, random: np.random.Generator
    ) -> tuple[dict[str, float], Vector, Vector]:
        """Return values of live symbols, coordinates and speeds of an episode."""
        drawn = {name: float(own.draw(random, 1)[0]) for name, own in self._randomise.items()}
        q, u = (own.copy() for own in self._first)
        if drawn:  # the start may depend on them
            q, u = initial_state(self._model, {**self._values, **drawn})
        task.start(q, u, random)
        return drawn, q, u
