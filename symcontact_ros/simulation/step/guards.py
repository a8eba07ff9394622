"""
Guards: they stop a run whose results are finite but wrong.

A contact is too deep, steps in a row are longer than the integrator is stable with, or the energy
balance is open. Guards read the state and never change it. Contacts and steps are looked at in
every step, the energy in every hundredth.
"""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.step.articulated import joint_energy
from symcontact_ros.simulation.step.motion_energy import motion_energy
from symcontact_ros.simulation.world.guard_records import DEEP, OPEN, SOUND, UNSTABLE
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import CandidatePair

PERIOD = 100  # steps between two looks at the energy
DOUBTFUL = 0.1  # of max_residual, at which a warning is given


def watch_depth(world: World[S, F, V], pair: CandidatePair, depth: float) -> None:
    """Note a contact point that is too deep for its shapes."""
    guard = world.guard
    thin = min(world.shapes[pair.shape_a].extent, world.shapes[pair.shape_b].extent)
    if depth > guard.max_depth_ratio * thin and guard.reason == SOUND:
        guard.reason = DEEP
        guard.pair = pair.number
        guard.depth = depth
        guard.extent = thin


def begin_watch(world: World[S, F, V]) -> None:
    """Take the energy of now as the start, where the state has come from outside."""
    guard = world.guard
    guard.reason = SOUND
    if not guard.has_start:
        guard.has_start = True
        guard.start = 0.0
        guard.throughput = guard.least
        guard.start = residual_of(world)
        guard.unchecked = 0
        guard.unstable_steps = 0
        guard.is_doubtful = False


def is_sound(world: World[S, F, V]) -> bool:
    """Return whether the run is still sound, after a step."""
    guard = world.guard
    if guard.is_unstable:
        guard.is_unstable = False
        guard.unstable_steps += 1
        if guard.unstable_steps > guard.max_unstable and guard.reason == SOUND:
            guard.reason = UNSTABLE
    else:
        guard.unstable_steps = 0
    guard.unchecked += 1
    if guard.unchecked >= PERIOD:
        guard.unchecked = 0
        guard.residual = residual_of(world)
        allowed = guard.max_residual * guard.throughput
        if abs(guard.residual) > DOUBTFUL * allowed and not guard.is_doubtful:
            guard.is_doubtful = True
            world.alerts += 1
        is_open = abs(guard.residual) > allowed
        if is_open and guard.reason == SOUND:
            guard.reason = OPEN
    return guard.reason == SOUND


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
