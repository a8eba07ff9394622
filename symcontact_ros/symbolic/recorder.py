"""SymPy expressions, named one by one as they are formed: the assignments of the equations."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sm

Vector = list[sm.Expr]
Matrix = list[list[sm.Expr]]

ZERO, ONE, TWO = sm.Integer(0), sm.Integer(1), sm.Integer(2)


class Recorder:
    """
    Gives every compound scalar a name, once; what is left are short expressions of names.

    Without it an expression of a robot arm has a million terms; with it two thousand. SymPy folds
    the zeros and ones of the structure away as the expressions are formed.
    """

    def __init__(self) -> None:
        self.assignments: list[tuple[sm.Symbol, sm.Expr]] = []
        self._names: dict[sm.Expr, sm.Symbol] = {}

    def name(self, expression: sm.Expr) -> sm.Expr:
        """Return a symbol for an expression; numbers, symbols and their negatives stay."""
        arguments = expression.args
        if not arguments:
            return expression
        if len(arguments) == 2 and arguments[0] == -1 and not arguments[1].args:
            return expression
        known = self._names.get(expression)
        if known is None:
            known = sm.Symbol(f'z{len(self.assignments)}')
            self._names[expression] = known
            self.assignments.append((known, expression))
        return known

    def dot(self, a: Sequence[sm.Expr], b: Sequence[sm.Expr]) -> sm.Expr:
        """Return the scalar product."""
        return self.name(sm.Add(*(x * y for x, y in zip(a, b, strict=True))))

    def add(self, *vectors: Sequence[sm.Expr]) -> Vector:
        """Return the sum of vectors."""
        return [self.name(sm.Add(*components)) for components in zip(*vectors, strict=True)]

    def scale(self, factor: sm.Expr, vector: Sequence[sm.Expr]) -> Vector:
        """Return a multiple of a vector."""
        return [self.name(factor * component) for component in vector]

    def cross(self, a: Sequence[sm.Expr], b: Sequence[sm.Expr]) -> Vector:
        """Return the vector product."""
        return [
            self.name(a[1] * b[2] - a[2] * b[1]),
            self.name(a[2] * b[0] - a[0] * b[2]),
            self.name(a[0] * b[1] - a[1] * b[0]),
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


def mirrored(entry: object) -> Matrix:
    """Return the symmetric 3x3 matrix of entry(i, j) for i <= j."""
    upper = {(i, j): entry(i, j) for i in range(3) for j in range(i, 3)}  # type: ignore[operator]
    return [[upper[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]


def negative(vector: Sequence[sm.Expr]) -> Vector:
    """Return the opposite vector."""
    return [-component for component in vector]


def identity() -> Matrix:
    """Return the unit matrix."""
    return [[ONE if i == j else ZERO for j in range(3)] for i in range(3)]


def zeros() -> Vector:
    """Return the null vector."""
    return [ZERO, ZERO, ZERO]
