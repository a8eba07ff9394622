"""Factor of the Hessian of an island: Cholesky's, row by row within its profile."""

from __future__ import annotations

import math

from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.simulation.world.solver_records import Island, Solver


def entry_at(row_at: Ints, p: int, q: int) -> int:
    """
    Return where the entry of two places is in the factor.

    In that of a large island, an entry of different blocks is further on by a shift: the rows of a
    panel have no room for the blocks that it is not coupled with.
    """
    return row_at[max(p, q)] + min(p, q)


def dot_product(a: Floats, b: Floats, count: int) -> float:
    """Return a scalar product, in four sums: each waits for itself alone."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    k = 0
    while k + 3 < count:
        first += a[k] * b[k]
        second += a[k + 1] * b[k + 1]
        third += a[k + 2] * b[k + 2]
        fourth += a[k + 3] * b[k + 3]
        k += 4
    while k < count:
        first += a[k] * b[k]
        k += 1
    return (first + second) + (third + fourth)


@separate
def factorise(solver: Solver, island: Island) -> bool:
    """
    Write the factor in place; return whether the matrix is positive definite.

    The diagonal is stored inverted.
    """
    factor, first, row_at = solver.factor, solver.first, solver.row_at
    for p in range(island.first_place, island.first_place + island.place_count):
        begin, row = first[p], row_at[p]
        for c in range(begin, p):
            start = max(begin, first[c])
            other = row_at[c]
            taken = dot_product(factor[row + start :], factor[other + start :], c - start)
            factor[row + c] = (factor[row + c] - taken) * factor[other + c]
        own = factor[row + begin :]
        rest = factor[row + p] - dot_product(own, own, p - begin)
        if not rest > 0.0:
            return False
        factor[row + p] = 1.0 / math.sqrt(rest)
    return True


def solve(solver: Solver, island: Island, x: Floats) -> None:
    """Solve in place for a right side that is given by place."""
    factor, first, row_at = solver.factor, solver.first, solver.row_at
    begin, end = island.first_place, island.first_place + island.place_count
    for p in range(begin, end):
        start = first[p]
        taken = dot_product(factor[row_at[p] + start :], x[start:], p - start)
        x[p] = (x[p] - taken) * factor[row_at[p] + p]
    for back in range(end - begin):
        p = end - 1 - back
        row = row_at[p]
        value = x[p] * factor[row + p]
        x[p] = value
        for k in range(first[p], p):
            x[k] -= factor[row + k] * value
