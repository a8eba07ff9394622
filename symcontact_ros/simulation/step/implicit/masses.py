"""Mass matrices of an implicit stage, block by block, and their products with velocities."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import call
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.simulation.world.solver_records import VelocityBlock
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import Group


def run_inertia(world: World[S, F, V], block: VelocityBlock) -> None:
    """Write mass matrix and bias of a group, the latter with `bias_speeds`."""
    group = world.groups[block.group]
    call(
        group.inertia,
        world.stage[group.state :],
        world.solver.bias_speeds[block.start :],
        group.zeros,
        group.effort,
        group.loads,
        group.constants,
        group.mass_matrix,
        group.bias,
    )


def write_masses(world: World[S, F, V], block: VelocityBlock) -> None:
    """Write what is needed of the mass matrix of a block, with its diagonal."""
    diagonal, start = world.solver.diagonal, block.start
    if block.body < 0:
        run_inertia(world, block)
        group = world.groups[block.group]
        for i in range(block.count):
            diagonal[start + i] = group.mass_matrix[i * block.count + i]
        return
    inertia = world.bodies[block.body].world_inertia(block.moments)
    block.inertia = inertia
    if world.space.IS_PLANAR:
        diagonal[start] = block.mass
        diagonal[start + 1] = block.mass
        diagonal[start + 2] = inertia[8]
    else:
        for i in (0, 1, 2):
            diagonal[start + i] = block.mass
            diagonal[start + 3 + i] = inertia[4 * i]


def multiply(world: World[S, F, V], block: VelocityBlock, x: Floats, out: Floats) -> None:
    """Write mass matrix times velocities of a block."""
    start = block.start
    if block.body < 0:
        multiply_group(world, world.groups[block.group], start, x, out)
        return
    mass, inertia = block.mass, block.inertia
    if world.space.IS_PLANAR:
        out[start] = mass * x[start]
        out[start + 1] = mass * x[start + 1]
        out[start + 2] = inertia[8] * x[start + 2]
    else:
        a, b, c = x[start + 3], x[start + 4], x[start + 5]
        for i in (0, 1, 2):
            out[start + i] = mass * x[start + i]
            product = inertia[3 * i] * a + inertia[3 * i + 1] * b + inertia[3 * i + 2] * c
            out[start + 3 + i] = product


def multiply_group(
    world: World[S, F, V], group: Group, start: int, x: Floats, out: Floats
) -> None:
    """Write mass matrix times velocities of a group, entry by entry that is not always zero."""
    entries, matrix, count = world.solver.mass_entries, group.mass_matrix, group.u_count
    for i in range(start, start + count):
        out[i] = 0.0
    for k in range(group.first_entry, group.first_entry + group.entry_count):
        i, j = entries[k].row, entries[k].column
        value = matrix[i * count + j]
        out[start + i] += value * x[start + j]
        if i != j:
            out[start + j] += value * x[start + i]
