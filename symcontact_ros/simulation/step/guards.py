"""
Guards: they stop a run whose results are finite but wrong.

A contact is too deep, steps in a row are longer than the integrator is stable with, or the energy
balance is open. Guards read the state and never change it. Steps, and contacts at their start, are
looked at in every step, the energy in every hundredth, and all at the end of a run: of every call.
What is found there changes nothing that later looks compare with, so that a run that is cut into
calls is the same as one long call.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, TOUCHING, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.bodies.body import Body, FIXED, FLOATING
from symcontact_ros.simulation.step.articulated import joint_energy, move_groups
from symcontact_ros.simulation.step.candidates import refresh
from symcontact_ros.simulation.step.motion_energy import motion_energy
from symcontact_ros.simulation.world.guard_records import DEEP, OPEN, SOUND, UNSTABLE
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import CandidatePair, ENDLESS

PERIOD = 100  # steps between two looks at the energy
DEEP_IN = 0.5  # of the thinner shape: the next step looks whether it goes through
DOUBTFUL = 0.1  # of max_residual, at which a warning is given


def watch_depth(world: World[S, F, V], pair: CandidatePair, depth: float) -> None:
    """Note a contact point that is too deep for its bodies, or how far it is from that."""
    guard = world.guard
    if depth > DEEP_IN * min(world.shapes[pair.shape_a].extent, world.shapes[pair.shape_b].extent):
        world.is_deep = True
    thin = thickness_of(world, pair)
    room = guard.max_depth_ratio * thin - depth
    guard.room = min(guard.room, room)
    if room < 0.0 and guard.reason == SOUND:
        guard.reason = DEEP
        guard.pair = pair.number
        guard.depth = depth
        guard.thickness = thin


def thickness_of(world: World[S, F, V], pair: CandidatePair) -> float:
    """Return how thick the thinner body of a pair of shapes is [m]."""
    return min(world.shapes[pair.shape_a].thickness, world.shapes[pair.shape_b].thickness)


@separate
def write_thicknesses(world: World[S, F, V]) -> None:
    """
    Write how thick bodies are: as their thickest shape, those of welded bodies included.

    A tag on a robot is as thick as what it is stuck on. Of what is fixed to the world, which may
    be a whole room, each shape counts for itself.
    """
    for i in range(len(world.bodies)):
        world.bodies[i].thickness = 0.0
    for i in range(len(world.shapes)):
        shape = world.shapes[i]
        weld = world.bodies[world.bodies[shape.body].weld]
        if shape.extent < ENDLESS:
            weld.thickness = max(weld.thickness, shape.extent)
    for i in range(len(world.shapes)):
        shape = world.shapes[i]
        body = world.bodies[shape.body]
        is_own = body.kind == FIXED or shape.extent >= ENDLESS
        shape.thickness = shape.extent if is_own else world.bodies[body.weld].thickness


def begin_watch(world: World[S, F, V]) -> None:
    """Take the energy of now as the start, where the state has come from outside."""
    guard = world.guard
    guard.reason = SOUND
    if not guard.has_start:
        guard.has_start = True
        write_thicknesses(world)
        guard.start = 0.0
        guard.throughput = guard.least
        guard.start = residual_of(world)
        guard.residual = 0.0
        guard.seen = guard.throughput
        guard.unchecked = 0
        guard.unstable_steps = 0
        guard.is_doubtful = False


def is_sound(world: World[S, F, V], is_last: bool) -> bool:
    """Return whether the run is still sound, after a step, which may be the last one of a run."""
    guard = world.guard
    if guard.is_unstable:
        guard.is_unstable = False
        guard.unstable_steps += 1
        if guard.unstable_steps > guard.max_unstable and guard.reason == SOUND:
            guard.reason = UNSTABLE
    else:
        guard.unstable_steps = 0
    is_news = world.active_count > 0 or world.is_fast or len(world.groups) > 0
    guard.is_news = guard.is_news or is_news
    guard.unchecked += 1
    if guard.unchecked >= PERIOD:
        guard.unchecked = 0
        look_at_energy(world)
        allowed = guard.max_residual * guard.throughput
        if abs(guard.residual) > DOUBTFUL * allowed and not guard.is_doubtful:
            guard.is_doubtful = True
            world.alerts += 1
    elif is_last and guard.is_news:
        throughput = guard.throughput
        look_at_energy(world)
        guard.throughput = throughput
    if is_last:
        look_at_depths(world)
    guard.room = math.inf
    return guard.reason == SOUND


def look(world: World[S, F, V]) -> None:
    """Note all that is wrong now, after steps that guards did not see."""
    look_at_energy(world)
    world.guard.room = -math.inf  # nothing is known of the depths before
    look_at_depths(world)
    world.guard.room = math.inf


def look_at_energy(world: World[S, F, V]) -> None:
    """Note an energy balance that is open by too much, or not a number."""
    guard = world.guard
    guard.is_news = False
    guard.residual = residual_of(world)
    guard.seen = guard.throughput
    is_closed = abs(guard.residual) <= guard.max_residual * guard.seen < math.inf
    if not is_closed and guard.max_residual < math.inf and guard.reason == SOUND:
        guard.reason = OPEN


def look_at_depths(world: World[S, F, V]) -> None:
    """Note a contact that is too deep after the last step: no other one will begin with it."""
    guard, is_moved = world.guard, world.is_moved
    for i in range(world.active_count):
        pair = world.candidates[world.active_pairs[i]]
        a = world.bodies[world.shapes[pair.shape_a].body]
        b = world.bodies[world.shapes[pair.shape_b].body]
        room = min(guard.room, guard.max_depth_ratio * thickness_of(world, pair))
        if travel_bound(world, a) + travel_bound(world, b) >= room:
            if len(world.groups) > 0 and not is_moved:
                move_groups(world)
                is_moved = True
            look_at_depth(world, pair)


def travel_bound(world: World[S, F, V], body: Body[F, V]) -> float:
    """
    Return how far any point of a body has gone in the last step at most [m].

    Before the step it could go ``reachable - travelled``, twice its way at the speed of then. Of
    that, what is left now and twice its way at the speed of now are no less than it has gone.
    """
    h = world.step_size
    if body.kind == FIXED:
        return 0.0
    ahead = body.step_bound(world.stage, h) if body.kind == FLOATING else h * body.speed_bound()
    return max(0.0, body.reachable - body.travelled) + 2.0 * ahead


@separate
def look_at_depth(world: World[S, F, V], pair: CandidatePair) -> None:
    """Note a pair of shapes that is too deep in the present state."""
    refresh(world, world.bodies[world.shapes[pair.shape_a].body])
    refresh(world, world.bodies[world.shapes[pair.shape_b].body])
    # It leaves the results of queries that the next step begins with as they are.
    separation, _, _ = world.pairs.query(
        pair.slot,
        world.solid(pair.shape_a),
        world.frame_of(pair.shape_a),
        world.solid(pair.shape_b),
        world.frame_of(pair.shape_b),
        TOUCHING,
        0.0,
        world.warm_starts[0],
        world.work,
    )
    watch_depth(world, pair, -separation)


@separate
def residual_of(world: World[S, F, V]) -> float:
    """
    Return by how much the energy balance is open since the start [J]; write the throughput.

    The energy stored in contacts is in the ledger: a change of contact points has no part in it.
    """
    guard, ledger = world.guard, world.ledger
    kinetic, potential = motion_energy(world)
    elastic = joint_energy(world)
    lost = ledger.lost_in_contact + ledger.lost_in_friction + ledger.lost_in_joints
    lost += ledger.integration
    stored, work = ledger.stored_in_contact, ledger.work_in
    guard.throughput = max(
        guard.throughput,
        abs(kinetic),
        abs(potential),
        abs(elastic + stored),
        abs(lost),
        abs(work),
    )
    return kinetic + potential + elastic + stored + lost - work - guard.start
