r"""
Newton's method for the velocities at the end of an implicit stage, island by island.

Minimised is the convex function

.. math:: l(v) = v^T M v / 2 - g^T v + \sum_i \Phi_i(J_i v), \quad g = M v_0 + h (\tau - b)

whose potentials :math:`\Phi_i` have minus h times the forces of `laws` as derivatives, under
constant limits of friction: its minimum has :math:`M v = g + h J^T f(J v)`. Only forces and their
slopes are ever evaluated.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.simulation.step.implicit import sparse
from symcontact_ros.simulation.step.implicit.factor import entry_at, factorise, solve
from symcontact_ros.simulation.step.implicit.laws import (
    friction_at,
    joint_at,
    joint_size,
    normal_at,
    Quartet,
)
from symcontact_ros.simulation.step.implicit.masses import multiply
from symcontact_ros.simulation.world.solver_records import (
    ContactColumn,
    ContactRow,
    Island,
    Solver,
)
from symcontact_ros.simulation.world.world import World

TOLERANCE = 1e-8  # of the residual, relative to the largest of its terms
CANCELLED = 1e-5  # of terms that cancel: their rounding, next to the tolerance
ROUNDING = 1e-3  # of the same: below, a residual that does not shrink any more is rounding
STALE = 4  # iterations in which it did not shrink by half
TINY = 1e-3 * TOLERANCE  # change of velocity below which nothing changes
MOST_ITERATIONS = 100
FIRST_SLACK, SLACK = 1e-2, 1e-3  # of the slope of the line search
MOST_SEARCHES = 40
LARGEST_STEP = 8.0  # of full ones


@separate
def minimise(world: World[S, F, V], island: Island, h: float) -> int:
    """Find the velocities of an island; return the iterations, or -1 - these: not converged."""
    solver = world.solver
    write_velocities(solver, island)
    best, stale, iterations = 1e300, 0, 0
    while True:
        error, scale = evaluate(world, island, h)
        if not scale < math.inf:  # loads whose squares are too large for a number
            return -1 - iterations
        if error <= TOLERANCE * TOLERANCE * scale or is_rounding(world, island, h, error):
            return iterations
        if error < 0.5 * best:
            best = error
            stale = 0
        else:
            stale += 1
            if stale >= STALE and error <= ROUNDING * ROUNDING * scale:
                return iterations
        if iterations >= MOST_ITERATIONS:
            return -1 - iterations
        write_hessian(world, island, h)
        if not factorise_any(solver, island):
            return -1 - iterations
        find_direction(world, island)
        iterations += 1
        if take_step(world, island, h, scale):
            evaluate(world, island, h)
            return iterations


# Velocities of contacts -------------------------------------------------------------------------


def relative(solver: Solver, row: ContactRow, x: Floats) -> Quartet:
    """Return the velocities of a contact that velocities of the world give."""
    normal, first, second, spin = 0.0, 0.0, 0.0, 0.0
    columns = solver.columns
    for k in range(row.first_column, row.first_column + row.column_count):
        column = columns[k]
        speed = x[column.velocity]
        normal += column.normal * speed
        first += column.first * speed
        second += column.second * speed
        spin += column.spin * speed
    return normal, first, second, spin


def write_velocities(solver: Solver, island: Island) -> None:
    """Write the velocities of all contacts."""
    for r in range(island.first_row, island.first_row + island.row_count):
        row = solver.rows[solver.row_order[r]]
        row.velocity = relative(solver, row, solver.speeds)


# Forces and residual ----------------------------------------------------------------------------


@separate
def evaluate(world: World[S, F, V], island: Island, h: float) -> tuple[float, float]:
    """
    Write forces and gradient.

    Returns
    -------
    The squares of the residual, and of the largest of its terms, weighted by inverse masses.
    """
    solver = world.solver
    gradient, products, impulses = solver.gradient, solver.products, solver.impulses
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        for i in range(block.start, block.start + block.count):
            gradient[i] = 0.0
        if block.body < 0:
            add_joint_forces(world, block.group, block.start, h)
    for r in range(island.first_row, island.first_row + island.row_count):
        add_contact_force(world, solver.rows[solver.row_order[r]], h)
    error, inertial, forced = 0.0, 0.0, 0.0
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        for i in range(block.start, block.start + block.count):
            weight = 1.0 / solver.diagonal[i]
            product, impulse, by_forces = products[i], impulses[i], gradient[i]
            inertial += product * product * weight
            forced += max(by_forces * by_forces, impulse * impulse) * weight
            residual = product - impulse - by_forces
            gradient[i] = residual
            error += residual * residual * weight
    return error, max(inertial, forced)


def add_joint_forces(world: World[S, F, V], number: int, start: int, h: float) -> None:
    """Add what acts on the joints of a group to the gradient, and note it."""
    solver, group = world.solver, world.groups[number]
    for k in range(group.first_joint, group.first_joint + group.joint_count):
        joint = world.joints[solver.joint_order[k]]
        at = start + joint.index
        force = joint_at(world, joint, h, solver.speeds[at]).force
        joint.force = force
        solver.gradient[at] += h * force


def add_contact_force(world: World[S, F, V], row: ContactRow, h: float) -> None:
    """Add the force of a contact to the gradient, and note it."""
    solver = world.solver
    material = world.materials[row.material]
    normal = normal_at(material, row.share, row.depth, h, row.velocity[0])
    friction = friction_at(material, row, h, row.velocity)
    force = (
        normal.force,
        -friction.ratio * friction.first,
        -friction.ratio * friction.second,
        -friction.ratio * friction.spin,
    )
    row.force = force
    if force[0] == 0.0 and friction.ratio == 0.0:
        return
    gradient, columns = solver.gradient, solver.columns
    a, b, c, d = h * force[0], h * force[1], h * force[2], h * force[3]
    for k in range(row.first_column, row.first_column + row.column_count):
        column = columns[k]
        pushed = column.normal * a + column.first * b + column.second * c + column.spin * d
        gradient[column.velocity] += pushed


@separate
def is_rounding(world: World[S, F, V], island: Island, h: float, error: float) -> bool:
    """
    Return whether a residual is within the rounding of forces that cancel.

    Next to their sum, which may be zero at rest, no residual would be small.
    """
    solver = world.solver
    square = 0.0
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        if block.body < 0:
            group = world.groups[block.group]
            for k in range(group.first_joint, group.first_joint + group.joint_count):
                joint = world.joints[solver.joint_order[k]]
                at = block.start + joint.index
                size = h * joint_size(world, joint, h, solver.speeds[at])
                square += size * size / solver.diagonal[at]
    for r in range(island.first_row, island.first_row + island.row_count):
        row = solver.rows[solver.row_order[r]]
        normal, first, second, spin = row.force
        for k in range(row.first_column, row.first_column + row.column_count):
            column = solver.columns[k]
            pushed = column.normal * normal + column.first * first
            pushed += column.second * second + column.spin * spin
            square += h * h * pushed * pushed / solver.diagonal[column.velocity]
    return error <= TOLERANCE * TOLERANCE * CANCELLED * CANCELLED * square


# Hessian ----------------------------------------------------------------------------------------


@separate
def write_hessian(world: World[S, F, V], island: Island, h: float) -> None:
    """Write the lower triangle of M + J' G J, where the factor has room for it."""
    solver = world.solver
    factor = solver.factor
    for k in range(island.factor_size):
        factor[k] = 0.0
    for b in range(island.first_block, island.first_block + island.block_count):
        add_mass(world, solver.block_order[b])
        block = solver.blocks[solver.block_order[b]]
        if block.body < 0:
            add_joint_slopes(world, block.group, block.start, h)
    for r in range(island.first_row, island.first_row + island.row_count):
        add_contact_slopes(world, solver.rows[solver.row_order[r]], h)


def add_mass(world: World[S, F, V], number: int) -> None:
    """Add the mass matrix of a block."""
    solver = world.solver
    factor, row_at, place = solver.factor, solver.row_at, solver.place
    block = solver.blocks[number]
    start = block.start
    if block.body < 0:
        group = world.groups[block.group]
        count = block.count
        for k in range(group.first_entry, group.first_entry + group.entry_count):
            entry = solver.mass_entries[k]
            p, q = place[start + entry.row], place[start + entry.column]
            at = entry_at(row_at, p, q)
            factor[at] += group.mass_matrix[entry.row * count + entry.column]
        return
    for i in range(block.count):
        p = place[start + i]
        factor[entry_at(row_at, p, p)] += solver.diagonal[start + i]
    if not world.space.IS_PLANAR:
        inertia = block.inertia
        x, y, z = place[start + 3], place[start + 4], place[start + 5]
        factor[entry_at(row_at, y, x)] += inertia[3]
        factor[entry_at(row_at, z, x)] += inertia[6]
        factor[entry_at(row_at, z, y)] += inertia[7]


def add_joint_slopes(world: World[S, F, V], number: int, start: int, h: float) -> None:
    """Add how fast the forces on the joints of a group fall."""
    solver, group = world.solver, world.groups[number]
    for k in range(group.first_joint, group.first_joint + group.joint_count):
        joint = world.joints[solver.joint_order[k]]
        at = start + joint.index
        slope = joint_at(world, joint, h, solver.speeds[at]).slope
        p = solver.place[at]
        solver.factor[entry_at(solver.row_at, p, p)] += h * slope


def add_contact_slopes(world: World[S, F, V], row: ContactRow, h: float) -> None:
    """Add how fast the force of a contact falls, along all of its columns."""
    solver = world.solver
    factor, row_at, place = solver.factor, solver.row_at, solver.place
    split, shift = row.split, row.shift
    material = world.materials[row.material]
    normal = h * normal_at(material, row.share, row.depth, h, row.velocity[0]).slope
    friction = friction_at(material, row, h, row.velocity)
    if normal == 0.0 and friction.ratio == 0.0:
        return
    across = h * friction.gain * friction.ratio
    along = 0.0
    x, y, z = 0.0, 0.0, 0.0
    if friction.size > 0.0:
        along = h * friction.gain * (friction.slope - friction.ratio)
        x, y = friction.first / friction.size, friction.second / friction.size
        z = friction.spin / friction.size
    columns = solver.columns[row.first_column : row.first_column + row.column_count]
    for i in range(row.column_count):
        one = columns[i]
        part = along * (x * one.first + y * one.second + z * one.spin)
        a = normal * one.normal
        b = across * one.first + part * x
        c = across * one.second + part * y
        d = across * one.spin + part * z
        p, same = place[one.velocity], 0
        if shift != 0 and i >= split:
            same = split
            for j in range(split):
                value = product(columns[j], a, b, c, d)
                factor[entry_at(row_at, p, place[columns[j].velocity]) + shift] += value
        for j in range(same, i + 1):
            value = product(columns[j], a, b, c, d)
            factor[entry_at(row_at, p, place[columns[j].velocity])] += value


def product(column: ContactColumn, a: float, b: float, c: float, d: float) -> float:
    """Return the product of a column with another one."""
    return a * column.normal + b * column.first + c * column.second + d * column.spin


def factorise_any(solver: Solver, island: Island) -> bool:
    """Factorise the Hessian of an island, small or large; return whether that is possible."""
    if island.is_sparse:
        return sparse.factorise(solver, island)
    return factorise(solver, island)


def find_direction(world: World[S, F, V], island: Island) -> None:
    """Write the step of Newton: minus the inverse of the Hessian times the gradient."""
    solver = world.solver
    gradient, solution, place = solver.gradient, solver.solution, solver.place
    direction = solver.direction
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        for i in range(block.start, block.start + block.count):
            solution[place[i]] = -gradient[i]
    if island.is_sparse:
        sparse.solve(solver, island, solution)
    else:
        solve(solver, island, solution)
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        for i in range(block.start, block.start + block.count):
            direction[i] = solution[place[i]]
        multiply(world, block, direction, solver.direction_products)
    for r in range(island.first_row, island.first_row + island.row_count):
        row = solver.rows[solver.row_order[r]]
        row.direction = relative(solver, row, direction)


# Line search ------------------------------------------------------------------------------------


@separate
def take_step(world: World[S, F, V], island: Island, h: float, scale: float) -> bool:
    """Go along the direction to the minimum; return whether that was too little to matter."""
    solver = world.solver
    direction, products = solver.direction, solver.products
    steep, start, curvature = 0.0, 0.0, 0.0
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        for i in range(block.start, block.start + block.count):
            way = direction[i]
            steep += way * solver.gradient[i]
            start += way * (products[i] - solver.impulses[i])
            curvature += way * solver.direction_products[i]
    is_tiny = curvature <= TINY * TINY * scale
    length = 1.0 if is_tiny else search(world, island, h, steep, start, curvature)
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        for i in range(block.start, block.start + block.count):
            solver.speeds[i] += length * direction[i]
            products[i] += length * solver.direction_products[i]
    for r in range(island.first_row, island.first_row + island.row_count):
        row = solver.rows[solver.row_order[r]]
        row.velocity = along(row.velocity, length, row.direction)
    return is_tiny


def along(a: Quartet, length: float, b: Quartet) -> Quartet:
    """Return a + length b."""
    return (
        a[0] + length * b[0],
        a[1] + length * b[1],
        a[2] + length * b[2],
        a[3] + length * b[3],
    )


def search(
    world: World[S, F, V],
    island: Island,
    h: float,
    steep: float,
    start: float,
    curvature: float,
) -> float:
    """Return how far to go: where the function along the direction is flat."""
    low, high, length = 0.0, -1.0, 1.0
    slack = FIRST_SLACK
    for _ in range(MOST_SEARCHES):
        by_forces, stiff = slope_along(world, island, h, length)
        slope = start + length * curvature - by_forces
        if abs(slope) <= slack * abs(steep):
            return length
        slack = SLACK
        if slope < 0.0:
            low = length
            if high < 0.0 and length >= LARGEST_STEP:
                return length
        else:
            high = length
        guess = length - slope / (curvature + stiff)
        if high < 0.0:
            length = guess if low < guess <= 4.0 * length else 2.0 * length
        else:
            length = guess if low < guess < high else 0.5 * (low + high)
    return length


def slope_along(
    world: World[S, F, V], island: Island, h: float, length: float
) -> tuple[float, float]:
    """Return power of the impulses of all forces along the direction, and how it falls."""
    solver = world.solver
    power, stiff = 0.0, 0.0
    for r in range(island.first_row, island.first_row + island.row_count):
        row = solver.rows[solver.row_order[r]]
        material = world.materials[row.material]
        direction = row.direction
        velocity = along(row.velocity, length, direction)
        normal = normal_at(material, row.share, row.depth, h, velocity[0])
        against, falling = friction_at(material, row, h, velocity).along(direction)
        power += normal.force * direction[0] - against
        stiff += normal.slope * direction[0] * direction[0] + falling
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        if block.body < 0:
            group = world.groups[block.group]
            for k in range(group.first_joint, group.first_joint + group.joint_count):
                joint = world.joints[solver.joint_order[k]]
                at = block.start + joint.index
                way = solver.direction[at]
                found = joint_at(world, joint, h, solver.speeds[at] + length * way)
                power += found.force * way
                stiff += found.slope * way * way
    return h * power, h * stiff
