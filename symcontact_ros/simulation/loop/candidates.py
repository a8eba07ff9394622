"""
Who may touch whom in the coming step.

Every body keeps a bound of how far any of its points has travelled. A pair that was found apart is
clear until its two bodies have travelled that far together: most pairs cost one comparison a step,
and an approach is looked at ever more often, as needed. The broad phase runs when something has
travelled through the skin around its boxes.
"""

from __future__ import annotations

import math
from typing import Any

from symcontact_ros.collision.broad_phase import BOX, find_pairs, pair_number
from symcontact_ros.collision.pairs import TOUCHING
from symcontact_ros.kernels.transitional import Memory, separate, shift
from symcontact_ros.simulation.loop.layout import (
    CANDIDATES,
    CLEAR_UNTIL,
    DRIFT,
    FEATURE,
    FIXED,
    IS_ACTIVE,
    KIND,
    LOOKS,
    LOOSE,
    MEMORY,
    NEAR,
    NEAR_A,
    NEAR_B,
    NEAR_COUNT,
    NEAR_MATERIAL,
    NEAR_NUMBER,
    NEAR_SLOT,
    NOTES,
    REACH,
    REACHABLE,
    REBUILDS,
    SHAPE,
    SHAPE_BLOCK,
    SHAPE_BODY,
    SHAPE_CENTRED,
    SHAPE_FRAME,
    SHAPE_KIND,
    SKIN,
    SKIN_NOW,
    STATE,
    STEP_SIZE,
    TRACK,
    TRAVELLED,
)
from symcontact_ros.simulation.loop.world import World

space: Any = None  # stands for `planar` or `spatial`
look: Any = None  # stands for the kernels of the pairs of a model
FACTOR = 2.0  # a body may get this much faster in one step,
STEPS_AHEAD = 50.0  # the broad phase is good for as many steps at the present speed
SPARE = 1e-4  # and move this much more [m], before the next look
KINDS = 16  # the most kinds of shapes in a model
NO_ROOM = -1  # instead of a number of candidates
ALWAYS_LOOK = -1.0  # travel that is always exceeded


def shape_frame(world: World, shape: int) -> Any:
    """Return where a shape is, by the motion of its body in this stage."""
    row = SHAPE * shape
    body = int(world.shapes[row + SHAPE_BODY])
    frame = space.frame_of(world.motions, space.MOTION * body)
    if world.shapes[row + SHAPE_CENTRED] == 1.0:
        return frame
    return space.composed(frame, space.frame_at(world.shapes, row + SHAPE_FRAME))


def kept_of(world: World, number: int) -> Memory:
    """Return what the detector keeps of a pair."""
    return shift(world.kept, world.kept_stride * (number + 1))


def find_candidates(world: World) -> int:
    """Write the near pairs that may touch in this step, mark their bodies, return how many."""
    ahead = 2.0 * predict(world)
    if world.counters[DRIFT] + ahead > world.counters[SKIN_NOW] and not rebuild(world, ahead):
        return NO_ROOM
    count = 0
    for i in range(int(world.counters[NEAR_COUNT])):
        near = NEAR * i
        a = int(world.shapes[SHAPE * int(world.near[near + NEAR_A]) + SHAPE_BODY])
        b = int(world.shapes[SHAPE * int(world.near[near + NEAR_B]) + SHAPE_BODY])
        memory = MEMORY * int(world.near[near + NEAR_NUMBER])
        reach = world.tracks[TRACK * a + REACHABLE] + world.tracks[TRACK * b + REACHABLE]
        if reach < world.pair_memory[memory + CLEAR_UNTIL]:
            continue
        if examine(world, near, memory, a, b):
            world.candidates[count] = i
            count += 1
    world.counters[CANDIDATES] = float(count)
    return count


def predict(world: World) -> float:
    """Note how far bodies may travel until the end of the step; return the farthest way [m]."""
    farthest = 0.0
    h = world.options[STEP_SIZE]
    for body in range(world.body_count):
        row = space.BODY * body
        track = TRACK * body
        kind = int(world.bodies[row + KIND])
        world.tracks[track + IS_ACTIVE] = 0.0
        if kind == FIXED:
            continue
        bound = SPARE
        if kind == LOOSE:
            at = int(world.bodies[row + STATE])
            bound += FACTOR * space.step_bound(world.bodies, row, world.stage, at, h)
        else:
            reach = world.bodies[row + REACH]
            motion = space.MOTION * body
            bound += FACTOR * h * space.speed_bound(world.motions, motion, reach)
        world.tracks[track + REACHABLE] = world.tracks[track + TRAVELLED] + bound
        farthest = max(farthest, bound)
    return farthest


def examine(world: World, near: int, memory: int, a: int, b: int) -> bool:
    """Measure a near pair; return whether it may touch in this step, and mark its bodies then."""
    refresh(world, a)
    refresh(world, b)
    first, second = int(world.near[near + NEAR_A]), int(world.near[near + NEAR_B])
    travelled = world.tracks[TRACK * a + TRAVELLED] + world.tracks[TRACK * b + TRAVELLED]
    reachable = world.tracks[TRACK * a + REACHABLE] + world.tracks[TRACK * b + REACHABLE]
    margin = reachable - travelled
    hint = int(world.pair_memory[memory + FEATURE])
    if world.pair_memory[memory + CLEAR_UNTIL] == ALWAYS_LOOK:
        hint = TOUCHING
    separation, feature, note = look(
        int(world.near[near + NEAR_SLOT]),
        shift(world.blocks, int(world.shapes[SHAPE * first + SHAPE_BLOCK])),
        shape_frame(world, first),
        shift(world.blocks, int(world.shapes[SHAPE * second + SHAPE_BLOCK])),
        shape_frame(world, second),
        hint,
        margin,
        kept_of(world, int(world.near[near + NEAR_NUMBER])),
        world.work,
    )
    world.counters[LOOKS] += 1.0
    world.counters[NOTES + int(note)] += 1.0
    world.pair_memory[memory + FEATURE] = float(feature)
    if separation > margin:
        world.pair_memory[memory + CLEAR_UNTIL] = travelled + separation
        return False
    world.pair_memory[memory + CLEAR_UNTIL] = ALWAYS_LOOK
    mark(world, a)
    mark(world, b)
    return True


def refresh(world: World, body: int) -> None:
    """Write the motion of a loose body as it is now; that of others is known."""
    row = space.BODY * body
    if int(world.bodies[row + KIND]) == LOOSE:
        at = int(world.bodies[row + STATE])
        to = space.MOTION * body
        space.loose_motion(world.stage, at, world.bodies, row, world.motions, to)


def mark(world: World, body: int) -> None:
    """Note that a body may touch something."""
    world.tracks[TRACK * body + IS_ACTIVE] = 1.0


@separate
def rebuild(world: World, ahead: float) -> bool:
    """Find the pairs of shapes that are near; return whether there was room for them."""
    skin = max(world.options[SKIN], STEPS_AHEAD * ahead)
    world.counters[SKIN_NOW] = skin
    write_boxes(world)
    number = find_pairs(
        world.shape_count,
        world.bounded_count,
        world.boxes,
        world.order,
        world.plane_count,
        world.planes,
        skin,
        world.allowed,
        world.capacity,
        world.found,
    )
    world.counters[NEAR_COUNT] = float(number)
    if number > world.capacity:
        return False
    world.counters[DRIFT] = 0.0
    world.counters[REBUILDS] += 1.0
    for i in range(number):
        note_near(world, world.near, i, world.found[i])
    return True


@separate
def write_boxes(world: World) -> None:
    """Write where all shapes are, by the motions of this moment."""
    for body in range(world.body_count):
        refresh(world, body)
    for shape in range(world.bounded_count):
        block = shift(world.blocks, int(world.shapes[SHAPE * shape + SHAPE_BLOCK]))
        space.write_box(block, shape_frame(world, shape), shift(world.boxes, BOX * shape))
    for plane in range(world.plane_count):
        space.write_plane(world.planes, plane, world.shapes, world.blocks, world.motions)


def note_near(world: World, near_pairs: Memory, i: int, pair: int) -> None:
    """Write what is to be known of a near pair."""
    count = world.shape_count
    a, b = pair // count, pair % count
    number = pair_number(a, b, count)
    kind_a = int(world.shapes[SHAPE * a + SHAPE_KIND])
    kind_b = int(world.shapes[SHAPE * b + SHAPE_KIND])
    slot = world.slots[KINDS * kind_a + kind_b]
    swapped = slot - math.floor(slot) > 0.25
    near = NEAR * i
    near_pairs[near + NEAR_A] = float(b if swapped else a)
    near_pairs[near + NEAR_B] = float(a if swapped else b)
    near_pairs[near + NEAR_NUMBER] = float(number)
    near_pairs[near + NEAR_SLOT] = float(math.floor(slot))
    near_pairs[near + NEAR_MATERIAL] = world.pair_materials[number]
