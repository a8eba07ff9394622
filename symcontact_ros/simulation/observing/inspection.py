"""Inspection of a state: a record of every pair of shapes that is near."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.memory import floats_of, ints_of
from symcontact_ros.kernels.on_demand import KernelOnDemand
from symcontact_ros.kernels.records import Image
from symcontact_ros.simulation.observing.inspection_kernel import inspect, InspectionRecord
from symcontact_ros.simulation.world.compiling import can_compile, world_type
from symcontact_ros.simulation.world.world_memory import WorldMemory

FIRST_ROOM = 64  # pairs


class Inspection:
    """
    Pairs of shapes that are near: ``records = inspection.records(margin)``.

    It follows its memory: after a change of detection or of sizes it takes the new one.

    Attributes
    ----------
    memory
        Of the state that is inspected.
    cache
        Where its kernel is stored.
    proximity_range
        Margin within which pairs are reported, if no other is given [m].
    out
        The records that were written last.
    """

    def __init__(self, memory: WorldMemory, cache: Cache, proximity_range: float) -> None:
        self.memory = memory
        self.cache = cache
        self.proximity_range = proximity_range
        self._compile(0.0)
        self._make_room(FIRST_ROOM)

    def follow(self, memory: WorldMemory) -> None:
        """Take another memory of the same model and detection."""
        self.memory = memory
        self._make_room(len(self.out['found']))

    def _compile(self, spent: float) -> None:
        """Take the kernel for the present detection."""
        self._detection = self.memory.detection
        self._type = world_type(self.memory)
        self._kernel = KernelOnDemand(
            inspect,
            [self._type, float, InspectionRecord],
            self.cache,
            can_compile(self.memory),
            spent,
        )

    def _make_room(self, pairs: int) -> None:
        counts = dict.fromkeys(('found', 'candidates', 'records'), pairs)
        self.out: Image[InspectionRecord] = Image(InspectionRecord, counts)
        self._count = ints_of(floats_of(self.out.field('count').view(float)))
        self._bind()

    def _bind(self) -> None:
        """Take the present memory: finding addresses takes a while."""
        self._image = self.memory.image
        self._addresses = self._image.memory.ctypes.data, self.out.memory.ctypes.data

    def compile_now(self) -> None:
        """Compile at the next call, for many that will follow."""
        self._kernel.spent = math.inf

    def records(self, margin: float) -> NDArray[Any]:
        """Return a record of each pair of shapes that is nearer than a margin [m], as an array."""
        self.write(margin)
        return self.last()

    def last(self) -> NDArray[Any]:
        """Return the records that were written last."""
        return self.out.copy('records', self._count[0])

    def write(self, margin: float) -> None:
        """Leave those records in `out`."""
        if not self.memory.layout.pairs:
            return
        count = self._run(margin)
        if count > len(self.out['found']):
            self._make_room(2 * count)
            self._run(margin)

    def _run(self, margin: float) -> int:
        if self.memory.image is not self._image:
            if self.memory.detection != self._detection:
                self._compile(self._kernel.spent)
            self._bind()
        world, out = self._addresses
        self._kernel.run((world, margin, out), lambda: self._plain(margin))
        return self._count[0]

    def _plain(self, margin: float) -> tuple[Any, ...]:
        """Return the arguments of the kernel in plain Python."""
        return self._type.at(floats_of(self._image.memory)), margin, self.out.record
