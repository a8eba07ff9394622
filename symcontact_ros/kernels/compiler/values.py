"""Values and types of kernels while they are compiled."""

from __future__ import annotations

from collections.abc import Iterable
import struct
from typing import Any, get_args, get_origin, NamedTuple

from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import Record, Rows

FLOAT, INT, BOOL = 'double', 'i64', 'i1'
POINTER = 'double*'  # to slots of memory, whatever they hold

# One of the names above, a tuple of types, a Memory or Row of types, or a Known; None is that of a
# function without value.
Type = Any
Value = Any  # a Number, a tuple of values, a Memory, a Row, or a Known

_WORDS = {FLOAT: 'a float', INT: 'an int', BOOL: 'a bool', POINTER: 'memory', None: 'nothing'}
_LARGEST = 2**63


class Number(NamedTuple):
    """A value while a kernel runs: its type and what it is called in the IR."""

    type: str
    name: str

    @property
    def is_literal(self) -> bool:
        """Whether it is known while compiling."""
        return not self.name.startswith('%')


class Known:
    """A static: a value that is known while compiling, and takes no memory."""

    def __init__(self, meaning: Any) -> None:
        self.meaning = meaning

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Known):
            return False
        mine, others = self.meaning, other.meaning
        return mine is others or (type(mine) is type(others) and bool(mine == others))

    def __hash__(self) -> int:
        return hash(self.meaning)

    def __repr__(self) -> str:
        return getattr(self.meaning, '__qualname__', None) or repr(self.meaning)


class Memory(NamedTuple):
    """A block: where it starts, and how many members it has."""

    member: Known  # float, int, or a record
    start: Any
    count: Any


class Row(NamedTuple):
    """A record in memory."""

    record: Known
    start: Any


def leaves(value: Any) -> list[Any]:
    """Return the numbers, or the types, of a value in order."""
    if isinstance(value, Known):
        return []
    if isinstance(value, tuple) and not isinstance(value, Number):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


def type_of(value: Value) -> Type:
    """Return the type of a value; that of a named tuple has its names."""
    if isinstance(value, Number):
        return value.type
    if value is None or isinstance(value, Known):
        return value
    return _like(value, map(type_of, value))


def shaped(type_: Type, numbers: Iterable[Any]) -> Any:
    """Return numbers in the shape of a type."""
    remaining = iter(numbers)

    def fill(part: Type) -> Any:
        if isinstance(part, Known):
            return part
        return _like(part, map(fill, part)) if isinstance(part, tuple) else next(remaining)

    return fill(type_)


def _like(model: Any, parts: Iterable[Any]) -> Any:
    """Return parts as a tuple, with the names of another one if it has some."""
    return type(model)(*parts) if hasattr(model, '_fields') else tuple(parts)


def is_tuple(value: Any) -> bool:
    """Return whether a value, or a type, is a tuple as Python has them."""
    return isinstance(value, tuple) and not isinstance(value, Number | Memory | Row)


def described(type_: Type) -> str:
    """Return a type in words."""
    if isinstance(type_, Known):
        return repr(type_)
    if isinstance(type_, Row):
        return f'a record {type_.record!r}'
    if isinstance(type_, Memory):
        return f'memory of {type_.member!r}'
    if isinstance(type_, tuple):
        name = type(type_).__name__ if hasattr(type_, '_fields') else ''
        return f'{name}({", ".join(map(described, type_))})'
    return _WORDS.get(type_, str(type_))


def constant(value: Any) -> Value:
    """Return what is known as a value: a number, a tuple, or a static."""
    if isinstance(value, bool):
        return Number(BOOL, 'true' if value else 'false')
    if isinstance(value, int):
        if not -_LARGEST <= value < _LARGEST:
            raise KernelError(f'{value} does not fit into 64 bits')
        return Number(INT, str(value))
    if isinstance(value, float):
        return Number(FLOAT, '0x' + struct.pack('>d', value).hex())
    if isinstance(value, tuple) and (type(value) is tuple or hasattr(value, '_fields')):
        return _like(value, map(constant, value))
    try:
        hash(value)
    except TypeError:
        raise KernelError(f'{type(value).__name__} can change, so that it is not known') from None
    return Known(value)


def structure(type_: Type) -> str:
    """Return the LLVM type of what a function returns."""
    return 'void' if type_ is None else '{' + ', '.join(leaves(type_)) + '}'


def argument_type(given: Any) -> Type:
    """Return the type of an argument of an entry: a class, or a static as a `Known`."""
    if isinstance(given, Known):
        return given
    if given in (float, int):
        return FLOAT if given is float else INT
    if given in (Floats, Ints):
        return Memory(Known(float if given is Floats else int), POINTER, INT)
    if get_origin(given) is Rows:
        return Memory(Known(get_args(given)[0]), POINTER, INT)
    if isinstance(given, type) and issubclass(given, Record):
        return Row(Known(given), POINTER)
    raise KernelError(f'an entry cannot take {given!r}')
