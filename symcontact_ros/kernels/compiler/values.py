"""Values and types of kernels at compile time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
import enum
import functools
import struct
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType, NoneType
from typing import Any, get_args, get_origin

from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import Record, Rows
from symcontact_ros.kernels.statics import is_frozen, Known

FLOAT, INT, BOOL = 'double', 'i64', 'i1'
POINTER = 'double*'  # to slots of memory, whatever they hold
FAULT = 'symcontact_fault'  # a symbol: three ints, 1 + the site of a fault, and its two numbers

# A type is the name of a number's type, a `Known`, or a tuple: a class and its components,
# `tuple` or a named tuple and the types of its members, `Memory` or `Row` and a `Known`. So two
# types are equal if and only if they mean the same to a kernel.
Type = Any
Value = Any  # a Number, a tuple of values, a Memory, a Row, or a Known

_WORDS = {FLOAT: 'a float', INT: 'an int', BOOL: 'a bool'}
_LARGEST = 2**63
_STATIC = (
    BuiltinFunctionType,
    FunctionType,
    MethodType,
    ModuleType,
    NoneType,
    enum.Enum,
    str,
    type,
)
# Methods that would make a named tuple more than its members in order.
_CHANGING = ('__contains__', '__getattribute__', '__getitem__', '__init__', '__iter__', '__len__')
_MAKING = ('__new__', '_fields', '_make', '_replace')


class Number:
    """A run-time value: its type and its name in the IR."""

    __slots__ = ('known', 'name', 'type')

    def __init__(self, type_: str, name: str, known: int | float | bool | None = None) -> None:
        self.type = type_
        self.name = name
        self.known = known  # its value, if known at compile time


class Memory:
    """A block: its address and its number of members."""

    __slots__ = ('count', 'member', 'start')

    def __init__(self, member: Known, start: Number, count: Number) -> None:
        self.member = member  # float, int, or a record
        self.start = start
        self.count = count


class Row:
    """A record in memory."""

    __slots__ = ('record', 'start')

    def __init__(self, record: Known, start: Number) -> None:
        self.record = record
        self.start = start


NOTHING = Known(None)  # the result of a function without a return value


# Types -------------------------------------------------------------------------------------------


def type_of(value: Value) -> Type:
    """Return the type of a value; that of a named tuple has its class."""
    if isinstance(value, Number):
        return value.type
    if isinstance(value, tuple):
        return (type(value), *map(type_of, value))
    if isinstance(value, Memory):
        return Memory, value.member
    return (Row, value.record) if isinstance(value, Row) else value


def kind_of(value: Value) -> str:
    """Return the type of a number; None for other values."""
    return value.type if isinstance(value, Number) else ''


def leaves(type_: Type) -> list[str]:
    """Return the types of the numbers that a value of a type is made of, in order."""
    if isinstance(type_, str):
        return [type_]
    if isinstance(type_, Known):
        return []
    if type_[0] is Memory:
        return [POINTER, INT]
    if type_[0] is Row:
        return [POINTER]
    return [leaf for part in type_[1:] for leaf in leaves(part)]


def numbers_of(value: Value) -> list[Number]:
    """Return the numbers that a value is made of, in order."""
    if isinstance(value, Number):
        return [value]
    if isinstance(value, tuple):
        return [number for part in value for number in numbers_of(part)]
    if isinstance(value, Memory):
        return [value.start, value.count]
    return [value.start] if isinstance(value, Row) else []


def filled(type_: Type, numbers: Iterator[Number]) -> Value:
    """Return a value of a type that is made of the next numbers."""
    if isinstance(type_, str):
        return next(numbers)
    if isinstance(type_, Known):
        return type_
    if type_[0] is Memory:
        return Memory(type_[1], next(numbers), next(numbers))
    if type_[0] is Row:
        return Row(type_[1], next(numbers))
    return made(type_[0], [filled(part, numbers) for part in type_[1:]])


def made(maker: type[Any], parts: Iterable[Value]) -> Value:
    """Return a tuple or named tuple of values, without calling its class."""
    return tuple.__new__(maker, parts)


def described(type_: Type) -> str:
    """Return a type in words."""
    if isinstance(type_, str):
        return _WORDS.get(type_, type_)
    if isinstance(type_, Known):
        return 'nothing' if type_.meaning is None else repr(type_)
    if type_[0] is Row:
        return f'a record {type_[1]!r}'
    if type_[0] is Memory:
        return f'memory of {type_[1]!r}'
    name = '' if type_[0] is tuple else type_[0].__name__
    return f'{name}({", ".join(map(described, type_[1:]))})'


def structure(type_: Type) -> str:
    """Return the LLVM type of a result: void, a number, or a structure."""
    parts = leaves(type_)
    return f'{{{", ".join(parts)}}}' if len(parts) > 1 else ''.join(parts) or 'void'


def argument_type(given: Any) -> Type:
    """Return the type of an argument of an entry: a class, or a static as a `Known`."""
    if isinstance(given, Known):
        constant(given.meaning)  # or it is refused
        return given
    if given is float or given is int:
        return FLOAT if given is float else INT
    if given is Floats or given is Ints:
        return Memory, Known(float if given is Floats else int)
    member = get_args(given)[0] if get_origin(given) is Rows else given
    record = get_origin(member) or member
    if isinstance(record, type) and issubclass(record, Record):
        return (Row if member is given else Memory), Known(record)
    raise KernelError(f'an entry cannot take {given!r}')


# Known values ------------------------------------------------------------------------------------


def whole(number: int) -> Number:
    """Return an int that is known."""
    return Number(INT, str(number), number)


def constant(value: Any) -> Value:
    """Return a known object as a value: a number, a tuple, or a static."""
    if isinstance(value, bool):
        return Number(BOOL, 'true' if value else 'false', value)
    if isinstance(value, int):
        value = int(value)
        if not -_LARGEST <= value < _LARGEST:
            raise KernelError(f'{value} does not fit into 64 bits')
        return whole(value)
    if isinstance(value, float):
        return Number(FLOAT, '0x' + struct.pack('>d', value).hex(), float(value))
    if isinstance(value, tuple) and (type(value) is tuple or is_named_tuple(type(value))):
        return made(type(value), map(constant, value))
    try:
        hash(value)
    except TypeError:
        raise KernelError(f'{type(value).__name__} can change, so that it is not known') from None
    if not isinstance(value, _STATIC) and not is_frozen(value):
        raise KernelError(f'{type(value).__name__} is no static: only frozen dataclasses are')
    return Known(value)


@functools.cache
def is_named_tuple(cls: Any) -> bool:
    """Return whether a class is a plain named tuple."""
    if not (isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, '_field_defaults')):
        return False
    fields: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]
    owner = next(base for base in reversed(cls.__mro__) if '_fields' in vars(base))
    heirs = cls.__mro__[: cls.__mro__.index(owner)]
    return not any(
        name in vars(base)
        for base in (owner, *heirs)
        for name in (_CHANGING if base is owner else (*_CHANGING, *_MAKING, *fields))
    )
