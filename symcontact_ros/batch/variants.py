"""Variants of a model: the sets of values of live symbols that the worlds of a batch have."""

from __future__ import annotations

from collections.abc import Mapping
import time

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.batch.world_rows import WorldRows
from symcontact_ros.errors import OptionError
from symcontact_ros.expressions import Values
from symcontact_ros.model.initial_state import initial_state
from symcontact_ros.model.progress import Progress, WAIT, with_time
from symcontact_ros.simulation.options import check_limits, check_values
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

Worlds = NDArray[np.int64]
MOST_UNUSED = 64  # variants beyond two per world that are kept, for worlds that come back to one


class Variants:
    """
    Sets of values, the row of each at the start, and which one every world has.

    Attributes
    ----------
    values
        Of the live symbols, of every variant.
    starts
        The row of a world at its start, of every variant; an empty one is not yet made.
    of_world
        The variant of every world.
    renewals
        How often the list of variants has changed.
    """

    def __init__(self, template: Simulation, rows: WorldRows) -> None:
        self._template = template
        self._rows = rows
        first = dict(template.parts.live.values)
        self._known = {tuple(first.values()): 0}
        self.values: list[Values] = [first]
        self.starts: list[Vector] = [rows.stored()]
        self.of_world: Worlds = np.zeros(len(rows.rows), np.int64)
        self.renewals = 0
        self._first_of = -1
        self._first = np.zeros((0, 0)), np.zeros((0, 0))

    def parameters(self) -> dict[str, Vector]:
        """Return the values of all live symbols in every world."""
        table = np.array([list(own.values()) for own in self.values])
        table = table.reshape(len(self.values), -1)[self.of_world]
        return {name: table[:, i].copy() for i, name in enumerate(self.values[0])}

    def first_coordinates(self) -> tuple[Vector, Vector]:
        """Return q and u of all variants at the start, as `Simulation.reset` takes them."""
        if self._first_of != self.renewals:
            firsts = [initial_state(self._template.model, own) for own in self.values]
            self._first = np.array([q for q, _ in firsts]), np.array([u for _, u in firsts])
            self._first_of = self.renewals
        return self._first

    def check(self, worlds: Worlds, arrays: Mapping[str, Vector]) -> None:
        """Raise OptionError unless all values of worlds make a model."""
        model = self._template.model
        for world in worlds:
            own = {name: float(array[world]) for name, array in arrays.items()}
            try:
                check_values(model, own)
                check_limits(model, {**self.values[self.of_world[world]], **own})
            except (ValueError, ArithmeticError, OptionError) as error:
                raise OptionError(f'world {world}: {error}') from error

    def take(self, worlds: Worlds, arrays: Mapping[str, Vector], progress: Progress) -> None:
        """Give worlds other values of some live symbols, and make what is new; rows stay."""
        if not arrays:
            return
        self.check(worlds, arrays)
        if len(self.values) > MOST_UNUSED + 2 * len(self.of_world):
            self._drop_unused()
        began, told = time.monotonic(), False
        for place, world in enumerate(worlds):
            own = {name: float(array[world]) for name, array in arrays.items()}
            values = {**self.values[self.of_world[world]], **own}
            number = self._known.setdefault(tuple(values.values()), len(self.values))
            if number == len(self.values):
                self.renewals += 1
                self.values.append(values)
                self.starts.append(self._start_of(values))
            self.of_world[world] = number
            spent = time.monotonic() - began
            if not told and spent > WAIT:
                expected = spent / (place + 1) * len(worlds)
                progress(with_time(f'preparing {len(worlds)} worlds', expected))
                told = True

    def _drop_unused(self) -> None:
        """Forget variants that no world has any more: new values may come for ever."""
        used = np.unique(self.of_world)
        self.of_world = np.searchsorted(used, self.of_world)
        self.values = [self.values[i] for i in used]
        self.starts = [self.starts[i] for i in used]
        self._known = {tuple(own.values()): i for i, own in enumerate(self.values)}
        self.renewals += 1

    def _start_of(self, values: Values) -> Vector:
        """Return the row of a world with these values at its start."""
        live = self._template.parts.live
        live.use(values, live.memory.detection)
        self._template.reset()
        return self._rows.stored()

    def restart(self, worlds: Worlds) -> None:
        """Bring worlds to the start of their variants."""
        for variant in np.unique(self.of_world[worlds]):
            own = worlds[self.of_world[worlds] == variant]
            self._rows.rows[own] = self.starts[variant]

    def load(self, row: Vector, variant: int) -> None:
        """Let the template be a world, with its values."""
        self.use(variant)
        self._template.parts.live.memory.drop_start()
        self._rows.load(row)

    def use(self, variant: int) -> None:
        """Let the equations of the template have the values of a variant."""
        live = self._template.parts.live
        if live.memory.values is not self.values[variant]:
            live.dynamics.set_values(self.values[variant])
            live.memory.values = self.values[variant]
            live.memory.drop_start()

    def follow(self) -> None:
        """Let all rows have the layout of the template, which has grown."""
        self._rows.follow(self.starts, self.values, self.of_world)
