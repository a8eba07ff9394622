"""The step of `auto`: order 1, and order 2 in impacts and motions, which order 1 would blur."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.simulation.step.candidates import NO_ROOM
from symcontact_ros.simulation.step.implicit.contact_rows import gather_contacts
from symcontact_ros.simulation.step.implicit.newton import relative
from symcontact_ros.simulation.step.implicit.order_one import (
    begin_implicit,
    end_implicit,
    finish_stage,
)
from symcontact_ros.simulation.step.implicit.order_two import note_rates, resolve
from symcontact_ros.simulation.step.implicit.stage import write_starts
from symcontact_ros.simulation.world.world import World

MOVING = 2e-3  # [rad or m] in a step
BOUNCING = 0.05  # [m/s]: from a slower impact nothing rises by more than 0.13 mm


def mixed(world: World[S, F, V]) -> bool:
    """Make a step of `implicit`, or of `implicit2` in an impact or a fast motion of joints."""
    h = world.step_size
    active = begin_implicit(world)
    if active == NO_ROOM:
        return False
    gather_contacts(world, active)
    write_starts(world)
    if is_impacting(world, h) or is_moving(world, h):
        resolve(world, active, h)
    else:
        finish_stage(world, h)
        note_rates(world, world.solver.start, h)
    end_implicit(world, h)
    return True


def is_moving(world: World[S, F, V], h: float) -> bool:
    """Return whether a group moves so fast that curved paths matter, which order 1 ignores."""
    solver = world.solver
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.body < 0:
            for k in range(block.start, block.start + block.count):
                if h * abs(solver.start[k]) > MOVING:
                    return True
    return False


def is_impacting(world: World[S, F, V], h: float) -> bool:
    """Return whether a contact that touches in this step closes or opens fast."""
    solver = world.solver
    for i in range(solver.row_count):
        row = solver.rows[i]
        v_n = relative(solver, row, solver.start)[0]
        if abs(v_n) > BOUNCING and row.depth > min(0.0, h * v_n):
            return True
    return False
