"""Expressions of named steps, as ``sympy.cse`` gives them: expansion and pruning."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy as sm

from symcontact_ros.errors import SymcontactError

LARGEST_EXPANSION = 20_000  # operations of a matrix written out in full
LARGEST_TEXTBOOK = 1_500  # operations up to which trigonometric identities are applied

Assignments = list[tuple[sm.Symbol, sm.Expr]]


class TooLargeError(SymcontactError):
    """Equations too large to be written out; the text names an alternative."""


def textbook(entry: sm.Expr) -> sm.Expr:
    """Return an entry simplified by trigonometric identities."""
    return sm.trigsimp(sm.expand(entry))


def expanded(
    matrix: sm.Matrix,
    assignments: Sequence[tuple[sm.Symbol, sm.Expr]],
    what: str,
    way_out: str,
    simplified: Callable[[sm.Expr], sm.Expr] = textbook,
) -> sm.Matrix:
    """Return a matrix without names; TooLargeError where it would have too many operations."""
    total = written_size(matrix, assignments)
    if total > LARGEST_EXPANSION:
        raise TooLargeError(f'{what} written out has about {total:.0g} operations; use {way_out}')
    values: dict[sm.Symbol, sm.Expr] = {}
    for symbol, value in assignments:
        values[symbol] = value.xreplace(values)
    full = matrix.xreplace(values)
    return full.applyfunc(simplified) if total <= LARGEST_TEXTBOOK else full


def written_size(matrix: sm.Matrix, assignments: Sequence[tuple[sm.Symbol, sm.Expr]]) -> float:
    """Return about how many operations the named steps of a matrix have when written out."""
    size: dict[sm.Symbol, float] = {}
    for symbol, value in assignments:
        size[symbol] = value.count_ops() + sum(size.get(s, 0) for s in value.free_symbols)
    return sum(size.get(s, 0) for entry in matrix for s in entry.free_symbols)


def needed(assignments: Assignments, results: Sequence[sm.Expr | sm.Matrix]) -> Assignments:
    """Return the assignments that results depend on."""
    live = {symbol for result in results for symbol in result.free_symbols}
    found = []
    for symbol, value in reversed(assignments):
        if symbol in live:
            found.append((symbol, value))
            live |= value.free_symbols
    return found[::-1]
