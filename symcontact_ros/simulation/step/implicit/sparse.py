r"""
Factor of the Hessian of a large island: :math:`H = L^T L`, panel by panel.

The last place is eliminated first, so that the numbers of a row that are not zero are neighbours
in memory: those of the blocks that its panel is coupled with, and its own.
"""

from __future__ import annotations

import math

from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.simulation.step.implicit.factor import dot_product
from symcontact_ros.simulation.world.solver_records import Island, Panel, Solver


@separate
def factorise(solver: Solver, island: Island) -> bool:
    """
    Write the factor in place; return whether the matrix is positive definite.

    The diagonal is stored inverted.
    """
    for k in range(island.first_panel, island.first_panel + island.panel_count):
        panel = solver.panels[k]
        if not factorise_panel(solver, panel):
            return False
        update_members(solver, panel)
    return True


@separate
def sum_rows(out: Floats, rows: Floats, length: int, count: int, column: int, size: int) -> None:
    """Write the start of the sum of rows of a length, each times its number in a column."""
    for i in range(size):
        out[i] = 0.0
    k = 0
    while k + 2 < count:  # three at once: bodies have 3 or 6 velocities
        a, b, c = rows[k * length :], rows[(k + 1) * length :], rows[(k + 2) * length :]
        by_a, by_b, by_c = a[column], b[column], c[column]
        for i in range(size):
            out[i] += (by_a * a[i] + by_b * b[i]) + by_c * c[i]
        k += 3
    while k < count:
        a = rows[k * length :]
        by_a = a[column]
        for i in range(size):
            out[i] += by_a * a[i]
        k += 1


def factorise_panel(solver: Solver, panel: Panel) -> bool:
    """Eliminate the velocities of a panel from each other; return whether they can be."""
    factor, part = solver.factor, solver.part
    length, inner = panel.length, panel.length - panel.width
    for done in range(panel.width):
        i = panel.width - 1 - done
        at, own = panel.start + i * length, inner + i
        row = factor[at:]
        if done > 0:
            sum_rows(part, factor[at + length :], length, done, own, own + 1)
            for k in range(own + 1):
                row[k] -= part[k]
        if not row[own] > 0.0:
            return False
        inverse = 1.0 / math.sqrt(row[own])
        row[own] = inverse
        for k in range(own):
            row[k] *= inverse
    return True


def update_members(solver: Solver, panel: Panel) -> None:
    """Subtract what the elimination of a panel takes from all that it is coupled with."""
    factor, part = solver.factor, solver.part
    rows = factor[panel.start :]
    target, runs, start = -1, 0, 0
    for m in range(panel.first_member, panel.first_member + panel.member_count):
        block = solver.blocks[solver.members[m].block]
        if block.panel != target:
            target = block.panel
            runs = find_runs(solver, panel, target, m)
        else:
            runs = add_run(solver, runs, start, block.count, block.place - start)
        end = start + block.count
        for i in range(block.count):
            sum_rows(part, rows, panel.length, panel.width, start + i, end)
            row = solver.row_at[block.place + i]
            for r in range(runs):
                run = solver.runs[r]
                out = factor[row + run.shift :]
                for k in range(run.start, run.end):
                    out[k] -= part[k]
        start = end


def find_runs(solver: Solver, panel: Panel, target: int, last: int) -> int:
    """Find where the members of a panel up to one are in the rows of another panel."""
    other = solver.panels[target]
    for m in range(other.first_member, other.first_member + other.member_count):
        solver.shifts[solver.members[m].block] = solver.members[m].shift
    runs, start = 0, 0
    for m in range(panel.first_member, last + 1):
        number = solver.members[m].block
        block = solver.blocks[number]
        shift = 0 if block.panel == target else solver.shifts[number]
        runs = add_run(solver, runs, start, block.count, block.place + shift - start)
        start += block.count
    return runs


def add_run(solver: Solver, runs: int, start: int, count: int, shift: int) -> int:
    """Add numbers to the last run if they continue it, or as a new one; return how many."""
    if runs > 0 and solver.runs[runs - 1].shift == shift:
        solver.runs[runs - 1].end = start + count
        return runs
    run = solver.runs[runs]
    run.start = start
    run.end = start + count
    run.shift = shift
    return runs + 1


# Solving ----------------------------------------------------------------------------------------


@separate
def solve(solver: Solver, island: Island, x: Floats) -> None:
    """Solve in place for a right side that is given by place."""
    for k in range(island.panel_count):
        solve_down(solver, solver.panels[island.first_panel + k], x)
    for k in range(island.panel_count):
        last = island.first_panel + island.panel_count - 1
        solve_up(solver, solver.panels[last - k], x)


def solve_down(solver: Solver, panel: Panel, x: Floats) -> None:
    """Divide by the transposed rows of a panel, last row first."""
    inner, own, part = panel.length - panel.width, x[panel.first_place :], solver.part
    for k in range(inner):
        part[k] = 0.0
    for done in range(panel.width):
        i = panel.width - 1 - done
        row = solver.factor[panel.start + i * panel.length :]
        value = own[i] * row[inner + i]
        own[i] = value
        for k in range(inner):
            part[k] += value * row[k]
        for k in range(i):
            own[k] -= value * row[inner + k]
    start = 0
    for m in range(panel.first_member, panel.first_member + panel.member_count):
        block = solver.blocks[solver.members[m].block]
        for k in range(block.count):
            x[block.place + k] -= part[start + k]
        start += block.count


def solve_up(solver: Solver, panel: Panel, x: Floats) -> None:
    """Divide by the rows of a panel, first row first."""
    inner, own, part = panel.length - panel.width, x[panel.first_place :], solver.part
    start = 0
    for m in range(panel.first_member, panel.first_member + panel.member_count):
        block = solver.blocks[solver.members[m].block]
        for k in range(block.count):
            part[start + k] = x[block.place + k]
        start += block.count
    for i in range(panel.width):
        row = solver.factor[panel.start + i * panel.length :]
        taken = dot_product(row, part, inner) + dot_product(row[inner:], own, i)
        own[i] = (own[i] - taken) * row[inner + i]
