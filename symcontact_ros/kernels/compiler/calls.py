"""Attributes and calls of kernels become LLVM IR."""

from __future__ import annotations

from abc import abstractmethod
import ast
from collections.abc import Callable
import inspect
from types import FunctionType, MethodType
from typing import Any

from symcontact_ros.kernels.compiler.memory_access import Checks
from symcontact_ros.kernels.compiler.operations import OPERATIONS, Operations
from symcontact_ros.kernels.compiler.values import (
    described,
    filled,
    is_named_tuple,
    leaves,
    made,
    NOTHING,
    numbers_of,
    Row,
    structure,
    Type,
    type_of,
    Value,
)
from symcontact_ros.kernels.records import Record
from symcontact_ros.kernels.statics import Known

_MISSING = object()
_AT = Record.at.__func__  # type: ignore[attr-defined]
Resolve = Callable[[Any, Type], tuple[str, Type]]  # function, argument types -> symbol, result

# Functions of `math` that `elementary` has with the same bits on every machine.
ELEMENTARY = frozenset(
    ['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'exp', 'log', 'sinh', 'cosh', 'tanh']
)


class Method:
    """A function together with its first argument."""

    def __init__(self, function: Any, owner: Value) -> None:
        self.function = function
        self.owner = owner


class Calls(Operations):
    """Writes attributes and calls."""

    def __init__(self, function: FunctionType, resolve: Resolve, checks: Checks) -> None:
        super().__init__(function, checks)
        self._resolve = resolve

    @abstractmethod
    def _value(self, node: ast.expr) -> Value:
        """Write an expression."""

    # Attributes ---------------------------------------------------------------------------------

    def _of_attribute(self, node: ast.Attribute) -> Value:
        found = self._attribute(self._value(node.value), node.attr)
        if isinstance(found, Method):
            self._fail(f'{ast.unparse(node)} can only be called')
        return found

    def _attribute(self, owner: Value, name: str) -> Any:
        """Return an attribute of a value: a value, or a `Method`."""
        if name.startswith('__') and not name.endswith('__'):
            self._fail(f'{name} is private to its class')
        if isinstance(owner, Known):
            return self._known_attribute(owner, name)
        if isinstance(owner, Row):
            field = self._field_of(owner, name)
            if field is not None:
                return self._read_field(owner, field)
            return self._class_attribute(owner.record.meaning, owner, name)
        if isinstance(owner, tuple) and type(owner) is not tuple:
            fields: tuple[str, ...] = type(owner)._fields  # type: ignore[attr-defined]
            if name in fields:
                return owner[fields.index(name)]
            return self._class_attribute(type(owner), owner, name)
        return self._fail(f'{described(type_of(owner))} has no {name}')

    def _known_attribute(self, owner: Known, name: str) -> Value:
        try:
            meaning = getattr(owner.meaning, name)
        except Exception as error:  # a property may raise anything
            self._fail(f'{owner!r} has no {name}: {error}')
        return self._constant(meaning)

    def _class_attribute(self, owner: type[Any], value: Value, name: str) -> Any:
        """Return an attribute of a class for its instances: a method, a property, a static."""
        statics = self._layout(owner).statics if issubclass(owner, Record) else ()
        found = inspect.getattr_static(owner, name, _MISSING)
        if found is _MISSING:
            reason = ' is not specialized: it' if name in statics else ''
            self._fail(f'{owner.__name__}{reason} has no {name}')
        if name in statics:
            return self._constant(getattr(owner, name))
        if isinstance(found, property):
            return self._call(found.fget, [value], {})
        if isinstance(found, FunctionType):
            return Method(found, value)
        if isinstance(found, staticmethod):
            return self._constant(found.__func__)
        if hasattr(type(found), '__get__') and not isinstance(found, type):
            self._fail(f'{name} of {owner.__name__} is not known in kernels')
        return self._constant(found)

    # Calls --------------------------------------------------------------------------------------

    def _of_call(self, node: ast.Call) -> Value:
        function = self._callee(node.func)
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            self._fail('arguments are given one by one')
        values = [self._value(argument) for argument in node.args]
        named = {word.arg: self._value(word.value) for word in node.keywords if word.arg}
        if len(named) != len(node.keywords):
            self._fail('arguments are given one by one')
        if isinstance(function, Method):
            return self._call_method(function, values, named)
        if is_named_tuple(function):
            return self._made(function, values, named)
        operation = OPERATIONS.get(function)
        if operation is None and isinstance(function, FunctionType):
            return self._call(function, values, named)
        if operation is None:
            name = ast.unparse(node.func)
            own = name.removeprefix('math.')
            hint = f': take {own} of kernels.elementary' if own in ELEMENTARY else ''
            self._fail(f'{name} is not known in kernels{hint}')
        if named:
            self._fail(f'{ast.unparse(node.func)} takes plain arguments')
        value = operation(self, values)
        return NOTHING if value is None else value

    def _callee(self, node: ast.expr) -> Any:
        """Return the called object: a `Method`, or a static."""
        if isinstance(node, ast.Attribute):
            found = self._attribute(self._value(node.value), node.attr)
        else:
            found = self._value(node)
        if isinstance(found, Method):
            return found
        if not isinstance(found, Known):
            self._fail(f'{ast.unparse(node)} is {described(type_of(found))} and cannot be called')
        if isinstance(found.meaning, MethodType):
            return Method(found.meaning.__func__, self._constant(found.meaning.__self__))
        return found.meaning

    def _call_method(self, method: Method, values: list[Value], named: dict[str, Value]) -> Value:
        if method.function is _AT:
            block, start = self._given('at', ('block', 'start'), values, named, {'start': 0})
            return self._record_at(method.owner.meaning, block, start)
        if isinstance(method.owner, tuple) and method.function.__name__ == '_replace':
            return self._replaced(method.owner, values, named)
        return self._call(method.function, [method.owner, *values], named)

    def _made(self, maker: Any, values: list[Value], named: dict[str, Value]) -> Value:
        """Return a named tuple."""
        defaults = maker._field_defaults
        given = self._given(maker.__name__, maker._fields, values, named, defaults)
        return made(maker, given)

    def _replaced(self, owner: Any, values: list[Value], named: dict[str, Value]) -> Value:
        """Return a named tuple with other members."""
        if values or not named.keys() <= set(owner._fields):
            self._fail(f'_replace takes members by name: {", ".join(owner._fields)}')
        parts = zip(owner._fields, owner, strict=True)
        return made(type(owner), [named.get(name, part) for name, part in parts])

    def _call(self, function: Any, values: list[Value], named: dict[str, Value]) -> Value:
        """Call a kernel."""
        if not isinstance(function, FunctionType):
            self._fail(f'{function!r} is no kernel')
        values = self._bound(function, values, named)
        symbol, result = self._resolve(function, tuple(map(type_of, values)))
        given = [number for value in values for number in numbers_of(value)]
        numbers = ', '.join([f'{number.type} {number.name}' for number in given])
        returned = structure(result)
        line = f'call fastcc {returned} @"{symbol}"({numbers})'
        parts = leaves(result)
        found = [self._new(returned, line)] if parts else []
        if not parts:
            self._emit(line)
        if self._checks.wanted:
            self._check_faults()
        if len(parts) > 1:
            found = [
                self._new(leaf, f'extractvalue {returned} {found[0].name}, {i}')
                for i, leaf in enumerate(parts)
            ]
        return filled(result, iter(found))

    def _bound(
        self, function: FunctionType, values: list[Value], named: dict[str, Value]
    ) -> list[Value]:
        """Return the arguments of a call in order, defaults included."""
        code, name = function.__code__, function.__name__
        parameters = code.co_varnames[: code.co_argcount]
        if code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            self._fail(f'{name} must take plain arguments')
        if named.keys() & set(parameters[: code.co_posonlyargcount]):
            self._fail(f'{name} takes {", ".join(named)} by position')
        values_of = function.__defaults__ or ()
        names = parameters[len(parameters) - len(values_of) :]
        defaults = dict(zip(names, values_of, strict=True))
        return self._given(name, parameters, values, named, defaults)

    def _given(
        self,
        name: str,
        parameters: tuple[str, ...],
        values: list[Value],
        named: dict[str, Value],
        defaults: dict[str, Any],
    ) -> list[Value]:
        """Return values in the order of parameters."""
        if len(values) > len(parameters):
            self._fail(f'{name} takes {len(parameters)} arguments, not {len(values)}')
        given = dict(zip(parameters, values, strict=False))
        for word, value in named.items():
            if word not in parameters or word in given:
                self._fail(f'{name} takes no {word}, or has it already')
            given[word] = value
        missing = [word for word in parameters if word not in given and word not in defaults]
        if missing:
            self._fail(f'{name} needs {", ".join(missing)}')
        return [
            given[word] if word in given else self._constant(defaults[word]) for word in parameters
        ]
