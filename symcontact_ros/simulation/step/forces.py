"""What the candidates do to each other: the penalty law at every contact point."""

from __future__ import annotations

import math
from typing import NamedTuple

from symcontact_ros.collision.contact_points import ContactPoint, deepest
from symcontact_ros.collision.pairs import F, S, V
from symcontact_ros.kernels.elementary import tanh
from symcontact_ros.kernels.language import call, separate
from symcontact_ros.simulation.bodies.body import Body
from symcontact_ros.simulation.world.records import (
    CandidatePair,
    CUSTOM,
    ELASTIC_PLASTIC,
    HUNT_CROSSLEY,
    Material,
)
from symcontact_ros.simulation.world.world import World

SLOW = 1e-6  # [m/s] slip at which friction of a law of the model file is probed
NO_SLIP = 1e-12  # [m/s] below this slip has no direction


class Effect(NamedTuple):
    """What contacts do: powers [W], and how quick they are."""

    lost: float  # in the damping of the normal law
    rubbed: float  # in friction
    stored: float  # into elastic energy
    stiffness: float  # square of the largest angular frequency [1/s^2]
    rate: float  # largest rate of friction [1/s]


NO_EFFECT = Effect(0.0, 0.0, 0.0, 0.0, 0.0)


def pair_forces(world: World[S, F, V], near: CandidatePair, so_far: Effect) -> Effect:
    """Add the forces of a candidate pair to the loads of its bodies; return what they do."""
    a = world.bodies[world.shapes[near.shape_a].body]
    b = world.bodies[world.shapes[near.shape_b].body]
    count, normal = world.pairs.contacts(
        near.slot,
        world.solid(near.shape_a),
        world.frame_of(near.shape_a),
        world.solid(near.shape_b),
        world.frame_of(near.shape_b),
        world.pair_memory[near.number].feature,
        world.points,
        world.warm_start(near.number),
        world.work,
    )
    material = world.materials[near.material]
    # The paper's law: all of the stiffness at the deepest point.
    only = deepest(world.points, count) if world.is_single else 0
    own = NO_EFFECT
    for i in range(count):
        contact = world.points[i]
        if world.is_single and i != only:
            continue
        share = 1.0 if world.is_single else contact.shares * world.shares[near.slot]
        if world.is_guarded:
            own = guarded(world, material, a, b, contact, normal, share, own)
        if contact.distance < 0.0:
            own = point_force(world, material, a, b, contact, normal, share, own)
    return Effect(
        so_far.lost + own.lost,
        so_far.rubbed + own.rubbed,
        so_far.stored + own.stored,
        max(so_far.stiffness, own.stiffness),
        max(so_far.rate, own.rate),
    )


def point_force(
    world: World[S, F, V],
    material: Material,
    a: Body[F, V],
    b: Body[F, V],
    contact: ContactPoint,
    normal: V,
    share: float,
    so_far: Effect,
) -> Effect:
    """Add the force at one contact point; return what the contact does with it."""
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


@separate
def guarded(
    world: World[S, F, V],
    material: Material,
    a: Body[F, V],
    b: Body[F, V],
    contact: ContactPoint,
    normal: V,
    share: float,
    so_far: Effect,
) -> Effect:
    """Note how quick a contact point is, or will be by the end of the step as it moves now."""
    space = world.space
    point = space.from_space(contact.point)
    approach = space.dot(relative_velocity(world, a, b, point), normal)
    rho = -contact.distance + max(0.0, -approach) * world.step_size
    if rho <= 0.0:
        return so_far
    force, _, slope = normal_force(world, material, rho, approach)
    grip = material.friction * force * material.half_inverse_slip
    if material.law == CUSTOM:
        grip = custom_tangent(world, material, rho, approach, SLOW) / SLOW
    yielding, sliding = 0.0, 0.0
    for body in (a, b):
        yielding += body.mobility(point, normal)
        sliding += body.slip_mobility(point, normal)
    return so_far._replace(
        stiffness=so_far.stiffness + share * slope * yielding,
        rate=so_far.rate + share * grip * sliding,
    )


def law_at(
    world: World[S, F, V],
    material: Material,
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
    force, elastic, _ = normal_force(world, material, rho, approach)
    drag = tangent_factor(world, material, rho, approach, force, space.norm(slip))
    return force, elastic, drag, approach, slip


def force_at(
    world: World[S, F, V],
    material: Material,
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


# Laws ------------------------------------------------------------------------------------------


def elastic_force(material: Material, rho: float) -> tuple[float, float]:
    """Return the elastic force at a depth [N] and its derivative [N/m]."""
    k = material.stiffness
    if material.law == ELASTIC_PLASTIC:
        return k * rho * rho * rho, 3.0 * k * rho * rho
    if material.law == HUNT_CROSSLEY:
        root = math.sqrt(rho)
        return k * rho * root, 1.5 * k * root
    return k * rho, k


def normal_force(
    world: World[S, F, V], material: Material, rho: float, approach: float
) -> tuple[float, float, float]:
    """
    Return the normal force [N], its elastic part, and the derivative of that [N/m].

    ``approach`` is the normal velocity of B relative to A [m/s], negative while approaching.
    """
    if material.law == CUSTOM:
        return custom_normal(world, material, rho, approach)
    elastic, slope = elastic_force(material, rho)
    force = elastic * (1.0 - material.damping * approach)
    return (force if force > 0.0 else 0.0), elastic, slope


def tangent_factor(
    world: World[S, F, V],
    material: Material,
    rho: float,
    approach: float,
    force: float,
    slip: float,
) -> float:
    """Return the friction force per speed of slip [N s/m]."""
    if slip < NO_SLIP:
        return 0.0
    if material.law == CUSTOM:
        return custom_tangent(world, material, rho, approach, slip) / slip
    grip = tanh(slip * material.half_inverse_slip)
    return material.friction * force * grip / slip


@separate
def custom_normal(
    world: World[S, F, V], material: Material, rho: float, approach: float
) -> tuple[float, float, float]:
    """Return the same for a law of the model file: its own force, and that at rest."""
    step = 1e-6 * rho
    force, _ = custom_forces(world, material, rho, approach, 0.0)
    elastic, _ = custom_forces(world, material, rho, 0.0, 0.0)
    beyond, _ = custom_forces(world, material, rho + step, 0.0, 0.0)
    return max(0.0, force), max(0.0, elastic), max(0.0, (beyond - elastic) / step)


@separate
def custom_tangent(
    world: World[S, F, V], material: Material, rho: float, approach: float, slip: float
) -> float:
    """Return the friction force of a law of the model file; it never drives [N]."""
    _, tangent = custom_forces(world, material, rho, approach, slip)
    return max(0.0, tangent)


def custom_forces(
    world: World[S, F, V], material: Material, rho: float, approach: float, slip: float
) -> tuple[float, float]:
    """Return normal and tangent force as the formulas of a material give them."""
    world.law_input[0] = rho
    world.law_input[1] = approach
    world.law_input[2] = slip
    constants = world.law_constants[material.constants :]
    call(material.program, world.law_input, constants, world.law_output)
    return world.law_output[0], world.law_output[1]
