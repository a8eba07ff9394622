"""Statics: values that are known while a kernel is compiled, and take no memory."""

from __future__ import annotations

import dataclasses
import struct
from types import MethodType
from typing import Any


class Known:
    """A static; two are equal if they mean the same to a kernel."""

    __slots__ = ('meaning',)

    def __init__(self, meaning: Any) -> None:
        self.meaning = meaning

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and is_same(self.meaning, other.meaning)

    def __hash__(self) -> int:
        if isinstance(self.meaning, MethodType):  # its own hash differs between instances
            return hash((self.meaning.__func__, Known(self.meaning.__self__)))
        return hash(self.meaning)

    def __repr__(self) -> str:
        for name in ('__qualname__', '__name__'):
            if hasattr(self.meaning, name):
                return str(getattr(self.meaning, name))
        return repr(self.meaning)


def is_frozen(value: Any) -> bool:
    """Return whether a value is an instance of a frozen dataclass."""
    parameters = getattr(type(value), '__dataclass_params__', None)
    return parameters is not None and bool(parameters.frozen)


def is_same(a: Any, b: Any) -> bool:
    """Return whether two values mean the same to a kernel: 1 is not 1.0, nor 0.0 -0.0."""
    if a is b or type(a) is not type(b):
        return a is b
    if isinstance(a, float):
        return struct.pack('d', a) == struct.pack('d', b)
    if isinstance(a, int | str):
        return bool(a == b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, MethodType):
        return a.__func__ is b.__func__ and is_same(a.__self__, b.__self__)
    return is_frozen(a) and all(
        is_same(getattr(a, field.name), getattr(b, field.name)) for field in dataclasses.fields(a)
    )
