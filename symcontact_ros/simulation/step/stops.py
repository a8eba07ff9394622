r"""
Stops: impacts that the law of a contact cannot end within the thinner shape.

A law acts alone down to half of the thinner shape. What is deeper, and so fast that its kinetic
energy exceeds what the law can still store until the shapes are as deep as the thinner one is
thick, would come out behind it. It gets the impulse of a rigid impact then: the law in the limit
of an endless stiffness, whose restitution e depends on x = c v alone,

.. math:: x - \ln(1 + x) = -e x - \ln(1 - e x)

with Coulomb friction. Each impulse acts at one contact point, along its normal or against its
slip, and takes energy, never gives any: it is in the ledger.
"""

from __future__ import annotations

from symcontact_ros.collision.contact_points import ContactPoint, deepest
from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.contact.evaluation import elastic_force, restitution, stored_energy
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import norm
from symcontact_ros.simulation.bodies.body import ARTICULATED, Body, FLOATING
from symcontact_ros.simulation.step.candidates import refresh
from symcontact_ros.simulation.step.forces import (
    normal_at_point,
    relative_velocity,
    write_points,
)
from symcontact_ros.simulation.step.struck_groups import strike_groups
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import CandidatePair

STOPPING = 0.5  # of the thinner shape: how deep the law acts alone
MOST_ROUNDS = 100  # through all points, for an impact at several ones
RIGID = 1e-6  # of a change of speed that an impulse should make: a smaller one is none
NO_GRAVITY = (0.0, 0.0, 0.0)


@separate
def must_stop(world: World[S, F, V], pair: CandidatePair) -> bool:
    """Return whether a point of a pair goes on through the thinner shape, by its own momentum."""
    count, normal = write_points(world, pair)
    only = deepest(world.points, count) if world.is_single else 0
    for i in range(count):
        if not world.is_single or i == only:
            normal = normal_at_point(world, pair, i, normal)
            if goes_through(world, pair, world.points[i], normal):
                return True
    return False


@separate
def goes_through(
    world: World[S, F, V], pair: CandidatePair, contact: ContactPoint, normal: V
) -> bool:
    """Return whether a contact point is deep, and closes with more than its law can take."""
    thin = min(world.shapes[pair.shape_a].extent, world.shapes[pair.shape_b].extent)
    depth = -contact.distance
    if depth < STOPPING * thin or depth > thin:
        return False
    a = world.bodies[world.shapes[pair.shape_a].body]
    b = world.bodies[world.shapes[pair.shape_b].body]
    point = world.space.from_space(contact.point)
    approach = world.space.dot(relative_velocity(world, a, b, point), normal)
    if approach >= 0.0:
        return False
    yielding = mobility_at(world, a, b, point, normal)
    material = world.materials[pair.material]
    # What could not even carry a body at rest is too soft for anything, and the guard says so.
    if elastic_force(material, thin).force * yielding < norm(world.gravity):
        return False
    share = 1.0 if world.is_single else contact.shares * world.shares[pair.slot]
    room = stored_energy(material, thin) - stored_energy(material, depth)
    return 0.5 * approach * approach > share * room * yielding


@separate
def stop_bodies(world: World[S, F, V]) -> None:
    """Give impulses to the pairs that go through each other, until none of them does."""
    for _ in range(MOST_ROUNDS):
        is_struck = False
        for i in range(world.active_count):
            if stop_pair(world, world.candidates[world.active_pairs[i]]):
                is_struck = True
        if not is_struck:
            return


def stop_pair(world: World[S, F, V], pair: CandidatePair) -> bool:
    """Give impulses at the points of a pair that go through; return whether there was one."""
    is_struck = False
    count, normal = write_points(world, pair)
    only = deepest(world.points, count) if world.is_single else 0
    for i in range(count):
        contact = world.points[i]
        if world.is_single and i != only:
            continue
        normal = normal_at_point(world, pair, i, normal)
        if goes_through(world, pair, contact, normal):
            collide(world, pair, world.space.from_space(contact.point), normal)
            is_struck = True
    return is_struck


@separate
def collide(world: World[S, F, V], pair: CandidatePair, point: V, normal: V) -> None:
    """Give the impulses of a rigid impact at a point, and book what they take."""
    space, ledger = world.space, world.ledger
    a = world.bodies[world.shapes[pair.shape_a].body]
    b = world.bodies[world.shapes[pair.shape_b].body]
    material = world.materials[pair.material]
    approach = space.dot(relative_velocity(world, a, b, point), normal)
    e = restitution(material, -approach)
    impulse = change_speed(world, a, b, point, normal, -(1.0 + e) * approach)
    ledger.lost_in_contact -= 0.5 * impulse * (1.0 - e) * approach
    velocity = relative_velocity(world, a, b, point)
    slip = space.along(velocity, -space.dot(velocity, normal), normal)
    speed = space.norm(slip)
    if speed > 0.0 and material.friction > 0.0:
        against = space.times(-1.0 / speed, slip)
        full = change_speed(world, a, b, point, against, speed)
        most = material.friction * impulse
        held = speed
        if full > most:
            push_bodies(world, a, b, point, space.times(most - full, against))
            held = speed * most / full
            full = most
        ledger.lost_in_friction += full * (speed - 0.5 * held)


def change_speed(
    world: World[S, F, V], a: Body[F, V], b: Body[F, V], point: V, direction: V, change: float
) -> float:
    """
    Give the impulse that changes the velocity of B relative to A along a direction; return it.

    In two blows: the first shows how far the bodies yield, and both add up to what is wanted.
    """
    space = world.space
    before = space.dot(relative_velocity(world, a, b, point), direction)
    first = change / mobility_at(world, a, b, point, direction)
    push_bodies(world, a, b, point, space.times(first, direction))
    changed = space.dot(relative_velocity(world, a, b, point), direction) - before
    if abs(changed) < RIGID * abs(change):  # joints let them move in other directions only
        push_bodies(world, a, b, point, space.times(-first, direction))
        return 0.0
    total = first * change / changed
    push_bodies(world, a, b, point, space.times(total - first, direction))
    return total


def mobility_at(
    world: World[S, F, V], a: Body[F, V], b: Body[F, V], point: V, direction: V
) -> float:
    """Return how far two bodies yield to an impulse, about: links as if they were free [1/kg]."""
    yielding = 0.0
    for body in (world.bodies[a.weighty], world.bodies[b.weighty]):
        yielding += body.mobility(point, direction)
    return yielding


@separate
def push_bodies(world: World[S, F, V], a: Body[F, V], b: Body[F, V], point: V, impulse: V) -> None:
    """Change the velocities of two bodies by an impulse on B, and its opposite on A [N s]."""
    for body, way in ((a, -1.0), (b, 1.0)):
        if body.kind == FLOATING:
            body.clear_load()
            body.push(point, impulse, way)
            body.kick(world.stage, NO_GRAVITY, 1.0)
            refresh(world, body)
            for k in range(body.state, body.state + world.space.STATE):
                world.state[k] = world.stage[k]
    if ARTICULATED in (a.kind, b.kind):
        strike_groups(world, a, b, point, impulse)
