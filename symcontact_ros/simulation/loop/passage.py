"""
What steps are made of: bodies and groups through their stages, the ledger, the number of parts.

`state` holds where everything was, `stage` where it is now; between steps both are equal.
"""

from __future__ import annotations

import math
from typing import Any

from symcontact_ros.kernels.transitional import Memory, separate, shift
from symcontact_ros.simulation.loop.candidates import find_candidates, NO_ROOM, refresh
from symcontact_ros.simulation.loop.forces import Effect, no_effect, pair_forces
from symcontact_ros.simulation.loop.joints import (
    accelerate_groups,
    apply_joints,
    place_groups,
    run_group,
)
from symcontact_ros.simulation.loop.layout import (
    DRIFT,
    EXCEEDED,
    GRAVITY,
    GROUP,
    GROUP_DYNAMICS,
    GROUP_Q,
    GROUP_RATES,
    GROUP_STATE,
    GROUP_U,
    GUARDED,
    IS_ACTIVE,
    JOINT_LOSS,
    KIND,
    LINKED,
    LOOSE,
    LOST_IN_CONTACT,
    LOST_IN_FRICTION,
    LOST_IN_JOINTS,
    MOST_PARTS,
    POWER_IN,
    RATE_LIMIT,
    REACH,
    SPRING_LIMIT,
    STATE,
    STEP_SIZE,
    STORED_IN_CONTACT,
    SUBSTEPS,
    TRACK,
    TRAVELLED,
    WORK_IN,
    WORST,
)
from symcontact_ros.simulation.loop.stages import advance_number, Weights
from symcontact_ros.simulation.loop.world import World

space: Any = None  # stands for `planar` or `spatial`


def begin(world: World, h: float) -> int:
    """Find the candidates and let the bodies fly that nothing can touch; return how many."""
    if world.group_count > 0:
        place_groups(world)
    candidates = find_candidates(world)
    if candidates == NO_ROOM:
        return candidates
    for body in range(world.body_count):
        row = space.BODY * body
        if (
            int(world.bodies[row + KIND]) == LOOSE
            and world.tracks[TRACK * body + IS_ACTIVE] == 0.0
        ):
            at = int(world.bodies[row + STATE])
            world.state[world.state_size + WORK_IN] += space.fly(
                world.stage,
                at,
                world.bodies,
                row,
                world.applied,
                space.LOAD * body,
                shift(world.options, GRAVITY),
                h,
            )
    return candidates


def evaluate(world: World, candidates: int, guarded: bool) -> Effect:
    """Write the loads on all bodies that take part in this stage; return what contacts do."""
    world.counters[GUARDED] = 1.0 if guarded else 0.0
    if world.group_count > 0 and not guarded:  # at the start of a step they are placed
        place_groups(world)
    work = 0.0
    for body in range(world.body_count):
        if takes_part(world, body):
            refresh(world, body)
            load = space.LOAD * body
            for i in range(space.LOAD):
                world.loads[load + i] = world.applied[load + i]
            work += space.load_power(world.applied, load, world.motions, space.MOTION * body)
    effect = no_effect()
    for i in range(candidates):
        effect = pair_forces(world, world.candidates[i], effect)
    lost = 0.0
    if world.group_count > 0:
        lost, put_in, stiffness, rate = apply_joints(world)
        accelerate_groups(world)
        work += put_in
        effect = Effect(
            effect.lost,
            effect.rubbed,
            effect.stored,
            max(effect.stiffness, stiffness),
            max(effect.rate, rate),
        )
    world.counters[JOINT_LOSS] = lost
    world.counters[POWER_IN] = work
    return effect


def takes_part(world: World, body: int) -> bool:
    """Return whether a body goes through the stages of this step."""
    kind = int(world.bodies[space.BODY * body + KIND])
    return kind == LINKED or world.tracks[TRACK * body + IS_ACTIVE] == 1.0


def needed_parts(world: World, effect: Effect) -> int:
    """Return into how many parts this step is cut, so that contacts are resolved."""
    h = world.options[STEP_SIZE]
    needed = max(
        math.sqrt(effect.stiffness) * h / world.options[SPRING_LIMIT],
        effect.rate * h / world.options[RATE_LIMIT],
    )
    if needed <= 1.0:
        return 1
    most = world.options[MOST_PARTS]
    world.counters[WORST] = max(world.counters[WORST], needed)
    if needed > most:
        world.counters[EXCEEDED] += 1.0
        needed = most
    parts = int(needed)
    if float(parts) < needed:
        parts += 1
    world.counters[SUBSTEPS] += float(parts - 1)
    return parts


def book(world: World, effect: Effect, duration: float) -> None:
    """Add what is done in a time to the ledger."""
    ledger = shift(world.state, world.state_size)
    ledger[LOST_IN_CONTACT] += duration * effect.lost
    ledger[LOST_IN_FRICTION] += duration * effect.rubbed
    ledger[STORED_IN_CONTACT] += duration * effect.stored
    ledger[LOST_IN_JOINTS] += duration * world.counters[JOINT_LOSS]
    ledger[WORK_IN] += duration * world.counters[POWER_IN]


def advance(world: World, weights: Weights) -> None:
    """Make the next stage of Runge and Kutta for all that takes part."""
    for body in range(world.body_count):
        row = space.BODY * body
        if int(world.bodies[row + KIND]) == LOOSE and takes_part(world, body):
            space.advance(
                world.state,
                world.stage,
                world.sums,
                int(world.bodies[row + STATE]),
                world.bodies,
                row,
                world.motions,
                space.MOTION * body,
                world.loads,
                space.LOAD * body,
                shift(world.options, GRAVITY),
                weights,
            )
    for number in range(world.group_count):
        group = GROUP * number
        start = int(world.groups[group + GROUP_STATE])
        rates = int(world.groups[group + GROUP_RATES])
        for i in range(group_size(world, group)):
            rate = world.scratch[rates + i]
            advance_number(world.state, world.stage, world.sums, start + i, rate, weights)


def group_size(world: World, group: int) -> int:
    """Return how many numbers the state of a group has."""
    return int(world.groups[group + GROUP_Q]) + int(world.groups[group + GROUP_U])


def kick(world: World, h: float) -> None:
    """Change velocities as the loads do in a time h."""
    for body in range(world.body_count):
        row = space.BODY * body
        if int(world.bodies[row + KIND]) == LOOSE and takes_part(world, body):
            space.kick(
                world.stage,
                int(world.bodies[row + STATE]),
                world.bodies,
                row,
                world.loads,
                space.LOAD * body,
                shift(world.options, GRAVITY),
                h,
            )
    for number in range(world.group_count):
        group = GROUP * number
        start = int(world.groups[group + GROUP_STATE])
        rates = int(world.groups[group + GROUP_RATES])
        for i in range(int(world.groups[group + GROUP_Q]), group_size(world, group)):
            world.stage[start + i] += h * world.scratch[rates + i]


def drift(world: World, h: float) -> None:
    """Move everything that takes part at its velocities for a time h."""
    for body in range(world.body_count):
        row = space.BODY * body
        if int(world.bodies[row + KIND]) == LOOSE and takes_part(world, body):
            space.drift(world.stage, int(world.bodies[row + STATE]), world.bodies, row, h)
    for number in range(world.group_count):
        run_group(world, number, GROUP_DYNAMICS)  # for the rates of q at the new speeds
        group = GROUP * number
        start = int(world.groups[group + GROUP_STATE])
        rates = int(world.groups[group + GROUP_RATES])
        for i in range(int(world.groups[group + GROUP_Q])):
            world.stage[start + i] += h * world.scratch[rates + i]


def remember(world: World) -> None:
    """Keep the stage, to go back to."""
    for i in range(world.state_size):
        world.sums[i] = world.stage[i]


def recall(world: World) -> None:
    """Go back to the stage that was kept."""
    for i in range(world.state_size):
        world.stage[i] = world.sums[i]


def commit(world: World, active: float, h: float) -> None:
    """Take the stage as the state, of bodies that are active or of those that are not."""
    farthest = 0.0
    for body in range(world.body_count):
        row = space.BODY * body
        track = TRACK * body
        kind = int(world.bodies[row + KIND])
        way = 0.0
        if kind == LOOSE and world.tracks[track + IS_ACTIVE] == active:
            at = int(world.bodies[row + STATE])
            space.settle(world.stage, at)
            way = space.displacement(world.state, world.stage, at, world.bodies[row + REACH])
            for i in range(space.STATE):
                world.state[at + i] = world.stage[at + i]
        elif kind == LINKED and active == 1.0:
            reach = world.bodies[row + REACH]
            way = 1.5 * h * space.speed_bound(world.motions, space.MOTION * body, reach)
        world.tracks[track + TRAVELLED] += way
        farthest = max(farthest, way)
    world.counters[DRIFT] += 2.0 * farthest
    if active == 1.0 and world.group_count > 0:
        commit_groups(world)


@separate
def commit_groups(world: World) -> None:
    """Take the stage as the state of all groups."""
    for i in range(world.quaternion_count):
        unit_quaternion(world.stage, world.quaternions[i])
    for number in range(world.group_count):
        start = int(world.groups[GROUP * number + GROUP_STATE])
        for i in range(group_size(world, GROUP * number)):
            world.state[start + i] = world.stage[start + i]


def unit_quaternion(state: Memory, at: int) -> None:
    """Make four numbers a quaternion of length 1."""
    square = 0.0
    for i in range(4):
        square += state[at + i] * state[at + i]
    scale = 1.0 / math.sqrt(square)
    for i in range(4):
        state[at + i] *= scale


def finite(world: World) -> bool:
    """Return whether all numbers of the state are finite, and their squares: energies are."""
    total = 0.0
    for i in range(world.state_size):
        total += 0.0 * (world.state[i] * world.state[i])
    return total == 0.0
