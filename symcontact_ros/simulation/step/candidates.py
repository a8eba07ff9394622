"""
Who may touch whom in the coming step.

Every body keeps a bound of how far any of its points has travelled. A pair that was found apart is
clear until its two bodies have travelled that far together: most pairs cost one comparison a step,
and an approach is looked at ever more often, as needed. The broad phase runs when something has
travelled through the skin around its boxes.
"""

from __future__ import annotations

from symcontact_ros.collision.broad_phase import find_pairs, pair_number
from symcontact_ros.collision.pairs import F, S, TOUCHING, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.bodies.body import Body, FIXED, LOOSE
from symcontact_ros.simulation.world.world import KINDS, NearPair, PairMemory, World

FACTOR = 2.0  # a body may get this much faster in one step,
STEPS_AHEAD = 50.0  # the broad phase is good for as many steps at the present speed
SPARE = 1e-4  # and move this much more [m], before the next look
NO_ROOM = -1  # instead of a number of candidates
ALWAYS_LOOK = -1.0  # travel that is always exceeded


def find_candidates(world: World[S, F, V]) -> int:
    """Write the near pairs that may touch in this step, mark their bodies, return how many."""
    ahead = 2.0 * predict(world)
    if world.drift + ahead > world.skin_now and not rebuild(world, ahead):
        return NO_ROOM
    count = 0
    for i in range(world.near_count):
        near = world.near[i]
        a = world.bodies[world.shapes[near.shape_a].body]
        b = world.bodies[world.shapes[near.shape_b].body]
        memory = world.pair_memory[near.number]
        if a.reachable + b.reachable < memory.clear_until:
            continue
        if examine(world, near, memory, a, b):
            world.candidates[count] = i
            count += 1
    world.candidate_count = count
    return count


def predict(world: World[S, F, V]) -> float:
    """Note how far bodies may travel until the end of the step; return the farthest way [m]."""
    farthest = 0.0
    h = world.step_size
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        body.is_active = False
        if body.kind == FIXED:
            continue
        bound = SPARE
        if body.kind == LOOSE:
            bound += FACTOR * body.step_bound(world.stage, h)
        else:
            bound += FACTOR * h * body.speed_bound()
        body.reachable = body.travelled + bound
        farthest = max(farthest, bound)
    return farthest


def examine(
    world: World[S, F, V], near: NearPair, memory: PairMemory, a: Body[F, V], b: Body[F, V]
) -> bool:
    """Measure a near pair; return whether it may touch in this step, and mark its bodies then."""
    refresh(world, a)
    refresh(world, b)
    travelled = a.travelled + b.travelled
    margin = a.reachable + b.reachable - travelled
    hint = TOUCHING if memory.clear_until == ALWAYS_LOOK else memory.feature
    separation, feature, note = world.pairs.look(
        near.slot,
        world.solid(near.shape_a),
        world.frame_of(near.shape_a),
        world.solid(near.shape_b),
        world.frame_of(near.shape_b),
        hint,
        margin,
        world.warm_start(near.number),
        world.work,
    )
    world.looks += 1
    world.notes[note] += 1
    memory.feature = feature
    if separation > margin:
        memory.clear_until = travelled + separation
        return False
    memory.clear_until = ALWAYS_LOOK
    a.is_active = True
    b.is_active = True
    return True


def refresh(world: World[S, F, V], body: Body[F, V]) -> None:
    """Write the motion of a loose body as it is now; that of others is known."""
    if body.kind == LOOSE:
        body.move_loose(world.stage)


@separate
def rebuild(world: World[S, F, V], ahead: float) -> bool:
    """Find the pairs of shapes that are near; return whether there was room for them."""
    skin = max(world.skin, STEPS_AHEAD * ahead)
    world.skin_now = skin
    write_boxes(world)
    number = find_pairs(world.boxes, world.order, world.planes, skin, world.allowed, world.found)
    world.near_count = number
    if number > len(world.found):
        return False
    world.drift = 0.0
    world.rebuilds += 1
    for i in range(number):
        write_near(world, world.near[i], world.found[i])
    return True


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


def write_near(world: World[S, F, V], near: NearPair, pair: int) -> None:
    """Write what is to be known of a near pair; see `find_pairs` for its number."""
    count = len(world.shapes)
    a, b = pair // count, pair % count
    number = pair_number(a, b, count)
    kinds = world.kinds[KINDS * world.shapes[a].kind + world.shapes[b].kind]
    near.shape_a = b if kinds.is_swapped else a
    near.shape_b = a if kinds.is_swapped else b
    near.number = number
    near.slot = kinds.slot
    near.material = world.shape_pairs[number].material
