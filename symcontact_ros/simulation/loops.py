"""The kernels of a model, compiled when they are worth it."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import available, is_stored, Kernel
from symcontact_ros.kernels.transitional import bound, memory_of
from symcontact_ros.simulation.loop import integrators, survey
from symcontact_ros.simulation.loop.candidates import ALWAYS_LOOK
from symcontact_ros.simulation.loop.dispatch import dispatched
from symcontact_ros.simulation.loop.layout import MEMORY, NEAR
from symcontact_ros.simulation.tables import Tables
from symcontact_ros.simulation.templates import Progress
from symcontact_ros.types import Vector

STEPS = {
    'rk4': integrators.rk4,
    'verlet': integrators.verlet,
    'semi_implicit': integrators.semi_implicit,
}
PATIENCE = 0.1  # [s] of plain Python before a survey is compiled, which takes up to 2 s, once
ARGUMENTS = ('table', 'float', 'int', 'memory', 'memory', 'memory')  # of a survey
_LOOP = integrators.__name__.rpartition('.')[0]


class Loop:
    """
    The step of a model with one integrator: ``made = loop(count)``.

    Machine code where llvmlite is installed, plain Python elsewhere, with equal results.
    """

    def __init__(
        self, tables: Tables, integrator: str, cache: Cache, progress: Progress | None
    ) -> None:
        self._tables = tables
        kernels = _kernels(tables)
        step = bound(STEPS[integrator], _LOOP, **kernels)
        self._steps: Any = bound(integrators.steps, _LOOP, step=step, **kernels)
        self._done = np.zeros(1)
        self._cache = cache
        self._rates: Any = None
        self._compiled: Any = None
        if _can_compile(tables):
            say = None if progress is None else lambda _: progress('compiling the step')
            kernel = Kernel(self._steps, ['int', 'table', 'memory'], cache, say)
            self._kernel = kernel  # kept: it owns the code
            self._compiled = kernel.function
        self.use_tables()

    def use_tables(self) -> None:
        """Take the present memory of the tables."""
        self._table = self._tables.addresses.ctypes.data
        self._place = self._done.ctypes.data

    def __call__(self, count: int) -> int:
        """Advance by up to count steps; return how many were made."""
        if self._compiled is not None:
            self._compiled(count, self._table, self._place)
        else:
            self._steps(count, self._tables.memories, memory_of(self._done))
        return int(self._done[0])

    def rates(self, state: Vector) -> Vector:
        """Return the time derivative of a state, ledger included."""
        if self._rates is None:
            function: Any = bound(integrators.rates, _LOOP, **_kernels(self._tables))
            self._rates = function
            if _can_compile(self._tables):
                kernel = Kernel(function, ['table', 'memory'], self._cache)
                self._rates = lambda table, out: kernel(self._tables.addresses, out)
        self._tables.arrays['state'][:] = state
        out = np.zeros(len(state))
        self._tables.arrays['pair_memory'].reshape(-1, MEMORY)[:, 0] = ALWAYS_LOOK
        self._rates(self._tables.memories, out if _can_compile(self._tables) else memory_of(out))
        return out


class Survey:
    """What can be told of an instant: ``records = survey(margin)``."""

    def __init__(self, tables: Tables, cache: Cache, spent: float = 0.0) -> None:
        self._tables = tables
        self._cache = cache
        self._function: Any = bound(survey.survey, _LOOP, **_kernels(tables))
        self._kernel: Kernel | None = None
        self._asked = False  # whether the cache has it
        self.spent = spent  # [s] in plain Python
        self._make_room(64)

    def _make_room(self, capacity: int) -> None:
        self._capacity = capacity
        self._arrays = [np.zeros(capacity), np.zeros(NEAR * capacity)]
        self.out = np.zeros(1 + survey.RECORD * capacity)
        self._arrays.append(self.out)
        self._places = [array.ctypes.data for array in self._arrays]

    def __call__(self, margin: float) -> Vector:
        """Return a row for each pair of shapes that is nearer than a margin; see `loop.survey`."""
        count = self.write(margin)
        return self.out[1 : 1 + survey.RECORD * count].reshape(count, survey.RECORD).copy()

    def write(self, margin: float) -> int:
        """Leave those rows in `out`, behind their number; return it."""
        if not self._tables.pairs:
            return 0
        count = self._run(margin)
        if count > self._capacity:
            self._make_room(2 * count)
            count = self._run(margin)
        return count

    def _run(self, margin: float) -> int:
        if self._kernel is None and _can_compile(self._tables) and self._pays():
            self._kernel = Kernel(self._function, ARGUMENTS, self._cache)
        if self._kernel is not None:
            table = self._tables.addresses.ctypes.data
            self._kernel.function(table, margin, self._capacity, *self._places)
        else:
            start = time.perf_counter()
            memories = [memory_of(array) for array in self._arrays]
            self._function(self._tables.memories, margin, self._capacity, *memories)
            self.spent += time.perf_counter() - start
        return int(self.out[0])

    def _pays(self) -> bool:
        """Return whether to have machine code: after some time without, or where it is stored."""
        if self.spent > PATIENCE:
            return True
        first, self._asked = not self._asked, True
        return first and is_stored(self._function, ARGUMENTS, self._cache)


def _kernels(tables: Tables) -> dict[str, Any]:
    """Return what the names of the loop mean for a model."""
    exact = tables.pairs or [next(iter(tables.known_pairs.values()))]  # never called without pairs
    pairs = [tables.detection.pair(pair) for pair in exact]
    return {'space': tables.space, **dispatched(pairs)}


def _can_compile(tables: Tables) -> bool:
    return available() and tables.detection.is_compiled
