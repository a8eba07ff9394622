"""
The classical method of Runge and Kutta, number by number.

A stage is ``state + of_rate * rate + of_sums * sums``, and the sums of the rates go on as
``keep * sums + gain * rate``: no rate needs to be stored.
"""

from __future__ import annotations

from typing import NamedTuple

from symcontact_ros.kernels.memory import Floats


class Weights(NamedTuple):
    """Weights of the rates of a stage and of the sums so far."""

    of_rate: float  # [s]
    of_sums: float  # [s]
    keep: float
    gain: float


def weights_of(stage: int, h: float) -> Weights:
    """Return the weights of stage 0 to 3 of a step of h [s]; the last gives the new state."""
    if stage == 0:
        return Weights(0.5 * h, 0.0, 0.0, 1.0)
    if stage == 1:
        return Weights(0.5 * h, 0.0, 1.0, 2.0)
    if stage == 2:
        return Weights(h, 0.0, 1.0, 2.0)
    return Weights(h / 6.0, h / 6.0, 0.0, 0.0)


def share_of(stage: int, h: float) -> float:
    """Return the part of a step of h [s] that the rates of a stage stand for."""
    return h / 6.0 if stage in (0, 3) else h / 3.0


def advance_number(
    state: Floats, stage: Floats, sums: Floats, i: int, rate: float, weights: Weights
) -> None:
    """Make the next stage of one number."""
    stage[i] = state[i] + (weights.of_rate * rate + weights.of_sums * sums[i])
    sums[i] = weights.keep * sums[i] + weights.gain * rate
