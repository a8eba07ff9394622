"""Kernel of the inspection of a state: nearby pairs, their distances and contacts."""

from __future__ import annotations

from symcontact_ros.collision.broad_phase import find_pairs
from symcontact_ros.collision.proximity_record import (
    ContactRecord,
    keep_deepest,
    keep_touching,
    ProximityRecord,
    reverse,
)
from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Ints
from symcontact_ros.kernels.records import Record, Rows
from symcontact_ros.simulation.step.articulated import move_groups
from symcontact_ros.simulation.step.candidates import write_boxes, write_candidate
from symcontact_ros.simulation.step.forces import force_at
from symcontact_ros.simulation.step.sticking import held_at, Place
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import CandidatePair


class InspectionRecord(Record):
    """Nearby pairs of shapes, and the memory to find them."""

    count: int  # of pairs; more than there is room for: the records are not complete
    found: Ints  # pairs as the broad phase gives them
    candidates: Rows[CandidatePair]
    records: Rows[ProximityRecord]


def inspect(world: World[S, F, V], margin: float, out: InspectionRecord) -> None:
    """Write how many pairs of shapes are nearer than a margin, and a record of each."""
    move_groups(world)
    write_boxes(world)
    out.count = find_pairs(
        world.boxes, world.order, world.planes, margin, world.allowed, out.found
    )
    for i in range(min(out.count, len(out.found))):
        pair = out.candidates[i]
        write_candidate(world, pair, out.found[i])
        write_record(world, pair, out.records[i])


@separate
def write_record(world: World[S, F, V], pair: CandidatePair, record: ProximityRecord) -> None:
    """Write the record of a pair, with its bodies in the order of their names."""
    world.pairs.write_proximity(
        pair.slot,
        record,
        world.space,
        world.solid(pair.shape_a),
        world.frame_of(pair.shape_a),
        world.solid(pair.shape_b),
        world.frame_of(pair.shape_b),
        world.points,
        world.warm_starts[0],  # that of no pair: an inspection changes none
        world.work,
    )
    record.shape_a = pair.shape_a
    record.shape_b = pair.shape_b
    record.bodies = world.shape_pairs[pair.number].bodies
    record.material = pair.material
    write_forces(world, pair, record)
    if is_reversed(world, pair):
        reverse(record)


def is_reversed(world: World[S, F, V], pair: CandidatePair) -> bool:
    """Return whether the kernels of a pair take the body first that is second by name."""
    lower_is_second = world.shape_pairs[pair.number].is_reversed
    return lower_is_second if pair.shape_a < pair.shape_b else not lower_is_second


def write_forces(world: World[S, F, V], pair: CandidatePair, record: ProximityRecord) -> None:
    """Write the forces at the contacts of a pair."""
    space = world.space
    material = world.materials[pair.material]
    a = world.bodies[world.shapes[pair.shape_a].body]
    b = world.bodies[world.shapes[pair.shape_b].body]
    if world.is_single:
        keep_deepest(record)
    keep_touching(record)
    for i in range(record.count):
        contact = record.contacts[i]
        contact.pair = record.bodies
        normal = space.from_space(contact.normal)
        if material.sticks:
            write_held_force(world, pair, contact, normal)
        else:
            point = space.from_space(contact.point)
            force = force_at(world, material, a, b, point, contact.distance, normal, contact.share)
            contact.force = space.in_space(force)


def write_held_force(
    world: World[S, F, V], pair: CandidatePair, contact: ContactRecord, normal: V
) -> None:
    """Write the force at a contact whose friction sticks, with the anchor that it has now."""
    if world.sticks:  # known while compiling
        place = Place(contact.feature, contact.point, contact.distance)
        held = held_at(world, pair, place, normal, contact.share, False)
        contact.force = held.force
        contact.torque = held.torque
        contact.anchored = held.anchored
