"""Islands: velocities that contacts join in this step, and the profile of their factor."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.world.solver_records import Island, NO_ISLAND, Solver
from symcontact_ros.simulation.world.world import World


@separate
def find_islands(world: World[S, F, V]) -> bool:
    """Write the islands of this step; return whether there is room for the factor of each."""
    solver = world.solver
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        takes_part = block.body < 0 or world.bodies[block.body].is_active
        block.root = i
        block.island = i if takes_part else NO_ISLAND
    for i in range(solver.row_count):
        join_contact(solver, i)
    number_islands(solver)
    order_rows(solver)
    solver.room = 0
    for i in range(solver.island_count):
        solver.room = max(solver.room, write_profile(solver, solver.islands[i]))
    return solver.room <= len(solver.factor)


def root_of(solver: Solver, block: int) -> int:
    """Return the block that stands for those that a block is joined with."""
    at = block
    while solver.blocks[at].root != at:
        above = solver.blocks[at].root
        solver.blocks[at].root = solver.blocks[above].root
        at = above
    return at


def join_contact(solver: Solver, number: int) -> None:
    """Join the blocks that a contact acts on."""
    row = solver.rows[number]
    if row.column_count == 0:
        return
    own = root_of(solver, row.block)
    other = root_of(solver, row.other_block)
    if own < other:
        solver.blocks[other].root = own
    else:
        solver.blocks[own].root = other


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
        row = solver.rows[k]
        if row.column_count > 0:
            solver.islands[solver.blocks[row.block].island].row_count += 1
    for i in range(solver.island_count):
        island = solver.islands[i]
        island.first_row = placed
        placed += island.row_count
        island.row_count = 0
    for k in range(solver.row_count):
        row = solver.rows[k]
        if row.column_count > 0:
            island = solver.islands[solver.blocks[row.block].island]
            solver.row_order[island.first_row + island.row_count] = k
            island.row_count += 1


def write_profile(solver: Solver, island: Island) -> int:
    """Write where the rows of the factor of an island begin; return how many numbers it has."""
    first, place = solver.first, solver.place
    for b in range(island.first_block, island.first_block + island.block_count):
        block = solver.blocks[solver.block_order[b]]
        for i in range(block.start, block.start + block.count):
            place[i] = block.place + solver.elimination[i]
        for k in range(block.count):
            first[block.place + k] = block.place + solver.profile[block.start + k]
    for r in range(island.first_row, island.first_row + island.row_count):
        row = solver.rows[solver.row_order[r]]
        columns = solver.columns[row.first_column : row.first_column + row.column_count]
        least = place[columns[0].velocity]
        for k in range(1, row.column_count):
            least = min(least, place[columns[k].velocity])
        for k in range(row.column_count):
            at = place[columns[k].velocity]
            first[at] = min(first[at], least)
    size = 0
    for p in range(island.first_place, island.first_place + island.place_count):
        solver.row_at[p] = size - first[p]
        size += p - first[p] + 1
    return size
