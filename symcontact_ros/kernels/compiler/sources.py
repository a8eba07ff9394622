"""Sources of kernels: their text, as first read, and their syntax trees."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
import functools
import inspect
from types import FunctionType

from symcontact_ros.kernels.errors import KernelError

_UNKNOWN = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@functools.cache
def text_of(path: str) -> bytes:
    """Return the text of a file, the same for the compiler and for the key."""
    with open(path, 'rb') as file:
        return file.read()


class Definition:
    """
    A function as it is written.

    Attributes
    ----------
    node
        Its syntax tree.
    once
        Names that are assigned only once in it, and not in an unrolled loop.
    """

    def __init__(self, node: ast.FunctionDef) -> None:
        self.node = node
        self.names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        counts = Counter(self.names)
        counts.update(_stores(node.body))
        for name in _unrolled(node.body):
            counts[name] += 1
        self.once = frozenset(name for name, count in counts.items() if count == 1)


def definition_of(function: FunctionType) -> Definition:
    """Return the definition of a function; KernelError if its source is not available."""
    code = function.__code__
    place = f'{code.co_filename}:{code.co_firstlineno}'
    try:
        found = _definitions(code.co_filename).get(code.co_firstlineno)
    except (OSError, SyntaxError, ValueError):
        found = None
    if found is None or found.name != code.co_name:
        raise KernelError(f'{place}: {function.__name__} has no source, or it has changed since')
    if code.co_freevars:
        names = ', '.join(code.co_freevars)
        raise KernelError(f'{place}: {function.__name__} uses {names} of a function around it')
    if code.co_flags & _UNKNOWN:
        raise KernelError(f'{place}: {function.__name__} is a generator')
    return _definition(found)


@functools.cache
def _definition(node: ast.FunctionDef) -> Definition:
    return Definition(node)


@functools.cache
def _definitions(path: str) -> dict[int, ast.FunctionDef]:
    """Return the functions of a file by the line that they start in."""
    found: dict[int, ast.FunctionDef] = {}
    waiting: list[Sequence[ast.stmt]] = [ast.parse(text_of(path)).body]
    while waiting:
        for node in waiting.pop():
            if isinstance(node, ast.FunctionDef):
                first = node.decorator_list[0] if node.decorator_list else node
                found[first.lineno] = node
            waiting += _bodies(node)
    return found


def _bodies(node: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """Yield the statements in a statement."""
    for name in ('body', 'orelse', 'finalbody'):
        body = getattr(node, name, None)
        if body:
            yield body
    for handler in getattr(node, 'handlers', ()):
        yield handler.body


def _stores(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the names that get a value in statements, as often as they do."""
    for node in statements:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _names(target)
        elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For):
            yield from _names(node.target)
        for body in _bodies(node):
            yield from _stores(body)


def _unrolled(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the names that get a value in loops that are unrolled."""
    for node in statements:
        if isinstance(node, ast.For) and not is_counting(node):
            yield from names_of(node)
        else:
            for body in _bodies(node):
                yield from _unrolled(body)


def is_counting(node: ast.For) -> bool:
    """Return whether a loop is over a range."""
    call = node.iter
    return (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == 'range'
    )


def names_of(loop: ast.For) -> set[str]:
    """Return the names that get a value in a loop, that of its target included."""
    return set(_stores([loop]))


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple):
        for part in target.elts:
            yield from _names(part)
