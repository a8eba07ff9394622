"""Lowering of SymPy expressions to a straight-line program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy as sm

from symcontact_ros.kernels.tape import Builder, Program
from symcontact_ros.symbolic.recorder import MINUS, minus

_FUNCTIONS = {
    sm.sin: 'sin',
    sm.cos: 'cos',
    sm.tan: 'tan',
    sm.exp: 'exp',
    sm.log: 'log',
    sm.tanh: 'tanh',
}


def lower(
    name: str,
    arguments: Mapping[str, Sequence[sm.Symbol]],
    results: Mapping[str, Sequence[sm.Expr]],
    assignments: Sequence[tuple[sm.Symbol, sm.Expr]] = (),
) -> Program:
    """
    Return the program that computes results from arguments, common parts computed once.

    Parameters
    ----------
    name
        Name of the program.
    arguments
        The symbols of each block of inputs, in order.
    results
        The expressions of each block of outputs, in order.
    assignments
        Names that the results use, in the order of their definition.

    """
    lowering = _Lowering(arguments)
    for symbol, expression in assignments:
        lowering.define(symbol, expression)
    values = {
        block: tuple(lowering.value(expression) for expression in expressions)
        for block, expressions in results.items()
    }
    return lowering.builder.program(name, values)


class _Lowering:
    def __init__(self, arguments: Mapping[str, Sequence[sm.Symbol]]) -> None:
        self.builder = Builder({block: len(symbols) for block, symbols in arguments.items()})
        self._known: dict[sm.Expr, int] = {
            symbol: self.builder.emit('input', block, index)
            for block, symbols in arguments.items()
            for index, symbol in enumerate(symbols)
        }

    def define(self, symbol: sm.Symbol, expression: sm.Expr) -> None:
        self._known[symbol] = self.value(expression)

    def value(self, expression: sm.Expr) -> int:
        known = self._known.get(expression)
        if known is None:  # one lookup, not two: hashing is the cost
            known = self._known[expression] = self._lower(expression)
        return known

    def _lower(self, expression: sm.Expr) -> int:
        emit = self.builder.emit
        if expression.is_Number:
            return emit('constant', float(expression))
        if expression.is_Add:
            return self._sum(sm.Add.make_args(expression))
        if expression.is_Mul:
            return self._product(sm.Mul.make_args(expression))
        if expression.is_Pow:
            return self._power(*expression.args)
        if expression.func in _FUNCTIONS:
            return emit(_FUNCTIONS[expression.func], self.value(expression.args[0]))
        raise TypeError(f'no instruction for {expression.func.__name__}: {expression}')

    def _sum(self, terms: Sequence[sm.Expr]) -> int:
        # Positive terms first: `a - b` instead of `-b + a`.
        negative = [term for term in terms if _is_negative(term)]
        positive = [term for term in terms if not _is_negative(term)]
        start, rest = (positive, negative) if positive else (negative, [])
        total = self.value(start[0])
        for term in start[1:]:
            total = self.builder.emit('add', total, self.value(term))
        for term in rest:
            total = self.builder.emit('sub', total, self.value(minus(term)))
        return total

    def _product(self, factors: Sequence[sm.Expr]) -> int:
        if factors[0] == -1:
            return self.builder.emit('neg', self.value(sm.Mul(*factors[1:])))
        below = [f for f in factors if f.is_Pow and f.exp.is_negative]
        above = [f for f in factors if f not in below]
        if not above:
            return self.builder.emit(
                'div', self.value(sm.Integer(1)), self.value(1 / sm.Mul(*below))
            )
        product = self.value(above[0])
        for factor in above[1:]:
            product = self.builder.emit('mul', product, self.value(factor))
        for factor in below:
            product = self.builder.emit('div', product, self.value(1 / factor))
        return product

    def _power(self, base: sm.Expr, exponent: sm.Expr) -> int:
        emit = self.builder.emit
        if exponent.is_negative:
            return emit('div', self.value(sm.Integer(1)), self.value(base**-exponent))
        if exponent == sm.Rational(1, 2):
            return emit('sqrt', self.value(base))
        if exponent.is_Integer:
            half = self.value(base ** (exponent // 2))
            square = emit('mul', half, half)
            return square if exponent % 2 == 0 else emit('mul', square, self.value(base))
        return emit('pow', self.value(base), self.value(exponent))


def _is_negative(term: sm.Expr) -> bool:
    """Return whether a term of a sum is to be subtracted; the first factor decides for most."""
    if term.is_Symbol:
        return False
    if term.is_Mul and (term.args[0] is MINUS or all(f.is_Symbol for f in term.args)):
        return term.args[0] is MINUS
    return bool(term.could_extract_minus_sign())
