"""
Entries of an engine: what a browser calls.

Each does what `Simulation` does, on the same memory with the same bits. ``memory`` is all memory
from the world on. No kernel calls an entry.
"""

from __future__ import annotations

import math
from typing import Any

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Ints
from symcontact_ros.kernels.vectors.spatial import cross, minus, plus
from symcontact_ros.model.initial_state import INSIDE
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.observing.inspection_kernel import inspect, InspectionRecord
from symcontact_ros.simulation.observing.mechanical_kernel import (
    mechanical_of,
    OF_CONTACTS,
    write_mechanical,
)
from symcontact_ros.simulation.observing.motion_kernel import MotionRecord, write_motions
from symcontact_ros.simulation.step.articulated import run_dynamics
from symcontact_ros.simulation.step.integrators import Step, steps
from symcontact_ros.simulation.world.rebasing import note_motions, rebase
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import LEDGER
from symcontact_ros.web.engine_records import (
    DONE,
    Engine,
    HAS_TARGET,
    HOLDS_START,
    REFUSED,
    ServoValues,
    STOPPED,
)
from symcontact_ros.web.room_kernels import forget, make_room, make_seen_room
from symcontact_ros.web.symbol_kernels import fill, write_actuator

ANY_UNSTABLE = 2**62  # steps: more than there ever are


# Steps -------------------------------------------------------------------------------------------


def advance(count: int, memory: Ints, world: World[S, F, V], engine: Engine, step: Step) -> None:
    """Make steps; write how many were made: fewer, if the last one was not good."""
    made = 0
    engine.status = DONE
    is_going_on = True
    while is_going_on:
        steps(count - made, world, step)
        made += world.made
        is_going_on = made < count and make_room(memory, world, engine)
    engine.made = made
    engine.steps += made
    if made < count and engine.status == DONE:
        engine.status = STOPPED


def keep_state(world: World[S, F, V], engine: Engine) -> None:
    """Keep state and anchors, for `go_back`."""
    for i in range(len(engine.before)):
        engine.before[i] = world.state[i]
    engine.steps_before = engine.steps
    engine.anchors_before = 0
    if world.sticks:
        engine.anchors_before = world.anchor_count
        for i in range(world.anchor_count):
            copy_anchor(world.anchors[i], engine.kept_anchors[i])
    guard = world.guard
    engine.max_depth_ratio = guard.max_depth_ratio
    engine.max_unstable = guard.max_unstable
    engine.max_residual = guard.max_residual


def go_back(world: World[S, F, V], engine: Engine) -> None:
    """Go to the state that was kept; the guards are off until `set_guards`."""
    for i in range(len(engine.before)):
        world.state[i] = engine.before[i]
    take_state(world, engine)
    for i in range(len(engine.before)):
        world.state[i] = engine.before[i]
    if world.sticks:
        world.anchor_count = engine.anchors_before
        for i in range(engine.anchors_before):
            copy_anchor(engine.kept_anchors[i], world.anchors[i])
        list_anchors(world)
    engine.steps = engine.steps_before
    guard = world.guard
    guard.max_depth_ratio = math.inf
    guard.max_unstable = ANY_UNSTABLE
    guard.max_residual = math.inf


def set_guards(world: World[S, F, V], engine: Engine) -> None:
    """Have the limits of the guards again."""
    guard = world.guard
    guard.max_depth_ratio = engine.max_depth_ratio
    guard.max_unstable = engine.max_unstable
    guard.max_residual = engine.max_residual


def copy_anchor(source: Any, target: Any) -> None:
    """Copy all of an anchor."""
    target.pair = source.pair
    target.feature = source.feature
    target.stretch = source.stretch
    target.twist = source.twist
    target.normal_force = source.normal_force
    target.slides = source.slides
    target.body_a = source.body_a
    target.body_b = source.body_b
    target.material = source.material
    target.radius = source.radius
    target.point = source.point
    target.normal = source.normal
    target.start = source.start
    target.start_twist = source.start_twist
    target.rate = source.rate
    target.rate_of_twist = source.rate_of_twist
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


# Reports -----------------------------------------------------------------------------------------


def look(
    margin: float,
    memory: Ints,
    world: World[S, F, V],
    engine: Engine,
    inspection: InspectionRecord,
) -> None:
    """Write a record of every pair of shapes that is nearer than a margin [m]."""
    find_near(margin, memory, world, engine, inspection)


@separate
def find_near(
    margin: float,
    memory: Ints,
    world: World[S, F, V],
    engine: Engine,
    inspection: InspectionRecord,
) -> None:
    """Write a record of every pair of shapes that is nearer than a margin [m]."""
    engine.status = DONE
    is_going_on = engine.has_pairs
    while is_going_on:
        inspect(world, margin, inspection)
        is_going_on = inspection.count > len(inspection.found)
        if is_going_on and not make_seen_room(memory, engine, inspection):
            is_going_on = False
            inspection.count = 0


def move(world: World[S, F, V], motions: MotionRecord) -> None:
    """Write where all bodies and sites are and how the bodies move."""
    find_motions(world, motions)


@separate
def find_motions(world: World[S, F, V], motions: MotionRecord) -> None:
    """Write where all bodies and sites are and how the bodies move."""
    write_motions(world, motions)


def weigh(
    memory: Ints, world: World[S, F, V], engine: Engine, inspection: InspectionRecord
) -> None:
    """Write the energies of now."""
    find_energies(memory, world, engine, inspection)


@separate
def find_energies(
    memory: Ints, world: World[S, F, V], engine: Engine, inspection: InspectionRecord
) -> None:
    """Write the energies of now."""
    find_near(0.0, memory, world, engine, inspection)
    write_mechanical(world, inspection, engine.energies)


# Changes -----------------------------------------------------------------------------------------


def change(
    memory: Ints, world: World[S, F, V], engine: Engine, inspection: InspectionRecord
) -> None:
    """
    Take the values of the live symbols; coordinates and speeds stay.

    The status may be REFUSED or NO_MEMORY: then memory is to be what it was before.
    """
    find_energies(memory, world, engine, inspection)
    mechanical, contact = mechanical_of(engine.energies), engine.energies[OF_CONTACTS]
    is_good = engine.status == DONE
    note_motions(world, engine.floating)
    fill(memory, world, engine)
    is_good = is_good and engine.status == DONE
    rebase(world, engine.floating)
    take_changed_state(world, engine)
    find_energies(memory, world, engine, inspection)
    energies = engine.energies
    work = mechanical_of(energies) - mechanical
    ledger = world.ledger
    ledger.work_in += work
    ledger.stored_in_contact += energies[OF_CONTACTS] - contact
    if not is_good or not abs(work) < math.inf:
        engine.status = REFUSED


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


def reset(
    memory: Ints, world: World[S, F, V], engine: Engine, inspection: InspectionRecord
) -> None:
    """Go back to the start, by the live symbols of now; loads are cleared."""
    clear_counters(world)
    for i in range(len(world.state)):
        world.state[i] = 0.0
    for i in range(len(world.stage)):
        world.state[i] = engine.initial[i]
    for i in range(len(world.joints)):
        joint = world.joints[i]
        world.state[joint.q] = within(joint.lower, joint.upper, world.state[joint.q])
    take_state(world, engine)
    clear_loads(world, engine)
    engine.steps = 0
    find_energies(memory, world, engine, inspection)
    engine.start_energy = mechanical_of(engine.energies)
    engine.start_contact = engine.energies[OF_CONTACTS]


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


# Loads -------------------------------------------------------------------------------------------


def clear_loads(world: World[S, F, V], engine: Engine) -> None:
    """Take everything away; servos with a target of the model take it, where the state is."""
    remove_wrenches(world)
    for i in range(len(world.joints)):
        joint = world.joints[i]
        joint.applied = 0.0
        joint.kp = 0.0
        joint.kd = 0.0
        joint.target = 0.0
        joint.target_speed = 0.0
        joint.holds = False
        joint.follows = False
        joint.compensates = False
    for i in range(len(engine.servos)):
        servo = engine.servos[i]
        here = world.state[world.joints[servo.joint].q]
        position = servo.target if servo.start == HAS_TARGET else here
        follow(world, servo, servo.start != 0, position, False, 0.0)


def clear_wrenches(world: World[S, F, V]) -> None:
    """Take all wrenches away."""
    remove_wrenches(world)


def remove_wrenches(world: World[S, F, V]) -> None:
    """Take all wrenches away."""
    for i in range(len(world.bodies)):
        write_wrench(world, i, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def write_wrench(world: World[S, F, V], number: int, force: Triple, torque: Triple) -> None:
    """Write the load that is applied to a body."""
    body: Any = world.bodies[number]
    body.applied_force = world.space.from_space(force)
    if world.space.IS_PLANAR:
        body.applied_torque = torque[2]
    else:
        body.applied_torque = torque


def set_wrench(
    number: int,
    fx: float,
    fy: float,
    fz: float,
    tx: float,
    ty: float,
    tz: float,
    world: World[S, F, V],
) -> None:
    """Apply a force at the centre of mass of a body [N] and a torque [N m], until changed."""
    write_wrench(world, number, (fx, fy, fz), (tx, ty, tz))


def push(
    number: int,
    fx: float,
    fy: float,
    fz: float,
    tx: float,
    ty: float,
    tz: float,
    px: float,
    py: float,
    pz: float,
    world: World[S, F, V],
    motions: MotionRecord,
) -> None:
    """Apply the same, the force at a point of the world with the lever that it has now."""
    find_motions(world, motions)
    arm = minus((px, py, pz), motions.bodies[number].com)
    torque = plus((tx, ty, tz), cross(arm, (fx, fy, fz)))
    write_wrench(world, number, (fx, fy, fz), torque)


def set_effort(number: int, value: float, world: World[S, F, V], engine: Engine) -> None:
    """Apply a torque or a force to a joint; to a follower, what it is at its leader."""
    place = engine.efforts[number]
    world.joints[place.joint].applied = place.factor * value


def set_target(
    number: int,
    holds: int,
    position: float,
    moves: int,
    velocity: float,
    world: World[S, F, V],
    engine: Engine,
) -> None:
    """Let a servo follow a position and a velocity, as far as these are given."""
    follow(world, engine.servos[number], holds != 0, position, moves != 0, velocity)


def release(number: int, world: World[S, F, V], engine: Engine) -> None:
    """End the command of a servo: one that the model holds stays, others are let go."""
    servo = engine.servos[number]
    joint = world.joints[servo.joint]
    joint.applied = 0.0
    position = joint.target if joint.holds else world.state[joint.q]
    is_held = servo.start == HOLDS_START or servo.start == HAS_TARGET
    follow(world, servo, is_held, position, False, 0.0)


def follow(
    world: World[S, F, V],
    servo: ServoValues,
    holds: bool,
    position: float,
    moves: bool,
    velocity: float,
) -> None:
    """Let a servo follow a position and a velocity; neither: let go."""
    joint = world.joints[servo.joint]
    joint.holds = holds
    joint.follows = holds or moves
    write_actuator(joint, servo)
    joint.target = position if holds else 0.0
    joint.target_speed = velocity if moves else 0.0
