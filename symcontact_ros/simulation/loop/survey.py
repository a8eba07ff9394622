"""
What can be told of an instant: every pair that is near, its distance, its contacts.

Nothing of this changes what the next step does.
"""

from __future__ import annotations

from typing import Any

from symcontact_ros.collision.broad_phase import find_pairs
from symcontact_ros.collision.rows import deepest_row, DISTANCE, MOST, POINT, ROW, SHARES
from symcontact_ros.kernels.transitional import integers, Memory, separate, shift
from symcontact_ros.simulation.loop.candidates import note_near, shape_frame, write_boxes
from symcontact_ros.simulation.loop.forces import force_at
from symcontact_ros.simulation.loop.joints import place_groups
from symcontact_ros.simulation.loop.layout import (
    NEAR,
    NEAR_A,
    NEAR_B,
    NEAR_MATERIAL,
    NEAR_SLOT,
    SHAPE,
    SHAPE_BLOCK,
    SHAPE_BODY,
    SINGLE,
)
from symcontact_ros.simulation.loop.world import World, world_of

space: Any = None  # stands for `planar` or `spatial`
gap: Any = None  # these stand for the kernels of the pairs of a model
look: Any = None
contacts: Any = None

# What is written of a pair; points and vectors have three numbers.
PAIR_A, PAIR_B, PAIR_DISTANCE, PAIR_NORMAL, PAIR_POINT_A, PAIR_POINT_B = 0, 1, 2, 3, 6, 9
PAIR_NOTE, PAIR_COUNT, PAIR_CONTACT_NORMAL, PAIR_MATERIAL, PAIR_CONTACTS = 12, 13, 14, 17, 18
# What is written of a contact: distance, point, part of the stiffness, force on B.
CONTACT_DISTANCE, CONTACT_POINT, CONTACT_SHARE, CONTACT_FORCE = 0, 1, 4, 5
CONTACT = 8
RECORD = PAIR_CONTACTS + MOST * CONTACT
ANY = 1e300  # a margin that no axis exceeds


def survey(
    table: Any, margin: float, capacity: int, found: Memory, near: Memory, out: Memory
) -> None:
    """Write how many pairs of shapes are nearer than a margin, and then a record of each."""
    world = world_of(table)
    place_groups(world)
    write_boxes(world)
    number = find_pairs(
        world.shape_count,
        world.bounded_count,
        world.boxes,
        world.order,
        world.plane_count,
        world.planes,
        margin,
        world.allowed,
        capacity,
        integers(found),
    )
    out[0] = float(number)
    for i in range(min(number, capacity)):
        note_near(world, near, i, integers(found)[i])
        write_record(world, shift(near, NEAR * i), shift(out, 1 + RECORD * i))


@separate
def write_record(world: World, near: Memory, record: Memory) -> None:
    """Write the record of a pair."""
    a, b = int(near[NEAR_A]), int(near[NEAR_B])
    slot = int(near[NEAR_SLOT])
    block_a = shift(world.blocks, int(world.shapes[SHAPE * a + SHAPE_BLOCK]))
    block_b = shift(world.blocks, int(world.shapes[SHAPE * b + SHAPE_BLOCK]))
    frame_a, frame_b = shape_frame(world, a), shape_frame(world, b)
    distance, normal, point_a, point_b, note = gap(
        slot, block_a, frame_a, block_b, frame_b, world.work
    )
    record[PAIR_A] = float(a)
    record[PAIR_B] = float(b)
    record[PAIR_DISTANCE] = distance
    space.write_vector(record, PAIR_NORMAL, normal)
    space.write_vector(record, PAIR_POINT_A, point_a)
    space.write_vector(record, PAIR_POINT_B, point_b)
    record[PAIR_NOTE] = note
    record[PAIR_COUNT] = 0.0
    record[PAIR_MATERIAL] = near[NEAR_MATERIAL]
    if distance < 0.0:
        world.kept[0] = 0.0  # nothing is kept of what is only told
        _, feature, _ = look(
            slot, block_a, frame_a, block_b, frame_b, -1, ANY, world.kept, world.work
        )
        count, direction = contacts(
            slot, block_a, frame_a, block_b, frame_b, feature, world.rows, world.kept, world.work
        )
        space.write_vector(record, PAIR_CONTACT_NORMAL, direction)
        write_contacts(world, near, count, direction, record)


def write_contacts(world: World, near: Memory, count: int, normal: Any, record: Memory) -> None:
    """Write the contacts of a pair that are in overlap, with their forces."""
    material = shift(world.materials, int(near[NEAR_MATERIAL]))
    body_a = int(world.shapes[SHAPE * int(near[NEAR_A]) + SHAPE_BODY])
    body_b = int(world.shapes[SHAPE * int(near[NEAR_B]) + SHAPE_BODY])
    single = world.options[SINGLE] == 1.0
    deepest = deepest_row(world.rows, count)
    number = 0
    for i in range(count):
        row = ROW * i
        if world.rows[row + DISTANCE] >= 0.0 or (single and i != deepest):
            continue
        one_share = world.slot_shares[int(near[NEAR_SLOT])]
        share = 1.0 if single else world.rows[row + SHARES] * one_share
        force = force_at(world, material, body_a, body_b, row, normal, share)
        contact = shift(record, PAIR_CONTACTS + CONTACT * number)
        contact[CONTACT_DISTANCE] = world.rows[row + DISTANCE]
        for axis in range(3):
            contact[CONTACT_POINT + axis] = world.rows[row + POINT + axis]
        contact[CONTACT_SHARE] = share
        space.write_vector(contact, CONTACT_FORCE, force)
        number += 1
    record[PAIR_COUNT] = float(number)
