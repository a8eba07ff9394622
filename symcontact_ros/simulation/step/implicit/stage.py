"""One implicit stage: impulses, velocities under limits of friction that follow normal forces."""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.vectors.spatial import cross, dot, minus, plus
from symcontact_ros.simulation.bodies.body import ARTICULATED
from symcontact_ros.simulation.step.articulated import weigh_groups
from symcontact_ros.simulation.step.implicit.contact_rows import turn_columns
from symcontact_ros.simulation.step.implicit.laws import normal_at
from symcontact_ros.simulation.step.implicit.masses import multiply, run_inertia, write_masses
from symcontact_ros.simulation.step.implicit.newton import evaluate, minimise, relative
from symcontact_ros.simulation.world.guard_records import SOUND, UNSOLVED
from symcontact_ros.simulation.world.solver_records import (
    ContactRow,
    Island,
    NO_ISLAND,
    VelocityBlock,
)
from symcontact_ros.simulation.world.world import World

MOST_SOLVES = 4  # with other limits of friction
FAR = 0.01  # of the residual, relative to its largest term: a run whose solution it is stops
SETTLED = 1e-4  # relative change of these limits
FAST = 0.01  # [rad or m] in a step: Coriolis forces are taken at better velocities


@separate
def write_starts(world: World[S, F, V]) -> None:
    """Write the velocities that the stage starts from, also as those of Coriolis forces."""
    solver = world.solver
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.island != NO_ISLAND:
            write_start(world, block)
            for k in range(block.start, block.start + block.count):
                solver.bias_speeds[k] = solver.start[k]


@separate
def begin_stage(world: World[S, F, V], base: Floats, h: float) -> None:
    """
    Write masses, and the impulses of all that does not depend on the new velocities.

    ``base`` is the state with the positions that joints start from.
    """
    solver = world.solver
    weigh_groups(world)
    write_applied(world)
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.island == NO_ISLAND:
            continue
        write_masses(world, block)
        multiply(world, block, solver.start, solver.start_products)
        for k in range(block.start, block.start + block.count):
            solver.speeds[k] = solver.start[k]
            solver.products[k] = solver.start_products[k]
        write_impulses(world, block, h)
    for i in range(len(world.joints)):
        joint = world.joints[i]
        joint.base = base[joint.q]


def write_start(world: World[S, F, V], block: VelocityBlock) -> None:
    """Write the velocities of a block as they are now."""
    start = world.solver.start
    if block.body >= 0:
        world.bodies[block.body].write_speeds(start, block.start)
        return
    group = world.groups[block.group]
    for i in range(block.count):
        start[block.start + i] = world.stage[group.state + group.q_count + i]


def write_impulses(world: World[S, F, V], block: VelocityBlock, h: float) -> None:
    """Write M start + h (applied - bias)."""
    solver = world.solver
    impulses, products, applied = solver.impulses, solver.start_products, solver.applied
    if block.body < 0:
        group = world.groups[block.group]
        for i in range(block.count):
            k = block.start + i
            impulses[k] = products[k] + h * (applied[k] - group.bias[i])
        return
    for k in range(block.start, block.start + block.count):
        impulses[k] = products[k] + h * applied[k]
    gravity = world.gravity
    impulses[block.start] += h * block.mass * gravity[0]
    impulses[block.start + 1] += h * block.mass * gravity[1]
    if not world.space.IS_PLANAR:
        impulses[block.start + 2] += h * block.mass * gravity[2]


def write_applied(world: World[S, F, V]) -> None:
    """Write the loads from outside, on all velocities."""
    solver = world.solver
    for i in range(len(solver.applied)):
        solver.applied[i] = 0.0
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.body >= 0 and block.island != NO_ISLAND:
            load_body(world, block)
    is_turned = False
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == ARTICULATED:
            force, torque = body.applied
            if dot(force, force) + dot(torque, torque) > 0.0:
                if not is_turned:
                    turn_columns(world)
                    is_turned = True
                apply_wrench(world, i)


def load_body(world: World[S, F, V], block: VelocityBlock) -> None:
    """Write the applied load of a floating body."""
    applied, at = world.solver.applied, block.start
    force, torque = world.bodies[block.body].applied
    if world.space.IS_PLANAR:
        for k, number in enumerate((force[0], force[1], torque[2])):
            applied[at + k] = number
    else:
        for k in (0, 1, 2):
            applied[at + k] = force[k]
            applied[at + 3 + k] = torque[k]


def apply_wrench(world: World[S, F, V], number: int) -> None:
    """Add the applied load of a body of a group to those of the speeds that move it."""
    solver, body = world.solver, world.bodies[number]
    group = world.groups[body.group]
    start = solver.blocks[group.block].start
    chain = solver.chains[group.first_chain + body.link]
    force, torque = body.applied
    for k in range(chain.first, chain.first + chain.count):
        column = solver.joint_columns[solver.chain_columns[k]]
        angular = column.world_angular
        arm = minus(body.centre, group.frames[column.origin].position)
        moved = plus(column.world_linear, cross(angular, arm))
        solver.applied[start + column.speed] += dot(moved, force) + dot(angular, torque)


# Solving ----------------------------------------------------------------------------------------


@separate
def solve_stage(world: World[S, F, V], h: float, corrects: bool) -> None:
    """
    Find the velocities at the end of the stage, and the forces that lead there.

    ``corrects``: solve again with Coriolis forces at the mean velocities where these are fast.
    """
    solver = world.solver
    for i in range(solver.island_count):
        island = solver.islands[i]
        begin_limits(world, island, h)
        iterations = settle(world, island, h)
        if corrects and is_fast(world, island, h):
            solver.corrections += 1
            improve_bias(world, island, h)
            iterations += settle(world, island, h)
        solver.iterations += iterations
        solver.most_iterations = max(solver.most_iterations, iterations)
        solver.solves += 1


def begin_limits(world: World[S, F, V], island: Island, h: float) -> None:
    """Write the normal forces that limit friction at first: the last ones, or those of now."""
    solver = world.solver
    for r in range(island.first_row, island.first_row + island.row_count):
        row = solver.rows[solver.row_order[r]]
        if row.normal_force < 0.0:
            row.normal_force = first_normal_force(world, row, h)


def first_normal_force(world: World[S, F, V], row: ContactRow, h: float) -> float:
    """
    Return the normal force at the velocity of now, where that would end, at most what stops it.

    A stiff contact that is about to be met would have a force without any limit otherwise.
    """
    solver = world.solver
    material = world.materials[row.material]
    v_n = relative(solver, row, solver.speeds)[0]
    ahead = normal_at(material, row.share, row.depth, h, v_n).force
    now = normal_at(material, row.share, row.depth, 0.0, v_n).force
    mobility = 0.0
    for k in range(row.first_column, row.first_column + row.column_count):
        column = solver.columns[k]
        mobility += column.normal * column.normal / solver.diagonal[column.velocity]
    if mobility <= 0.0:
        return now
    return min(ahead, now + abs(v_n) / (h * mobility))


def settle(world: World[S, F, V], island: Island, h: float) -> int:
    """Minimise until the limits of friction are those of the normal forces; return iterations."""
    solver = world.solver
    total = 0
    for attempt in range(MOST_SOLVES):
        iterations = minimise(world, island, h)
        if iterations < 0:
            if solver.unconverged == 0:
                world.alerts += 1
            solver.unconverged += 1
            return total - 1 - iterations + settle_smoothly(world, island, h)
        total += iterations
        changed, size = 0.0, 0.0
        for r in range(island.first_row, island.first_row + island.row_count):
            row = solver.rows[solver.row_order[r]]
            changed += row.friction * abs(row.force[0] - row.normal_force)
            size += row.friction * row.force[0]
        if changed <= SETTLED * size or attempt == MOST_SOLVES - 1:
            return total
        for r in range(island.first_row, island.first_row + island.row_count):
            row = solver.rows[solver.row_order[r]]
            row.normal_force = row.force[0]
    return total


def settle_smoothly(world: World[S, F, V], island: Island, h: float) -> int:
    """Minimise from the start and without friction, after a failure; return iterations."""
    solver = world.solver
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        for k in range(block.start, block.start + block.count):
            solver.speeds[k] = solver.start[k]
            solver.products[k] = solver.start_products[k]
    for r in range(island.first_row, island.first_row + island.row_count):
        solver.rows[solver.row_order[r]].normal_force = 0.0
    iterations = minimise(world, island, h)
    if iterations < 0:
        error, scale = evaluate(world, island, h)
        is_near = error <= FAR * FAR * scale < math.inf
        if not is_near and world.guard.reason == SOUND:
            world.guard.reason = UNSOLVED
    return abs(iterations)


def is_fast(world: World[S, F, V], island: Island, h: float) -> bool:
    """Return whether a group moves so fast that Coriolis forces change within the stage."""
    solver = world.solver
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        if block.body < 0:
            for k in range(block.start, block.start + block.count):
                if h * max(abs(solver.start[k]), abs(solver.speeds[k])) > FAST:
                    return True
    return False


def improve_bias(world: World[S, F, V], island: Island, h: float) -> None:
    """Write the impulses with Coriolis forces at the mean of the velocities."""
    solver = world.solver
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        if block.body < 0:
            for k in range(block.start, block.start + block.count):
                solver.bias_speeds[k] = 0.5 * (solver.start[k] + solver.speeds[k])
            run_inertia(world, block)
            write_impulses(world, block, h)
