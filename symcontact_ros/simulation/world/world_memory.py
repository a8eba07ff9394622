"""
Memory of a world: one piece of memory for all that a step reads and writes.

`Layout` has the positions of everything, `filling` writes the values of the live symbols.
"""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.collision.detection import Detection
from symcontact_ros.expressions import Values
from symcontact_ros.kernels.memory import is_debugging, UNWRITTEN
from symcontact_ros.kernels.records import Image
from symcontact_ros.simulation.equations.dynamics import Dynamics
from symcontact_ros.simulation.world.exclusive import new_lock
from symcontact_ros.simulation.world.filling import shape_blocks, write_values
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.simulation.world.memory_image import (
    blank_image,
    resized_image,
    solver_room,
    warm_start_count,
    with_solver_room,
)
from symcontact_ros.simulation.world.solver_layout import Room
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.simulation.world.world_records import ALWAYS_QUERY, LEDGER
from symcontact_ros.types import Vector

# What implicit stages write to joints.
OF_STAGES = ('base', 'start_stretch', 'base_stretch', 'end_stretch', 'force')
MOST_KEPT = 1 << 20  # [byte]


class Kept(NamedTuple):
    """A world's memory as it was, see `WorldMemory.kept`."""

    image: Image[AnyWorld]
    memory: Vector
    start: Vector | None
    detection: Detection
    values: Values


class WorldMemory:
    """
    Memory of the world of a model, filled with values of its live symbols.

    Attributes
    ----------
    layout
        Where everything is.
    image
        The memory; another object whenever a block got another size or the detection changed.
    start
        All of it as it was at the start, for `return_to_start`; None: not kept.
    detection, values
        With which it is filled; a change of them gives other objects.
    is_implicit
        Whether its steps are: only explicit ones need the mobilities of joints.
    lock
        Of the thread that uses it.
    """

    def __init__(self, layout: Layout, detection: Detection, values: Values) -> None:
        self.layout = layout
        self.detection = detection
        self.values = values
        self.image = blank_image(layout, detection)
        self.start: Vector | None = None
        self.is_implicit = False
        self.lock = new_lock()
        self.fill(detection, values)

    @property
    def world(self) -> AnyWorld:
        """The world, to be read and written in plain Python."""
        return self.image.record

    @property
    def whole_state(self) -> Vector:
        """The state with its ledger, as an array that shares the memory."""
        return self.image['state']

    @property
    def state(self) -> Vector:
        """The state without its ledger."""
        return self.image['state'][: self.layout.state_size]

    @property
    def carried(self) -> Vector:
        """What implicit steps carry on, behind the ledger: accelerations, stretches in joints."""
        return self.image['state'][self.layout.state_size + LEDGER :]

    def fill(self, detection: Detection, values: Values) -> None:
        """
        Take shapes as a detection needs them, and values of the live symbols.

        OptionError where the detection does not fit the shapes; then nothing has changed.
        ValueError where the values make no model.
        """
        blocks = shape_blocks(self.layout, detection, values)
        if detection != self.detection:
            pairs = len(self.image['allowed'])
            self._resize(warm_starts=warm_start_count(pairs, detection))
            self.world.keeps_warm_starts = detection.keeps_warm_starts
            self.detection = detection
        size = sum(map(len, blocks))
        if size != len(self.image['solids']):
            self._resize(solids=size)
        self.drop_start()
        write_values(self.image, self.layout, detection, blocks, values)
        self.values = values
        self.forget()
        if is_debugging():  # reading work memory before it is written is an error then
            self.image['work'][:].view('i8')[:] = UNWRITTEN

    def _resize(self, **counts: int) -> None:
        """Give blocks another size; they are zero then."""
        self.image = resized_image(self.image, self.layout, counts)
        self.drop_start()

    def detach(self, dynamics: Dynamics) -> None:
        """Have memory of its own, as a copy of another one; the layout takes other equations."""
        self.layout = copy.copy(self.layout)
        self.layout.dynamics = dynamics
        self.image = self.image.duplicate()
        self.lock = new_lock()

    def kept(self) -> Kept:
        """Return all of it as it is now, for `take_back`."""
        return Kept(self.image, self.image.memory.copy(), self.start, self.detection, self.values)

    def take_back(self, kept: Kept) -> None:
        """Be again what it was, bit for bit."""
        self.image, memory, self.start, self.detection, self.values = kept
        self.image.memory.view(np.int64)[:] = memory.view(np.int64)

    # The start ----------------------------------------------------------------------------------

    def keep_start(self) -> None:
        """Keep all that is in it, unless that is much, for `return_to_start`."""
        if self.image.memory.nbytes <= MOST_KEPT:
            self.start = self.image.memory.copy()

    def drop_start(self) -> None:
        """Forget the start: something has changed that is not part of a state."""
        self.start = None

    def return_to_start(self) -> bool:
        """Go back to what was kept; return whether there is such a thing."""
        if self.start is None:
            return False
        self.image.memory[:] = self.start
        return True

    @property
    def lacks_room(self) -> bool:
        """Whether there are more candidate pairs, or active ones, than there is room for."""
        return self._lacks_candidates or self._lacks_anchors

    @property
    def _lacks_candidates(self) -> bool:
        return self.world.candidate_count > len(self.image['candidates'])

    @property
    def _lacks_anchors(self) -> bool:
        room = len(self.image['new_anchors'])
        return self.layout.sticks and MOST * self.world.active_count > room

    def make_room(self) -> None:
        """Have room for twice of what lacked it."""
        if self._lacks_candidates:
            self.set_room(2 * self.world.candidate_count)
        if self._lacks_anchors:
            self.set_anchor_room(2 * MOST * self.world.active_count)

    def prepare(self, is_implicit: bool) -> None:
        """Have the functions that explicit or implicit steps need, compiled if need be."""
        self.is_implicit = self.world.is_implicit = is_implicit
        rows = self.image['groups']
        kind, layout = 'inertia' if is_implicit else 'dynamics', self.layout
        functions = layout.implicit_functions() if is_implicit else layout.explicit_functions()
        for own, (function, velocity) in enumerate(functions):
            rows[kind][own], rows['velocity'][own] = function.register(), velocity.register()

    @property
    def lacks_solver_room(self) -> bool:
        """Whether the last implicit step was not made for lack of room."""
        room = solver_room(self.image)
        return any(need > size for need, size in zip(self._solver_needs, room, strict=True))

    @property
    def _solver_needs(self) -> Room:
        """What the last implicit step needed, as far as it got."""
        solver = self.world.solver
        return Room(
            solver.row_room,
            solver.column_room,
            solver.factor_room,
            solver.neighbour_room,
            solver.member_room,
        )

    def grow_solver(self) -> None:
        """Have room for what the last implicit step needed, and for more."""
        old, needed = solver_room(self.image), self._solver_needs
        room = Room(*(max(2 * need, size) for need, size in zip(needed, old, strict=True)))
        self.image = with_solver_room(self.image, self.layout, room)
        self.layout.solver.write_values(self.image, self.values)
        self.drop_start()

    def set_room(self, pairs: int) -> None:
        """Have room for a number of candidate pairs; those that were there are gone."""
        self._resize(found=pairs, candidates=pairs, active_pairs=pairs)
        self.forget()

    def set_anchor_room(self, anchors: int) -> None:
        """Have room for a number of anchors; those that are there stay."""
        kept = self.anchors.copy()
        self._resize(anchors=anchors, new_anchors=anchors)
        self.image['anchors'][: len(kept)] = kept

    @property
    def anchors(self) -> NDArray[Any]:
        """The anchors of now, as an array that shares the memory."""
        return self.image['anchors'][: self.world.anchor_count]

    def set_anchors(self, anchors: NDArray[Any]) -> None:
        """Take anchors, those of a pair one after the other, instead of the present ones."""
        if not self.layout.sticks:
            return
        if len(anchors) > len(self.image['anchors']):
            self.set_anchor_room(2 * len(anchors))
        self.image['anchors'][: len(anchors)] = anchors
        self.world.anchor_count = len(anchors)
        self.world.anchors_are_listed = False
        memory = self.image['pair_memory']
        memory['anchor'] = memory['anchor_count'] = 0
        if len(anchors):
            pairs, first, counts = np.unique(
                anchors['pair'], return_index=True, return_counts=True
            )
            memory['anchor'][pairs], memory['anchor_count'][pairs] = first, counts

    def drop_anchors(self) -> None:
        """Let go of everything that friction holds, where the state has come from outside."""
        self.carried[:] = 0.0
        for name in OF_STAGES:
            self.image['joints'][name] = 0.0
        self.set_anchors(self.image['anchors'][:0])

    def forget(self) -> None:
        """Forget the results of earlier queries: all pairs are queried anew in the next step."""
        self.image['pair_memory']['clear_until'] = ALWAYS_QUERY
        self.image['pair_memory']['feature'] = -1
        for name in ('travelled', 'reachable', 'is_active'):
            self.image['bodies'][name] = 0
        self.image['warm_starts'].view(np.int64)[:] = 0
        self.world.drift = np.inf
        self.world.guard.has_start = False

    def clear_counters(self) -> None:
        """Set all counters to zero, those of pairs that were near included."""
        world = self.world
        world.substeps = world.exceeded = world.queries = world.rebuilds = world.stops = 0
        world.saturated = world.overspeed = world.alerts = 0
        world.largest_need = 0.0
        solver = world.solver
        solver.solves = solver.iterations = solver.most_iterations = 0
        solver.unconverged = solver.given_up = solver.corrections = 0
        world.candidate_count = world.active_count = 0
        world.skin_now = 0.0
        for name in ('saturated', 'overspeed'):
            self.image['joints'][name] = 0
        for status in range(len(world.statuses)):
            world.statuses[status] = 0
