"""Motion of all bodies and groups from stage to stage."""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.simulation.bodies.body import ARTICULATED, FLOATING
from symcontact_ros.simulation.bodies.runge_kutta import advance_number, Weights
from symcontact_ros.simulation.step.anchors import settle_anchors
from symcontact_ros.simulation.step.articulated import run_dynamics, run_velocity
from symcontact_ros.simulation.step.sticking import advance_anchors, lead_anchors, slide_anchors
from symcontact_ros.simulation.world.world import World


def fly_untouched(world: World[S, F, V], h: float) -> None:
    """Move the floating bodies that nothing can touch in this step by h [s], in closed form."""
    if world.floats:
        for i in range(len(world.bodies)):
            body = world.bodies[i]
            if body.kind == FLOATING and not body.is_active:
                world.ledger.work_in += body.fly(world.stage, world.gravity, h)


def advance(world: World[S, F, V], weights: Weights) -> None:
    """Make the next stage of Runge and Kutta for all that takes part."""
    state, stage, sums = world.state, world.stage, world.sums
    if world.floats:
        for i in range(len(world.bodies)):
            body = world.bodies[i]
            if body.kind == FLOATING and body.takes_part:
                body.advance(state, stage, sums, world.gravity, weights)
    for number in range(len(world.groups)):
        group = world.groups[number]
        for i in range(group.size):
            advance_number(state, stage, sums, group.state + i, group.rates[i], weights)
    if world.sticks:
        advance_anchors(world, weights)


def kick(world: World[S, F, V], h: float) -> None:
    """Change velocities as the loads do in a time h."""
    if world.floats:
        for i in range(len(world.bodies)):
            body = world.bodies[i]
            if body.kind == FLOATING and body.takes_part:
                body.kick(world.stage, world.gravity, h)
    for number in range(len(world.groups)):
        group = world.groups[number]
        for i in range(group.q_count, group.size):
            world.stage[group.state + i] += h * group.rates[i]


def drift(world: World[S, F, V], h: float, accelerates: bool) -> None:
    """
    Move everything that takes part at its velocities for a time h.

    Where it ``accelerates``, the rates of the speeds of groups become those at these velocities.
    """
    if world.floats:
        for i in range(len(world.bodies)):
            body = world.bodies[i]
            if body.kind == FLOATING and body.takes_part:
                body.drift(world.stage, h)
    for number in range(len(world.groups)):
        group = world.groups[number]
        if accelerates:
            run_dynamics(world, group)
        else:
            run_velocity(world, group)
        for i in range(group.q_count):
            world.stage[group.state + i] += h * group.rates[i]


def lead(world: World[S, F, V], h: float) -> None:
    """Stretch the anchors of friction for a time h, by the rates at its start and at its end."""
    if world.sticks:
        lead_anchors(world, h)


def slide(world: World[S, F, V], h: float) -> None:
    """Stretch the anchors of friction for a time h, at the velocities that bodies drift with."""
    if world.sticks:
        slide_anchors(world, h)


def store_stage(world: World[S, F, V]) -> None:
    """Store the stage."""
    for i in range(len(world.stage)):
        world.sums[i] = world.stage[i]


def restore_stage(world: World[S, F, V]) -> None:
    """Go back to the stored stage."""
    for i in range(len(world.stage)):
        world.stage[i] = world.sums[i]


def accept(world: World[S, F, V], active: bool, h: float) -> None:
    """Take the stage as the state, of bodies that are active or of those that are not."""
    if world.touches or world.floats:
        accept_bodies(world, active, h)
    if active and len(world.groups) > 0:
        accept_groups(world)
    if world.sticks:
        settle_anchors(world, active)


def accept_bodies(world: World[S, F, V], active: bool, h: float) -> None:
    """Take the stage as the state of floating bodies; add to how far all have travelled."""
    farthest = 0.0
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        travel = 0.0
        if body.kind == FLOATING and body.is_active == active:
            travel = body.accept(world.state, world.stage)
        elif world.touches and body.kind == ARTICULATED and active:
            travel = 1.5 * h * body.speed_bound()
        body.travelled += travel
        farthest = max(farthest, travel)
    world.drift += 2.0 * farthest


@separate
def accept_groups(world: World[S, F, V]) -> None:
    """Take the stage as the state of all groups."""
    for i in range(len(world.quaternions)):
        unit_quaternion(world.stage, world.quaternions[i])
    for number in range(len(world.groups)):
        group = world.groups[number]
        for i in range(group.state, group.state + group.size):
            world.state[i] = world.stage[i]


def unit_quaternion(state: Floats, at: int) -> None:
    """Make four numbers a quaternion of length 1."""
    square = 0.0
    for i in range(4):
        square += state[at + i] * state[at + i]
    scale = 1.0 / math.sqrt(square)
    for i in range(4):
        state[at + i] *= scale


def is_finite(world: World[S, F, V]) -> bool:
    """Return whether all numbers of the state are finite, and their squares: energies are."""
    # One by one: in a sum each would wait for the one before. Kernels have no generators.
    for i in range(len(world.stage)):  # noqa: SIM110
        if 0.0 * (world.state[i] * world.state[i]) != 0.0:
            return False
    return True
