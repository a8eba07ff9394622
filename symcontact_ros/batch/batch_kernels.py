"""
Kernels of many worlds, one row of memory each.

``memory`` and ``numbers`` are the same memory, as floats and as ints: the rows of all worlds, then
work memory that worlds share, one piece per thread. Each kernel goes through the worlds from
``first`` to before ``last``, so that threads can share them out.
"""

from __future__ import annotations

from typing import Any

from symcontact_ros.kernels.language import call
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import layout_of, Record, Rows
from symcontact_ros.simulation.bodies.body import BodyMotion
from symcontact_ros.simulation.observing.inspection_kernel import inspect, InspectionRecord
from symcontact_ros.simulation.observing.mechanical_kernel import write_mechanical
from symcontact_ros.simulation.observing.motion_kernel import Centre, write_bodies
from symcontact_ros.simulation.world.world import PlanarWorld
from symcontact_ros.simulation.world.world_records import Anchor

_HEADER = layout_of(PlanarWorld).fields  # blocks are at the same places in space
STATE, ANCHORS, ANCHOR_COUNT, WORK, MADE = (
    _HEADER[name].offset for name in ('state', 'anchors', 'anchor_count', 'work', 'made')
)
ANCHOR = layout_of(Anchor).slots
ENERGY_TERMS = 5  # of `mechanical_kernel`


class BatchMemory(Record):
    """Where the worlds are, and how a call divides them."""

    stride: int  # slots of a row
    work: int  # slots of a piece of work memory
    end: int  # slot where the rows end and the work memory begins
    steps: int  # address of the compiled steps of the model


class PairForce(Record):
    """Force of one pair of bodies in one world."""

    force: tuple[float, float, float]  # on body B, world axes [N]


def lend_work(batch: BatchMemory, numbers: Ints, world: int, thread: int) -> None:
    """Let a world use the work memory of a thread."""
    start = world * batch.stride
    numbers[start + WORK] = batch.end + thread * batch.work - start
    numbers[start + WORK + 1] = batch.work


def advance_worlds(
    first: int,
    last: int,
    thread: int,
    batch: BatchMemory,
    memory: Floats,
    numbers: Ints,
    todo: Ints,
    made: Ints,
    before: Floats,
    anchors_before: Floats,
    anchors_kept: Ints,
) -> None:
    """
    Make the steps that each world has to do; write how many were made.

    The states with their ledgers are kept in ``before``, and the anchors of friction in
    ``anchors_before``, ``anchors_kept`` of each, so that a world that diverges can go back.
    """
    for i in range(first, last):
        made[i] = 0
        if todo[i] > 0:
            lend_work(batch, numbers, i, thread)
            start = i * batch.stride
            size = numbers[start + STATE + 1]
            for k in range(size):
                before[i * size + k] = memory[start + numbers[start + STATE] + k]
            room = numbers[start + ANCHORS + 1] * ANCHOR
            anchors_kept[i] = numbers[start + ANCHOR_COUNT]
            for k in range(anchors_kept[i] * ANCHOR):
                anchors_before[i * room + k] = memory[start + numbers[start + ANCHORS] + k]
            call(batch.steps, todo[i], memory[start:])
            made[i] = numbers[start + MADE]


def move_worlds(
    first: int,
    last: int,
    thread: int,
    batch: BatchMemory,
    memory: Floats,
    numbers: Ints,
    variants: Ints,
    centres: Rows[Centre],
    motions: Rows[BodyMotion],
    kind: Any,
) -> None:
    """Write where all bodies of all worlds are and how they move."""
    for i in range(first, last):
        lend_work(batch, numbers, i, thread)
        world = kind.at(memory, i * batch.stride)
        bodies = len(world.bodies)
        write_bodies(world, centres[variants[i] * bodies :], motions[i * bodies :])


def inspect_worlds(
    first: int,
    last: int,
    thread: int,
    batch: BatchMemory,
    memory: Floats,
    numbers: Ints,
    inspection: InspectionRecord,
    wanted: Ints,
    forces: Rows[PairForce],
    energies: Floats,
    lacking: Ints,
    kind: Any,
) -> None:
    """
    Write forces of wanted pairs of bodies, and energies, of all worlds.

    ``wanted`` has the place of each pair of the model among those that are wanted, or -1. A world
    with more pairs in contact than an inspection has room for writes how many to ``lacking``.
    """
    places = len(forces) // max(1, len(lacking))
    for i in range(first, last):
        lend_work(batch, numbers, i, thread)
        world = kind.at(memory, i * batch.stride)
        lacking[i] = 0
        inspection.count = 0
        if len(world.shape_pairs) > 0:
            inspect(world, 0.0, inspection)
        if inspection.count > len(inspection.found):
            lacking[i] = inspection.count
            inspection.count = 0
        for k in range(places):
            forces[i * places + k].force = (0.0, 0.0, 0.0)
        for k in range(inspection.count):
            record = inspection.records[k]
            place = wanted[record.bodies]
            if place >= 0:
                pair = forces[i * places + place]
                for j in range(record.count):
                    force, own = pair.force, record.contacts[j].force
                    pair.force = (force[0] + own[0], force[1] + own[1], force[2] + own[2])
        write_mechanical(world, inspection, energies[i * ENERGY_TERMS :])
