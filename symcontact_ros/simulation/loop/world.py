"""The memory that the kernels of the loop share; `tables` fills it."""

from __future__ import annotations

from typing import Any, NamedTuple

from symcontact_ros.kernels.transitional import integers, Memory, part


class World(NamedTuple):
    """Numbers of everything, and where they are; see `layout`."""

    body_count: int
    shape_count: int
    bounded_count: int  # shapes that have a box
    plane_count: int
    group_count: int
    joint_count: int
    quaternion_count: int
    state_size: int  # without the ledger
    capacity: int  # room for near pairs
    least_candidates: int  # without which there is nothing to be done: 0 if there are groups, or 1
    kept_stride: int  # numbers that the detector keeps of a pair of shapes, 0 if none
    table: Any
    options: Memory
    counters: Memory
    state: Memory
    stage: Memory
    sums: Memory
    bodies: Memory
    motions: Memory
    loads: Memory  # on each body, in this stage
    applied: Memory  # held from step to step
    tracks: Memory
    shapes: Memory
    blocks: Memory
    boxes: Memory
    order: Memory  # ints
    planes: Memory
    allowed: Memory
    found: Memory  # ints: pairs as the broad phase gives them
    near: Memory
    pair_memory: Memory
    slots: Memory  # of two kinds of shapes: slot of their kernels, +0.5 if B comes first
    pair_materials: Memory  # where the material of a pair starts
    materials: Memory
    slot_shares: Memory  # what one share of the pairs of a slot is
    law_input: Memory  # of laws of the model file: depth, normal velocity, slip
    law_constants: Memory
    law_output: Memory
    candidates: Memory  # ints: near pairs that may touch in this step
    groups: Memory
    scratch: Memory  # blocks of the groups
    joints: Memory
    quaternions: Memory  # ints: where those of groups are in the state
    rows: Memory
    work: Memory
    kept: Memory  # first those of no pair, then those of every pair


SIZES = 11  # numbers before the memory, kept in the first part of a table
PARTS = World._fields[SIZES + 1 :]  # what follows it


def world_of(table: Any) -> World:
    """Return what a table has: sizes in its first part, then the parts in order."""
    sizes = part(table, 0)
    return World(
        int(sizes[0]),
        int(sizes[1]),
        int(sizes[2]),
        int(sizes[3]),
        int(sizes[4]),
        int(sizes[5]),
        int(sizes[6]),
        int(sizes[7]),
        int(sizes[8]),
        int(sizes[9]),
        int(sizes[10]),
        table,
        part(table, 1),
        part(table, 2),
        part(table, 3),
        part(table, 4),
        part(table, 5),
        part(table, 6),
        part(table, 7),
        part(table, 8),
        part(table, 9),
        part(table, 10),
        part(table, 11),
        part(table, 12),
        part(table, 13),
        integers(part(table, 14)),
        part(table, 15),
        part(table, 16),
        integers(part(table, 17)),
        part(table, 18),
        part(table, 19),
        part(table, 20),
        part(table, 21),
        part(table, 22),
        part(table, 23),
        part(table, 24),
        part(table, 25),
        part(table, 26),
        integers(part(table, 27)),
        part(table, 28),
        part(table, 29),
        part(table, 30),
        integers(part(table, 31)),
        part(table, 32),
        part(table, 33),
        part(table, 34),
    )
