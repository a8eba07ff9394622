"""Points of a sweep: one value of every swept live symbol, found from the number of the point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import math
from typing import Any

from symcontact_ros.errors import no_such, OptionError
from symcontact_ros.model.model import Model
from symcontact_ros.sweeps.axes import Axis, axis_of, Distribution, Grid, uniform_number

MOST_POINTS = 100_000_000


@dataclass(frozen=True)
class Points:
    """
    All points of a grid, and at each of them all samples.

    The last axis of the grid changes fastest, and samples faster still. Sample k has the same
    random values at every point of the grid (common random numbers), so that differences between
    points of the grid are those of the model.
    """

    axes: dict[str, Axis]  # by live symbol
    samples: int = 0  # at every point of the grid; 0: nothing is sampled
    seed: int = 0

    def __len__(self) -> int:
        """Return the number of points."""
        counts = [len(axis.values) for axis in self.axes.values() if isinstance(axis, Grid)]
        return math.prod(counts) * max(1, self.samples)

    def values(self, point: int) -> dict[str, float]:
        """Return the value of every swept symbol; `point` counts from 0."""
        place, sample = divmod(point, max(1, self.samples))
        found: dict[str, float] = {}
        for name, axis in reversed(self.axes.items()):
            if isinstance(axis, Distribution):
                found[name] = axis.quantile(uniform_number(self.seed, sample, name))
            else:
                place, row = divmod(place, len(axis.values))
                found[name] = axis.values[row]
        return {name: found[name] for name in self.axes}

    @property
    def mark(self) -> str:
        """What tells these points from others."""
        axes = ', '.join(f'{name}={axis}' for name, axis in self.axes.items())
        return f'{axes}; {self.samples} samples of seed {self.seed}'


def axes_of(parameters: Mapping[str, Any], faults: list[str]) -> dict[str, Axis]:
    """Return the values of every name that has good ones; add what is wrong to the faults."""
    axes: dict[str, Axis] = {}
    for name, given in parameters.items():
        try:
            axes[name] = axis_of(name, given)
        except OptionError as error:
            faults.append(str(error))
    return axes


def points_of(
    model: Model, axes: Mapping[str, Axis], samples: int, seed: int, faults: list[str]
) -> Points:
    """Return the points of a sweep of a model; add what is wrong to the faults."""
    named: dict[str, Axis] = {}
    for name, axis in axes.items():
        try:
            symbol = symbol_named(model, name)
            if symbol in named:
                raise OptionError(f'{symbol}: is given twice')
            named[symbol] = axis
            _check_limits(model, symbol, axis)
        except OptionError as error:
            faults.append(str(error))
    sampled = [name for name, axis in axes.items() if isinstance(axis, Distribution)]
    if sampled and not samples:
        words = ', '.join(sampled)
        faults.append(f'{words}: a distribution needs a number of samples; a grid is a:b:n')
    if samples and not sampled:
        faults.append('samples: no parameter has a distribution, such as 0:1 or normal:1:0.1')
    points = Points(named, samples, seed)
    if len(points) > MOST_POINTS:
        faults.append(f'{len(points)} points; a sweep has {MOST_POINTS} at most')
    return points


def symbol_named(model: Model, name: str) -> str:
    """Return the live symbol of that name, or the only one whose last word it is."""
    if name in model.symbols:
        return name
    ending = [symbol for symbol in model.symbols if symbol.rpartition('.')[2] == name]
    if len(ending) == 1:
        return ending[0]
    if ending:
        raise OptionError(f'{name}: which of {", ".join(ending)}?')
    words = {symbol.rpartition('.')[2] for symbol in model.symbols}
    raise no_such('live symbol', name, sorted({*model.symbols, *words}))


def _check_limits(model: Model, name: str, axis: Axis) -> None:
    symbol = model.symbols[name]
    for end in axis.ends:
        if not symbol.minimum <= end <= symbol.maximum:
            limits = f'[{symbol.minimum:g}, {symbol.maximum:g}]'
            raise OptionError(f'{name} must be within {limits}, got {end:g}')
