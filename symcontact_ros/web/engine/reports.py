"""Kernels of what is near, of motions and of energies, each compiled once."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Ints
from symcontact_ros.simulation.observing.inspection_kernel import inspect, InspectionRecord
from symcontact_ros.simulation.observing.mechanical_kernel import write_mechanical
from symcontact_ros.simulation.observing.motion_kernel import MotionRecord, write_motions
from symcontact_ros.simulation.world.world import World
from symcontact_ros.web.engine.records import DONE, Engine
from symcontact_ros.web.engine.room import make_seen_room


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


@separate
def find_motions(world: World[S, F, V], motions: MotionRecord) -> None:
    """Write where all bodies and sites are and how the bodies move."""
    write_motions(world, motions)


@separate
def find_energies(
    memory: Ints, world: World[S, F, V], engine: Engine, inspection: InspectionRecord
) -> None:
    """Write the energies of now."""
    find_near(0.0, memory, world, engine, inspection)
    write_mechanical(world, inspection, engine.energies)
