"""
Formulas of live symbols: read without ever running them, computed with, evaluated, printed.

``parse`` turns text such as ``0.5 * m * R**2`` into a tree by a whitelist over Python's own
syntax; nothing of the text is executed, and a name reaches nothing but a dictionary.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
import math
import operator
import re
import warnings

from symcontact_ros.errors import suggestion
from symcontact_ros.kernels import elementary

MAXIMUM_LENGTH = 500  # characters; far above any formula a person writes
MAXIMUM_DEPTH = 100  # operations inside each other
NOT_ALLOWED = 'is not allowed in a formula'
_UNIT = re.compile(r'\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*[A-Za-z]')  # `1 kg`, `90deg`

FUNCTIONS = ('sin', 'cos', 'tan', 'sqrt', 'exp', 'log', 'tanh')
_CONSTANTS = {'pi': math.pi}
_BINARY: dict[type[ast.operator], str] = {
    ast.Add: 'add',
    ast.Sub: 'sub',
    ast.Mult: 'mul',
    ast.Div: 'div',
    ast.Pow: 'pow',
}
_EVALUATE: dict[str, Callable[..., float]] = {
    'add': operator.add,
    'sub': operator.sub,
    'mul': operator.mul,
    'div': operator.truediv,
    'pow': elementary.power,  # not of the C library: compiled formulas have the same bits
    'neg': operator.neg,
    'sqrt': math.sqrt,
    **{name: getattr(elementary, name) for name in FUNCTIONS if name != 'sqrt'},
}
# Functions that raise nothing, but have no value for some arguments.
_TOTAL = {'pow', *FUNCTIONS} - {'sqrt'}
_PRINT = {'add': '({} + {})', 'sub': '({} - {})', 'mul': '{} * {}', 'div': '{} / ({})'}
_PRINT |= {'pow': '({}) ** ({})', 'neg': '-({})', **{name: name + '({})' for name in FUNCTIONS}}


class UnknownParameterError(ValueError):
    """A formula with a name that is no parameter."""


@dataclass(frozen=True)
class Formula:
    """
    A tree of operations over named symbols; behaves like a number in arithmetic.

    ``operation`` is 'name' (one argument, the symbol), 'number', or a key of the table above.
    """

    operation: str
    arguments: tuple[Formula | float | str, ...]

    @staticmethod
    def symbol(name: str) -> Formula:
        """Return the formula that is just a symbol."""
        return Formula('name', (name,))

    def names(self) -> Iterator[str]:
        """Yield the symbols in it, once for each mention."""
        for argument in self.arguments:
            if isinstance(argument, Formula):
                yield from argument.names()
            elif isinstance(argument, str):
                yield argument

    def __add__(self, other: Scalar) -> Scalar:
        return _simplified('add', self, other)

    def __radd__(self, other: Scalar) -> Scalar:
        return _simplified('add', other, self)

    def __sub__(self, other: Scalar) -> Scalar:
        return _simplified('sub', self, other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return _simplified('sub', other, self)

    def __mul__(self, other: Scalar) -> Scalar:
        return _simplified('mul', self, other)

    def __rmul__(self, other: Scalar) -> Scalar:
        return _simplified('mul', other, self)

    def __truediv__(self, other: Scalar) -> Scalar:
        return _simplified('div', self, other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return _simplified('div', other, self)

    def __pow__(self, other: Scalar) -> Scalar:
        return _simplified('pow', self, other)

    def __neg__(self) -> Scalar:
        return Formula('neg', (self,))

    def __str__(self) -> str:
        if self.operation in ('name', 'number'):
            return str(self.arguments[0])
        return _PRINT[self.operation].format(*self.arguments)


Scalar = float | Formula
Values = Mapping[str, float]


def _simplified(operation: str, left: Scalar, right: Scalar) -> Scalar:
    """Return the operation without the zeros and ones that sums over shapes bring in."""
    if left is right and operation == 'sub':
        return 0.0
    if right == 0.0 and operation in ('add', 'sub'):
        return left
    if left == 0.0 and operation in ('add', 'sub'):
        return right if operation == 'add' else -right
    if (operation == 'mul' and 0.0 in (left, right)) or (operation == 'div' and left == 0.0):
        return 0.0
    if right == 1.0 and operation in ('mul', 'div', 'pow'):
        return left
    return right if operation == 'mul' and left == 1.0 else Formula(operation, (left, right))


def parse(text: str) -> Scalar:
    """Return text as a number or a formula; ValueError says what in it is not allowed."""
    if len(text) > MAXIMUM_LENGTH:
        raise ValueError(f'formula of {len(text)} characters; at most {MAXIMUM_LENGTH} are read')
    if not text.isascii():  # Python reads the many kinds of `m` in Unicode as one
        raise ValueError(f'cannot read {text!r}: a formula has plain letters and digits')
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')  # Python's advice about its own syntax
            tree = ast.parse(text.strip(), mode='eval')
        formula = _convert(tree.body)
    except (SyntaxError, RecursionError, MemoryError, OverflowError) as error:
        units = ': write it without a unit, in m, kg, s, rad' if _UNIT.match(text) else ''
        raise ValueError(f'cannot read {text!r} as a number or a formula{units}') from error
    if isinstance(formula, Formula) and not any(formula.names()):
        return evaluate(formula, {})
    return formula


def _convert(node: ast.expr, depth: int = 0) -> Scalar:
    if depth > MAXIMUM_DEPTH:
        raise ValueError(f'formula with more than {MAXIMUM_DEPTH} operations inside each other')
    match node:
        case ast.Constant(value=bool() | str() | bytes() | complex() | None):
            pass
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return _CONSTANTS[name] if name in _CONSTANTS else Formula.symbol(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_convert(operand, depth + 1)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _convert(operand, depth + 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            arguments = (_convert(left, depth + 1), _convert(right, depth + 1))
            return Formula(_BINARY[type(op)], arguments)
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
            return Formula(name, (_convert(argument, depth + 1),))
    raise ValueError(
        f'{ast.unparse(node)!r} {NOT_ALLOWED}; numbers, parameters, + - * / **, '
        f'{", ".join(FUNCTIONS)} and pi are'
    )


def total(terms: Sequence[Scalar]) -> Scalar:
    """Return a sum as a shallow tree: one that leans to a side could be too deep to evaluate."""
    if len(terms) < 2:
        return terms[0] if terms else 0.0
    middle = len(terms) // 2
    return total(terms[:middle]) + total(terms[middle:])


def evaluate(scalar: Scalar, values: Values) -> float:
    """Return the value of a number or a formula; ValueError names what has none."""
    return _evaluate(scalar, values, {})


def evaluate_all(scalars: Iterable[Scalar], values: Values) -> tuple[float, ...]:
    """Return the values of several; what they share is evaluated once."""
    known: dict[int, float] = {}
    return tuple(_evaluate(scalar, values, known) for scalar in scalars)


def _evaluate(scalar: Scalar | str, values: Values, known: dict[int, float]) -> float:
    if not isinstance(scalar, Formula):
        return float(scalar)
    if id(scalar) not in known:
        known[id(scalar)] = _operate(scalar, values, known)
    return known[id(scalar)]


def _operate(formula: Formula, values: Values, known: dict[int, float]) -> float:
    if formula.operation == 'name':
        name = str(formula.arguments[0])
        if name not in values:
            hint = suggestion(name, [n for n in values if '.' not in n], 'parameters are')
            raise UnknownParameterError(f'unknown parameter {name!r}; {hint}')
        return values[name]
    numbers = [_evaluate(argument, values, known) for argument in formula.arguments]
    reason = f'{formula.operation} of {numbers} has no value'
    try:
        number = float(_EVALUATE[formula.operation](*numbers))
    except (ArithmeticError, ValueError) as error:
        raise ValueError(reason) from error
    is_lost = formula.operation in _TOTAL and not math.isfinite(number)
    if is_lost and all(map(math.isfinite, numbers)):
        raise ValueError(reason)
    return number


def is_nonzero(*scalars: Scalar) -> bool:
    """Return whether a number is not 0, or a formula; NaN, which has its own fault, is not."""
    return any(isinstance(s, Formula) or (s != 0.0 and not math.isnan(s)) for s in scalars)
