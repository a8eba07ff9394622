"""Forces at contact points whose friction sticks, and the motion of their anchors in a substep."""

from __future__ import annotations

from typing import NamedTuple

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.contact.evaluation import elastic_force, normal_force
from symcontact_ros.contact.sticking import Grip, NO_STRETCH, sticking_friction, Tangent
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import along, cross, dot, minus, plus, times
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.bodies.body import Body
from symcontact_ros.simulation.bodies.runge_kutta import Weights
from symcontact_ros.simulation.step.anchors import (
    begin_list,
    find_anchor,
    listed_anchor,
    NO_ANCHOR,
    projected_stretch,
    take_list,
)
from symcontact_ros.simulation.step.articulated import move_groups
from symcontact_ros.simulation.step.candidates import refresh
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import Anchor, CandidatePair


class Place(NamedTuple):
    """Where two shapes touch."""

    feature: int  # of the contact point
    point: Triple  # [m]
    distance: float  # signed [m]


class Slip(NamedTuple):
    """Motion of B relative to A at a point, across the normal."""

    tangent: Tangent  # [m/s]
    turning: float  # mean rate of turn of both bodies about the normal [rad/s]


class Held(NamedTuple):
    """Force at a contact point whose friction sticks, on B."""

    force: Triple  # [N]
    torque: Triple  # about the normal, beside the moment of the force [N m]
    lost: float  # in the damping of the normal law [W]
    rubbed: float  # work of friction [W]
    stored: float  # into elastic energy of the normal law [W]
    anchored: float  # energy in the anchor [J]


@separate
def held_at(
    world: World[S, F, V],
    pair: CandidatePair,
    place: Place,
    normal: V,
    share: float,
    moves: bool,
) -> Held:
    """Return the force at a contact point; ``moves``: its anchor is listed, and given a rate."""
    space = world.space
    material = world.materials[pair.material]
    a = world.bodies[world.shapes[pair.shape_a].body]
    b = world.bodies[world.shapes[pair.shape_b].body]
    point = space.from_space(place.point)
    velocity = space.minus(b.velocity_at(point), a.velocity_at(point))
    approach = space.dot(velocity, normal)
    rho = -place.distance
    elastic = elastic_force(material, rho)
    force = share * normal_force(material, elastic, rho, approach)
    axis = space.in_space(normal)
    across = space.in_space(space.along(velocity, -approach, normal))
    slip = slip_of(a, b, axis, across, lone_radius(world, pair))
    grip = gripped(world, pair, place, force, axis, slip, moves)
    return Held(
        along(grip.force, force, axis),
        times(grip.torque, axis),
        (share * elastic.force - force) * approach,
        grip.power,
        -share * elastic.force * approach,
        grip.energy,
    )


def lone_radius(world: World[S, F, V], pair: CandidatePair) -> float:
    """Return the torsional radius of a pair that touches in one point; 0 of any other [m]."""
    is_lone = world.is_single or world.shares[pair.slot] == 1.0
    return world.materials[pair.material].torsional_radius if is_lone else 0.0


def slip_of(a: Body[F, V], b: Body[F, V], normal: Triple, across: Triple, radius: float) -> Slip:
    """Return the slip of two bodies, whose velocity across the normal is known."""
    rate_a, rate_b = a.turning(), b.turning()
    spin = radius * dot(minus(rate_b, rate_a), normal)
    return Slip(Tangent(across, spin), 0.5 * dot(plus(rate_a, rate_b), normal))


def gripped(
    world: World[S, F, V],
    pair: CandidatePair,
    place: Place,
    force: float,
    normal: Triple,
    slip: Slip,
    moves: bool,
) -> Grip:
    """Return the friction at a normal force [N], with the anchor of the point if it has one."""
    material = world.materials[pair.material]
    stretch, slides = NO_STRETCH, False
    if moves and not world.anchors_are_listed:
        if force > 0.0:
            anchor = listed_anchor(world, pair.number, place.feature)
            anchor.body_a = world.shapes[pair.shape_a].body
            anchor.body_b = world.shapes[pair.shape_b].body
            anchor.material = pair.material
            anchor.radius = lone_radius(world, pair)
            stretch, slides = stretch_of(anchor, normal), anchor.slides
            anchor.stretch = stretch.across
            anchor.start = stretch.across
            anchor.start_twist = stretch.about
            write_rate(anchor, stretch, force, place.point, normal, slip)
    else:
        number = find_anchor(world, pair.number, place.feature)
        if number != NO_ANCHOR:
            anchor = world.anchors[number]
            stretch, slides = stretch_of(anchor, normal), anchor.slides
            if moves:
                write_rate(anchor, stretch, force, place.point, normal, slip)
                if world.anchor_lead > 0.0:
                    stretch_anchor(anchor, world.anchor_lead)
                    stretch = stretch_of(anchor, normal)
    return sticking_friction(material, force, slides, stretch, slip.tangent)


def stretch_of(anchor: Anchor, normal: Triple) -> Tangent:
    """Return stretch and twist of an anchor at a normal [m]."""
    return Tangent(projected_stretch(anchor.stretch, normal), anchor.twist)


def write_rate(
    anchor: Anchor, stretch: Tangent, force: float, point: Triple, normal: Triple, slip: Slip
) -> None:
    """Write the rate of an anchor: the slip, and the turn of both bodies about the normal."""
    anchor.normal_force = force
    anchor.point = point
    anchor.normal = normal
    anchor.rate = along(slip.tangent.across, slip.turning, cross(normal, stretch.across))
    anchor.rate_of_twist = slip.tangent.about


# Stages -----------------------------------------------------------------------------------------


def begin_anchors(world: World[S, F, V]) -> None:
    """Begin the anchors of a stage: the first one of a substep lists those that touch."""
    if not world.anchors_are_listed:
        begin_list(world)
    else:
        for i in range(world.anchor_count):
            anchor = world.anchors[i]
            anchor.rate = (0.0, 0.0, 0.0)
            anchor.rate_of_twist = 0.0
            anchor.normal_force = 0.0


def end_anchors(world: World[S, F, V]) -> None:
    """End the anchors of a stage."""
    if not world.anchors_are_listed:
        take_list(world)
        world.anchors_are_listed = True


@separate
def advance_anchors(world: World[S, F, V], weights: Weights) -> None:
    """Make the next stage of Runge and Kutta of all anchors."""
    for i in range(world.anchor_count):
        anchor = world.anchors[i]
        rate, sums = anchor.rate, anchor.sums
        turn, turns = anchor.rate_of_twist, anchor.sums_of_twist
        change = along(times(weights.of_rate, rate), weights.of_sums, sums)
        anchor.stretch = plus(anchor.start, change)
        anchor.twist = anchor.start_twist + (weights.of_rate * turn + weights.of_sums * turns)
        anchor.sums = along(times(weights.keep, sums), weights.gain, rate)
        anchor.sums_of_twist = weights.keep * turns + weights.gain * turn


def stretch_anchor(anchor: Anchor, h: float) -> None:
    """Stretch an anchor at its rate for a time h [s]."""
    anchor.stretch = along(anchor.stretch, h, anchor.rate)
    anchor.twist += h * anchor.rate_of_twist


@separate
def lead_anchors(world: World[S, F, V], h: float) -> None:
    """Stretch all anchors by the trapezoidal rule: half of a time h [s] now, half in the stage."""
    for i in range(world.anchor_count):
        stretch_anchor(world.anchors[i], 0.5 * h)
    world.anchor_lead = 0.5 * h


@separate
def slide_anchors(world: World[S, F, V], h: float) -> None:
    """
    Stretch all anchors for a time h [s], by the velocities of the stage at their points.

    The points are those of the last evaluation.
    """
    if world.anchor_count == 0:
        return
    if len(world.groups) > 0:
        move_groups(world)
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.takes_part:
            refresh(world, body)
    for i in range(world.anchor_count):
        slide_anchor(world, world.anchors[i], h)


def slide_anchor(world: World[S, F, V], anchor: Anchor, h: float) -> None:
    """Stretch an anchor by the present velocities of its bodies; not one that touches nothing."""
    if anchor.normal_force == 0.0:
        return
    space, normal = world.space, anchor.normal
    a, b = world.bodies[anchor.body_a], world.bodies[anchor.body_b]
    point = space.from_space(anchor.point)
    velocity = space.in_space(space.minus(b.velocity_at(point), a.velocity_at(point)))
    across = along(velocity, -dot(velocity, normal), normal)
    slip = slip_of(a, b, normal, across, anchor.radius)
    anchor.rate = along(slip.tangent.across, slip.turning, cross(normal, anchor.stretch))
    anchor.rate_of_twist = slip.tangent.about
    stretch_anchor(anchor, h)
