"""Islands: velocities that contacts join in this step, and the profile of their factor."""

from __future__ import annotations

from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.bodies.body import ARTICULATED, Body, FLOATING
from symcontact_ros.simulation.step.implicit.elimination import (
    begin_large,
    make_neighbours,
    order_large,
    write_panels,
)
from symcontact_ros.simulation.world.solver_records import Island, NO_BLOCK, NO_ISLAND, Solver
from symcontact_ros.simulation.world.world import World


@separate
def find_islands(world: World[S, F, V], active: int) -> bool:
    """
    Write the islands that the active pairs make.

    Returns
    -------
    Whether there is room for their contacts and for the factor of each.
    """
    solver = world.solver
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        takes_part = block.body < 0 or world.bodies[block.body].is_active
        block.root = i
        block.island = i if takes_part else NO_ISLAND
    columns = 0
    for i in range(active):
        pair = world.candidates[world.active_pairs[i]]
        a = world.bodies[world.shapes[pair.shape_a].body]
        b = world.bodies[world.shapes[pair.shape_b].body]
        columns += MOST * (speeds_that_move(world, a) + speeds_that_move(world, b))
        join(solver, block_of(world, a), block_of(world, b))
    # Room for the anchors of now as well, which may be of pairs that are apart since.
    solver.row_room = max(MOST * active, world.anchor_count)
    solver.column_room = columns
    number_islands(solver)
    begin_large(solver)
    has_room = solver.neighbour_room == 0 or plan_large(world, active)
    write_profile(world, active)
    solver.factor_room = 0
    for i in range(solver.island_count):
        island = solver.islands[i]
        if not island.is_sparse:
            place_rows(solver, island)
        solver.factor_room = max(solver.factor_room, island.factor_size)
    has_room = has_room and solver.row_room <= len(solver.rows) and columns <= len(solver.columns)
    return has_room and solver.factor_room <= len(solver.factor)


@separate
def plan_large(world: World[S, F, V], active: int) -> bool:
    """Write order of elimination and panels of the large islands; return whether they fit."""
    solver = world.solver
    if solver.neighbour_room > len(solver.neighbours):
        return False
    for i in range(active):
        pair = world.candidates[world.active_pairs[i]]
        a = world.bodies[world.shapes[pair.shape_a].body]
        b = world.bodies[world.shapes[pair.shape_b].body]
        make_neighbours(solver, block_of(world, a), block_of(world, b))
    order_large(solver)
    if solver.member_room > len(solver.members):
        return False
    write_panels(solver)
    return True


def block_of(world: World[S, F, V], body: Body[F, V]) -> int:
    """Return the block of velocities that moves a body; NO_BLOCK if none does."""
    if body.kind == FLOATING:
        return body.state // world.space.STATE
    if body.kind == ARTICULATED and speeds_that_move(world, body) > 0:
        return world.groups[body.group].block
    return NO_BLOCK


def speeds_that_move(world: World[S, F, V], body: Body[F, V]) -> int:
    """Return how many velocities move a body, at most."""
    if body.kind == FLOATING:
        return 3 if world.space.IS_PLANAR else 6
    if body.kind == ARTICULATED:
        group = world.groups[body.group]
        return world.solver.chains[group.first_chain + body.link].count
    return 0


def root_of(solver: Solver, block: int) -> int:
    """Return the block that stands for those that a block is joined with."""
    at = block
    while solver.blocks[at].root != at:
        above = solver.blocks[at].root
        solver.blocks[at].root = solver.blocks[above].root
        at = above
    return at


def join(solver: Solver, block: int, other: int) -> None:
    """Join two blocks; the first of them stands for all."""
    if NO_BLOCK in (block, other):
        return
    a, b = root_of(solver, block), root_of(solver, other)
    solver.blocks[max(a, b)].root = min(a, b)


def number_islands(solver: Solver) -> None:
    """Write the islands with their blocks, in the order of their first blocks."""
    count = 0
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.island == NO_ISLAND:
            continue
        root = root_of(solver, i)  # the first of its blocks, which comes before all others
        if root == i:
            block.island = count
            solver.islands[count].block_count = 0
            solver.islands[count].place_count = 0
            count += 1
        block.island = solver.blocks[root].island
        solver.islands[block.island].block_count += 1
        solver.islands[block.island].place_count += block.count
    solver.island_count = count
    blocks, places = 0, 0
    for k in range(count):
        island = solver.islands[k]
        island.first_block = blocks
        island.first_place = places
        blocks += island.block_count
        places += island.place_count
        island.block_count = 0
        island.place_count = 0
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.island != NO_ISLAND:
            island = solver.islands[block.island]
            solver.block_order[island.first_block + island.block_count] = i
            block.place = island.first_place + island.place_count
            island.block_count += 1
            island.place_count += block.count


def order_rows(solver: Solver) -> None:
    """Write the contacts of each island, one island after the other."""
    placed = 0
    for i in range(solver.island_count):
        solver.islands[i].row_count = 0
    for k in range(solver.row_count):
        solver.islands[solver.blocks[solver.rows[k].block].island].row_count += 1
    for i in range(solver.island_count):
        island = solver.islands[i]
        island.first_row = placed
        placed += island.row_count
        island.row_count = 0
    for k in range(solver.row_count):
        island = solver.islands[solver.blocks[solver.rows[k].block].island]
        solver.row_order[island.first_row + island.row_count] = k
        island.row_count += 1


def write_profile(world: World[S, F, V], active: int) -> None:
    """Write the place of every velocity, and the first column of every row of the factor."""
    solver = world.solver
    first, place = solver.first, solver.place
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.island == NO_ISLAND:
            continue
        for k in range(block.start, block.start + block.count):
            place[k] = block.place + solver.elimination[k]
        if solver.islands[block.island].is_sparse:
            continue
        for k in range(block.count):
            first[block.place + k] = block.place + solver.profile[block.start + k]
    for i in range(active):
        pair = world.candidates[world.active_pairs[i]]
        a, b = world.shapes[pair.shape_a].body, world.shapes[pair.shape_b].body
        least = min(first_place(world, a), first_place(world, b))
        lower_profile(world, a, least)
        lower_profile(world, b, least)


def first_place(world: World[S, F, V], number: int) -> int:
    """Return the first place of the velocities that move a body."""
    solver, body = world.solver, world.bodies[number]
    least = len(solver.first)
    if body.kind == FLOATING:
        least = solver.blocks[body.state // world.space.STATE].place
    elif body.kind == ARTICULATED:
        group = world.groups[body.group]
        start, chain = (
            solver.blocks[group.block].start,
            solver.chains[group.first_chain + body.link],
        )
        for k in range(chain.first, chain.first + chain.count):
            speed = solver.joint_columns[solver.chain_columns[k]].speed
            least = min(least, solver.place[start + speed])
    return least


def lower_profile(world: World[S, F, V], number: int, least: int) -> None:
    """Let the rows of the velocities that move a body begin at a place, or before."""
    solver, body = world.solver, world.bodies[number]
    first = solver.first
    if body.kind == FLOATING:
        block = solver.blocks[body.state // world.space.STATE]
        for p in range(block.place, block.place + block.count):
            first[p] = min(first[p], least)
    elif body.kind == ARTICULATED:
        group = world.groups[body.group]
        start, chain = (
            solver.blocks[group.block].start,
            solver.chains[group.first_chain + body.link],
        )
        for k in range(chain.first, chain.first + chain.count):
            p = solver.place[start + solver.joint_columns[solver.chain_columns[k]].speed]
            first[p] = min(first[p], least)


def place_rows(solver: Solver, island: Island) -> None:
    """Write where the rows of the factor of an island are, and how many numbers it has."""
    size = 0
    for p in range(island.first_place, island.first_place + island.place_count):
        solver.row_at[p] = size - solver.first[p]
        size += p - solver.first[p] + 1
    island.factor_size = size
