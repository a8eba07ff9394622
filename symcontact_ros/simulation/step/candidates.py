"""
Candidate pairs of the broad phase, and the active ones among them: those that may touch in a step.

Every body has a bound of how far any of its points has travelled. A pair that was found apart is
clear until its two bodies have travelled that far together: most pairs cost one comparison a step,
and an approaching pair is queried ever more often, as needed. The broad phase runs when something
has travelled through the skin around its boxes.
"""

from __future__ import annotations

from symcontact_ros.collision.broad_phase import find_pairs, pair_number
from symcontact_ros.collision.shape_pair import F, S, TOUCHING, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.bodies.body import Body, FIXED, FLOATING
from symcontact_ros.simulation.step.anchors import lacks_room
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import (
    ALWAYS_QUERY,
    CandidatePair,
    KINDS,
    PairMemory,
)

FACTOR = 2.0  # a body may get this much faster in one step,
SPARE = 1e-4  # and move this much more [m], before the next query
STEPS_AHEAD = 50.0  # the broad phase is good for as many steps at the present speed,
FEW_STEPS_AHEAD = 2.0  # at least for as many in a crowd,
CROWD = 16  # where there are more candidates per shape
NO_ROOM = -1  # instead of a number of active pairs: there is none for them or the candidates


def find_active_pairs(world: World[S, F, V]) -> int:
    """Write the candidates that may touch in this step, mark their bodies, return how many."""
    ahead = 2.0 * predict(world)
    if world.drift + ahead > world.skin_now and not rebuild(world, ahead):
        return NO_ROOM
    count = 0
    world.is_fast = False
    for i in range(world.candidate_count):
        pair = world.candidates[i]
        a = world.bodies[world.shapes[pair.shape_a].body]
        b = world.bodies[world.shapes[pair.shape_b].body]
        memory = world.pair_memory[pair.number]
        if a.reachable + b.reachable < memory.clear_until:
            continue
        if examine(world, pair, memory, a, b):
            world.active_pairs[count] = i
            count += 1
    world.active_count = count
    if world.sticks:
        return NO_ROOM if lacks_room(world, count) else count
    return count


def predict(world: World[S, F, V]) -> float:
    """Write how far bodies may travel until the end of the step; return the largest travel [m]."""
    farthest = 0.0
    h = world.step_size
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        body.is_active = False
        if body.kind == FIXED:
            continue
        bound = SPARE
        if body.kind == FLOATING:
            bound += FACTOR * body.step_bound(world.stage, h)
        else:
            bound += FACTOR * h * body.speed_bound()
        body.reachable = body.travelled + bound
        farthest = max(farthest, bound)
    return farthest


def examine(
    world: World[S, F, V], pair: CandidatePair, memory: PairMemory, a: Body[F, V], b: Body[F, V]
) -> bool:
    """Query a candidate; return whether it may touch in this step, and mark its bodies then."""
    refresh(world, a)
    refresh(world, b)
    travelled = a.travelled + b.travelled
    margin = a.reachable + b.reachable - travelled
    hint = TOUCHING if memory.clear_until == ALWAYS_QUERY else memory.feature
    separation, feature, status = world.pairs.query(
        pair.slot,
        world.solid(pair.shape_a),
        world.frame_of(pair.shape_a),
        world.solid(pair.shape_b),
        world.frame_of(pair.shape_b),
        hint,
        margin,
        world.warm_start(pair.number),
        world.work,
    )
    world.queries += 1
    world.statuses[status] += 1
    # A lasting contact keeps both. Not writing them again frees the forces, which read them, of
    # waiting for the query: the processor guesses the branch.
    if feature != memory.feature:
        memory.feature = feature
    if separation > margin:
        memory.clear_until = travelled + separation
        return False
    if memory.clear_until != ALWAYS_QUERY:
        memory.clear_until = ALWAYS_QUERY
    a.is_active = True
    b.is_active = True
    if margin > min(world.shapes[pair.shape_a].extent, world.shapes[pair.shape_b].extent):
        world.is_fast = True
    return True


def refresh(world: World[S, F, V], body: Body[F, V]) -> None:
    """Write the motion of a floating body as it is now; that of others is up to date."""
    if body.kind == FLOATING:
        body.move_floating(world.stage)


@separate
def rebuild(world: World[S, F, V], ahead: float) -> bool:
    """Run the broad phase; return whether there was room for the candidate pairs."""
    write_boxes(world)
    skin = skin_for(world, ahead)
    world.skin_now = skin
    number = find_pairs(world.boxes, world.order, world.planes, skin, world.allowed, world.found)
    world.candidate_count = number
    if number > len(world.found):
        return False
    world.drift = 0.0
    world.rebuilds += 1
    for i in range(number):
        write_candidate(world, world.candidates[i], world.found[i])
    return True


@separate
def skin_for(world: World[S, F, V], ahead: float) -> float:
    """
    Return how much nearer boxes may come before the broad phase runs again [m].

    Good for many steps of the fastest body, unless that makes everything in a crowd a candidate of
    everything else, which each step has to look at: then for fewer steps.
    """
    skin = max(world.skin, STEPS_AHEAD * ahead)
    most = CROWD * len(world.shapes)
    least = max(world.skin, FEW_STEPS_AHEAD * ahead)
    while skin > least and len(world.allowed) > most:
        nobody = world.found[0:0]  # they are counted, not written
        planes = world.planes
        if find_pairs(world.boxes, world.order, planes, skin, world.allowed, nobody) <= most:
            break
        skin = max(least, 0.5 * skin)
    return skin


@separate
def write_boxes(world: World[S, F, V]) -> None:
    """Write where all shapes are, by the motions of this moment."""
    for i in range(len(world.bodies)):
        refresh(world, world.bodies[i])
    for shape in range(len(world.boxes)):
        world.space.write_box(world.solid(shape), world.frame_of(shape), world.boxes[shape])
    for i in range(len(world.planes)):
        plane = world.planes[i]
        world.space.write_plane(world.solid(plane.shape), frame_in_body(world, plane.shape), plane)


def frame_in_body(world: World[S, F, V], number: int) -> F:
    """Return where a half-space is; composed also where it is centred."""
    shape = world.shapes[number]
    return world.space.composed(world.bodies[shape.body].frame, shape.frame)


def write_candidate(world: World[S, F, V], candidate: CandidatePair, pair: int) -> None:
    """Write a candidate pair; see `find_pairs` for its number."""
    count = len(world.shapes)
    a, b = pair // count, pair % count
    number = pair_number(a, b, count)
    kinds = world.kinds[KINDS * world.shapes[a].kind + world.shapes[b].kind]
    candidate.shape_a = b if kinds.is_swapped else a
    candidate.shape_b = a if kinds.is_swapped else b
    candidate.number = number
    candidate.slot = kinds.slot
    candidate.material = world.shape_pairs[number].material
