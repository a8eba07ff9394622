"""
Entries of an engine: what a browser calls, beside the `loads`.

Each does what `Simulation` does, on the same memory with the same bits. ``memory`` is all memory
from the world on. No kernel calls an entry.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.memory import Ints
from symcontact_ros.simulation.observing.inspection_kernel import InspectionRecord
from symcontact_ros.simulation.observing.mechanical_kernel import mechanical_of, OF_CONTACTS
from symcontact_ros.simulation.observing.motion_kernel import MotionRecord
from symcontact_ros.simulation.step.integrators import Step, steps
from symcontact_ros.simulation.world.rebasing import note_motions, rebase
from symcontact_ros.simulation.world.world import World
from symcontact_ros.web.engine.loads import clear_loads
from symcontact_ros.web.engine.records import DONE, Engine, REFUSED, STOPPED
from symcontact_ros.web.engine.reports import find_energies, find_motions, find_near
from symcontact_ros.web.engine.room import make_room
from symcontact_ros.web.engine.state import (
    clear_counters,
    copy_anchor,
    list_anchors,
    take_changed_state,
    take_state,
    within,
)
from symcontact_ros.web.engine.symbols import fill

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
        world.stops += 1


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


def move(world: World[S, F, V], motions: MotionRecord) -> None:
    """Write where all bodies and sites are and how the bodies move."""
    find_motions(world, motions)


def weigh(
    memory: Ints, world: World[S, F, V], engine: Engine, inspection: InspectionRecord
) -> None:
    """Write the energies of now."""
    find_energies(memory, world, engine, inspection)


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
