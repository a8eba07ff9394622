"""Values that a live symbol takes in a sweep: those of a grid, or a distribution to sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
import hashlib
import math
from numbers import Real
from statistics import NormalDist
from typing import Any

import numpy as np

from symcontact_ros.errors import not_one_of, OptionError, shown
from symcontact_ros.types import float_of

MOST_VALUES = 10_000_000  # of a grid
LOG = 'log'
FORMS = (
    'a:b:n (n values from a to b), a:b:n:log, a list a,b,c, or to be sampled: a:b (uniform), '
    'loguniform:a:b, normal:mean:sd, lognormal:median:sigma'
)
_NORMAL = NormalDist()


@dataclass(frozen=True)
class Grid:
    """Values that are all taken, in their order."""

    values: tuple[float, ...]

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest value."""
        return min(self.values), max(self.values)

    def __str__(self) -> str:
        """Return what tells this grid from others, of any length."""
        digest = hashlib.sha256(np.array(self.values).tobytes()).hexdigest()
        return f'{len(self.values)} values {digest}'


@dataclass(frozen=True)
class Distribution:
    """A distribution of `KINDS` with its two constants."""

    kind: str
    first: float
    second: float

    @property
    def ends(self) -> tuple[float, float]:
        """Limits between which all samples are; of a normal one its mean or median, twice."""
        last = self.second if 'uniform' in self.kind else self.first
        return self.first, last

    def quantile(self, part: float) -> float:
        """Return the value below which a part of all samples is, 0 < part < 1."""
        return KINDS[self.kind].quantile(self.first, self.second, part)

    def __str__(self) -> str:
        return f'{self.kind}:{self.first!r}:{self.second!r}'


Axis = Grid | Distribution


@dataclass(frozen=True)
class Kind:
    """A kind of distribution: its quantiles, and what its constants must be."""

    quantile: Callable[[float, float, float], float]
    is_good: Callable[[float, float], bool]
    need: str


# To add a distribution: one row. First and second constant are a and b in words.
KINDS = {
    'uniform': Kind(lambda a, b, p: a + (b - a) * p, lambda a, b: a < b, 'a < b'),
    'loguniform': Kind(
        lambda a, b, p: a * math.exp(math.log(b / a) * p), lambda a, b: 0.0 < a < b, '0 < a < b'
    ),
    'normal': Kind(
        lambda a, b, p: a + b * _NORMAL.inv_cdf(p), lambda a, b: b > 0.0, 'a deviation > 0'
    ),
    'lognormal': Kind(
        lambda a, b, p: a * math.exp(b * _NORMAL.inv_cdf(p)),
        lambda a, b: a > 0.0 and b > 0.0,
        'a median > 0 and a sigma > 0 (of the natural logarithm)',
    ),
}


def uniform_number(seed: int, sample: int, name: str) -> float:
    """
    Return a number in (0, 1) that depends on nothing but its arguments.

    The first 52 bits of a SHA-256: no generator has a state that cores, order or a restart could
    change, and no version of a package another algorithm.
    """
    digest = hashlib.sha256(f'{seed}/{sample}/{name}'.encode()).digest()
    return ((int.from_bytes(digest[:8], 'big') >> 12) + 0.5) * 2.0**-52


def axis_of(name: str, given: Any) -> Axis:
    """Return the values of a live symbol from a text, a number or a sequence; else OptionError."""
    if isinstance(given, Grid | Distribution):
        return given
    if isinstance(given, str):
        return _from_text(name, given.strip())
    if isinstance(given, Real):
        return _grid(name, [given])
    if isinstance(given, Iterable):
        return _grid(name, list(given))
    raise OptionError(f'{name}: must be numbers or a text, got {shown(given)}')


def _from_text(name: str, text: str) -> Axis:
    head, *rest = text.split(':')
    if head in KINDS:
        return _distribution(name, head, rest, text)
    if not rest:
        return _grid(name, [_number(name, word) for word in text.split(',')])
    if head[:1].isalpha() and head not in ('inf', 'nan'):
        raise OptionError(f'{name}: {not_one_of("distribution", tuple(KINDS), head)}')
    words = [head, *rest]
    if len(words) == 2:
        return _distribution(name, 'uniform', words, text)
    if len(words) > 4 or (len(words) == 4 and words[3] != LOG):
        raise OptionError(f'{name}: must be {FORMS}; got {shown(text)}')
    return _spaced(name, words, is_log=len(words) == 4)


def _spaced(name: str, words: Sequence[str], is_log: bool) -> Grid:
    """Return evenly spaced values, or such whose logarithms are."""
    first, last = _number(name, words[0]), _number(name, words[1])
    count = int(words[2]) if words[2].isdecimal() and len(words[2]) < 10 else 0
    if not 1 <= count <= MOST_VALUES:
        most = f'a whole number of 1 to {MOST_VALUES}'
        raise OptionError(f'{name}: the number of values must be {most}, got {shown(words[2])}')
    if not is_log:
        return _grid(name, np.linspace(first, last, count).tolist())
    if not (first > 0.0 and last > 0.0):
        raise OptionError(f'{name}: a logarithmic grid needs ends > 0, got {first:g} and {last:g}')
    return _grid(name, np.geomspace(first, last, count).tolist())


def _distribution(name: str, kind: str, words: Sequence[str], text: str) -> Distribution:
    if len(words) != 2:
        raise OptionError(f'{name}: {kind} has two constants, {kind}:a:b; got {shown(text)}')
    first, second = (_number(name, word) for word in words)
    if not KINDS[kind].is_good(first, second):
        raise OptionError(f'{name}: {kind} needs {KINDS[kind].need}, got {shown(text)}')
    return Distribution(kind, first, second)


def _grid(name: str, values: Sequence[Any]) -> Grid:
    if not values:
        raise OptionError(f'{name}: needs one value at least')
    if len(values) > MOST_VALUES:
        raise OptionError(f'{name}: {len(values)} values; {MOST_VALUES} at most')
    wrong = [
        value
        for value in values
        if not isinstance(value, Real) or not math.isfinite(float_of(value))
    ]
    if wrong:
        raise OptionError(f'{name}: values must be finite numbers, got {shown(wrong[0])}')
    plain = tuple(float(value) for value in values)
    if len(set(plain)) < len(plain):
        raise OptionError(f'{name}: every value once, please')
    return Grid(plain)


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise OptionError(f'{name}: must be {FORMS}; {shown(text)} is no finite number')
    return value
