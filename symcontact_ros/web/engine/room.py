"""
Kernels that give blocks of a world more room, in a browser.

A block that is too small gets new memory behind all others; its old memory is left. Results are
those of `WorldMemory.make_room` and `grow_solver`.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Ints
from symcontact_ros.kernels.records import layout_of
from symcontact_ros.simulation.observing.inspection_kernel import InspectionRecord
from symcontact_ros.simulation.world.solver_records import Solver
from symcontact_ros.simulation.world.world import PlanarWorld, World
from symcontact_ros.simulation.world.world_records import ALWAYS_QUERY, Anchor, CandidatePair
from symcontact_ros.web.engine.records import Engine, NO_MEMORY

_WORLD = layout_of(PlanarWorld).fields  # blocks are at the same places in space
FOUND, CANDIDATES, ACTIVE_PAIRS, ANCHORS, NEW_ANCHORS, SOLVERS = (
    _WORLD[name].offset
    for name in ('found', 'candidates', 'active_pairs', 'anchors', 'new_anchors', 'solvers')
)
KEPT_ANCHORS = layout_of(Engine).fields['kept_anchors'].offset
_SEEN = layout_of(InspectionRecord).fields
SEEN_FOUND, SEEN_CANDIDATES, SEEN_RECORDS = (
    _SEEN[name].offset for name in ('found', 'candidates', 'records')
)
_SOLVER = layout_of(Solver).fields


def _block(name: str) -> tuple[int, int]:
    """Return where a block of the solver is referred to, and the slots of a member."""
    member = _SOLVER[name].kind.member
    return _SOLVER[name].offset, 1 if member in (float, int) else layout_of(member).slots


ROWS, ROW_ORDER, ROW_ANCHORS, COLUMNS, FACTOR, NEIGHBOURS, MEMBERS = (
    _block(name)
    for name in ('rows', 'row_order', 'anchors', 'columns', 'factor', 'neighbours', 'members')
)
INFINITE = math.inf
CANDIDATE = layout_of(CandidatePair).slots
ANCHOR = layout_of(Anchor).slots
RECORD = layout_of(_SEEN['records'].kind.member).slots


def has_memory(engine: Engine, slots: int) -> bool:
    """Return whether there is so much free memory; write how much is lacking."""
    lacking = engine.free + slots - engine.end
    if lacking > 0:
        engine.status = NO_MEMORY
        engine.needed = lacking
        return False
    return True


def place_block(
    memory: Ints, engine: Engine, owner: int, field: int, count: int, width: int
) -> None:
    """Give a block of the record at a slot new memory, all zero."""
    start = engine.free
    for i in range(start, start + count * width):
        memory[i] = 0
    memory[owner + field] = start - owner
    memory[owner + field + 1] = count
    engine.free = start + count * width


def forget(world: World[S, F, V]) -> None:
    """Forget the results of earlier queries: see `WorldMemory.forget`."""
    for i in range(len(world.pair_memory)):
        pair = world.pair_memory[i]
        pair.clear_until = ALWAYS_QUERY
        pair.feature = -1
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        body.travelled = 0.0
        body.reachable = 0.0
        body.is_active = False
    clear_warm_starts(world)
    world.drift = INFINITE
    world.guard.has_start = False


def clear_warm_starts(world: World[S, F, V]) -> None:
    """Forget all warm starts."""
    for i in range(len(world.warm_starts)):
        warm = world.warm_starts[i]
        warm.program = 0
        warm.count = 0
        for k in range(len(warm.vertices_a)):
            warm.vertices_a[k] = 0
            warm.vertices_b[k] = 0


def lacks_candidates(world: World[S, F, V]) -> bool:
    """Return whether there are more candidate pairs than there is room for."""
    return world.candidate_count > len(world.candidates)


def lacks_anchors(world: World[S, F, V]) -> bool:
    """Return whether the active pairs may have more anchors than there is room for."""
    return world.sticks and MOST * world.active_count > len(world.new_anchors)


@separate
def make_room(memory: Ints, world: World[S, F, V], engine: Engine) -> bool:
    """Have more room, where the last step was not made for lack of it; return whether it was."""
    if lacks_candidates(world):
        count = 2 * world.candidate_count
        if not has_memory(engine, count * (2 + CANDIDATE)):
            return False
        place_block(memory, engine, 0, FOUND, count, 1)
        place_block(memory, engine, 0, CANDIDATES, count, CANDIDATE)
        place_block(memory, engine, 0, ACTIVE_PAIRS, count, 1)
        forget(world)
        return True
    if lacks_anchors(world):
        return make_anchor_room(memory, world, engine)
    if engine.is_implicit:
        return grow_solver(memory, world, engine)
    return False


def make_anchor_room(memory: Ints, world: World[S, F, V], engine: Engine) -> bool:
    """Have room for twice the anchors of the active pairs; those that are there stay."""
    count = 2 * MOST * world.active_count
    if not has_memory(engine, 3 * count * ANCHOR):
        return False
    old = memory[ANCHORS]
    place_block(memory, engine, 0, ANCHORS, count, ANCHOR)
    for i in range(world.anchor_count * ANCHOR):
        memory[memory[ANCHORS] + i] = memory[old + i]
    place_block(memory, engine, 0, NEW_ANCHORS, count, ANCHOR)
    old = engine.record + memory[engine.record + KEPT_ANCHORS]
    place_block(memory, engine, engine.record, KEPT_ANCHORS, count, ANCHOR)
    new = engine.record + memory[engine.record + KEPT_ANCHORS]
    for i in range(engine.anchors_before * ANCHOR):
        memory[new + i] = memory[old + i]
    return True


def grow_solver(memory: Ints, world: World[S, F, V], engine: Engine) -> bool:
    """Have room for what the last implicit step needed, and for more; its blocks are empty."""
    solver = world.solver
    rows, columns, factor = len(solver.rows), len(solver.columns), len(solver.factor)
    neighbours, members = len(solver.neighbours), len(solver.members)
    if (
        solver.row_room <= rows
        and solver.column_room <= columns
        and solver.factor_room <= factor
        and solver.neighbour_room <= neighbours
        and solver.member_room <= members
    ):
        return False
    rows = max(2 * solver.row_room, rows)
    columns = max(2 * solver.column_room, columns)
    factor = max(2 * solver.factor_room, factor)
    neighbours = max(2 * solver.neighbour_room, neighbours)
    members = max(2 * solver.member_room, members)
    slots = rows * (ROWS[1] + ROW_ORDER[1] + ROW_ANCHORS[1]) + columns * COLUMNS[1]
    slots += factor * FACTOR[1] + neighbours * NEIGHBOURS[1] + members * MEMBERS[1]
    if not has_memory(engine, slots):
        return False
    owner = memory[SOLVERS]
    for (field, width), count in (
        (ROWS, rows),
        (ROW_ORDER, rows),
        (ROW_ANCHORS, rows),
        (COLUMNS, columns),
        (FACTOR, factor),
        (NEIGHBOURS, neighbours),
        (MEMBERS, members),
    ):
        place_block(memory, engine, owner, field, count, width)
    for i in range(len(solver.column_of)):
        solver.column_of[i] = -1
    return True


def make_seen_room(memory: Ints, engine: Engine, inspection: InspectionRecord) -> bool:
    """Have room for twice the pairs that an inspection found."""
    count = 2 * inspection.count
    if not has_memory(engine, count * (1 + CANDIDATE + RECORD)):
        return False
    owner = engine.inspection
    place_block(memory, engine, owner, SEEN_FOUND, count, 1)
    place_block(memory, engine, owner, SEEN_CANDIDATES, count, CANDIDATE)
    place_block(memory, engine, owner, SEEN_RECORDS, count, RECORD)
    return True
