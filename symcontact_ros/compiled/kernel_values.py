"""Values and types of kernels while they are compiled."""

from __future__ import annotations

from collections.abc import Iterable
import struct
from typing import Any, NamedTuple

FLOAT, INT, BOOL = 'double', 'i64', 'i1'
MEMORY, INTEGERS = 'double*', 'i64*'

Type = Any  # one of the names above, or a tuple of types; None is that of a function without value


class Number(NamedTuple):
    """A value while a kernel runs: its type and what it is called in the IR."""

    type: str
    name: str


Value = Any  # a Number, or a tuple of values


class KernelError(TypeError):
    """A kernel uses something that is not known here."""


def leaves(value: Any) -> list[Any]:
    """Return the numbers, or the types, of a value in order."""
    if isinstance(value, tuple) and not isinstance(value, Number):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


def type_of(value: Value) -> Type:
    """Return the type of a value; that of a named tuple has its names."""
    return value.type if isinstance(value, Number) else _like(value, map(type_of, value))


def shaped(type_: Type, numbers: Iterable[Any]) -> Any:
    """Return numbers in the shape of a type."""
    remaining = iter(numbers)

    def fill(part: Type) -> Any:
        return _like(part, map(fill, part)) if isinstance(part, tuple) else next(remaining)

    return fill(type_)


def _like(model: Any, parts: Iterable[Any]) -> Any:
    """Return parts as a tuple, with the names of another one if it has some."""
    return type(model)(*parts) if hasattr(model, '_fields') else tuple(parts)


def constant(value: Any) -> Value:
    """Return a constant of a module as a value, or None if it is none."""
    if isinstance(value, bool):
        return Number(BOOL, 'true' if value else 'false')
    if isinstance(value, int):
        return Number(INT, str(value))
    if isinstance(value, float):
        return Number(FLOAT, '0x' + struct.pack('>d', value).hex())
    if isinstance(value, tuple):
        parts = tuple(constant(part) for part in value)
        return None if None in parts else parts
    return None


def structure(type_: Type) -> str:
    """Return the LLVM type of what a function returns."""
    return 'void' if type_ is None else '{' + ', '.join(leaves(type_)) + '}'
