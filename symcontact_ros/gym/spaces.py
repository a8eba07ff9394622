"""Spaces of actions and observations of a task."""

from __future__ import annotations

from typing import Any

from gymnasium.spaces import Box
import numpy as np

from symcontact_ros.errors import OptionError, shown_value
from symcontact_ros.gym.task import Task
from symcontact_ros.types import Vector


def action_space(task: Task) -> Box[np.float32]:
    """Return the space of the actions of one world."""
    low, high = (limit.astype(np.float32) for limit in (task.action_low, task.action_high))
    return Box(low, high, dtype=np.float32)


def observation_space(task: Task) -> Box[np.float64]:
    """Return the space of the observations of one world."""
    return Box(task.observation_low, task.observation_high, dtype=np.float64)


def checked_actions(task: Task, given: Any) -> Vector:
    """Return actions within their limits, ``(n, entries)``; OptionError where they are none."""
    try:
        actions = np.asarray(given, float)
    except (TypeError, ValueError, OverflowError) as error:
        raise OptionError(f'action: numbers are needed, got {shown_value(given)}') from error
    if actions.ndim != 2 or actions.shape[1:] != task.action_low.shape:
        need = f'{len(task.action_low)} numbers for every world are needed'
        raise OptionError(f'action: {need}, got the shape {actions.shape}')
    if not np.isfinite(actions).all():
        raise OptionError('action: finite numbers are needed')
    # np.clip takes three times as long for a few numbers.
    clipped: Vector = np.minimum(np.maximum(actions, task.action_low), task.action_high)
    return clipped
