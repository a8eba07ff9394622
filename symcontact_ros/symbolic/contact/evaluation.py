"""Numbers of SymPy expressions, without text that is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
import math
from typing import Any

import numpy as np
import sympy as sm

from symcontact_ros.symbolic.expansion import Assignments
from symcontact_ros.types import Vector

_FUNCTIONS: dict[Any, Callable[[float], float]] = {
    sm.sin: math.sin,
    sm.cos: math.cos,
    sm.tan: math.tan,
    sm.exp: math.exp,
    sm.log: math.log,
    sm.tanh: math.tanh,
    sm.Abs: abs,
}


class Evaluator:
    """Values of expressions; NaN where there is none, as of a direction without length."""

    def __init__(self, values: dict[sm.Symbol, float], assignments: Assignments) -> None:
        self._known: dict[sm.Expr, float] = dict(values)
        for symbol, expression in assignments:
            self._known[symbol] = self(expression)

    def __call__(self, expression: sm.Expr) -> float:
        """Return the value of one expression."""
        known = self._known.get(expression)
        if known is None:
            try:
                known = self._value(expression)
            except (ArithmeticError, ValueError):
                known = math.nan
            self._known[expression] = known
        return known

    def array(self, expressions: Iterable[sm.Expr]) -> Vector:
        """Return the values of several."""
        return np.array([self(expression) for expression in expressions])

    def _value(self, expression: sm.Expr) -> float:
        if expression.is_Number or expression.is_NumberSymbol:
            return float(expression)
        parts = [self(argument) for argument in expression.args]
        if expression.is_Add:
            return sum(parts)
        if expression.is_Mul:
            return math.prod(parts)
        if expression.is_Pow:
            return math.pow(*parts)
        return _FUNCTIONS[expression.func](*parts)
