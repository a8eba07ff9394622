"""
What object code of a kernel depends on, as a key: sources, values, compiler, machine.

All that a kernel may call is found from its global names, the classes of its arguments and its
statics, without compiling it: whole files count, and so do the constants that their functions use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import functools
import hashlib
import inspect
from pathlib import Path
import sys
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from symcontact_ros.kernels.compiler.values import Known, Memory, Row, Type
from symcontact_ros.kernels.records import BlockKind, is_laid_out, layout_of, Record
from symcontact_ros.kernels.targets.native import NATIVE

_COMPILER = Path(__file__).parent


def key_of(function: Any, types: tuple[Type, ...]) -> str:
    """Return the key of an entry, a hexadecimal SHA-256."""
    found = _Reached(function, types)
    digest = hashlib.sha256('\n'.join([sys.version, NATIVE.fingerprint(), *found.lines]).encode())
    for path in (*_compiler_sources(), *sorted(found.paths)):
        digest.update(_source(path))
    return digest.hexdigest()


def sources_of(function: Any, types: tuple[Type, ...]) -> set[str]:
    """Return the files that the key of an entry is made of."""
    return _Reached(function, types).paths


@functools.cache
def _compiler_sources() -> tuple[str, ...]:
    return tuple(sorted(map(str, _COMPILER.rglob('*.py'))))


@functools.cache
def _source(path: str) -> bytes:
    with open(path, 'rb') as file:
        return file.read()


class _Reached:
    """All that an entry may come to."""

    def __init__(self, function: Any, types: tuple[Type, ...]) -> None:
        self.paths: set[str] = set()
        self.lines: list[str] = []
        self._seen: set[int] = set()
        self._kept: list[Any] = []  # so that ids stay theirs
        self._visit(function)
        for type_ in types:
            self._visit_type(type_)

    def _visit_type(self, type_: Type) -> None:
        if isinstance(type_, Known):
            self.lines.append(f'static {_name(type_.meaning)}')
            self._visit(type_.meaning)
        elif isinstance(type_, Memory | Row):
            meaning = type_[0].meaning
            self.lines.append(f'{type(type_).__name__} {_name(meaning)}')
            self._visit(meaning)
        else:
            self.lines.append(str(type_))

    def _visit(self, value: Any) -> None:
        if isinstance(value, bool | int | float | str | BuiltinFunctionType) or value is None:
            return
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        self._kept.append(value)
        if isinstance(value, FunctionType):
            self._visit_function(value)
        elif isinstance(value, MethodType):
            self._visit(value.__func__)
            self._visit(value.__self__)
        elif isinstance(value, property):
            self._visit(value.fget)
        elif isinstance(value, staticmethod | classmethod):
            self._visit(value.__func__)
        elif isinstance(value, type):
            self._visit_class(value)
        elif isinstance(value, ModuleType):
            self._visit_module(value)
        elif isinstance(value, tuple):
            for member in value:
                self._visit(member)
        elif type(value).__module__ != 'builtins':
            self._visit_instance(value)

    def _visit_function(self, function: FunctionType) -> None:
        self.paths.add(function.__code__.co_filename)
        self.lines.append(_name(function))
        for name, value in sorted(_globals_of(function), key=lambda item: item[0]):
            if isinstance(value, str | int | float | tuple):
                self.lines.append(f'{name} = {value!r}')
            if not isinstance(value, ModuleType):
                self._visit(value)
            elif _is_source(value):
                self._visit_module(value, set(_names(function.__code__)))

    def _visit_class(self, owner: type[Any]) -> None:
        """Add the methods of a class; of a record, also what its fields are."""
        fields: Mapping[str, Any] = {}
        if issubclass(owner, Record) and is_laid_out(owner):
            fields = layout_of(owner).fields
        for cls in owner.__mro__:
            if not _is_source(sys.modules.get(cls.__module__)):
                continue
            path = inspect.getsourcefile(sys.modules[cls.__module__])
            if path is not None:
                self.paths.add(path)
            for name, member in vars(cls).items():
                if name not in fields and not name.startswith(('__', '_abc')):
                    self._note(f'{_name(owner)}.{name}', member)
        for field in fields.values():
            kind = field.kind.member if isinstance(field.kind, BlockKind) else field.kind
            self.lines.append(f'{field.name} {field.offset} {field.slots}')
            if isinstance(kind, type):
                self._visit(kind)

    def _note(self, name: str, value: Any) -> None:
        if isinstance(value, str | int | float | FunctionType | ModuleType):
            self.lines.append(f'{name} = {_name(value)}')
        self._visit(value)

    def _visit_module(self, module: ModuleType, names: set[str] | None = None) -> None:
        """Add members of a module: those with some names, or, of a static one, all."""
        for name, member in sorted(vars(module).items(), key=lambda item: item[0]):
            if name.startswith('__') or (names is not None and name not in names):
                continue
            own = getattr(member, '__module__', module.__name__)
            if not isinstance(member, ModuleType) and _is_source(sys.modules.get(own)):
                self._note(f'{module.__name__}.{name}', member)

    def _visit_instance(self, value: Any) -> None:
        """Add the class of a static instance, and what it holds."""
        self._visit_class(type(value))
        for name, member in sorted(vars(value).items()) if hasattr(value, '__dict__') else ():
            self.lines.append(f'{name} = {_name(member)}')
            self._note(name, member)


def _globals_of(function: FunctionType) -> Iterator[tuple[str, Any]]:
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _names(code: Any) -> Iterator[str]:
    yield from code.co_names


def _is_source(module: Any) -> bool:
    """Return whether a module is no part of Python or of an installed package but of ours."""
    if getattr(module, '__file__', None) is None:
        return False
    top = module.__name__.split('.')[0]
    if top == __name__.split('.')[0]:
        return True
    return top not in sys.stdlib_module_names and 'site-packages' not in module.__file__


def _name(value: Any) -> str:
    """Return a text that is the same for equal values in every process."""
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, FunctionType | type):
        return f'{value.__module__}.{value.__qualname__}'
    if isinstance(value, tuple):
        return f'({", ".join(map(_name, value))})'
    if isinstance(value, bool | int | float | str) or value is None:
        return repr(value)
    held = vars(value) if hasattr(value, '__dict__') else {}
    members = ', '.join(f'{name}={_name(member)}' for name, member in sorted(held.items()))
    return f'{_name(type(value))}({members})'
