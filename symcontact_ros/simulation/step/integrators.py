"""
Steps of the loop: `rk4`, `verlet`, `semi_implicit`.

Each finds the candidates, lets the bodies fly that nothing can touch, and takes the others and the
groups through its stages. The number of parts of a step is fixed by the contacts at its start.
"""

from __future__ import annotations

from typing import Protocol

from symcontact_ros.collision.pairs import F, S, V
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.simulation.bodies.body import LOOSE
from symcontact_ros.simulation.bodies.runge_kutta import share_of, Weights, weights_of
from symcontact_ros.simulation.step.articulated import place_groups
from symcontact_ros.simulation.step.candidates import find_candidates, NO_ROOM
from symcontact_ros.simulation.step.motion import (
    advance,
    begin,
    book,
    commit,
    drift,
    evaluate,
    finite,
    has_parts,
    kick,
    needed_parts,
    recall,
    remember,
)
from symcontact_ros.simulation.world.world import Ledger, World


class Step(Protocol):
    """Makes one step; returns whether there was room for its near pairs."""

    def __call__(self, world: World[S, F, V], /) -> bool:
        """Make a step."""


def steps(count: int, world: World[S, F, V], step: Step) -> None:
    """Advance by a number of steps; write how many were made: fewer, if there was no room."""
    made = 0
    while made < count and step(world) and finite(world):
        made += 1
    world.made = made


def rk4(world: World[S, F, V]) -> bool:
    """Make a step of the classical method of Runge and Kutta: order 4."""
    h = world.step_size
    candidates = begin(world, h)
    part, parts = 0, 1
    while part < parts and has_parts(world, candidates):
        for stage in range(4):
            first = part == 0 and stage == 0
            effect = evaluate(world, candidates, first)
            if first:
                parts = needed_parts(world, effect)
            book(world, effect, share_of(stage, h / parts))
            advance(world, weights_of(stage, h / parts))
        commit(world, True, h / parts)
        part += 1
    commit(world, False, h)
    return candidates != NO_ROOM


def verlet(world: World[S, F, V]) -> bool:
    """Make a step of velocity Verlet: order 2, keeps angular momentum."""
    h = world.step_size
    candidates = begin(world, h)
    part, parts = 0, 1
    while part < parts and has_parts(world, candidates):
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
        commit(world, True, h / parts)
        part += 1
    commit(world, False, h)
    return candidates != NO_ROOM


def semi_implicit(world: World[S, F, V]) -> bool:
    """Make a step of Euler's method with the new velocities: order 1, keeps angular momentum."""
    h = world.step_size
    candidates = begin(world, h)
    part, parts = 0, 1
    while part < parts and has_parts(world, candidates):
        effect = evaluate(world, candidates, part == 0)
        if part == 0:
            parts = needed_parts(world, effect)
        book(world, effect, h / parts)
        kick(world, h / parts)
        drift(world, h / parts)
        commit(world, True, h / parts)
        part += 1
    commit(world, False, h)
    return candidates != NO_ROOM


def rates(world: World[S, F, V], out: Floats) -> None:
    """Write the time derivative of the state and of the ledger, for integrators of others."""
    size = len(world.stage)
    for i in range(size):
        world.stage[i] = world.state[i]
    world.drift = 1e300  # the broad phase runs each time: states come in any order
    for i in range(len(world.bodies)):
        world.bodies[i].travelled = 0.0
    if len(world.groups) > 0:
        place_groups(world)
    candidates = find_candidates(world)
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == LOOSE:
            body.is_active = True
    effect = evaluate(world, candidates, False)
    advance(world, Weights(0.0, 0.0, 0.0, 1.0))  # of which the sums are the rates
    for i in range(size):
        out[i] = world.sums[i]
    ledger = Ledger.at(out, size)
    ledger.lost_in_contact = effect.lost
    ledger.lost_in_friction = effect.rubbed
    ledger.stored_in_contact = effect.stored
    ledger.lost_in_joints = world.joint_loss
    ledger.work_in = world.power_in
