"""Contact forces: the law of a material at every contact point of the candidate pairs."""

from __future__ import annotations

from typing import NamedTuple

from symcontact_ros.collision.contact_points import ContactPoint, deepest, OwnNormals
from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.contact.evaluation import (
    elastic_force,
    friction_per_slip,
    friction_rate,
    normal_force,
)
from symcontact_ros.contact.material import MaterialRecord
from symcontact_ros.contact.sticking import friction_cap
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.bodies.body import Body
from symcontact_ros.simulation.step.guards import watch_depth
from symcontact_ros.simulation.step.sticking import held_at, Place
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import CandidatePair


class Effect(NamedTuple):
    """Powers [W] and stiffness of contacts."""

    lost: float  # in the damping of the normal law
    rubbed: float  # in friction
    stored: float  # into elastic energy
    stiffness: float  # square of the largest angular frequency [1/s^2]
    rate: float  # largest rate of friction [1/s]
    hold: float  # square of the angular frequency of the anchors of a pair [1/s^2]


NO_EFFECT = Effect(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def write_points(world: World[S, F, V], pair: CandidatePair) -> tuple[int, V]:
    """Write the contact points of a pair; return their number and their normal from A to B."""
    return world.pairs.contacts(
        pair.slot,
        world.solid(pair.shape_a),
        world.frame_of(pair.shape_a),
        world.solid(pair.shape_b),
        world.frame_of(pair.shape_b),
        world.pair_memory[pair.number].feature,
        world.points,
        world.warm_start(pair.number),
        world.work,
    )


def normal_at_point(world: World[S, F, V], pair: CandidatePair, number: int, common: V) -> V:
    """Return the normal of one of the points just written: that of the pair, or its own."""
    if not world.pairs.have_own_normals:  # known while compiling
        return common
    if pair.slot in world.pairs.own_normals:
        return world.space.from_space(OwnNormals.at(world.work).rows[number].normal)
    return common


def pair_forces(world: World[S, F, V], pair: CandidatePair, so_far: Effect) -> Effect:
    """Add the forces of a pair to the loads of its bodies; return powers and stiffness."""
    a = world.bodies[world.shapes[pair.shape_a].body]
    b = world.bodies[world.shapes[pair.shape_b].body]
    count, normal = write_points(world, pair)
    material = world.materials[pair.material]
    # The paper's law: all of the stiffness at the deepest point.
    only = deepest(world.points, count) if world.is_single else 0
    own = NO_EFFECT
    for i in range(count):
        contact = world.points[i]
        if world.is_single and i != only:
            continue
        normal = normal_at_point(world, pair, i, normal)
        share = 1.0 if world.is_single else contact.shares * world.shares[pair.slot]
        if world.is_guarded:
            watch_depth(world, pair, -contact.distance)
            own = guarded(world, material, a, b, contact, normal, share, own)
        if contact.distance < 0.0:
            own = touching_force(world, pair, material, a, b, contact, normal, share, own)
    return Effect(
        so_far.lost + own.lost,
        so_far.rubbed + own.rubbed,
        so_far.stored + own.stored,
        max(so_far.stiffness, own.stiffness, own.hold),
        max(so_far.rate, own.rate),
        0.0,
    )


def touching_force(
    world: World[S, F, V],
    pair: CandidatePair,
    material: MaterialRecord,
    a: Body[F, V],
    b: Body[F, V],
    contact: ContactPoint,
    normal: V,
    share: float,
    so_far: Effect,
) -> Effect:
    """Add the force at one contact point in overlap, with the friction of its material."""
    if not world.sticks:  # known while compiling
        return point_force(world, material, a, b, contact, normal, share, so_far)
    if material.sticks:
        return held_force(world, pair, a, b, contact, normal, share, so_far)
    return point_force(world, material, a, b, contact, normal, share, so_far)


def point_force(
    world: World[S, F, V],
    material: MaterialRecord,
    a: Body[F, V],
    b: Body[F, V],
    contact: ContactPoint,
    normal: V,
    share: float,
    so_far: Effect,
) -> Effect:
    """Add the force at one contact point; return its powers."""
    space = world.space
    point = space.from_space(contact.point)
    force, elastic, drag, approach, slip = law_at(
        world, material, a, b, point, contact.distance, normal
    )
    speed = space.norm(slip)
    pushed = space.along(space.times(share * force, normal), -share * drag, slip)
    a.push(point, pushed, -1.0)
    b.push(point, pushed, 1.0)
    return so_far._replace(
        lost=so_far.lost + share * (elastic - force) * approach,
        rubbed=so_far.rubbed + share * drag * speed * speed,
        stored=so_far.stored - share * elastic * approach,
    )


def held_force(
    world: World[S, F, V],
    pair: CandidatePair,
    a: Body[F, V],
    b: Body[F, V],
    contact: ContactPoint,
    normal: V,
    share: float,
    so_far: Effect,
) -> Effect:
    """Add the force at one contact point whose friction sticks; return its powers."""
    space = world.space
    place = Place(contact.feature, contact.point, contact.distance)
    held = held_at(world, pair, place, normal, share, True)
    point, pushed = space.from_space(contact.point), space.from_space(held.force)
    a.push(point, pushed, -1.0)
    b.push(point, pushed, 1.0)
    a.twist_by(held.torque, -1.0)
    b.twist_by(held.torque, 1.0)
    return so_far._replace(
        lost=so_far.lost + held.lost,
        rubbed=so_far.rubbed + held.rubbed,
        stored=so_far.stored + held.stored,
    )


@separate
def guarded(
    world: World[S, F, V],
    material: MaterialRecord,
    a: Body[F, V],
    b: Body[F, V],
    contact: ContactPoint,
    normal: V,
    share: float,
    so_far: Effect,
) -> Effect:
    """Add the stiffness of a contact point now, or at the end of the step at its present speed."""
    space = world.space
    point = space.from_space(contact.point)
    approach = space.dot(relative_velocity(world, a, b, point), normal)
    rho = -contact.distance + max(0.0, -approach) * world.step_size
    if rho <= 0.0:
        return so_far
    elastic = elastic_force(material, rho)
    force = normal_force(material, elastic, rho, approach)
    yielding, sliding = 0.0, 0.0
    # A body without a mass of its own moves with those that it is welded to.
    for body in (world.bodies[a.weighty], world.bodies[b.weighty]):
        yielding += body.mobility(point, normal)
        sliding += body.slip_mobility(point, normal)
    stiffness = so_far.stiffness + share * elastic.slope * yielding
    grip = friction_rate(material, rho, approach, force)
    if not world.sticks:  # known while compiling
        return so_far._replace(stiffness=stiffness, rate=so_far.rate + share * grip * sliding)
    hold = 0.0
    if material.sticks:
        cap = friction_cap(material, force, False)
        grip, hold = cap / material.slip_speed, cap / material.presliding
        radius = material.torsional_radius
        for body in (world.bodies[a.weighty], world.bodies[b.weighty]):
            sliding += radius * radius * body.spin_mobility()
    return so_far._replace(
        stiffness=stiffness,
        rate=so_far.rate + share * grip * sliding,
        hold=so_far.hold + share * hold * sliding,
    )


def law_at(
    world: World[S, F, V],
    material: MaterialRecord,
    a: Body[F, V],
    b: Body[F, V],
    point: V,
    distance: float,
    normal: V,
) -> tuple[float, float, float, float, V]:
    """
    Return what the law gives at a contact point.

    Normal force and its elastic part [N], friction per speed of slip [N s/m], normal velocity of B
    relative to A, slip [m/s].
    """
    space = world.space
    velocity = relative_velocity(world, a, b, point)
    approach = space.dot(velocity, normal)
    slip = space.along(velocity, -approach, normal)
    rho = -distance
    elastic = elastic_force(material, rho)
    force = normal_force(material, elastic, rho, approach)
    drag = friction_per_slip(material, rho, approach, force, space.norm(slip))
    return force, elastic.force, drag, approach, slip


def force_at(
    world: World[S, F, V],
    material: MaterialRecord,
    a: Body[F, V],
    b: Body[F, V],
    point: V,
    distance: float,
    normal: V,
    share: float,
) -> V:
    """Return the force on B at one contact point [N], without applying it."""
    space = world.space
    force, _, drag, _, slip = law_at(world, material, a, b, point, distance, normal)
    return space.along(space.times(share * force, normal), -share * drag, slip)


def relative_velocity(world: World[S, F, V], a: Body[F, V], b: Body[F, V], point: V) -> V:
    """Return the velocity of B relative to A at a point of both [m/s]."""
    return world.space.minus(b.velocity_at(point), a.velocity_at(point))
