"""
What steps are made of: bodies and groups through their stages, the ledger, the number of parts.

`state` holds where everything was, `stage` where it is now; between steps both are equal.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.pairs import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.simulation.bodies.body import LINKED, LOOSE
from symcontact_ros.simulation.bodies.runge_kutta import advance_number, Weights
from symcontact_ros.simulation.step.articulated import (
    accelerate_groups,
    apply_joints,
    place_groups,
    run_dynamics,
)
from symcontact_ros.simulation.step.candidates import find_candidates, NO_ROOM, refresh
from symcontact_ros.simulation.step.forces import Effect, NO_EFFECT, pair_forces
from symcontact_ros.simulation.world.world import World


def begin(world: World[S, F, V], h: float) -> int:
    """Find the candidates and let the bodies fly that nothing can touch; return how many."""
    if len(world.groups) > 0:
        place_groups(world)
    candidates = find_candidates(world)
    if candidates == NO_ROOM:
        return candidates
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == LOOSE and not body.is_active:
            world.ledger.work_in += body.fly(world.stage, world.gravity, h)
    return candidates


def has_parts(world: World[S, F, V], candidates: int) -> bool:
    """Return whether anything goes through the stages of this step."""
    return candidates > 0 or (candidates == 0 and len(world.groups) > 0)


def evaluate(world: World[S, F, V], candidates: int, guarded: bool) -> Effect:
    """Write the loads on all bodies that take part in this stage; return what contacts do."""
    world.is_guarded = guarded
    if len(world.groups) > 0 and not guarded:  # at the start of a step they are placed
        place_groups(world)
    work = 0.0
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.takes_part:
            refresh(world, body)
            work += body.begin_load()
    effect = NO_EFFECT
    for i in range(candidates):
        effect = pair_forces(world, world.near[world.candidates[i]], effect)
    lost = 0.0
    if len(world.groups) > 0:
        lost, put_in, stiffness, rate = apply_joints(world)
        accelerate_groups(world)
        work += put_in
        effect = effect._replace(
            stiffness=max(effect.stiffness, stiffness), rate=max(effect.rate, rate)
        )
    world.joint_loss = lost
    world.power_in = work
    return effect


def needed_parts(world: World[S, F, V], effect: Effect) -> int:
    """Return into how many parts this step is cut, so that contacts are resolved."""
    h = world.step_size
    needed = max(
        math.sqrt(effect.stiffness) * h / world.spring_limit,
        effect.rate * h / world.rate_limit,
    )
    if needed <= 1.0:
        return 1
    most = float(world.most_parts)
    world.largest_need = max(world.largest_need, needed)
    if needed > most:
        world.exceeded += 1
        needed = most
    parts = int(needed)
    if float(parts) < needed:
        parts += 1
    world.substeps += parts - 1
    return parts


def book(world: World[S, F, V], effect: Effect, duration: float) -> None:
    """Add what is done in a time to the ledger."""
    ledger = world.ledger
    ledger.lost_in_contact += duration * effect.lost
    ledger.lost_in_friction += duration * effect.rubbed
    ledger.stored_in_contact += duration * effect.stored
    ledger.lost_in_joints += duration * world.joint_loss
    ledger.work_in += duration * world.power_in


def advance(world: World[S, F, V], weights: Weights) -> None:
    """Make the next stage of Runge and Kutta for all that takes part."""
    state, stage, sums = world.state, world.stage, world.sums
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == LOOSE and body.takes_part:
            body.advance(state, stage, sums, world.gravity, weights)
    for number in range(len(world.groups)):
        group = world.groups[number]
        for i in range(group.size):
            advance_number(state, stage, sums, group.state + i, group.rates[i], weights)


def kick(world: World[S, F, V], h: float) -> None:
    """Change velocities as the loads do in a time h."""
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == LOOSE and body.takes_part:
            body.kick(world.stage, world.gravity, h)
    for number in range(len(world.groups)):
        group = world.groups[number]
        for i in range(group.q_count, group.size):
            world.stage[group.state + i] += h * group.rates[i]


def drift(world: World[S, F, V], h: float) -> None:
    """Move everything that takes part at its velocities for a time h."""
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == LOOSE and body.takes_part:
            body.drift(world.stage, h)
    for number in range(len(world.groups)):
        group = world.groups[number]
        run_dynamics(world, group)  # for the rates of q at the new speeds
        for i in range(group.q_count):
            world.stage[group.state + i] += h * group.rates[i]


def remember(world: World[S, F, V]) -> None:
    """Keep the stage, to go back to."""
    for i in range(len(world.stage)):
        world.sums[i] = world.stage[i]


def recall(world: World[S, F, V]) -> None:
    """Go back to the stage that was kept."""
    for i in range(len(world.stage)):
        world.stage[i] = world.sums[i]


def commit(world: World[S, F, V], active: bool, h: float) -> None:
    """Take the stage as the state, of bodies that are active or of those that are not."""
    farthest = 0.0
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        way = 0.0
        if body.kind == LOOSE and body.is_active == active:
            way = body.settle(world.state, world.stage)
        elif body.kind == LINKED and active:
            way = 1.5 * h * body.speed_bound()
        body.travelled += way
        farthest = max(farthest, way)
    world.drift += 2.0 * farthest
    if active and len(world.groups) > 0:
        commit_groups(world)


@separate
def commit_groups(world: World[S, F, V]) -> None:
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


def finite(world: World[S, F, V]) -> bool:
    """Return whether all numbers of the state are finite, and their squares: energies are."""
    total = 0.0
    for i in range(len(world.stage)):
        total += 0.0 * (world.state[i] * world.state[i])
    return total == 0.0
