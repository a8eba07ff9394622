"""Recorder of SymPy expressions: every intermediate result is named once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key
from typing import Any

import sympy as sm

Vector = list[sm.Expr]
Matrix = list[list[sm.Expr]]

ZERO, ONE, TWO, MINUS = (sm.Integer(i) for i in (0, 1, 2, -1))


class Recorder:
    """
    Names for compound scalars, one each; results are short expressions of names.

    Without names an expression of a robot arm has a million terms; with them two thousand. SymPy
    folds the zeros and ones of the structure away as the expressions are formed.
    """

    def __init__(self) -> None:
        self.assignments: list[tuple[sm.Symbol, sm.Expr]] = []
        self._names: dict[sm.Expr, sm.Symbol] = {}

    def name(self, expression: sm.Expr) -> sm.Expr:
        """Return a symbol for an expression; numbers, symbols and their negatives stay."""
        arguments = expression.args
        if not arguments:
            return expression
        if len(arguments) == 2 and arguments[0] is MINUS and not arguments[1].args:
            return expression
        known = self._names.get(expression)
        if known is None:
            known = sm.Symbol(f'z{len(self.assignments)}')
            self._names[expression] = known
            self.assignments.append((known, expression))
        return known

    def call(self, symbol: sm.Symbol, expression: sm.Expr) -> sm.Symbol:
        """Return a symbol of the caller's, which stands for an expression from now on."""
        meant = next((own for name, own in self.assignments if name == expression), expression)
        self._names[meant] = symbol
        self.assignments.append((symbol, expression))
        return symbol

    def dot(self, a: Sequence[sm.Expr], b: Sequence[sm.Expr]) -> sm.Expr:
        """Return the scalar product."""
        return self.name(total([product(x, y) for x, y in zip(a, b, strict=True)]))

    def add(self, *vectors: Sequence[sm.Expr]) -> Vector:
        """Return the sum of vectors."""
        return [self.name(total(components)) for components in zip(*vectors, strict=True)]

    def scale(self, factor: sm.Expr, vector: Sequence[sm.Expr]) -> Vector:
        """Return a multiple of a vector."""
        return [self.name(product(factor, component)) for component in vector]

    def cross(self, a: Sequence[sm.Expr], b: Sequence[sm.Expr]) -> Vector:
        """Return the vector product."""
        return [
            self.name(total([product(a[i], b[j]), minus(product(a[j], b[i]))]))
            for i, j in ((1, 2), (2, 0), (0, 1))
        ]

    def rotate(self, matrix: Matrix, vector: Sequence[sm.Expr]) -> Vector:
        """Return matrix times vector."""
        return [self.dot(row, vector) for row in matrix]

    def rotate_back(self, matrix: Matrix, vector: Sequence[sm.Expr]) -> Vector:
        """Return the transpose of a matrix times a vector."""
        return [self.dot(column, vector) for column in zip(*matrix, strict=True)]

    def multiply(self, a: Matrix, b: Matrix) -> Matrix:
        """Return the product of two matrices."""
        columns = list(zip(*b, strict=True))
        return [[self.dot(row, column) for column in columns] for row in a]

    def congruent(self, matrix: Matrix, symmetric: Matrix) -> Matrix:
        """Return matrix * symmetric * matrix^T, each entry once."""
        half = self.multiply(matrix, symmetric)
        return mirrored(lambda i, j: self.dot(half[i], matrix[j]))


# SymPy's own products and sums inspect their arguments at length. Those of the recursion are
# symbols, or products of two, and a minus: the functions below form the very same expressions five
# times faster, and leave all else to SymPy.


def product(x: sm.Expr, y: sm.Expr) -> sm.Expr:
    """Return x * y."""
    if x is ZERO or y is ZERO:
        return ZERO
    if x is ONE or y is ONE:
        return y if x is ONE else x
    negative_x, a = _signed(x)
    negative_y, b = _signed(y)
    if a is None or b is None or a == b:
        return x * y
    pair = (a, b) if a.compare(b) < 0 else (b, a)
    return sm.Mul._from_args((MINUS, *pair) if negative_x != negative_y else pair, True)


def minus(x: sm.Expr) -> sm.Expr:
    """Return -x."""
    if x.is_Symbol:
        return sm.Mul._from_args((MINUS, x), True)
    if x.is_Mul:
        first, *rest = x.args
        if first is MINUS:
            return sm.Mul._from_args(tuple(rest), True)
        if not first.is_Number:
            return sm.Mul._from_args((MINUS, *x.args), True)
    return -x


def total(terms: Sequence[sm.Expr]) -> sm.Expr:
    """Return the sum of terms."""
    present = [term for term in terms if term is not ZERO]
    if len(present) < 2:
        return present[0] if present else ZERO
    bare = [_without_sign(term) for term in present]
    if None in bare or len(set(bare)) < len(present):  # numbers, or terms that cancel or double
        return sm.Add(*present)
    return sm.Add._from_args(sorted(present, key=_ORDER), True)


def _signed(x: sm.Expr) -> tuple[bool, sm.Symbol | None]:
    """Return whether x is -symbol, and the symbol; no symbol for anything else."""
    if x.is_Symbol:
        return False, x
    if x.is_Mul and len(x.args) == 2 and x.args[0] is MINUS and x.args[1].is_Symbol:
        return True, x.args[1]
    return False, None


def _without_sign(term: sm.Expr) -> tuple[sm.Expr, ...] | None:
    """Return the factors of a symbol or a product of symbols; None for anything else."""
    if term.is_Symbol:
        return (term,)
    if not term.is_Mul:
        return None
    factors: tuple[sm.Expr, ...] = term.args
    if factors[0] is MINUS:
        factors = factors[1:]
    return None if factors[0].is_Number else factors


def _compare(x: Any, y: Any) -> int:
    return int(x.compare(y))


_ORDER = cmp_to_key(_compare)  # the order in which SymPy stores the terms of a sum


def mirrored(entry: object) -> Matrix:
    """Return the symmetric 3x3 matrix of entry(i, j) for i <= j."""
    upper = {(i, j): entry(i, j) for i in range(3) for j in range(i, 3)}  # type: ignore[operator]
    return [[upper[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]


def negative(vector: Sequence[sm.Expr]) -> Vector:
    """Return the opposite vector."""
    return [minus(component) for component in vector]


def identity() -> Matrix:
    """Return the unit matrix."""
    return [[ONE if i == j else ZERO for j in range(3)] for i in range(3)]


def zeros() -> Vector:
    """Return the null vector."""
    return [ZERO, ZERO, ZERO]
