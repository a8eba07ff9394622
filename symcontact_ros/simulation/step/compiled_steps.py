"""Compiled steps of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import Kernel, static
from symcontact_ros.kernels.memory import Floats, floats_of, Ints, ints_of
from symcontact_ros.model.progress import Progress
from symcontact_ros.simulation.step.guards import begin_watch, look
from symcontact_ros.simulation.step.integrators import IMPLICIT, STEPS, steps
from symcontact_ros.simulation.step.rates import OF_ANCHOR, rates
from symcontact_ros.simulation.world.compiling import can_compile, world_type
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.simulation.world.world_records import ALWAYS_QUERY
from symcontact_ros.types import Vector


class CompiledSteps:
    """
    Steps of a model with an integrator: ``made = compiled.advance(count)``.

    Machine code where llvmlite is installed, plain Python elsewhere, with equal results. It
    follows its memory: after a change of detection or of sizes it takes the new one.

    Attributes
    ----------
    anchors_before
        The anchors of friction before the last call of `advance`.
    alerts
        How many reasons to warn there are; a block of one number.
    """

    alerts: Ints
    _run: Callable[[int, int], None]
    _run_one: Callable[[], int]

    def __init__(
        self, memory: WorldMemory, integrator: str, cache: Cache, progress: Progress
    ) -> None:
        self._memory = memory
        self._cache = cache
        self._progress = progress
        self._integrator = integrator
        self._earlier = 0  # steps of this call of `advance`, before there was more room
        self._compile()
        self._before = self._state_bytes()
        self.anchors_before = memory.anchors.copy()

    def use_integrator(self, integrator: str) -> None:
        """Take an integrator, one of `STEPS`, and compile it for the present detection."""
        if (integrator, self._memory.detection) != (self._integrator, self._detection):
            self._integrator = integrator
            self._compile()

    def follow(self, memory: WorldMemory) -> None:
        """Take another memory of the same model and detection."""
        self._memory = memory
        self._bind()
        self._before = self._state_bytes()
        self.anchors_before = memory.anchors.copy()

    def _compile(self) -> None:
        memory = self._memory
        self._detection = memory.detection
        memory.prepare(self._integrator in IMPLICIT)
        self._type = world_type(memory)
        self._rates: Kernel | None = None
        self._steps: Kernel | None = None
        if can_compile(memory):
            arguments = [int, self._type, static(STEPS[self._integrator])]
            self._steps = Kernel(steps, arguments, self._cache, self._report, soon=True)
        self._bind()

    def _report(self, _: str) -> None:
        self._progress('compiling the step')

    def _bind(self) -> None:
        """Take the present memory: finding addresses takes a while, next to a step."""
        image = self._image = self._memory.image
        # The fastest way to keep a state.
        self._state_bytes = cast(memoryview, floats_of(image['state'])).tobytes
        self._world = self._type.at(floats_of(image.memory))
        if self._steps is None:
            self._run, self._address = self._plain_steps, 0
            self._run_one = self._plain_step
        else:
            self._run, self._address = self._steps.function, image.memory.ctypes.data
            self._run_one = self._steps.bound(1, image.memory, image.field('made'))
        self._made = ints_of(floats_of(image.field('made').view(float)))
        self._goes_on = ints_of(floats_of(image.field('goes_on').view(float)))
        self.alerts = ints_of(floats_of(image.field('alerts').view(float)))
        self._sticks = self._type.sticks
        self._anchor_count = ints_of(floats_of(image.field('anchor_count').view(float)))
        self._no_anchors = image['anchors'][:0].copy()

    def _refresh(self) -> None:
        """Take the present memory and detection."""
        if self._memory.detection != self._detection:
            self._compile()
        else:
            self._bind()

    def go_on(self, goes_on: bool) -> None:
        """Say whether the run goes on after the next call: guards look at its end alone."""
        if self._memory.image is not self._image:
            self._refresh()
        self._goes_on[0] = goes_on

    def advance(self, count: int) -> int:
        """Advance by count steps; return how many were made: fewer, if the last one diverged."""
        if self._memory.image is not self._image:
            self._refresh()
        keep, run_one = self._state_bytes, self._run_one  # calls of attributes are slower
        self._before = keep()
        if self._sticks:
            # Taking a part of an array of records takes longer than a step.
            held = self._anchor_count[0] > 0
            self.anchors_before = self._memory.anchors.copy() if held else self._no_anchors
        self._earlier = self._made[0] = 0  # what an exception would leave here is then right
        if count == 1:
            made = run_one()
        else:
            self._run(count, self._address)
            made = self._made[0]
        if made < count:
            made = self._advance_on(made, count)
        return made

    def _advance_on(self, made: int, count: int) -> int:
        """Have more room, and go on, where some steps were not made for lack of it."""
        while made < count and self._make_room():
            self._earlier, self._made[0] = made, 0
            self._run(count - made, self._address)
            made += self._made[0]
        return made

    @property
    def before(self) -> Vector:
        """The state with its ledger before the last call of `advance`."""
        return np.frombuffer(self._before)

    @before.setter
    def before(self, state: Vector) -> None:
        self._before = state.tobytes()

    @property
    def made(self) -> int:
        """
        Whole steps of the last call of `advance`, also of one that an exception has ended.

        A signal ends it between two compiled calls, or in mid-step where they are plain Python.
        """
        return self._earlier + self._made[0]

    @property
    def is_plain(self) -> bool:
        """Whether the steps are plain Python."""
        return self._steps is None

    @property
    def address(self) -> int:
        """Where the machine code of `steps` is, for kernels that call it; 0: there is none."""
        return 0 if self._steps is None else self._steps.address

    def begin_watch(self) -> None:
        """Have the guards watch a run that is not made of compiled steps, from now on."""
        if self._memory.image is not self._image:
            self._refresh()
        begin_watch(self._world)

    def look(self) -> None:
        """Have the guards look at the end of such a run."""
        look(self._world)

    def _make_room(self) -> bool:
        """Have more room, where the last step was not made for lack of it."""
        memory = self._memory
        if memory.lacks_room:
            memory.make_room()
        elif self._integrator in IMPLICIT and memory.lacks_solver_room:
            memory.grow_solver()
        else:
            return False
        self._bind()
        return True

    def _plain_steps(self, count: int, _: int) -> None:
        steps(count, self._world, STEPS[self._integrator])

    def _plain_step(self) -> int:
        self._plain_steps(1, 0)
        return self._made[0]

    def rates(self, whole: Vector) -> Vector:
        """
        Return the time derivative of a state with its ledger; the memory is in that state.

        Stretch and twist of all anchors may follow the ledger: see `rates`.
        """
        out = np.zeros(len(whole))
        self._run_rates(whole, out)
        while self._memory.lacks_room:
            self._memory.make_room()
            self._run_rates(whole, out)
        return out

    def _run_rates(self, whole: Vector, out: Vector) -> None:
        if self._memory.image is not self._image:
            self._refresh()
        image = self._image
        size = len(image['state'])
        image['state'][:] = whole[:size]
        of_anchors = whole[size:].reshape(-1, OF_ANCHOR)
        image['anchors']['stretch'][: len(of_anchors)] = of_anchors[:, :3]
        image['anchors']['twist'][: len(of_anchors)] = of_anchors[:, 3]
        image['pair_memory']['clear_until'] = ALWAYS_QUERY
        if self._steps is None:
            rates(self._world, floats_of(out))
            return
        if self._rates is None:
            self._rates = Kernel(rates, [self._type, Floats], self._cache)
        self._rates(image.memory, out)
