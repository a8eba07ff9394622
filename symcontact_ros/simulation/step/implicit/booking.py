r"""
Energies of an implicit stage, term by term.

A stage from :math:`v_0` to :math:`v_1`, at constant masses, has

.. math:: v_1^T M v_1 / 2 - v_0^T M v_0 / 2 = h v_1^T (\tau - b + J^T f) - |v_1 - v_0|_M^2 / 2

and each potential V between its two configurations has
:math:`V'(x_1) (x_1 - x_0) = V(x_1) - V(x_0) + gap` with gap >= 0. What the last terms take is lost
by the integrator itself: `integration`. In order 2 bodies move at :math:`v_1` for
:math:`(1 - \gamma) h` and at :math:`v_2` for :math:`\gamma h`, and the squares of both stages
enter with opposite signs.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.contact.evaluation import elastic_force, stored_energy
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.step.articulated import DRY_PRESLIDING, DRY_SLIP_SPEED
from symcontact_ros.simulation.step.implicit.laws import actuator_at, stop_at
from symcontact_ros.simulation.world.solver_records import ContactRow, NO_ISLAND
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import Joint, Ledger

DRY_STIFFNESS = 1.0 / DRY_PRESLIDING  # of the anchor in a joint, per unit of its dry friction


@separate
def book_stage(world: World[S, F, V], h: float, duration: float, kinetic: float) -> None:
    """
    Add the energies of a stage to those that are pending.

    Parameters
    ----------
    world
        With velocities and forces of the stage.
    h
        Length of the stage [s].
    duration
        For which everything moves at its velocities [s].
    kinetic
        Of the square of the change of velocities, how much is lost: 1/2 in order 1.
    """
    solver, ledger = world.solver, world.solver.pending
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.island == NO_ISLAND:
            continue
        square, work = 0.0, 0.0
        for k in range(block.start, block.start + block.count):
            change = solver.speeds[k] - solver.start[k]
            square += change * (solver.products[k] - solver.start_products[k])
            work += solver.applied[k] * solver.speeds[k]
        ledger.integration += kinetic * square
        ledger.work_in += duration * work
        if block.body < 0:
            group = world.groups[block.group]
            for j in range(group.first_joint, group.first_joint + group.joint_count):
                joint = world.joints[solver.joint_order[j]]
                book_joint(world, joint, h, duration, solver.speeds[block.start + joint.index])
    for i in range(solver.row_count):
        book_contact(world, solver.rows[i], h, duration)


def book_contact(world: World[S, F, V], row: ContactRow, h: float, duration: float) -> None:
    """Add the energies of a contact."""
    ledger = world.solver.pending
    material = world.materials[row.material]
    approach = row.velocity[0]
    elastic, stored = 0.0, 0.0
    if row.depth - h * approach > 0.0:
        elastic = row.share * elastic_force(material, row.depth - h * approach).force
    if row.depth - duration * approach > 0.0:
        stored = row.share * stored_energy(material, row.depth - duration * approach)
    if row.depth > 0.0:
        stored -= row.share * stored_energy(material, row.depth)
    ledger.stored_in_contact += stored
    ledger.lost_in_contact += duration * approach * (elastic - row.force[0])
    ledger.integration += -duration * approach * elastic - stored
    _, v1, v2, v3 = row.velocity
    _, f1, f2, f3 = row.force
    gap = 0.0
    if material.sticks and duration == h:
        x, y, z = stretched(row, h, material.presliding)
        s = row.stretch
        square = (x - s[0]) * (x - s[0]) + (y - s[1]) * (y - s[1]) + (z - s[2]) * (z - s[2])
        gap = 0.5 * row.friction * row.normal_force * square / material.presliding
    ledger.lost_in_friction += -duration * (f1 * v1 + f2 * v2 + f3 * v3) - gap
    ledger.integration += gap


def stretched(row: ContactRow, h: float, presliding: float) -> tuple[float, float, float]:
    """Return the stretch of a contact at the end of a stage: along the tangents, and spin [m]."""
    s, velocity = row.stretch, row.velocity
    x, y, z = s[0] + h * velocity[1], s[1] + h * velocity[2], s[2] + h * velocity[3]
    square = x * x + y * y + z * z
    if square <= presliding * presliding:
        return x, y, z
    part = presliding / math.sqrt(square)
    return part * x, part * y, part * z


def book_joint(world: World[S, F, V], joint: Joint, h: float, duration: float, u: float) -> None:
    """Add the energies of a joint."""
    ledger = world.solver.pending
    way, q = duration * u, joint.base + h * u
    effort, _ = actuator_at(world, joint, q, u, h)
    joint.is_saturated = abs(effort) >= joint.effort_limit
    ledger.work_in += effort * way
    at, end = joint.base - joint.rest, joint.base + way - joint.rest
    stored = 0.5 * joint.stiffness * (end * end - at * at)
    ledger.integration += joint.stiffness * (q - joint.rest) * way - stored
    lost = joint.damping * u * way
    before = beyond(joint, joint.base)
    depth, after = beyond(joint, q), beyond(joint, joint.base + way)
    if before > 0.0 or depth > 0.0 or after > 0.0:
        stop = stop_at(joint, h, q) if depth > 0.0 else 0.0
        elastic = joint.limit_stiffness * (depth if q < joint.lower else -depth)
        stored = 0.5 * joint.limit_stiffness * (after * after - before * before)
        ledger.integration += -elastic * way - stored
        lost += (elastic - stop) * way
    ledger.lost_in_joints += lost
    if joint.friction > 0.0:
        book_dry_friction(ledger, joint, h, duration, u)


def book_dry_friction(ledger: Ledger, joint: Joint, h: float, duration: float, u: float) -> None:
    """Add the energies of the dry friction of a joint, and write its stretch at the end."""
    gain = h + DRY_PRESLIDING / DRY_SLIP_SPEED
    z = (joint.base_stretch + gain * u) / DRY_PRESLIDING
    ledger.lost_in_joints += joint.friction * min(max(z, -1.0), 1.0) * duration * u
    new = joint.base_stretch + h * u
    new = min(max(new, -DRY_PRESLIDING), DRY_PRESLIDING)
    joint.end_stretch = new
    if duration == h:
        change = new - joint.base_stretch
        gap = 0.5 * joint.friction * DRY_STIFFNESS * change * change
        ledger.lost_in_joints -= gap
        ledger.integration += gap


def beyond(joint: Joint, q: float) -> float:
    """Return how far a position is beyond a stop, or 0."""
    return max(0.0, joint.lower - q, q - joint.upper)


def accept_energies(world: World[S, F, V]) -> None:
    """Add what is pending to the ledger, and take the anchors of joints as they are now."""
    ledger, pending = world.ledger, world.solver.pending
    for i in range(len(world.joints)):
        joint = world.joints[i]
        if joint.friction > 0.0:
            old, new = joint.start_stretch, joint.end_stretch
            stored = 0.5 * joint.friction * DRY_STIFFNESS * (new * new - old * old)
            pending.lost_in_joints -= stored
            world.dry_stretches[i] = new
    ledger.lost_in_contact += pending.lost_in_contact
    ledger.lost_in_friction += pending.lost_in_friction
    ledger.stored_in_contact += pending.stored_in_contact
    ledger.lost_in_joints += pending.lost_in_joints
    ledger.work_in += pending.work_in
    ledger.integration += pending.integration
    clear_energies(pending)


def clear_energies(ledger: Ledger) -> None:
    """Set all energies to zero."""
    ledger.lost_in_contact = 0.0
    ledger.lost_in_friction = 0.0
    ledger.stored_in_contact = 0.0
    ledger.lost_in_joints = 0.0
    ledger.work_in = 0.0
    ledger.integration = 0.0
