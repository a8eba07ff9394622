"""The kernels of a model, compiled when they are worth it."""

from __future__ import annotations

from collections.abc import Callable
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import available, is_stored, Kernel, static
from symcontact_ros.kernels.memory import Floats, floats_of, ints_of
from symcontact_ros.kernels.records import Image, specialized
from symcontact_ros.simulation.equations.templates import Progress
from symcontact_ros.simulation.observing import inspection_kernel as survey
from symcontact_ros.simulation.step import integrators
from symcontact_ros.simulation.step.candidates import ALWAYS_LOOK
from symcontact_ros.simulation.world.filling import Tables
from symcontact_ros.simulation.world.pair_kernels import pairs_of
from symcontact_ros.simulation.world.world import AnyWorld
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

    Attributes
    ----------
    state
        The state with its ledger, as the next step finds it.
    """

    _run: Callable[[int, int], None]

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
        image = self._tables.image
        self.state = image['state']
        self._world = self._type.at(floats_of(image.memory))
        if self._steps is None:
            self._run, self._address = self._plain_steps, 0
        else:
            self._run, self._address = self._steps.function, image.memory.ctypes.data
        # Reading these takes a while, next to a step.
        self._made = ints_of(floats_of(image.field('made').view(float)))
        self._exceeded = ints_of(floats_of(image.field('exceeded').view(float)))

    def __call__(self, count: int) -> int:
        """Advance by up to count steps; return how many were made."""
        self._run(count, self._address)
        return self._made[0]

    @property
    def exceeded(self) -> int:
        """How many steps needed more parts than allowed."""
        return self._exceeded[0]

    def _plain_steps(self, count: int, _: int) -> None:
        integrators.steps(count, self._world, self._step)

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
        self._count = ints_of(floats_of(self.out.field('count').view(float)))
        self._addresses = 0, 0  # of the world and of `out`: finding them takes a while
        self._image: Image[AnyWorld] | None = None  # the world whose address it is

    def __call__(self, margin: float) -> NDArray[Any]:
        """Return a record of each pair of shapes that is nearer than a margin [m], as an array."""
        self.write(margin)
        return self.last()

    def last(self) -> NDArray[Any]:
        """Return the records that were written last."""
        return self.out.copy('records', self._count[0])

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
        if self._tables.image is not self._image:
            self._image = self._tables.image
            self._addresses = self._image.memory.ctypes.data, self.out.memory.ctypes.data
        world, out = self._addresses
        self._kernel.run((world, margin, out), lambda: self._plain(margin))
        return self._count[0]

    def _plain(self, margin: float) -> tuple[Any, ...]:
        """Return the arguments of a survey in plain Python."""
        memory = self._tables.image.memory
        return self._type.at(floats_of(memory)), margin, self.out.record


def world_type(tables: Tables) -> type[AnyWorld]:
    """Return the world of a model, with the kernels that belong to it."""
    # Without pairs their kernels are never called.
    exact = tables.pairs or [next(iter(tables.detection.table.PAIRS.values()))]
    pairs = tuple(tables.detection.pair(pair) for pair in exact)
    return specialized(tables.world_type, space=tables.space, pairs=pairs_of(pairs))


def can_compile(tables: Tables) -> bool:
    """Return whether the kernels of a model can be compiled here."""
    return available() and tables.detection.is_compiled
