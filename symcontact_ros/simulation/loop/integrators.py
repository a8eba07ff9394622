"""
Steps of the loop: `rk4`, `verlet`, `semi_implicit`.

Each finds the candidates, lets the bodies fly that nothing can touch, and takes the others and the
groups through its stages. The number of parts of a step is fixed by the contacts at its start.
"""

from __future__ import annotations

from typing import Any

from symcontact_ros.kernels.transitional import Memory, shift
from symcontact_ros.simulation.loop.candidates import find_candidates, NO_ROOM
from symcontact_ros.simulation.loop.joints import place_groups
from symcontact_ros.simulation.loop.layout import (
    DRIFT,
    IS_ACTIVE,
    JOINT_LOSS,
    KIND,
    LOOSE,
    LOST_IN_CONTACT,
    LOST_IN_FRICTION,
    LOST_IN_JOINTS,
    POWER_IN,
    STEP_SIZE,
    STORED_IN_CONTACT,
    TRACK,
    TRAVELLED,
    WORK_IN,
)
from symcontact_ros.simulation.loop.passage import (
    advance,
    begin,
    book,
    commit,
    drift,
    evaluate,
    finite,
    kick,
    needed_parts,
    recall,
    remember,
)
from symcontact_ros.simulation.loop.stages import share_of, Weights, weights_of
from symcontact_ros.simulation.loop.world import World, world_of

space: Any = None  # stands for `planar` or `spatial`
step: Any = None  # stands for one of the steps below


def steps(count: int, table: Any, done: Any) -> None:
    """Advance by a number of steps; write how many were made: fewer, if there was no room."""
    world = world_of(table)
    made = 0
    while made < count and step(world) and finite(world):
        made += 1
    done[0] = float(made)


def rk4(world: World) -> bool:
    """Make a step of the classical method of Runge and Kutta: order 4."""
    h = world.options[STEP_SIZE]
    candidates = begin(world, h)
    part, parts = 0, 1
    while part < parts and candidates >= world.least_candidates:
        for stage in range(4):
            first = part == 0 and stage == 0
            effect = evaluate(world, candidates, first)
            if first:
                parts = needed_parts(world, effect)
            book(world, effect, share_of(stage, h / parts))
            advance(world, weights_of(stage, h / parts))
        commit(world, 1.0, h / parts)
        part += 1
    commit(world, 0.0, h)
    return candidates != NO_ROOM


def verlet(world: World) -> bool:
    """Make a step of velocity Verlet: order 2, keeps angular momentum."""
    h = world.options[STEP_SIZE]
    candidates = begin(world, h)
    part, parts = 0, 1
    while part < parts and candidates >= world.least_candidates:
        for stage in range(2):
            first = part == 0 and stage == 0
            effect = evaluate(world, candidates, first)
            if first:
                parts = needed_parts(world, effect)
            book(world, effect, 0.5 * h / parts)
            if stage == 1:
                recall(world)
            kick(world, 0.5 * h / parts)
            if stage == 0:
                drift(world, h / parts)
                remember(world)
                kick(world, 0.5 * h / parts)  # the velocities that the next forces are to see
        commit(world, 1.0, h / parts)
        part += 1
    commit(world, 0.0, h)
    return candidates != NO_ROOM


def semi_implicit(world: World) -> bool:
    """Make a step of Euler's method with the new velocities: order 1, keeps angular momentum."""
    h = world.options[STEP_SIZE]
    candidates = begin(world, h)
    part, parts = 0, 1
    while part < parts and candidates >= world.least_candidates:
        effect = evaluate(world, candidates, part == 0)
        if part == 0:
            parts = needed_parts(world, effect)
        book(world, effect, h / parts)
        kick(world, h / parts)
        drift(world, h / parts)
        commit(world, 1.0, h / parts)
        part += 1
    commit(world, 0.0, h)
    return candidates != NO_ROOM


def rates(table: Any, out: Memory) -> None:
    """Write the time derivative of the state and of the ledger, for integrators of others."""
    world = world_of(table)
    for i in range(world.state_size):
        world.stage[i] = world.state[i]
    world.counters[DRIFT] = 1e300  # the broad phase runs each time: states come in any order
    for body in range(world.body_count):
        world.tracks[TRACK * body + TRAVELLED] = 0.0
    if world.group_count > 0:
        place_groups(world)
    candidates = find_candidates(world)
    for body in range(world.body_count):
        if int(world.bodies[space.BODY * body + KIND]) == LOOSE:
            world.tracks[TRACK * body + IS_ACTIVE] = 1.0
    effect = evaluate(world, candidates, False)
    advance(world, Weights(0.0, 0.0, 0.0, 1.0))  # of which the sums are the rates
    for i in range(world.state_size):
        out[i] = world.sums[i]
    ledger = shift(out, world.state_size)
    ledger[LOST_IN_CONTACT] = effect.lost
    ledger[LOST_IN_FRICTION] = effect.rubbed
    ledger[STORED_IN_CONTACT] = effect.stored
    ledger[LOST_IN_JOINTS] = world.counters[JOINT_LOSS]
    ledger[WORK_IN] = world.counters[POWER_IN]
