r"""
Energies of an implicit stage, term by term.

A stage of order 1 with constant masses has

.. math:: v_1^T M v_1 / 2 - v_0^T M v_0 / 2 = h v_1^T (\tau - b + J^T f) - |v_1 - v_0|_M^2 / 2

and each potential V between its two configurations
:math:`V'(x_1) (x_1 - x_0) = V(x_1) - V(x_0) + gap`, gap >= 0. What the last terms take is lost by
the integrator and booked as `integration`.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.contact.evaluation import elastic_force, stored_energy
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.step.articulated import DRY_PRESLIDING
from symcontact_ros.simulation.step.implicit.laws import actuator_at, DRY_SLIP_SPEED, stop_at
from symcontact_ros.simulation.world.solver_records import ContactRow, NO_ISLAND
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import Joint


@separate
def book_stage(world: World[S, F, V], h: float) -> None:
    """Add the energies of a stage to the ledger; anchors of joints are at its end then."""
    solver, ledger = world.solver, world.ledger
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.island == NO_ISLAND:
            continue
        kinetic, work = 0.0, 0.0
        for k in range(block.start, block.start + block.count):
            change = solver.speeds[k] - solver.start[k]
            kinetic += change * (solver.products[k] - solver.start_products[k])
            work += solver.applied[k] * solver.speeds[k]
        ledger.integration += 0.5 * kinetic
        ledger.work_in += h * work
        if block.body < 0:
            group = world.groups[block.group]
            for j in range(group.first_joint, group.first_joint + group.joint_count):
                joint = world.joints[solver.joint_order[j]]
                book_joint(world, joint, h, solver.speeds[block.start + joint.index])
    for i in range(solver.row_count):
        row = solver.rows[i]
        if row.column_count > 0:
            book_contact(world, row, h)


def book_contact(world: World[S, F, V], row: ContactRow, h: float) -> None:
    """Add the energies of a contact."""
    ledger = world.ledger
    material = world.materials[row.material]
    approach = row.velocity[0]
    before, after = max(0.0, row.depth), row.depth - h * approach
    elastic, stored = 0.0, 0.0
    if after > 0.0:
        elastic = row.share * elastic_force(material, after).force
        stored = row.share * stored_energy(material, after)
    if before > 0.0:
        stored -= row.share * stored_energy(material, before)
    ledger.stored_in_contact += stored
    ledger.lost_in_contact += h * approach * (elastic - row.force[0])
    ledger.integration += -h * approach * elastic - stored
    _, v1, v2, v3 = row.velocity
    _, f1, f2, f3 = row.force
    rubbed = -h * (f1 * v1 + f2 * v2 + f3 * v3)
    gap = 0.0
    if material.sticks:
        x, y, z = stretched(row, h, material.presliding)
        s = row.stretch
        square = (x - s[0]) * (x - s[0]) + (y - s[1]) * (y - s[1]) + (z - s[2]) * (z - s[2])
        gap = 0.5 * row.friction * row.normal_force * square / material.presliding
    ledger.lost_in_friction += rubbed - gap
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


def book_joint(world: World[S, F, V], joint: Joint, h: float, u: float) -> None:
    """Add the energies of a joint, and write the stretch of its dry friction."""
    ledger = world.ledger
    way = h * u
    q = joint.base + way
    effort, hardness = actuator_at(world, joint, q, u, h)
    joint.is_saturated = abs(effort) >= joint.effort_limit
    ledger.work_in += effort * way
    ledger.integration += 0.5 * joint.stiffness * way * way
    lost = joint.damping * u * way
    before = max(0.0, joint.lower - joint.base, joint.base - joint.upper)
    after = max(0.0, joint.lower - q, q - joint.upper)
    if before > 0.0 or after > 0.0:
        stop = stop_at(joint, h, q) if after > 0.0 else 0.0
        elastic = joint.limit_stiffness * after
        elastic = elastic if q < joint.lower else -elastic
        stored = 0.5 * joint.limit_stiffness * (after * after - before * before)
        ledger.integration += -elastic * way - stored
        lost += (elastic - stop) * way
    if joint.friction > 0.0:
        gain = h + DRY_PRESLIDING / DRY_SLIP_SPEED
        z = (joint.stretch + gain * u) / DRY_PRESLIDING
        rubbed = joint.friction * min(max(z, -1.0), 1.0) * way
        old = joint.stretch
        new = min(max(old + way, -DRY_PRESLIDING), DRY_PRESLIDING)
        stiffness = joint.friction / DRY_PRESLIDING
        gap = 0.5 * stiffness * (new - old) * (new - old)
        lost += rubbed - gap - 0.5 * stiffness * (new * new - old * old)
        ledger.integration += gap
        joint.stretch = new
    ledger.lost_in_joints += lost
