"""Memory of many worlds of one model: a row each, and work memory that they share."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.batch.batch_kernels import BatchMemory
from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.expressions import Values
from symcontact_ros.kernels.records import BlockKind, Image, layout_of
from symcontact_ros.simulation.world.guard_records import Guard
from symcontact_ros.simulation.world.memory_image import resized_image
from symcontact_ros.simulation.world.solver_records import Solver
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.types import Vector

FIRST_TOUCHING = 8  # pairs whose anchors of friction a row has room for at first
# Blocks of which only the first members are in use: they stay when the block grows.
GROWING = ('found', 'candidates', 'active_pairs', 'anchors', 'new_anchors')
Slots = NDArray[np.int64]


class WorldRows:
    """
    Memory of many worlds with one layout.

    A row is the image of a world without the work memory of the detector, which is scratch: each
    thread has a piece of it, and lends it to the world that it steps. One more image, the
    *template*, is an ordinary world: rows are loaded into it for all that is rare.

    Parameters
    ----------
    template
        The memory of the template.
    count
        Number of worlds.
    threads
        Number of pieces of work memory.

    Attributes
    ----------
    memory
        All rows, one after the other, then the work memory.
    rows
        The rows, ``(count, stride)``, as an array that shares that memory.
    layout
        An image with the layout of a row.
    """

    def __init__(self, template: WorldMemory, count: int, threads: int) -> None:
        self._template = template
        self._count, self._threads = count, threads
        if template.layout.sticks:
            template.set_anchor_room(MOST * FIRST_TOUCHING)
        self._allocate()

    def _allocate(self) -> None:
        """Have rows with the layout of the template, all zero."""
        image = self._template.image
        self.layout = resized_image(image, self._template.layout, {'work': 0})
        stride, work = len(self.layout.memory), len(image['work'])
        self.memory: Vector = np.zeros(self._count * stride + self._threads * work)
        self.rows = self.memory[: self._count * stride].reshape(self._count, stride)
        self.record = Image(BatchMemory, {})
        record = self.record.record
        record.stride, record.work, record.end = stride, work, self._count * stride
        self._slots = _common(self.layout, image)

    @property
    def stride_bytes(self) -> int:
        """Memory of a row [byte]."""
        return int(self.rows.strides[0])

    def load(self, row: Vector) -> None:
        """Let the template be a world that is given by its row."""
        here, there = self._slots
        self._template.image.memory.view(np.int64)[there] = row.view(np.int64)[here]

    def stored(self) -> Vector:
        """Return the template as a row."""
        row = self.layout.memory.copy()
        here, there = self._slots
        row.view(np.int64)[here] = self._template.image.memory.view(np.int64)[there]
        return row

    def follow(self, starts: list[Vector], values: list[Values], variants: Slots) -> None:
        """
        Take the layout of the template, which has grown; all worlds go on as they are.

        Parameters
        ----------
        starts
            A row of every variant of the model, in the layout of before; they are changed too.
        values
            Of the live symbols, of every variant.
        variants
            Which of them each world is: what the solver has for a variant is taken from there.
        """
        old, rows, present = self.layout, self.rows, self._template.image.memory.copy()
        self._allocate()
        solver = _solver_slots(self.layout)
        source, target = _common(old, self.layout)
        for number, start in enumerate(starts):
            row = self.layout.memory.copy()
            row.view(np.int64)[target] = start.view(np.int64)[source]
            row.view(np.int64)[solver] = self.layout.memory.view(np.int64)[solver]
            self.load(row)
            template = self._template
            template.layout.solver.write_values(template.image, values[number])
            starts[number] = self.stored()
        self._template.image.memory[:] = present
        is_kept = ~np.isin(target, solver)
        source, target = source[is_kept], target[is_kept]
        for world, variant in enumerate(variants):
            own = self.rows[world].view(np.int64)
            own[:] = starts[variant].view(np.int64)
            own[target] = rows[world].view(np.int64)[source]

    def column(self, block: str, field: str, part: int = 0) -> Vector:
        """
        Return a number of every record of a block in all worlds: ``(count, records)``.

        It shares the memory of the rows, until they are followed.
        """
        start = self.layout.slot(block, 0, field) + part
        width = self.layout[block].dtype.itemsize // 8
        return self.rows[:, start : start + width * len(self.layout[block]) : width]

    def field(self, name: str, part: int = 0) -> NDArray[np.int64]:
        """Return an int of all worlds, which may be part of a block."""
        return self.rows.view(np.int64)[:, self._offset(name) + part]

    def guard(self, name: str) -> Vector:
        """Return a number of the guards of all worlds; of an int its bits."""
        return self.rows[:, self._offset('guard') + layout_of(Guard).fields[name].offset]

    def _offset(self, name: str) -> int:
        return layout_of(type(self.layout.record)).fields[name].offset

    def block(self, name: str, count: int | None = None) -> Vector:
        """Return a block of numbers of all worlds, or the first ones: ``(count, length)``."""
        start = self.layout.slot(name)
        length = len(self.layout[name]) if count is None else count
        return self.rows[:, start : start + length]


def _common(source: Image[AnyWorld], target: Image[AnyWorld]) -> tuple[Slots, Slots]:
    """Return the slots of what two images both have, in the one and in the other."""
    pairs = list(_common_parts(source, target))
    here = [np.arange(start, start + length) for start, _, length in pairs]
    there = [np.arange(start, start + length) for _, start, length in pairs]
    return np.concatenate(here), np.concatenate(there)


def _common_parts(
    source: Image[AnyWorld], target: Image[AnyWorld]
) -> Iterator[tuple[int, int, int]]:
    """Yield first slot in the one, first slot in the other, and length of all common parts."""
    for name, field in layout_of(type(source.record)).fields.items():
        if not (isinstance(field.kind, BlockKind) and field.kind.length is None):
            yield field.offset, field.offset, field.slots
            continue
        one, other = source[name], target[name]
        length = min(one.nbytes, other.nbytes) // 8
        if length and (one.nbytes == other.nbytes or name in GROWING):
            yield source.slot(name), target.slot(name), length


def _solver_slots(image: Image[AnyWorld]) -> Slots:
    """Return the slots of all that the solver has for a variant, and where it is."""
    start = image.slot('solver_memory')
    own = [np.arange(start, start + len(image['solver_memory']))]
    first = image.slot('solvers')
    for field in layout_of(Solver).fields.values():
        if isinstance(field.kind, BlockKind) and field.kind.length is None:
            own.append(np.arange(first + field.offset, first + field.offset + 2))
    return np.concatenate(own)
