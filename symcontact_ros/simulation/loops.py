"""The kernels of a model, compiled when they are worth it."""

from __future__ import annotations

from collections.abc import Callable
import functools
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import available, is_stored, Kernel, static
from symcontact_ros.kernels.memory import Floats, floats_of
from symcontact_ros.kernels.records import Image, specialized
from symcontact_ros.simulation.loop import integrators, survey
from symcontact_ros.simulation.loop.candidates import ALWAYS_LOOK
from symcontact_ros.simulation.loop.dispatch import pairs_of
from symcontact_ros.simulation.tables import Tables
from symcontact_ros.simulation.templates import Progress
from symcontact_ros.types import Vector

STEPS: dict[str, integrators.Step] = {
    'rk4': integrators.rk4,
    'verlet': integrators.verlet,
    'semi_implicit': integrators.semi_implicit,
}
PATIENCE = 0.1  # [s] of plain Python before a survey is compiled, which takes up to 2 s, once


class Loop:
    """
    The step of a model with one integrator: ``made = loop(count)``.

    Machine code where llvmlite is installed, plain Python elsewhere, with equal results.
    """

    def __init__(
        self, tables: Tables, integrator: str, cache: Cache, progress: Progress | None
    ) -> None:
        self._tables = tables
        self._type = world_type(tables)
        self._step = STEPS[integrator]
        self._cache = cache
        self._rates: Kernel | None = None
        self._steps: Kernel | None = None
        if can_compile(tables):
            say = None if progress is None else lambda _: progress('compiling the step')
            arguments = [int, self._type, static(self._step)]
            self._steps = Kernel(integrators.steps, arguments, cache, say)
        self.use_tables()

    def use_tables(self) -> None:
        """Take the present memory of the tables."""
        memory = self._tables.image.memory
        self._world = self._type.at(floats_of(memory))
        address = memory.ctypes.data
        self._run: Callable[[int], None]
        if self._steps is None:
            self._run = functools.partial(_plain_steps, self._world, self._step)
        else:
            function = self._steps.function
            self._run = lambda count: function(count, address)
        self._made = self._tables.image.field('made')

    def __call__(self, count: int) -> int:
        """Advance by up to count steps; return how many were made."""
        self._run(count)
        return int(self._made[0])

    def rates(self, state: Vector) -> Vector:
        """Return the time derivative of a state, ledger included."""
        image = self._tables.image
        image['state'][:] = state
        image['pair_memory']['clear_until'] = ALWAYS_LOOK
        out = np.zeros(len(state))
        if not can_compile(self._tables):
            integrators.rates(self._world, floats_of(out))
            return out
        if self._rates is None:
            self._rates = Kernel(integrators.rates, [self._type, Floats], self._cache)
        self._rates(image.memory, out)
        return out


def _plain_steps(world: Any, step: integrators.Step, count: int) -> None:
    integrators.steps(count, world, step)


class WorthCompiling:
    """
    A kernel that runs as plain Python until that has cost more than compiling it would.

    Parameters
    ----------
    function, arguments
        As a `Kernel` has them.
    cache
        Where it may be stored: then it need not be compiled.
    compiles
        Whether it can be compiled at all.
    """

    def __init__(
        self,
        function: Callable[..., None],
        arguments: list[Any],
        cache: Cache,
        compiles: bool = True,
    ) -> None:
        self._function = function
        self._arguments = arguments
        self._cache = cache
        self._kernel: Kernel | None = None
        self._compiles = compiles and available()
        self._asked = False  # whether the cache has it
        self.spent = 0.0  # [s] in plain Python

    def run(self, addresses: tuple[Any, ...], plain: Callable[[], tuple[Any, ...]]) -> None:
        """Run, with arguments as a `Kernel.function` takes them, or as plain Python does."""
        if self._kernel is None and self._compiles and self._pays():
            self._kernel = Kernel(self._function, self._arguments, self._cache)
        if self._kernel is not None:
            self._kernel.function(*addresses)
            return
        start = time.perf_counter()
        self._function(*plain())
        self.spent += time.perf_counter() - start

    def _pays(self) -> bool:
        """Return whether to have machine code: after some time without, or where it is stored."""
        if self.spent > PATIENCE:
            return True
        first, self._asked = not self._asked, True
        return first and is_stored(self._function, self._arguments, self._cache)


class Survey:
    """What can be told of an instant: ``records = survey(margin)``."""

    def __init__(self, tables: Tables, cache: Cache, spent: float = 0.0) -> None:
        self._tables = tables
        self._type = world_type(tables)
        arguments = [self._type, float, survey.Survey]
        self._kernel = WorthCompiling(survey.survey, arguments, cache, can_compile(tables))
        self.spent = spent
        self._make_room(64)

    @property
    def spent(self) -> float:
        """Time in plain Python [s]; compiled after some of it."""
        return self._kernel.spent

    @spent.setter
    def spent(self, value: float) -> None:
        self._kernel.spent = value

    def _make_room(self, capacity: int) -> None:
        counts = dict.fromkeys(('found', 'near', 'records'), capacity)
        self.out: Image[survey.Survey] = Image(survey.Survey, counts)

    def __call__(self, margin: float) -> NDArray[Any]:
        """Return a record of each pair of shapes that is nearer than a margin [m], as an array."""
        self.write(margin)
        return self.last()

    def last(self) -> NDArray[Any]:
        """Return the records that were written last."""
        return self.out['records'][: self.out.record.count].copy()

    def write(self, margin: float) -> int:
        """Leave those records in `out`; return how many there are."""
        if not self._tables.pairs:
            return 0
        count = self._run(margin)
        if count > len(self.out['found']):
            self._make_room(2 * count)
            count = self._run(margin)
        return count

    def _run(self, margin: float) -> int:
        memory = self._tables.image.memory
        self._kernel.run(
            (memory.ctypes.data, margin, self.out.memory.ctypes.data),
            lambda: (self._type.at(floats_of(memory)), margin, self.out.record),
        )
        return self.out.record.count


def world_type(tables: Tables) -> Any:
    """Return the world of a model, with the kernels that belong to it."""
    # Without pairs their kernels are never called.
    exact = tables.pairs or [next(iter(tables.detection.table.PAIRS.values()))]
    pairs = tuple(tables.detection.pair(pair) for pair in exact)
    return specialized(tables.world_type, space=tables.space, pairs=pairs_of(pairs))


def can_compile(tables: Tables) -> bool:
    """Return whether the kernels of a model can be compiled here."""
    return available() and tables.detection.is_compiled
