"""Kernels that take a state as one from outside: see `LiveModel` and `WorldMemory`."""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.model.initial_state import INSIDE
from symcontact_ros.simulation.step import anchors
from symcontact_ros.simulation.step.articulated import run_dynamics
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import Anchor, LEDGER
from symcontact_ros.web.engine.records import Engine
from symcontact_ros.web.engine.room import forget


def copy_anchor(source: Anchor, target: Anchor) -> None:
    """Copy all of an anchor, the sums of its rates included."""
    anchors.copy_anchor(source, target)
    target.sums = source.sums
    target.sums_of_twist = source.sums_of_twist


def list_anchors(world: World[S, F, V]) -> None:
    """Write which anchors each pair has: see `WorldMemory.set_anchors`."""
    world.anchors_are_listed = False
    for i in range(len(world.pair_memory)):
        pair = world.pair_memory[i]
        pair.anchor = 0
        pair.anchor_count = 0
    for i in range(world.anchor_count):
        pair = world.pair_memory[world.anchors[i].pair]
        if pair.anchor_count == 0:
            pair.anchor = i
        pair.anchor_count += 1


@separate
def take_state(world: World[S, F, V], engine: Engine) -> None:
    """Take the state as one from outside; friction lets go of everything."""
    for i in range(len(world.stage)):
        world.stage[i] = world.state[i]
        world.sums[i] = 0.0
    forget(world)
    for i in range(len(world.stage) + LEDGER, len(world.state)):
        world.state[i] = 0.0
    for i in range(len(world.joints)):
        joint = world.joints[i]
        joint.base = 0.0
        joint.start_stretch = 0.0
        joint.base_stretch = 0.0
        joint.end_stretch = 0.0
        joint.force = 0.0
    if world.sticks:
        world.anchor_count = 0
        list_anchors(world)
    if not engine.is_implicit:
        write_mobilities(world)


def write_mobilities(world: World[S, F, V]) -> None:
    """Write how much a unit effort on each joint adds to the rate of its speed."""
    for i in range(len(world.groups)):
        group = world.groups[i]
        for k in range(len(group.effort)):
            group.effort[k] = 0.0
        for k in range(len(group.loads)):
            group.loads[k].force = (0.0, 0.0, 0.0)
            group.loads[k].torque = (0.0, 0.0, 0.0)
    for i in range(len(world.joints)):
        joint = world.joints[i]
        group = world.groups[joint.group]
        run_dynamics(world, group)
        still = group.rates[joint.u - group.state]
        group.effort[joint.index] = 1.0
        run_dynamics(world, group)
        group.effort[joint.index] = 0.0
        joint.mobility = group.rates[joint.u - group.state] - still


def take_changed_state(world: World[S, F, V], engine: Engine) -> None:
    """Take the state as it is now; what friction holds and what implicit steps carry stays."""
    anchors = world.anchor_count
    size = len(world.state)
    for i in range(len(world.stage) + LEDGER, size):
        engine.before[i] = world.state[i]
    take_state(world, engine)
    for i in range(len(world.stage) + LEDGER, size):
        world.state[i] = engine.before[i]
    if world.sticks:
        world.anchor_count = anchors
        list_anchors(world)


def within(lower: float, upper: float, position: float) -> float:
    """Return a position of a joint; beyond a stop: just inside of it."""
    if lower <= position <= upper:
        return position
    inside = INSIDE * (upper - lower) if upper - lower < math.inf else 0.0
    return lower + inside if position < lower else upper - inside


def clear_counters(world: World[S, F, V]) -> None:
    """Set all counters to zero: see `WorldMemory.clear_counters`."""
    world.substeps = 0
    world.exceeded = 0
    world.stops = 0
    world.queries = 0
    world.rebuilds = 0
    world.saturated = 0
    world.overspeed = 0
    world.alerts = 0
    world.largest_need = 0.0
    solver = world.solver
    solver.solves = 0
    solver.iterations = 0
    solver.most_iterations = 0
    solver.unconverged = 0
    solver.given_up = 0
    solver.corrections = 0
    world.candidate_count = 0
    world.active_count = 0
    world.skin_now = 0.0
    for i in range(len(world.joints)):
        world.joints[i].saturated = 0
        world.joints[i].overspeed = 0
    for i in range(len(world.statuses)):
        world.statuses[i] = 0
