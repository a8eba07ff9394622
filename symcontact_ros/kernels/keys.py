"""
Key of the object code of a kernel: sources, values, compiler, machine.

Everything that a kernel may reach is found without compiling it. A function reaches the global
names that it uses, and its defaults; of a module, a class or an instance, the members whose names
are used by some function are reached. Functions enter the key by their whole files, everything
else by its value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
import contextlib
import dataclasses
import enum
import functools
import hashlib
from pathlib import Path
import sys
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from symcontact_ros.kernels.compiler.sources import text_of
from symcontact_ros.kernels.compiler.values import Type
from symcontact_ros.kernels.records import (
    BlockKind,
    Field,
    FieldProperty,
    layout_of,
    Record,
    TupleKind,
)
from symcontact_ros.kernels.statics import is_frozen, Known
from symcontact_ros.kernels.targets.native import NATIVE

_COMPILER = Path(__file__).parent
_FOREIGN = sys.stdlib_module_names | {'numpy'}  # modules without kernels


def key_of(function: Any, types: tuple[Type, ...]) -> str:
    """Return the key of an entry, a hexadecimal SHA-256."""
    found = _Reached(function, types)
    lines = [sys.version, NATIVE.fingerprint(), *found.lines]
    digest = hashlib.sha256('\n'.join(lines).encode('utf-8', 'surrogatepass'))
    digest.update(_compiler_digest())
    for path in sorted(found.paths):
        with contextlib.suppress(OSError):  # no source: the compiler reports it
            digest.update(_digest(path))
    return digest.hexdigest()


def sources_of(function: Any, types: tuple[Type, ...]) -> set[str]:
    """Return the files that the key of an entry is made of."""
    return _Reached(function, types).paths


@functools.cache
def _compiler_digest() -> bytes:
    paths = sorted(map(str, _COMPILER.rglob('*.py')))
    return hashlib.sha256(b''.join(map(_digest, paths))).digest()


@functools.cache
def _digest(path: str) -> bytes:
    return hashlib.sha256(text_of(path)).digest()


class _Reached:
    """
    Everything that an entry may reach.

    Attributes
    ----------
    paths
        Files of functions.
    lines
        Meaning of each name, in an order that is the same in every process.
    """

    def __init__(self, function: Any, types: tuple[Type, ...]) -> None:
        self.paths: set[str] = set()
        self.lines: list[str] = []
        self._names: set[str] = set()  # that any function uses
        self._owners = 0
        self._members: dict[str, list[tuple[int, Any]]] = {}  # of owners, not used so far
        self._globals: dict[int, tuple[int, set[str]]] = {}  # number, names seen to
        self._waiting: list[FunctionType] = []
        self._seen: set[int] = set()
        self._kept: list[Any] = []  # so that ids stay theirs
        self._note('entry', function)
        for type_ in types:
            self._note_type(type_)
        while self._waiting:
            self._use(self._waiting.pop())

    def _note_type(self, type_: Type) -> None:
        if isinstance(type_, Known):
            self._note('static', type_.meaning)
        elif isinstance(type_, tuple):
            self._note(type_[0].__name__, type_[1].meaning)
        else:
            self.lines.append(str(type_))

    def _use(self, function: FunctionType) -> None:
        """Add everything that a function uses."""
        code, values = function.__code__, function.__globals__
        self.paths.add(code.co_filename)
        for default in function.__defaults__ or ():
            self._note('default', default)
        number, seen = self._globals.setdefault(id(values), (len(self._globals), set()))
        own = [name for name in code.co_names if name not in seen]
        seen.update(own)
        for name in own:
            if name in values:
                self._note(f'{number} {name}', values[name])
        new = [name for name in code.co_names if name not in self._names]
        self._names.update(new)
        for name in new:
            for number, value in self._members.pop(name, ()):
                self._note(f'of {number} {name}', value)

    def _add_owner(self, owner: Mapping[str, Any]) -> None:
        """Add members of a module or a class: those that are used, now or later."""
        number, self._owners = self._owners, self._owners + 1
        for name, value in sorted(owner.items()):
            if isinstance(value, FieldProperty):  # optional: fields are registered as such
                continue
            if name in self._names:
                self._note(f'of {number} {name}', value)
            else:
                self._members.setdefault(name, []).append((number, value))

    def _note(self, name: str, value: Any) -> None:
        self.lines.append(f'{name} = {_name(value)}')
        self._visit(value)

    def _visit(self, value: Any) -> None:
        if isinstance(value, int | float | str | BuiltinFunctionType) or id(value) in self._seen:
            return
        self._seen.add(id(value))
        self._kept.append(value)
        if isinstance(value, FunctionType):
            self._waiting.append(value)
        elif isinstance(value, type):
            self._visit_class(value)
        elif isinstance(value, ModuleType):
            if _is_source(value.__name__):
                self._add_owner(vars(value))
        else:
            self._visit_parts(value)

    def _visit_parts(self, value: Any) -> None:
        """Add the components of a value."""
        for part in _parts(value):
            self._visit(part)
        if isinstance(value, tuple | enum.Enum) or is_frozen(value):
            self._visit(type(value))

    def _visit_class(self, owner: type[Any]) -> None:
        """Add the members of a class; of a record, also the types of its fields."""
        for cls in owner.__mro__:
            if _is_source(cls.__module__):
                self._add_owner(vars(cls))
        if issubclass(owner, tuple):
            self.lines.append(f'members {getattr(owner, "_fields", ())}')
            for name, default in getattr(owner, '_field_defaults', {}).items():
                self._note(name, default)
        if issubclass(owner, Record):
            for field in _record_fields(owner):
                self.lines.append(f'{field.name} {field.offset}')
                self._visit_kind(field.kind)

    def _visit_kind(self, kind: Any) -> None:
        """Add the type of a field."""
        if isinstance(kind, TupleKind):
            self._note('tuple', kind.maker)
            for part in kind.parts:
                self._visit_kind(part)
        elif isinstance(kind, BlockKind):
            self._note(f'block of {kind.length}', kind.member)
        else:
            self._note('kind', kind)


def _record_fields(record: type[Record]) -> Iterable[Field]:
    try:
        return layout_of(record).fields.values()
    except (TypeError, NameError):  # not a valid record: the compiler reports it
        return ()


def _parts(value: Any) -> Iterable[Any]:
    """Return the components of a value."""
    if isinstance(value, MethodType):
        return value.__func__, value.__self__
    if isinstance(value, property):
        return (value.fget,)
    if isinstance(value, staticmethod | classmethod):
        return (value.__func__,)
    if isinstance(value, tuple):
        return value
    if isinstance(value, enum.Enum):
        return (value.value,)
    return [held for _, held in _fields(value)]


def _fields(value: Any) -> list[tuple[str, Any]]:
    """Return the fields of an instance of a frozen dataclass."""
    if not is_frozen(value):
        return []
    return [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]


@functools.cache
def _is_source(module: str) -> bool:
    """Return whether a module may contain kernels."""
    return module.split('.')[0] not in _FOREIGN


def _name(value: Any) -> str:
    """Return a text that is the same for equal values in every process."""
    if isinstance(value, FunctionType):
        line = value.__code__.co_firstlineno
        return f'{value.__module__}.{value.__qualname__}:{line}'
    if isinstance(value, type | BuiltinFunctionType):
        return f'{value.__module__}.{value.__qualname__}'
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, enum.Enum):
        return f'{type(value).__qualname__}.{value.name} {_name(value.value)}'
    if isinstance(value, bool | int | float | str) or value is None:
        return repr(value)
    parts = ', '.join(map(_name, _parts(value)))
    return f'{type(value).__module__}.{type(value).__qualname__}({parts})'
