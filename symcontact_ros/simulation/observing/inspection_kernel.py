"""
What can be told of an instant: every pair that is near, its distance, its contacts.

Nothing of this changes what the next step does.
"""

from __future__ import annotations

from symcontact_ros.collision.broad_phase import find_pairs
from symcontact_ros.collision.pairs import F, S, V
from symcontact_ros.collision.proximity_record import (
    keep_deepest,
    keep_touching,
    ProximityRecord,
    reverse,
)
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Ints
from symcontact_ros.kernels.records import Record, Rows
from symcontact_ros.simulation.step.articulated import place_groups
from symcontact_ros.simulation.step.candidates import write_boxes, write_near
from symcontact_ros.simulation.step.forces import force_at
from symcontact_ros.simulation.world.world import NearPair, World


class Survey(Record):
    """What is found, and room for finding it."""

    count: int  # of near pairs; more than there is room for: ask again with more
    found: Ints  # pairs as the broad phase gives them
    near: Rows[NearPair]
    records: Rows[ProximityRecord]


def survey(world: World[S, F, V], margin: float, out: Survey) -> None:
    """Write how many pairs of shapes are nearer than a margin, and a record of each."""
    place_groups(world)
    write_boxes(world)
    out.count = find_pairs(
        world.boxes, world.order, world.planes, margin, world.allowed, out.found
    )
    for i in range(min(out.count, len(out.found))):
        near = out.near[i]
        write_near(world, near, out.found[i])
        write_record(world, near, out.records[i])


@separate
def write_record(world: World[S, F, V], near: NearPair, record: ProximityRecord) -> None:
    """Write the record of a pair, with its bodies in the order of their names."""
    world.pairs.write_proximity(
        near.slot,
        record,
        world.space,
        world.solid(near.shape_a),
        world.frame_of(near.shape_a),
        world.solid(near.shape_b),
        world.frame_of(near.shape_b),
        world.points,
        world.warm_starts[0],  # nothing is kept of what is only told
        world.work,
    )
    record.shape_a = near.shape_a
    record.shape_b = near.shape_b
    record.bodies = world.shape_pairs[near.number].bodies
    record.material = near.material
    write_forces(world, near, record)
    if is_reversed(world, near):
        reverse(record)


def is_reversed(world: World[S, F, V], near: NearPair) -> bool:
    """Return whether the kernels of a pair take the body first that is second by name."""
    lower_is_second = world.shape_pairs[near.number].is_reversed
    return lower_is_second if near.shape_a < near.shape_b else not lower_is_second


def write_forces(world: World[S, F, V], near: NearPair, record: ProximityRecord) -> None:
    """Write the forces at the contacts of a pair."""
    space = world.space
    material = world.materials[near.material]
    a = world.bodies[world.shapes[near.shape_a].body]
    b = world.bodies[world.shapes[near.shape_b].body]
    normal = space.from_space(record.contact_normal)
    if world.is_single:
        keep_deepest(record)
    keep_touching(record)
    for i in range(record.count):
        contact = record.contacts[i]
        point = space.from_space(contact.point)
        force = force_at(world, material, a, b, point, contact.distance, normal, contact.share)
        contact.pair = record.bodies
        contact.force = space.in_space(force)
