"""Loads on bodies and groups in a stage, and the energy that they transfer."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.simulation.step.articulated import (
    accelerate_groups,
    apply_joints,
    clear_loads,
    count_limits,
    move_groups,
)
from symcontact_ros.simulation.step.candidates import refresh
from symcontact_ros.simulation.step.forces import Effect, NO_EFFECT, pair_forces
from symcontact_ros.simulation.step.sticking import begin_anchors, end_anchors
from symcontact_ros.simulation.world.world import World


def evaluate_loads(world: World[S, F, V], active: int, guarded: bool) -> Effect:
    """
    Write the loads on all bodies that take part in this stage, and the rates of all groups.

    Returns
    -------
    The powers of the contacts, and how stiff they are where the stage is guarded: the first one of
    a step, which decides on the substeps.
    """
    world.is_guarded = guarded
    effect, work, lost = NO_EFFECT, 0.0, 0.0
    if world.has_loads:
        if len(world.groups) > 0 and not guarded:  # at the start of a step they are up to date
            move_groups(world)
        work = begin_loads(world)
        if world.touches:
            effect = contact_forces(world, active)
    if len(world.groups) > 0:
        lost, put_in, stiffness, rate = apply_joints(world)
        if guarded:
            count_limits(world)
        accelerate_groups(world)
        work += put_in
        effect = effect._replace(
            stiffness=max(effect.stiffness, stiffness), rate=max(effect.rate, rate)
        )
    world.joint_loss = lost
    world.power_in = work
    return effect


def begin_loads(world: World[S, F, V]) -> float:
    """Start the loads on all bodies that take part with those from outside; return their power."""
    work = 0.0
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.takes_part:
            if not world.is_guarded:  # at the start of a step, the query of its pairs has done it
                refresh(world, body)
            work += body.begin_load()
    return work


def contact_forces(world: World[S, F, V], active: int) -> Effect:
    """Add the forces of all contacts to the loads on bodies; return their powers."""
    effect = NO_EFFECT
    if world.sticks:
        begin_anchors(world)
    for i in range(active):
        effect = pair_forces(world, world.candidates[world.active_pairs[i]], effect)
    if world.sticks:
        end_anchors(world)
    return effect


def begin_untouched(world: World[S, F, V]) -> None:
    """
    Begin steps of a world in which no shapes meet: its bodies take part in no contact.

    Wrenches from outside stay the same in all of them. If there are none, no stage needs to know
    where the bodies of groups are, or writes their loads.
    """
    world.is_pushed = False
    for i in range(len(world.bodies)):
        world.bodies[i].is_active = False
        force, torque = world.bodies[i].applied
        for part in (force[0], force[1], force[2], torque[0], torque[1], torque[2]):
            if part != 0.0:
                world.is_pushed = True
    for i in range(len(world.groups)):
        clear_loads(world.groups[i])


def add_to_ledger(world: World[S, F, V], effect: Effect, duration: float) -> None:
    """Add the energies that the powers of a stage transfer in a time [s]."""
    ledger = world.ledger
    ledger.lost_in_contact += duration * effect.lost
    ledger.lost_in_friction += duration * effect.rubbed
    ledger.stored_in_contact += duration * effect.stored
    ledger.lost_in_joints += duration * world.joint_loss
    ledger.work_in += duration * world.power_in
