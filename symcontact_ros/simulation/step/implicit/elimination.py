"""
Large islands: the order in which their blocks are eliminated, and the panels of their factor.

The next to be eliminated is a block with the fewest neighbours. Its elimination makes all of these
neighbours of each other: sets of bits, which are joined. Those that have no other neighbours then
can follow at once, and are one panel with it. The first that is eliminated has the last place.
"""

from __future__ import annotations

from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Ints
from symcontact_ros.simulation.world.solver_records import Island, NO_BLOCK, Panel, Solver

BITS = 60  # blocks in a number of a set: less than 63, so that nothing overflows
ELIMINATED = 1 << 62  # as a number of neighbours
FIRST_OF_2, FIRST_OF_4 = 0x555555555555555, 0x333333333333333
FIRST_OF_8 = 0xF0F0F0F0F0F0F0F


# Sets of blocks ---------------------------------------------------------------------------------


def words_of(island: Island) -> int:
    """Return how many numbers a set of blocks of an island has."""
    return (island.block_count + BITS - 1) // BITS


def count_bits(word: int) -> int:
    """Return how many bits are set: sums of neighbouring bits, of pairs of them and so on."""
    n = word - ((word >> 1) & FIRST_OF_2)
    n = (n & FIRST_OF_4) + ((n >> 2) & FIRST_OF_4)
    n = (n + (n >> 4)) & FIRST_OF_8
    n += n >> 8
    n += n >> 16
    n += n >> 32
    return n & 127


def lowest(word: int) -> int:
    """Return the number of the lowest bit that is set; there is one."""
    return count_bits((word & -word) - 1)


def holds(sets: Ints, at: int, number: int) -> bool:
    """Return whether a block of an island is in the set that starts somewhere."""
    return (sets[at + number // BITS] >> (number % BITS)) & 1 == 1


def insert(sets: Ints, at: int, number: int) -> None:
    """Add a block of an island to a set."""
    sets[at + number // BITS] |= 1 << (number % BITS)


def remove(sets: Ints, at: int, number: int) -> None:
    """Take a block of an island out of a set that it is in."""
    sets[at + number // BITS] ^= 1 << (number % BITS)


# Neighbours -------------------------------------------------------------------------------------


def begin_large(solver: Solver) -> None:
    """Find the large islands and the room for their sets; number their blocks."""
    solver.neighbour_room = 0
    solver.member_room = 0
    solver.panel_count = 0
    for k in range(solver.island_count):
        island = solver.islands[k]
        island.is_sparse = is_large(solver, island)
        if not island.is_sparse:
            continue
        island.factor_size = 0
        island.first_word = solver.neighbour_room
        solver.neighbour_room += (island.block_count + 1) * words_of(island)
        for i in range(island.block_count):
            solver.blocks[solver.block_order[island.first_block + i]].number = i
            solver.degrees[island.first_block + i] = 0
    if solver.neighbour_room <= len(solver.neighbours):
        for i in range(solver.neighbour_room):
            solver.neighbours[i] = 0


def is_large(solver: Solver, island: Island) -> bool:
    """
    Return whether an island gets a sparse factor.

    Not if one block has most of the velocities: within a block the factor has no zeros, while the
    profile has those of the branches of a group.
    """
    if island.place_count < solver.sparse_from:
        return False
    largest = 0
    for i in range(island.first_block, island.first_block + island.block_count):
        largest = max(largest, solver.blocks[solver.block_order[i]].count)
    return 2 * largest <= island.place_count


def make_neighbours(solver: Solver, block: int, other: int) -> None:
    """Make two blocks neighbours if they are in a large island."""
    if block == other or NO_BLOCK in (block, other):
        return
    a, b = solver.blocks[block], solver.blocks[other]
    island = solver.islands[a.island]
    if not island.is_sparse:
        return
    words = words_of(island)
    at = island.first_word + a.number * words
    if holds(solver.neighbours, at, b.number):
        return
    insert(solver.neighbours, at, b.number)
    insert(solver.neighbours, island.first_word + b.number * words, a.number)
    solver.degrees[island.first_block + a.number] += 1
    solver.degrees[island.first_block + b.number] += 1


# Order ------------------------------------------------------------------------------------------


@separate
def order_large(solver: Solver) -> None:
    """Write the order of elimination of all large islands, and which blocks are a panel."""
    for k in range(solver.island_count):
        island = solver.islands[k]
        if not island.is_sparse:
            continue
        island.first_panel = solver.panel_count
        done = 0
        while done < island.block_count:
            done += eliminate(solver, island, fewest_neighbours(solver, island), done)
        island.panel_count = solver.panel_count - island.first_panel


def fewest_neighbours(solver: Solver, island: Island) -> int:
    """Return the first block of an island with the fewest neighbours of those that are left."""
    degrees = solver.degrees[island.first_block :]
    found = 0
    for i in range(1, island.block_count):
        if degrees[i] < degrees[found]:
            found = i
    return found


def eliminate(solver: Solver, island: Island, number: int, done: int) -> int:
    """Eliminate a block, and those that can follow at once; return how many there are."""
    neighbours, degrees = solver.neighbours, solver.degrees[island.first_block :]
    words = words_of(island)
    own = island.first_word + number * words
    following = island.first_word + island.block_count * words  # the set of those
    for w in range(words):
        neighbours[following + w] = 0
    degree, count = degrees[number], 1
    take(solver, island, number, done)
    for w in range(words):
        left = neighbours[own + w]
        while left != 0:
            other = BITS * w + lowest(left)
            left &= left - 1
            at = island.first_word + other * words
            degrees[other] = unite(neighbours, own, at, words) - 2
            remove(neighbours, at, number)
            remove(neighbours, at, other)
            if degrees[other] == degree - 1:
                take(solver, island, other, done + count)
                insert(neighbours, following, other)
                count += 1
    if count > 1:
        take_out(solver, island, own, following)
    panel = solver.panels[solver.panel_count]
    panel.word = own
    panel.first_block = island.first_block + done
    panel.block_count = count
    panel.first_member = solver.member_room
    panel.member_count = degree + 1 - count
    solver.panel_count += 1
    solver.member_room += panel.member_count
    return count


def take(solver: Solver, island: Island, number: int, done: int) -> None:
    """Make a block the next in the order of elimination."""
    block = solver.block_order[island.first_block + number]
    solver.blocks[block].panel = solver.panel_count
    solver.sequence[island.first_block + done] = block
    solver.degrees[island.first_block + number] = ELIMINATED


def unite(sets: Ints, one: int, other: int, words: int) -> int:
    """Add all of one set to another one; return how many blocks that has then."""
    count = 0
    for w in range(words):
        word = sets[one + w] | sets[other + w]
        sets[other + w] = word
        count += count_bits(word)
    return count


def take_out(solver: Solver, island: Island, own: int, following: int) -> None:
    """Take the blocks that follow at once out of the set of a block and of its neighbours."""
    neighbours, words = solver.neighbours, words_of(island)
    count = 0
    for w in range(words):
        neighbours[own + w] &= ~neighbours[following + w]
        count += count_bits(neighbours[following + w])
    for w in range(words):
        left = neighbours[own + w]
        while left != 0:
            other = BITS * w + lowest(left)
            left &= left - 1
            at = island.first_word + other * words
            for v in range(words):
                neighbours[at + v] &= ~neighbours[following + v]
            solver.degrees[island.first_block + other] -= count


# Panels -----------------------------------------------------------------------------------------


@separate
def write_panels(solver: Solver) -> None:
    """Write the places of the blocks of large islands, and their panels with their members."""
    for k in range(solver.island_count):
        island = solver.islands[k]
        if island.is_sparse:
            place_blocks(solver, island)
            size = 0
            for i in range(island.first_panel, island.first_panel + island.panel_count):
                size = write_panel(solver, island, solver.panels[i], size)
            island.factor_size = size


def place_blocks(solver: Solver, island: Island) -> None:
    """Let the last place be eliminated first, and list the blocks by their places."""
    place = island.first_place + island.place_count
    last = island.first_block + island.block_count - 1
    for i in range(island.block_count):
        number = solver.sequence[island.first_block + i]
        block = solver.blocks[number]
        place -= block.count
        block.place = place
        solver.block_order[last - i] = number


def write_panel(solver: Solver, island: Island, panel: Panel, at: int) -> int:
    """Write where rows and members of a panel are; return where the next one starts."""
    last = solver.sequence[panel.first_block + panel.block_count - 1]
    panel.first_place = solver.blocks[last].place
    panel.width = 0
    for i in range(panel.first_block, panel.first_block + panel.block_count):
        panel.width += solver.blocks[solver.sequence[i]].count
    start, found, k = 0, 0, island.first_block
    while found < panel.member_count:
        block = solver.blocks[solver.block_order[k]]
        if holds(solver.neighbours, panel.word, block.number):
            member = solver.members[panel.first_member + found]
            member.block = solver.block_order[k]
            member.shift = start - block.place
            start += block.count
            found += 1
        k += 1
    panel.start = at
    panel.length = start + panel.width
    for i in range(panel.first_member, panel.first_member + panel.member_count):
        solver.members[i].shift += panel.first_place - start
    for i in range(panel.width):
        row = at + i * panel.length
        solver.row_at[panel.first_place + i] = row + start - panel.first_place
    return at + panel.width * panel.length


def shift_between(solver: Solver, block: int, other: int) -> int:
    """Return by how much the entries of two blocks are shifted in the factor."""
    if block == other or NO_BLOCK in (block, other):
        return 0
    a, b = solver.blocks[block], solver.blocks[other]
    if not solver.islands[a.island].is_sparse or a.panel == b.panel:
        return 0
    panel = solver.panels[min(a.panel, b.panel)]
    earlier = block if a.place < b.place else other
    for i in range(panel.first_member, panel.first_member + panel.member_count):
        if solver.members[i].block == earlier:
            return solver.members[i].shift
    return 0
