"""
Steps of a world: `rk4`, `verlet`, `semi_implicit`.

Each finds the pairs that may touch, moves the bodies that nothing can touch in closed form, and
takes the other bodies and the articulated groups through its stages. The contacts at the start of
a step fix its number of substeps. `state` is where everything was, `stage` where it is now;
between steps both are equal.
"""

from __future__ import annotations

from typing import Protocol

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.simulation.bodies.runge_kutta import share_of, weights_of
from symcontact_ros.simulation.step.articulated import move_groups
from symcontact_ros.simulation.step.candidates import find_active_pairs, NO_ROOM
from symcontact_ros.simulation.step.division import divide, ends_step, refuses
from symcontact_ros.simulation.step.guards import begin_watch, is_sound
from symcontact_ros.simulation.step.implicit.mixed import mixed
from symcontact_ros.simulation.step.implicit.order_one import implicit
from symcontact_ros.simulation.step.implicit.order_two import implicit2
from symcontact_ros.simulation.step.loads import add_to_ledger, begin_untouched, evaluate_loads
from symcontact_ros.simulation.step.motion import (
    accept,
    advance,
    drift,
    fly_untouched,
    is_finite,
    kick,
    lead,
    restore_stage,
    slide,
    store_stage,
)
from symcontact_ros.simulation.step.substeps import needed_substeps
from symcontact_ros.simulation.world.world import World


class Step(Protocol):
    """A step of an integrator; returns whether there was room for the candidate pairs."""

    def __call__(self, world: World[S, F, V], /) -> bool:
        """Make a step."""


def steps(count: int, world: World[S, F, V], step: Step) -> None:
    """
    Advance by a number of steps; write how many were made.

    Fewer, if there was no room, if the last one diverged, or if it was not sound: then its state
    is kept, and it is not counted.
    """
    made = 0
    world.is_moved = False
    if not world.touches:
        begin_untouched(world)
    begin_watch(world)
    last = count if not world.goes_on else 0
    while made < count:
        if step(world):
            if world.rest == 0.0 or ends_step(world):
                if not (is_finite(world) and is_sound(world, made + 1 == last)):
                    break
                made += 1
        elif not divide(world):
            break
    world.made = made


def begin_step(world: World[S, F, V], h: float) -> int:
    """Find the active pairs and move the bodies that are in none; return how many pairs."""
    active = 0
    if len(world.groups) > 0 and world.has_loads:
        move_groups(world)
    if world.touches:
        active = find_active_pairs(world)
        if active != NO_ROOM:
            active = NO_ROOM if refuses(world, h) else world.active_count
    if active != NO_ROOM:
        fly_untouched(world, h)
    return active


def has_stages(world: World[S, F, V], active: int) -> bool:
    """Return whether anything goes through the stages of this step."""
    return active > 0 or (active == 0 and len(world.groups) > 0)


def rk4(world: World[S, F, V]) -> bool:
    """Make a step of the classical method of Runge and Kutta: order 4."""
    h = world.step_size
    active = begin_step(world, h)
    substep, substeps = 0, 1
    while substep < substeps and has_stages(world, active):
        for stage in range(4):
            first = substep == 0 and stage == 0
            effect = evaluate_loads(world, active, first)
            if first:
                substeps = needed_substeps(world, effect)
            add_to_ledger(world, effect, share_of(stage, h / substeps))
            advance(world, weights_of(stage, h / substeps))
        accept(world, True, h / substeps)
        substep += 1
    accept(world, False, h)
    return active != NO_ROOM


def verlet(world: World[S, F, V]) -> bool:
    """Make a step of velocity Verlet: order 2, keeps angular momentum."""
    h = world.step_size
    active = begin_step(world, h)
    substep, substeps = 0, 1
    while substep < substeps and has_stages(world, active):
        for stage in range(2):
            first = substep == 0 and stage == 0
            effect = evaluate_loads(world, active, first)
            if first:
                substeps = needed_substeps(world, effect)
            add_to_ledger(world, effect, 0.5 * h / substeps)
            if stage == 1:
                restore_stage(world)
            kick(world, 0.5 * h / substeps)
            if stage == 0:
                lead(world, h / substeps)
                drift(world, h / substeps, True)
                store_stage(world)
                kick(world, 0.5 * h / substeps)  # the velocities that the next forces depend on
        accept(world, True, h / substeps)
        substep += 1
    accept(world, False, h)
    return active != NO_ROOM


def semi_implicit(world: World[S, F, V]) -> bool:
    """Make a step of Euler's method with the new velocities: order 1, keeps angular momentum."""
    h = world.step_size
    active = begin_step(world, h)
    substep, substeps = 0, 1
    while substep < substeps and has_stages(world, active):
        effect = evaluate_loads(world, active, substep == 0)
        if substep == 0:
            substeps = needed_substeps(world, effect)
        add_to_ledger(world, effect, h / substeps)
        kick(world, h / substeps)
        # Half before the drift and half after it: velocities are those of the middle of a step.
        slide(world, 0.5 * h / substeps)
        drift(world, h / substeps, False)
        slide(world, 0.5 * h / substeps)
        accept(world, True, h / substeps)
        substep += 1
    accept(world, False, h)
    return active != NO_ROOM


MIXED = (
    'mixed'  # `implicit`, and `implicit2` in impacts and fast motion: what `auto` takes for robots
)
STEPS: dict[str, Step] = {
    'rk4': rk4,
    'verlet': verlet,
    'semi_implicit': semi_implicit,
    'implicit': implicit,
    'implicit2': implicit2,
    MIXED: mixed,
}
IMPLICIT = ('implicit', 'implicit2', MIXED)  # of them
