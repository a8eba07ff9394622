"""Solvers of conic programs: ECOS called directly, and CVXPY with a problem for each kind."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple
import warnings

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.convex_programs.cones import Conic

Array = NDArray[np.float64]

# With less, ECOS gives up now and then; a normal is exact to the square root of it.
TOLERANCE = 1e-10


class Solution(NamedTuple):
    """Result of a solver."""

    x: Array
    duals: Array  # of the rows of G


def solve_with_ecos(program: Conic) -> Solution | None:
    """Return the optimum, None if ECOS does not find it."""
    import ecos  # type: ignore[import-untyped]
    from scipy.sparse import csc_matrix

    g, h, a, b = program.matrices()
    linear, cones = program.cone_sizes
    equalities = (csc_matrix(a), b) if len(b) else ()
    found = ecos.solve(
        program.cost,
        csc_matrix(g),
        h,
        {'l': linear, 'q': cones, 'e': 0},
        *equalities,
        verbose=False,
        feastol=TOLERANCE,
        abstol=TOLERANCE,
        reltol=TOLERANCE,
    )
    if found['info']['exitFlag'] != 0:
        return None
    return Solution(found['x'], found['z'])


def solve_with_cvxpy(program: Conic) -> Solution | None:
    """Return the optimum, None if ECOS does not find it; through CVXPY."""
    g, h, a, b = program.matrices()
    linear, cones = program.cone_sizes
    problem = _problem(program.size, linear, tuple(cones), len(b))
    return problem.solve(g, h, a, b)


class Problem:
    """A conic program of one kind, whose numbers are parameters: built once, solved often."""

    def __init__(self, size: int, linear: int, cones: tuple[int, ...], equal: int) -> None:
        import cvxpy as cp

        x = cp.Variable(size)
        rows = linear + sum(cones)
        self._parameters: list[Any] = [
            cp.Parameter((rows, size)),
            cp.Parameter(rows),
            cp.Parameter((max(equal, 1), size)),
            cp.Parameter(max(equal, 1)),
        ]
        g, h, a, b = self._parameters
        rest = h - g @ x
        self._constraints: list[Any] = [rest[:linear] >= 0.0] if linear else []
        start = linear
        for length in cones:
            self._constraints.append(cp.SOC(rest[start], rest[start + 1 : start + length]))
            start += length
        equalities = [a @ x == b] if equal else []
        self._x = x
        self._problem = cp.Problem(cp.Minimize(x[0]), self._constraints + equalities)

    def solve(self, *values: Array) -> Solution | None:
        """Return the optimum for G, h, A and b; None if there is none found."""
        import cvxpy as cp

        for parameter, value in zip(self._parameters, values, strict=True):
            if len(value):
                parameter.value = value
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')  # what is not optimal is not taken
            try:
                self._problem.solve(  # type: ignore[no-untyped-call]
                    solver=cp.ECOS, feastol=TOLERANCE, abstol=TOLERANCE, reltol=TOLERANCE
                )
            except cp.SolverError:
                return None
        if self._problem.status != cp.OPTIMAL:
            return None
        duals = [
            np.hstack([np.ravel(part) for part in constraint.dual_value])
            if isinstance(constraint, cp.SOC)
            else constraint.dual_value
            for constraint in self._constraints
        ]
        return Solution(np.asarray(self._x.value), np.concatenate(duals))


@lru_cache(maxsize=256)
def _problem(size: int, linear: int, cones: tuple[int, ...], equal: int) -> Problem:
    return Problem(size, linear, cones, equal)


SOLVERS = {'ecos': solve_with_ecos, 'cvxpy': solve_with_cvxpy}
