"""
Numbers that write down how they are computed from live symbols.

Python code that computes with them leaves a tape, which gives the same numbers bit for bit for
other values of the symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import math
import operator

from symcontact_ros.expressions import evaluate, Formula, Scalar, Values
from symcontact_ros.kernels.elementary.library import FUNCTIONS
from symcontact_ros.kernels.tape import Builder, Program

_OPERATIONS: dict[str, Callable[..., float]] = {
    'add': operator.add,
    'sub': operator.sub,
    'mul': operator.mul,
    'div': operator.truediv,
    'neg': operator.neg,
    'sqrt': math.sqrt,
    'min': min,
    'max': max,
    **FUNCTIONS,
}
_SPLITTER = 134217729.0  # 2**27 + 1: it parts a float into two halves


class Traced:
    """
    A number that depends on live symbols, or a constant; arithmetic as of floats.

    Attributes
    ----------
    value
        With the values of the symbols that the tracer was given.
    """

    def __init__(self, tracer: Tracer, index: int, value: float, is_constant: bool) -> None:
        self.tracer = tracer
        self.index = index
        self.value = value
        self.is_constant = is_constant

    def operated(self, operation: str, *others: Number) -> Traced:
        """Return the result of an operation of tapes."""
        numbers = [self, *map(self.tracer.number, others)]
        index = self.tracer.builder.emit(operation, *(number.index for number in numbers))
        value = _OPERATIONS[operation](*(number.value for number in numbers))
        return Traced(self.tracer, index, value, all(number.is_constant for number in numbers))

    def __add__(self, other: Number) -> Traced:
        return self.operated('add', other)

    def __radd__(self, other: Number) -> Traced:
        return self.tracer.number(other) + self

    def __sub__(self, other: Number) -> Traced:
        return self.operated('sub', other)

    def __rsub__(self, other: Number) -> Traced:
        return self.tracer.number(other) - self

    def __mul__(self, other: Number) -> Traced:
        return self.operated('mul', other)

    def __rmul__(self, other: Number) -> Traced:
        return self.tracer.number(other) * self

    def __truediv__(self, other: Number) -> Traced:
        return self.operated('div', other)

    def __rtruediv__(self, other: Number) -> Traced:
        return self.tracer.number(other) / self

    def __neg__(self) -> Traced:
        return self.operated('neg')

    def sqrt(self) -> Traced:
        """Return the square root."""
        return self.operated('sqrt')

    def function(self, name: str) -> Traced:
        """Return an elementary function of it: `sin`, for example."""
        return self.operated(name)

    def atan2(self, other: Number) -> Traced:
        """Return the angle of the point with the other number as x."""
        return self.operated('atan2', other)


Number = Traced | float | int
Traces = tuple[Traced, ...]


class Tracer:
    """
    Live symbols as traced numbers.

    Parameters
    ----------
    values
        Of the live symbols, in the order in which the tape takes them.
    """

    def __init__(self, values: Values) -> None:
        self.values = values
        self.builder = Builder({'symbols': len(values)})
        self._places = {name: i for i, name in enumerate(values)}
        self._known: dict[int, tuple[Formula, Traced]] = {}

    def number(self, number: Number) -> Traced:
        """Return a number, traced."""
        if isinstance(number, Traced):
            return number
        value = float(number)
        return Traced(self, self.builder.emit('constant', value), value, True)

    def scalar(self, scalar: Scalar) -> Traced:
        """Return a number or formula of the model, traced."""
        if not isinstance(scalar, Formula):
            return self.number(scalar)
        if id(scalar) not in self._known:
            self._known[id(scalar)] = scalar, self._formula(scalar)
        return self._known[id(scalar)][1]

    def scalars(self, scalars: Sequence[Scalar]) -> Traces:
        """Return several."""
        return tuple(map(self.scalar, scalars))

    def _formula(self, formula: Formula) -> Traced:
        if formula.operation == 'name':
            name = str(formula.arguments[0])
            index = self.builder.emit('input', 'symbols', self._places[name])
            return Traced(self, index, self.values[name], False)
        if not any(formula.names()):  # as it is evaluated elsewhere
            return self.number(evaluate(formula, {}))
        first, *others = (self.scalar(a) for a in formula.arguments)  # type: ignore[arg-type]
        return first.operated(formula.operation, *others)

    def program(self, name: str, results: Sequence[Traced]) -> Program:
        """Return the tape that computes some numbers: symbols -> cells."""
        return self.builder.program(name, {'cells': tuple(r.index for r in results)})


def smaller(first: Number, *others: Number) -> Number:
    """Return the least number, as Python's `min` does."""
    return _extreme('min', first, others)


def larger(first: Number, *others: Number) -> Number:
    """Return the largest number, as Python's `max` does."""
    return _extreme('max', first, others)


def _extreme(operation: str, first: Number, others: Sequence[Number]) -> Number:
    found = first
    for other in others:
        if isinstance(found, Traced):
            found = found.operated(operation, other)
        elif isinstance(other, Traced):
            found = other.tracer.number(found).operated(operation, other)
        else:
            found = (min if operation == 'min' else max)(found, other)
    return found


def length(numbers: Sequence[Traced]) -> Traced:
    """
    Return the length of a vector as `math.hypot` does: rounded once.

    The squares and their sum are kept with twice the digits (Dekker, 1971), for numbers whose
    squares neither overflow nor vanish.
    """
    tracer = numbers[0].tracer
    high, low = tracer.number(0.0), tracer.number(0.0)
    for x in numbers:
        square, error = _squared(x)
        total = high + square
        part = total - high
        rest = (high - (total - part)) + (square - part)
        high, low = total, low + (rest + error)
    root = (high + low).sqrt()
    square, error = _squared(root)
    return root + (((high - square) - error) + low) / (2.0 * root)


def _squared(x: Traced) -> tuple[Traced, Traced]:
    """Return the square of a number, and the error of its rounding."""
    wide = x * _SPLITTER
    head = wide - (wide - x)
    tail = x - head
    square = x * x
    return square, ((head * head - square) + 2.0 * head * tail) + tail * tail
