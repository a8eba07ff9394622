"""
Division of steps in which bodies are so fast that a whole one would not see them touch.

Conservative advancement: of two shapes that are apart the distance, and a bound of the speed at
which it falls, give a time in which they cannot touch; then the step is made as far as that, and
the distance asked for again. Where they touch, a part lets them in by a fraction of the thinner
one, so that its contact law is felt. What the law cannot stop within that shape, `stops` does.

`must_divide` refuses a step before anything has moved, `divide` makes it shorter, `ends_step` goes
on with the rest. Steps without fast bodies only compare two numbers per pair that may touch.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.contact.evaluation import stored_energy
from symcontact_ros.contact.material import MaterialRecord
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import cross, norm
from symcontact_ros.simulation.step.candidates import FACTOR, SPARE
from symcontact_ros.simulation.step.motion import is_finite
from symcontact_ros.simulation.step.stops import must_stop, stop_bodies
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import CandidatePair

THROUGH = 0.5  # of the thinner shape, that a step may move without being looked at
FINE = 0.125  # of the depth at which the law stops them, that shapes may get deeper in one part
TURN = 0.25  # [rad] in a part, by which a body may turn that is about to touch
MOST_HALVINGS = 20  # of the thinner shape, to find how deep a law lets another one in
CLEAR = 1e300  # instead of a time: longer than any step
MOST_PARTS = 4000  # of a step; the last one is what is left of it


def refuses(world: World[S, F, V], h: float) -> bool:
    """
    Return whether a step of h [s] is too long for its active pairs: nothing has moved yet.

    Pairs that are known not to touch in it are active no longer.
    """
    if not (world.is_fast or world.is_deep or world.rest > 0.0):
        return False
    world.is_refused = must_divide(world, h)
    return world.is_refused


@separate
def must_divide(world: World[S, F, V], h: float) -> bool:
    """Return whether a step of h [s] is too long for its pairs; write how long it may be."""
    # Of a step in parts all pairs are looked at: what was fast may be in contact, and slow.
    looks_at_all = world.is_deep or world.rest > 0.0
    world.is_deep = False
    if world.parts >= MOST_PARTS:
        return False
    part, count = h, 0
    for i in range(world.active_count):
        number = world.active_pairs[i]
        time = safe_time(world, world.candidates[number], h, looks_at_all)
        if time < CLEAR:
            part = min(part, time)
            world.active_pairs[count] = number
            count += 1
    if count < world.active_count:
        world.active_count = count
        mark_bodies(world)
    world.part = part
    return part < h


def mark_bodies(world: World[S, F, V]) -> None:
    """Mark the bodies of active pairs, and no others."""
    for i in range(len(world.bodies)):
        world.bodies[i].is_active = False
    for i in range(world.active_count):
        pair = world.candidates[world.active_pairs[i]]
        world.bodies[world.shapes[pair.shape_a].body].is_active = True
        world.bodies[world.shapes[pair.shape_b].body].is_active = True


def safe_time(world: World[S, F, V], pair: CandidatePair, h: float, looks_closely: bool) -> float:
    """
    Return the time [s] in which a pair does not touch unseen.

    0 if it must be stopped first, h if a step of h [s] is good, CLEAR if it cannot touch in that.
    """
    shape_a, shape_b = world.shapes[pair.shape_a], world.shapes[pair.shape_b]
    a, b = world.bodies[shape_a.body], world.bodies[shape_b.body]
    thin = min(shape_a.extent, shape_b.extent)
    if not looks_closely and h * (a.speed_bound() + b.speed_bound()) <= THROUGH * thin:
        return h
    distance, normal = world.pairs.separation(
        pair.slot,
        world.solid(pair.shape_a),
        world.frame_of(pair.shape_a),
        world.solid(pair.shape_b),
        world.frame_of(pair.shape_b),
        world.work,
    )
    speed = closing_speed(world, pair, normal)
    # It may turn and be pushed until then; while it cannot touch, it flies in closed form.
    clear = (distance - SPARE) / (FACTOR * max(speed, 1e-300))
    if clear >= h:
        return CLEAR
    material = world.materials[pair.material]
    lightness = world.bodies[a.weighty].inverse_mass + world.bodies[b.weighty].inverse_mass
    if distance < 0.0:
        if must_stop(world, pair):
            return 0.0
        # At the turning point of an impact, what it will give back.
        speed = max(speed, math.sqrt(2.0 * stored_energy(material, -distance) * lightness))
    time = h
    depth = stopping_depth(material, speed, lightness, thin)
    if speed * h > THROUGH * depth:
        time = max(distance, FINE * depth) / speed
    turning = max(norm(a.turning()), norm(b.turning()))
    if turning * time > TURN:
        time = TURN / turning
    return min(h, max(time, clear))


def stopping_depth(material: MaterialRecord, speed: float, lightness: float, thin: float) -> float:
    """Return the depth [m] at which a law stops a speed, within a factor of 2; at most a limit."""
    depth = thin
    for _ in range(MOST_HALVINGS):
        if 2.0 * stored_energy(material, 0.5 * depth) * lightness <= speed * speed:
            return depth
        depth *= 0.5
    return depth


def closing_speed(world: World[S, F, V], pair: CandidatePair, normal: V) -> float:
    """Return a bound of the speed at which the distance of two shapes along a normal falls."""
    space = world.space
    shape_a, shape_b = world.shapes[pair.shape_a], world.shapes[pair.shape_b]
    a, b = world.bodies[shape_a.body], world.bodies[shape_b.body]
    speed = space.dot(space.minus(a.velocity, b.velocity), normal)
    # What is round about the centre of mass does not come nearer by turning.
    axis = space.in_space(normal)
    reach_a = shape_a.reach - world.solid(pair.shape_a).radius
    reach_b = shape_b.reach - world.solid(pair.shape_b).radius
    speed += reach_a * norm(cross(axis, a.turning()))
    return speed + reach_b * norm(cross(axis, b.turning()))


@separate
def divide(world: World[S, F, V]) -> bool:
    """Make the step that was refused shorter, or stop what it must; False: it lacked room."""
    if not world.is_refused:
        return False
    world.is_refused = False
    if world.rest == 0.0:
        world.whole = world.step_size
        world.rest = world.step_size
        world.parts = 0
    world.parts += 1
    if world.part > 0.0:
        world.step_size = world.part
    else:
        stop_bodies(world)
    return True


@separate
def ends_step(world: World[S, F, V]) -> bool:
    """Return whether a part was the last one of its step; else let the next be the rest of it."""
    world.rest -= world.step_size
    if world.rest > 1e-12 * world.whole and is_finite(world):
        world.substeps += 1
        world.step_size = world.rest
        return False
    undivide(world)
    return True


def undivide(world: World[S, F, V]) -> None:
    """Let the next step be a whole one."""
    if world.parts > 0:
        world.step_size = world.whole
    world.rest = 0.0
    world.parts = 0
