"""
Formulas of parameters, read without ever running them.

``parse`` turns text such as ``0.5 * m * R**2`` into nested tuples by a whitelist over Python's own
syntax tree; nothing of the text is executed, and no name reaches anything but a dictionary.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
import math
import operator

# ('number', 2.0) | ('name', 'R') | (operation, argument, ...)
Expression = tuple[object, ...]

MAXIMUM_LENGTH = 500  # characters; far above any formula a person writes

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: 'add',
    ast.Sub: 'sub',
    ast.Mult: 'mul',
    ast.Div: 'div',
    ast.Pow: 'pow',
}
_FUNCTIONS = ('sin', 'cos', 'tan', 'sqrt', 'exp', 'log')
_CONSTANTS = {'pi': math.pi}
_EVALUATE: dict[str, Callable[..., float]] = {
    'add': operator.add,
    'sub': operator.sub,
    'mul': operator.mul,
    'div': operator.truediv,
    'pow': math.pow,
    'neg': operator.neg,
    **{name: getattr(math, name) for name in _FUNCTIONS},
}


def parse(text: str) -> Expression:
    """Return text as an expression; ValueError says what in it is not allowed."""
    if len(text) > MAXIMUM_LENGTH:
        raise ValueError(f'formula of {len(text)} characters; at most {MAXIMUM_LENGTH} are read')
    try:
        tree = ast.parse(text.strip(), mode='eval')
        return _convert(tree.body)
    except (SyntaxError, RecursionError, MemoryError, OverflowError) as error:
        raise ValueError(f'cannot read {text!r} as a number or a formula') from error


def _convert(node: ast.expr) -> Expression:
    match node:
        case ast.Constant(value=bool() | str() | bytes() | complex() | None):
            pass
        case ast.Constant(value=int() | float() as number):
            return ('number', float(number))
        case ast.Name(id=name):
            return ('number', _CONSTANTS[name]) if name in _CONSTANTS else ('name', name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ('neg', _convert(operand))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _convert(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return (_BINARY[type(op)], _convert(left), _convert(right))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
            return (name, _convert(argument))
    raise ValueError(
        f'{ast.unparse(node)!r} is not allowed in a formula; numbers, parameters, + - * / **, '
        f'{", ".join(_FUNCTIONS)} and pi are'
    )


def evaluate(expression: Expression, values: Mapping[str, float]) -> float:
    """Return the value of an expression; ValueError names an unknown parameter or a bad value."""
    operation, *arguments = expression
    if operation == 'number':
        return float(arguments[0])  # type: ignore[arg-type]
    if operation == 'name':
        name = str(arguments[0])
        if name not in values:
            known = ', '.join(values) or 'none'
            raise ValueError(f'unknown parameter {name!r}; parameters are: {known}')
        return values[name]
    numbers = [evaluate(argument, values) for argument in arguments]  # type: ignore[arg-type]
    try:
        return float(_EVALUATE[str(operation)](*numbers))
    except (ArithmeticError, ValueError) as error:
        raise ValueError(f'{operation} of {numbers} has no value') from error
