"""Distributions of live symbols, for the worlds of a batch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
import math
from numbers import Real
from typing import Any
from zlib import crc32

import numpy as np

from symcontact_ros.errors import OptionError, shown_value
from symcontact_ros.types import float_of, Vector


class Distribution(ABC):
    """
    What values of a live symbol are drawn from.

    The value of a world depends on the seed, the name of the symbol, how often the world was drawn
    anew, and its number: not on how many worlds there are.
    """

    def values(self, name: str, seed: int, draw: int, count: int) -> Vector:
        """Return the values of worlds 0 to count - 1 in their draw of that number."""
        return self.draw(np.random.default_rng([seed, crc32(name.encode()), draw]), count)

    @abstractmethod
    def draw(self, generator: np.random.Generator, count: int) -> Vector:
        """Return a number of values, in units of the symbol."""


def _numbers(own: Distribution, *values: Any) -> list[float]:
    if not all(isinstance(value, Real) for value in values):
        _check(own, False, 'two numbers are needed')
    return [float_of(value) for value in values]


def _check(own: Distribution, valid: bool, need: str) -> None:
    if not valid:
        raise OptionError(f'{shown_value(own)}: {need}')


@dataclass(frozen=True)
class Uniform(Distribution):
    """All values from low to high, equally likely; SI units of the symbol."""

    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse what is no range."""
        low, high = _numbers(self, self.low, self.high)
        valid = math.isfinite(low) and math.isfinite(high) and low <= high
        _check(self, valid, 'finite numbers with low <= high are needed')

    def draw(self, generator: np.random.Generator, count: int) -> Vector:
        """Return a number of values."""
        return generator.uniform(self.low, self.high, count)


@dataclass(frozen=True)
class LogUniform(Distribution):
    """Values from low to high whose logarithms are equally likely: for stiffnesses, say."""

    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse what has no logarithms."""
        low, high = _numbers(self, self.low, self.high)
        valid = 0.0 < low <= high < math.inf
        _check(self, valid, 'finite numbers with 0 < low <= high are needed')

    def draw(self, generator: np.random.Generator, count: int) -> Vector:
        """Return a number of values."""
        return np.exp(generator.uniform(math.log(self.low), math.log(self.high), count))


@dataclass(frozen=True)
class Normal(Distribution):
    """Values about a mean with a standard deviation, none farther from it than three of these."""

    mean: float
    deviation: float

    def __post_init__(self) -> None:
        """Refuse what is no normal distribution."""
        mean, deviation = _numbers(self, self.mean, self.deviation)
        valid = math.isfinite(mean) and 0.0 <= deviation < math.inf
        _check(self, valid, 'a finite mean and a deviation >= 0 are needed')

    def draw(self, generator: np.random.Generator, count: int) -> Vector:
        """Return a number of values."""
        return self.mean + self.deviation * np.clip(generator.standard_normal(count), -3.0, 3.0)
