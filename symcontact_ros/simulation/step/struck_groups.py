"""Change of the speeds of articulated groups by an impulse on one body, or on two of them."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.vectors.spatial import cross, dot, minus, plus
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.bodies.body import ARTICULATED, Body
from symcontact_ros.simulation.step.articulated import clear_loads, move_groups, run_dynamics
from symcontact_ros.simulation.step.implicit.contact_rows import turn_columns
from symcontact_ros.simulation.step.implicit.masses import run_inertia
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import Group


@separate
def strike_groups(
    world: World[S, F, V], a: Body[F, V], b: Body[F, V], point: V, impulse: V
) -> None:
    """Change the speeds of the groups of two bodies by an impulse on B, and its opposite on A."""
    for number in range(len(world.groups)):
        is_of_a = a.kind == ARTICULATED and a.group == number
        is_of_b = b.kind == ARTICULATED and b.group == number
        if not (is_of_a or is_of_b):
            continue
        group = world.groups[number]
        if world.is_implicit:
            clear_impulses(world, group)
            if is_of_a:
                add_impulse(world, group, a, point, impulse, -1.0)
            if is_of_b:
                add_impulse(world, group, b, point, impulse, 1.0)
            yield_to_impulses(world, group)
        else:
            clear_loads(group)
            if is_of_a:
                load(group, a, point, impulse, -1.0)
            if is_of_b:
                load(group, b, point, impulse, 1.0)
            yield_to_loads(world, group)
    move_groups(world)


# Implicit steps have mass matrices ---------------------------------------------------------------


def clear_impulses(world: World[S, F, V], group: Group) -> None:
    """Take the impulses on the speeds of a group away, and have the columns of its joints."""
    turn_columns(world)
    start = world.solver.blocks[group.block].start
    for i in range(start, start + group.u_count):
        world.solver.applied[i] = 0.0


def add_impulse(
    world: World[S, F, V], group: Group, body: Body[F, V], point: V, impulse: V, way: float
) -> None:
    """Add an impulse at a point of a body, times 1 or -1, to those on the speeds of its group."""
    solver, space = world.solver, world.space
    at: Triple = space.in_space(point)
    pushed: Triple = space.in_space(impulse)
    start = solver.blocks[group.block].start
    chain = solver.chains[group.first_chain + body.link]
    for k in range(chain.first, chain.first + chain.count):
        column = solver.joint_columns[solver.chain_columns[k]]
        arm = minus(at, group.frames[column.origin].position)
        moved = plus(column.world_linear, cross(column.world_angular, arm))
        solver.applied[start + column.speed] += way * dot(moved, pushed)


def yield_to_impulses(world: World[S, F, V], group: Group) -> None:
    """Change the speeds of a group by what its mass matrix makes of the impulses on them."""
    block = world.solver.blocks[group.block]
    for i in range(block.count):
        world.solver.bias_speeds[block.start + i] = 0.0
    run_inertia(world, block)
    changes = world.solver.applied[block.start :]
    eliminate(group.mass_matrix, block.count, changes)
    for i in range(block.count):
        change_speed_of(world, group, i, changes[i])


def eliminate(matrix: Floats, count: int, x: Floats) -> None:
    """Solve a positive definite system in place, its right side by the solution, by Gauss."""
    for i in range(count):
        for j in range(i + 1, count):
            part = matrix[j * count + i] / matrix[i * count + i]
            for k in range(i, count):
                matrix[j * count + k] -= part * matrix[i * count + k]
            x[j] -= part * x[i]
    for back in range(count):
        i = count - 1 - back
        for k in range(i + 1, count):
            x[i] -= matrix[i * count + k] * x[k]
        x[i] /= matrix[i * count + i]


# Explicit steps have rates under loads -----------------------------------------------------------


def load(group: Group, body: Body[F, V], point: V, impulse: V, way: float) -> None:
    """Add an impulse at a point of a body, times 1 or -1, to the loads of its group."""
    if body.carrier >= 0:
        body.clear_load()
        body.push(point, impulse, way)
        body.load_carrier(group.centres[body.carrier], group.loads[body.carrier_load])


def yield_to_loads(world: World[S, F, V], group: Group) -> None:
    """Change the speeds of a group by what its loads, which are impulses, add to their rates."""
    first = group.state + group.q_count
    run_dynamics(world, group)
    for i in range(group.u_count):
        world.sums[first + i] = group.rates[group.q_count + i]
    clear_loads(group)
    run_dynamics(world, group)
    for i in range(group.u_count):
        change_speed_of(world, group, i, world.sums[first + i] - group.rates[group.q_count + i])


def change_speed_of(world: World[S, F, V], group: Group, number: int, change: float) -> None:
    """Add to a speed of a group."""
    at = group.state + group.q_count + number
    world.stage[at] += change
    world.state[at] = world.stage[at]
