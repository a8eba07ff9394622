"""Steps of all worlds of a batch, on several threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
import itertools
import os

import numpy as np

from symcontact_ros.batch.batch_kernels import (
    advance_worlds,
    ANCHOR,
    BatchMemory,
)
from symcontact_ros.batch.variants import Variants, Worlds
from symcontact_ros.batch.world_rows import WorldRows
from symcontact_ros.errors import OptionError
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.simulation.options import fixed_step_integrator
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.simulation.step.divergence import (
    diverged_body,
    divergence_message,
    is_finite,
    return_to_last_good,
)
from symcontact_ros.simulation.step.integrators import IMPLICIT
from symcontact_ros.simulation.step.stiff_joints import stiff_joint
from symcontact_ros.simulation.step.unsound import unsound_message
from symcontact_ros.simulation.world.compiling import can_compile
from symcontact_ros.simulation.world.guard_records import SOUND
from symcontact_ros.types import Vector

SHARES = 8  # of the worlds that a thread takes at a time: some are slower than others
NOT_FINITE = 1  # in `diverged`; reasons of the guards follow


class WorldSteps:
    """
    Steps of all worlds.

    Attributes
    ----------
    count
        Steps of every world since its start.
    diverged
        Why every world has stopped: see `Batch`.
    messages
        The same in words, by world.
    """

    def __init__(
        self,
        template: Simulation,
        rows: WorldRows,
        variants: Variants,
        threads: int,
    ) -> None:
        self._template, self._rows, self._variants = template, rows, variants
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # whose threads these are
        live = template.parts.live
        if not can_compile(live.memory):
            raise OptionError(
                'a batch needs compiled steps: the package llvmlite, and co.solver: builtin'
            )
        self._is_implicit = fixed_step_integrator(template.used_integrator) in IMPLICIT
        arguments = [int, int, int, BatchMemory, Floats, Ints, Ints, Ints, Floats, Floats, Ints]
        # The same for all models: it calls the steps that the template has, compiled or cached.
        self._kernel = Kernel(advance_worlds, arguments, live.cache)
        worlds = len(rows.rows)
        self.count: Worlds = np.zeros(worlds, np.int64)
        self.diverged: Worlds = np.zeros(worlds, np.int64)
        self.messages: dict[int, str] = {}
        self._made: Worlds = np.zeros(worlds, np.int64)
        self._bind()

    def _bind(self) -> None:
        """Have room for the states before a call, in the layout of the rows."""
        layout = self._rows.layout
        worlds = len(self._rows.rows)
        self._before: Vector = np.zeros((worlds, len(layout['state'])))
        anchors = len(layout['anchors']) * ANCHOR
        self._anchors_before: Vector = np.zeros((worlds, anchors))
        self._anchors_kept: Worlds = np.zeros(worlds, np.int64)

    def restart(self, worlds: Worlds) -> None:
        """Let worlds be at their start."""
        self.count[worlds] = self.diverged[worlds] = 0
        for world in [world for world in worlds.tolist() if world in self.messages]:
            del self.messages[world]

    def advance(self, count: int, goes_on: bool = False) -> None:
        """Make steps in all worlds that have not stopped; more may follow in the same run."""
        self._rows.field('goes_on')[:] = goes_on
        todo = np.where(self.diverged == 0, count, 0)
        while True:
            self._run(todo)
            self.count += self._made
            todo -= self._made
            behind = np.flatnonzero(todo > 0).tolist()
            crowded = [world for world in behind if self._lacks_room(world)]
            for world in behind:
                if world not in crowded:
                    self._stop(world)
                    todo[world] = 0
            if not crowded:
                return
            self._grow(crowded[0])  # the others may have room then

    def _run(self, todo: Worlds) -> None:
        """Make as many steps in each world as there are to do."""
        memory = self._rows.memory
        numbers = memory.view(np.int64)
        self._rows.record.record.steps = self._template.parts.compiled_steps.address
        given = self._kernel.addressed(
            0, 0, 0, self._rows.record.memory, memory, numbers, todo, self._made,
            self._before.reshape(-1), self._anchors_before.reshape(-1), self._anchors_kept,
        )[3:]  # fmt: skip
        self.share_out(lambda first, last, own: self._kernel.function(first, last, own, *given))

    def share_out(self, work: Callable[[int, int, int], None]) -> None:
        """Let all threads call for parts of the worlds: first, last, number of the thread."""
        worlds = len(self._rows.rows)
        if self.threads == 1:
            work(0, worlds, 0)
            return
        pool = self._pool_of_this_process()
        size = max(1, worlds // (self.threads * SHARES))
        starts = itertools.count(0, size)  # whose `next` is atomic

        def run(thread: int) -> None:
            for first in starts:
                if first >= worlds:
                    return
                work(first, min(first + size, worlds), thread)

        futures = [pool.submit(run, thread) for thread in range(self.threads)]
        try:
            wait(futures)
        except BaseException:  # Ctrl-C: memory must not change behind the back of the caller
            wait(futures)
            raise
        for future in futures:
            future.result()

    def _pool_of_this_process(self) -> ThreadPoolExecutor:
        """Return the threads; a forked child has none of its parent's, and makes its own."""
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self.threads), os.getpid()
        return self._pool

    def _load(self, world: int) -> None:
        self._variants.load(self._rows.rows[world], int(self._variants.of_world[world]))

    def _lacks_room(self, world: int) -> bool:
        """Return whether a world has not made its steps for lack of room."""
        self._load(world)
        memory = self._template.parts.live.memory
        return memory.lacks_room or (self._is_implicit and memory.lacks_solver_room)

    def _grow(self, world: int) -> None:
        """Have more room in all worlds, where one has too little."""
        self._load(world)
        memory = self._template.parts.live.memory
        if memory.lacks_room:
            memory.make_room()
        else:
            memory.grow_solver()
        self._variants.follow()
        self._rows.rows[world] = self._rows.stored()
        self._bind()

    def _stop(self, world: int) -> None:
        """Stop a world that has diverged, in its last good state."""
        self._load(world)
        template = self._template
        live, compiled = template.parts.live, template.parts.compiled_steps
        template.steps = int(self.count[world])
        live.memory.world.stops += 1
        if live.memory.world.guard.reason != SOUND and is_finite(live):
            template.steps += 1
            self.diverged[world] = NOT_FINITE + live.memory.world.guard.reason
            near = template.proximities()
            self.messages[world] = unsound_message(live, template.time, near)
        else:
            body = diverged_body(live)
            template.steps -= int(self._made[world])
            anchors = live.memory.image['anchors']
            kept = self._anchors_before[world].view(anchors.dtype)
            compiled.before = self._before[world].copy()
            compiled.anchors_before = kept[: self._anchors_kept[world]].copy()
            template.steps += return_to_last_good(live, compiled, int(self._made[world]))
            self.diverged[world] = NOT_FINITE
            self.messages[world] = divergence_message(
                body, template.time, template.proximities(), stiff_joint(live)
            )
        self.count[world] = template.steps
        self._rows.rows[world] = self._rows.stored()
