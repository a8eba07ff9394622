"""What the candidates do to each other: the penalty law at every contact point."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from symcontact_ros.collision.rows import deepest_row, DISTANCE, ROW, SHARES
from symcontact_ros.kernels.transitional import Memory, run, separate, shift
from symcontact_ros.simulation.loop.candidates import kept_of, shape_frame
from symcontact_ros.simulation.loop.functions import tanh
from symcontact_ros.simulation.loop.layout import (
    CUSTOM,
    DAMPING,
    ELASTIC_PLASTIC,
    FEATURE,
    FRICTION,
    GUARDED,
    HALF_INVERSE_SLIP,
    HUNT_CROSSLEY,
    LAW,
    MEMORY,
    NEAR,
    NEAR_A,
    NEAR_B,
    NEAR_MATERIAL,
    NEAR_NUMBER,
    NEAR_SLOT,
    SHAPE,
    SHAPE_BLOCK,
    SHAPE_BODY,
    SINGLE,
    STEP_SIZE,
    STIFFNESS,
)
from symcontact_ros.simulation.loop.world import World

space: Any = None  # stands for `planar` or `spatial`
contacts: Any = None  # stands for the kernels of the pairs of a model
SLOW = 1e-6  # [m/s] slip at which friction of a law of the model file is probed
NO_SLIP = 1e-12  # [m/s] below this slip has no direction


class Effect(NamedTuple):
    """What contacts do: powers [W], and how quick they are."""

    lost: float  # in the damping of the normal law
    rubbed: float  # in friction
    stored: float  # into elastic energy
    stiffness: float  # square of the largest angular frequency [1/s^2]
    rate: float  # largest rate of friction [1/s]


def no_effect() -> Effect:
    """Return what no contact does."""
    return Effect(0.0, 0.0, 0.0, 0.0, 0.0)


def elastic_force(material: Memory, rho: float) -> tuple[float, float]:
    """Return the elastic force at a depth [N] and its derivative [N/m]."""
    law = int(material[LAW])
    k = material[STIFFNESS]
    if law == ELASTIC_PLASTIC:
        return k * rho * rho * rho, 3.0 * k * rho * rho
    if law == HUNT_CROSSLEY:
        root = math.sqrt(rho)
        return k * rho * root, 1.5 * k * root
    return k * rho, k


def normal_force(
    world: World, material: Memory, rho: float, approach: float
) -> tuple[float, float, float]:
    """
    Return the normal force [N], its elastic part, and the derivative of that [N/m].

    ``approach`` is the normal velocity of B relative to A [m/s], negative while approaching.
    """
    if int(material[LAW]) == CUSTOM:
        return custom_normal(world, material, rho, approach)
    elastic, slope = elastic_force(material, rho)
    force = elastic * (1.0 - material[DAMPING] * approach)
    return (force if force > 0.0 else 0.0), elastic, slope


def tangent_factor(
    world: World, material: Memory, rho: float, approach: float, force: float, slip: float
) -> float:
    """Return the friction force per speed of slip [N s/m]."""
    if slip < NO_SLIP:
        return 0.0
    if int(material[LAW]) == CUSTOM:
        return custom_tangent(world, material, rho, approach, slip) / slip
    grip = tanh(slip * material[HALF_INVERSE_SLIP])
    return float(material[FRICTION] * force * grip / slip)


def pair_forces(world: World, candidate: int, so_far: Effect) -> Effect:
    """Add the forces of a candidate pair to the loads of its bodies; return what they do."""
    near = NEAR * candidate
    a, b = int(world.near[near + NEAR_A]), int(world.near[near + NEAR_B])
    memory = MEMORY * int(world.near[near + NEAR_NUMBER])
    count, normal = contacts(
        int(world.near[near + NEAR_SLOT]),
        shift(world.blocks, int(world.shapes[SHAPE * a + SHAPE_BLOCK])),
        shape_frame(world, a),
        shift(world.blocks, int(world.shapes[SHAPE * b + SHAPE_BLOCK])),
        shape_frame(world, b),
        int(world.pair_memory[memory + FEATURE]),
        world.rows,
        kept_of(world, int(world.near[near + NEAR_NUMBER])),
        world.work,
    )
    material = shift(world.materials, int(world.near[near + NEAR_MATERIAL]))
    body_a = int(world.shapes[SHAPE * a + SHAPE_BODY])
    body_b = int(world.shapes[SHAPE * b + SHAPE_BODY])
    # The paper's law: all of the stiffness at the deepest point.
    single = world.options[SINGLE] == 1.0
    deepest = deepest_row(world.rows, count) if single else 0
    own = no_effect()
    for i in range(count):
        start = ROW * i
        if single and i != deepest:
            continue
        share = 1.0 if single else world.rows[start + SHARES] * slot_share(world, near)
        if world.counters[GUARDED] == 1.0:
            own = guarded(world, material, body_a, body_b, start, normal, share, own)
        if world.rows[start + DISTANCE] < 0.0:
            own = point_force(world, material, body_a, body_b, start, normal, share, own)
    return Effect(
        so_far.lost + own.lost,
        so_far.rubbed + own.rubbed,
        so_far.stored + own.stored,
        max(so_far.stiffness, own.stiffness),
        max(so_far.rate, own.rate),
    )


def slot_share(world: World, near: int) -> float:
    """Return the part of the stiffness that one share is."""
    return float(world.slot_shares[int(world.near[near + NEAR_SLOT])])


def point_force(
    world: World,
    material: Memory,
    body_a: int,
    body_b: int,
    row: int,
    normal: Any,
    share: float,
    so_far: Effect,
) -> Effect:
    """Add the force at one contact point; return what the contact does with it."""
    at_a, at_b = space.MOTION * body_a, space.MOTION * body_b
    point = space.row_point(world.rows, row)
    force, elastic, drag, approach, slip = law_at(world, material, body_a, body_b, row, normal)
    speed = space.norm(slip)
    pushed = space.along(space.times(share * force, normal), -share * drag, slip)
    space.push(world.loads, space.LOAD * body_a, world.motions, at_a, point, pushed, -1.0)
    space.push(world.loads, space.LOAD * body_b, world.motions, at_b, point, pushed, 1.0)
    return Effect(
        so_far.lost + share * (elastic - force) * approach,
        so_far.rubbed + share * drag * speed * speed,
        so_far.stored - share * elastic * approach,
        so_far.stiffness,
        so_far.rate,
    )


@separate
def guarded(
    world: World,
    material: Memory,
    body_a: int,
    body_b: int,
    row: int,
    normal: Any,
    share: float,
    so_far: Effect,
) -> Effect:
    """Note how quick a contact point is, or will be by the end of the step as it moves now."""
    point = space.row_point(world.rows, row)
    approach = space.dot(relative_velocity(world, body_a, body_b, point), normal)
    rho = -world.rows[row + DISTANCE] + max(0.0, -approach) * world.options[STEP_SIZE]
    if rho <= 0.0:
        return so_far
    force, _, slope = normal_force(world, material, rho, approach)
    grip = material[FRICTION] * force * material[HALF_INVERSE_SLIP]
    if int(material[LAW]) == CUSTOM:
        grip = custom_tangent(world, material, rho, approach, SLOW) / SLOW
    yielding, sliding = 0.0, 0.0
    for i in range(2):
        body = body_a if i == 0 else body_b
        constants, at = space.BODY * body, space.MOTION * body
        yielding += space.mobility(world.bodies, constants, world.motions, at, point, normal)
        sliding += space.slip_mobility(world.bodies, constants, world.motions, at, point, normal)
    return Effect(
        so_far.lost,
        so_far.rubbed,
        so_far.stored,
        so_far.stiffness + share * slope * yielding,
        so_far.rate + share * grip * sliding,
    )


def law_at(world: World, material: Memory, body_a: int, body_b: int, row: int, normal: Any) -> Any:
    """
    Return what the law gives at a contact point.

    Normal force and its elastic part [N], friction per speed of slip [N s/m], normal velocity of B
    relative to A, slip [m/s].
    """
    velocity = relative_velocity(world, body_a, body_b, space.row_point(world.rows, row))
    approach = space.dot(velocity, normal)
    slip = space.along(velocity, -approach, normal)
    rho = -world.rows[row + DISTANCE]
    force, elastic, _ = normal_force(world, material, rho, approach)
    drag = tangent_factor(world, material, rho, approach, force, space.norm(slip))
    return force, elastic, drag, approach, slip


def relative_velocity(world: World, body_a: int, body_b: int, point: Any) -> Any:
    """Return the velocity of B relative to A at a point of both [m/s]."""
    of_b = space.velocity_at(world.motions, space.MOTION * body_b, point)
    return space.minus(of_b, space.velocity_at(world.motions, space.MOTION * body_a, point))


def force_at(
    world: World,
    material: Memory,
    body_a: int,
    body_b: int,
    row: int,
    normal: Any,
    share: float,
) -> Any:
    """Return the force on B at one contact point [N], without applying it."""
    force, _, drag, _, slip = law_at(world, material, body_a, body_b, row, normal)
    return space.along(space.times(share * force, normal), -share * drag, slip)


@separate
def custom_normal(
    world: World, material: Memory, rho: float, approach: float
) -> tuple[float, float, float]:
    """Return the same for a law of the model file: its own force, and that at rest."""
    step = 1e-6 * rho
    force, _ = custom_forces(world, material, rho, approach, 0.0)
    elastic, _ = custom_forces(world, material, rho, 0.0, 0.0)
    beyond, _ = custom_forces(world, material, rho + step, 0.0, 0.0)
    return max(0.0, force), max(0.0, elastic), max(0.0, (beyond - elastic) / step)


@separate
def custom_tangent(
    world: World, material: Memory, rho: float, approach: float, slip: float
) -> float:
    """Return the friction force of a law of the model file; it never drives [N]."""
    _, tangent = custom_forces(world, material, rho, approach, slip)
    return max(0.0, tangent)


def custom_forces(
    world: World, material: Memory, rho: float, approach: float, slip: float
) -> tuple[float, float]:
    """Return normal and tangent force as the formulas of a material give them."""
    world.law_input[0] = rho
    world.law_input[1] = approach
    world.law_input[2] = slip
    run(
        world.table,
        int(material[STIFFNESS]),  # of a custom law: where its function is
        world.law_input,
        shift(world.law_constants, int(material[DAMPING])),
        world.law_output,
    )
    return world.law_output[0], world.law_output[1]
