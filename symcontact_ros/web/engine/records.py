"""Record of an engine: what a browser needs beside the world, and what it reads and writes."""

from __future__ import annotations

from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import embedded, Record, Rows
from symcontact_ros.simulation.bodies.body import Moments
from symcontact_ros.simulation.observing.mechanical_kernel import ENERGIES
from symcontact_ros.simulation.world.rebasing import FloatingBody
from symcontact_ros.simulation.world.world_records import Anchor

# How the last call ended: done; a step was not made, since it diverged or is not sound; there is
# too little memory; the values of live symbols make no model.
DONE, STOPPED, NO_MEMORY, REFUSED = range(4)
# What a servo follows at the start: nothing, the position in which it starts, its target.
OFF, HOLDS_START, HAS_TARGET = range(3)


class BodyValues(Record):
    """Mass properties of a body."""

    mass: float  # [kg]
    moments: Moments  # of its inertia about the centre of mass, body axes [kg m^2]
    weld: int  # first of the bodies that fixed joints make one with it


class GroupValues(Record):
    """What the functions of a group take from live symbols."""

    prologue: int  # address: numbers -> constants
    numbers: Floats


class ServoValues(Record):
    """The servo of a joint."""

    joint: int  # its row
    kp: float
    kd: float
    max_effort: float  # [N m or N]
    effort_limit: float  # of the actuator without it [N m or N]
    target: float  # at the start [rad or m]
    start: int  # OFF, HOLDS_START or HAS_TARGET
    compensates: bool  # whether it adds the effort that gravity needs


class EffortPlace(Record):
    """A joint that takes efforts: its own, or what they are at its leader."""

    joint: int  # row
    factor: float


class LimitValues(Record):
    """A number of the model, and what it must be, whatever the live symbols are."""

    number: float
    above: float  # it must be greater
    minimum: float  # it must not be less,
    at_least: float  # nor than this


class Engine(Record):
    """All of an engine that is not in its world."""

    # Results of calls.
    status: int  # DONE, STOPPED, NO_MEMORY or REFUSED
    made: int  # steps, in the last call
    needed: int  # slots that memory lacks
    fault: int  # number of the limit that is broken; -1: a number is not finite
    energies: Floats = embedded(ENERGIES)  # see `mechanical_kernel` [J]

    # The run.
    steps: int  # since the start
    start_energy: float  # mechanical, at the start [J]
    start_contact: float  # the part of it that is stored in contacts [J]
    free: int  # where free memory begins [slot from the world]
    end: int  # where memory ends
    record: int  # where this record is
    inspection: int  # where the record of the inspection is
    is_implicit: bool  # whether its steps are
    has_pairs: bool  # whether any pair of shapes may meet
    # The state before the last steps, and the limits of the guards.
    steps_before: int
    anchors_before: int
    max_depth_ratio: float
    max_unstable: int
    max_residual: float

    # What follows from live symbols.
    prologue: int  # address: symbols -> cells
    symbols: Floats
    bodies: Rows[BodyValues]
    groups: Rows[GroupValues]
    numbers: Floats  # of all groups
    servos: Rows[ServoValues]
    efforts: Rows[EffortPlace]
    floating: Rows[FloatingBody]
    limits: Rows[LimitValues]
    initial: Floats  # state at the start, joints not yet within their limits
    reaches: Floats  # of all shapes, to be sorted [m]
    before: Floats  # state with its ledger
    kept_anchors: Rows[Anchor]
    cells: Floats
    targets: Ints  # where each cell goes [slot from the world]
