"""Expressions of kernels become LLVM IR: syntax trees are read, names and calls resolved."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence
import inspect
from types import FunctionType, MethodType
from typing import Any

from symcontact_ros.kernels.compiler.operations import Operations, OPERATIONS
from symcontact_ros.kernels.compiler.places import Checks
from symcontact_ros.kernels.compiler.values import (
    BOOL,
    constant,
    described,
    FLOAT,
    INT,
    is_tuple,
    Known,
    leaves,
    Memory,
    Number,
    Row,
    shaped,
    structure,
    Type,
    type_of,
    Value,
)
from symcontact_ros.kernels.compiler.writer import whole
from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.records import layout_of, Record

_MISSING = object()
Resolve = Callable[[Any, Type], tuple[str, Type]]  # function, argument types -> symbol, result


class Expressions(Operations):
    """Writes expressions of one function."""

    def __init__(self, function: Any, resolve: Resolve, checks: Checks) -> None:
        super().__init__(function, checks)
        self._resolve = resolve
        self._variables: dict[str, Value] = {}  # name -> where its numbers are kept
        self._assigned: set[str] = set()  # names that have a value here, whichever way it came
        self._locals: set[str] = set()  # names that are assigned to anywhere in the function

    def _condition(self, node: ast.expr) -> Number:
        value = self._value(node)
        if not isinstance(value, Number) or value.type != BOOL:
            self._fail('a condition must be a comparison or a bool')
        return value

    def _value(self, node: ast.expr) -> Value:
        outer, self._node = self._node, node
        name = type(node).__name__
        method = getattr(self, f'_of_{name.lower()}', None)
        if method is None:
            self._fail(f'{name} is not known in kernels')
        value = method(node)
        self._node = outer
        return value

    def _constant(self, value: Any) -> Value:
        try:
            return constant(value)
        except KernelError as error:
            return self._fail(str(error))

    def _of_constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, str | bytes | complex | type(...)):
            self._fail(f'{node.value!r} is no number')
        return self._constant(node.value)

    def _of_name(self, node: ast.Name) -> Value:
        if node.id in self._locals:
            if node.id not in self._assigned:
                self._fail(f'{node.id} may have no value here: give it one on every way')
            return self._load(self._variables[node.id])
        value = self._function.__globals__.get(node.id, _MISSING)
        if value is _MISSING:
            value = getattr(builtins, node.id, _MISSING)
        if value is _MISSING:
            self._fail(f'{node.id} is not known')
        return self._constant(value)

    def _of_attribute(self, node: ast.Attribute) -> Value:
        found = self._attribute(self._value(node.value), node.attr)
        if isinstance(found, _Method):
            self._fail(f'{ast.unparse(node)} can only be called')
        return found

    def _attribute(self, owner: Value, name: str) -> Any:
        """Return an attribute of a value: a value, or a `_Method`."""
        if isinstance(owner, Known):
            return self._known_attribute(owner, name)
        if isinstance(owner, Row):
            field = self._field_of(owner, name)
            if field is not None:
                return self._read_field(owner, field)
            record = owner.record.meaning
            if name in layout_of(record).statics and not hasattr(record, name):
                self._fail(f'{record.__name__} is not specialized: it has no {name}')
            return self._class_attribute(record, owner, name)
        if is_tuple(owner) and hasattr(owner, '_fields'):
            if name in owner._fields:
                return getattr(owner, name)
            return self._class_attribute(type(owner), owner, name)
        return self._fail(f'{described(type_of(owner))} has no {name}')

    def _known_attribute(self, owner: Known, name: str) -> Any:
        meaning = getattr(owner.meaning, name, _MISSING)
        if meaning is _MISSING:
            self._fail(f'{owner!r} has no {name}')
        if isinstance(meaning, MethodType):
            if isinstance(owner.meaning, type) and issubclass(owner.meaning, Record):
                return _Method(meaning.__func__, owner)
            return _Method(meaning.__func__, self._constant(meaning.__self__))
        return self._constant(meaning)

    def _class_attribute(self, owner: type[Any], value: Value, name: str) -> Any:
        """Return what a class says of its instances: a method, a property, a static."""
        found = inspect.getattr_static(owner, name, _MISSING)
        if found is _MISSING:
            self._fail(f'{owner.__name__} has no {name}')
        if isinstance(found, property):
            return self._call(found.fget, [value])
        if isinstance(found, staticmethod):
            return self._constant(found.__func__)
        if isinstance(found, FunctionType) and name not in _statics_of(owner):
            return _Method(found, value)
        return self._constant(found)

    def _of_tuple(self, node: ast.Tuple) -> Value:
        return tuple(self._value(element) for element in node.elts)

    def _of_subscript(self, node: ast.Subscript) -> Value:
        owner = self._value(node.value)
        if isinstance(owner, Memory) and isinstance(node.slice, ast.Slice):
            if node.slice.step is not None:
                self._fail('a slice has no step')
            ends = (node.slice.lower, node.slice.upper)
            return self._sliced(
                owner, *(None if end is None else self._value(end) for end in ends)
            )
        if isinstance(owner, Memory):
            return self._member(owner, self._value(node.slice))
        if is_tuple(owner):
            return self._chosen(owner, self._index(node.slice))
        return self._fail('only memory and tuples have an index')

    def _index(self, node: ast.expr) -> Number:
        if isinstance(node, ast.Slice):
            self._fail('a tuple is not cut')
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            try:
                return self._constant(int(ast.literal_eval(node)))  # type: ignore[no-any-return]
            except (ValueError, TypeError):
                self._fail(f'{ast.unparse(node)} is no index')
        index = self._value(node)
        if getattr(index, 'type', '') != INT:
            self._fail(f'an index must be an int, not {described(type_of(index))}')
        return index  # type: ignore[no-any-return]

    def _chosen(self, values: Sequence[Value], index: Number) -> Value:
        """Return a member of a tuple; an index that only the running kernel knows chooses."""
        if index.is_literal:
            number = int(index.name)
            if not -len(values) <= number < len(values):
                self._fail(f'there is no member {number} of {len(values)}')
            return values[number]
        if len({type_of(value) for value in values}) != 1:
            self._fail('an index of such a tuple must be a constant')
        if self._checks.wanted:
            self._checked(index, whole(len(values)), 'index {0} of a tuple of {1}')
        # As in Python, a negative index counts from the end.
        negative = self._compare(ast.Lt, index, whole(0))
        from_end = self._new(INT, f'add i64 {index.name}, {len(values)}')
        index = self._select(negative, from_end, index)
        chosen = leaves(values[0])
        for i, value in enumerate(values[1:], start=1):
            here = self._compare(ast.Eq, index, whole(i))
            pairs = zip(leaves(value), chosen, strict=True)
            chosen = [self._select(here, number, other) for number, other in pairs]
        return shaped(type_of(values[0]), chosen)

    def _of_unaryop(self, node: ast.UnaryOp) -> Value:
        value = self._value(node.operand)
        kind = getattr(value, 'type', '')
        if isinstance(node.op, ast.Not) and kind == BOOL:
            if value.is_literal:
                return self._constant(value.name == 'false')
            return self._new(BOOL, f'xor i1 {value.name}, true')
        if isinstance(node.op, ast.USub) and kind == FLOAT:
            return self._new(FLOAT, f'fneg double {value.name}')
        if isinstance(node.op, ast.USub) and kind == INT:
            if value.is_literal:
                return self._constant(-int(value.name))
            return self._new(INT, f'sub i64 0, {value.name}')
        if isinstance(node.op, ast.UAdd) and kind in (FLOAT, INT):
            return value
        if isinstance(node.op, ast.Invert) and kind == INT:
            return self._new(INT, f'xor i64 {value.name}, -1')
        return self._fail(f'{ast.unparse(node)} is not known in kernels')

    def _of_binop(self, node: ast.BinOp) -> Value:
        left = self._value(node.left)
        return self._binary(node.op, left, self._value(node.right))

    def _of_compare(self, node: ast.Compare) -> Number:
        left = self._value(node.left)
        if len(node.ops) == 1:
            return self._comparison(node.ops[0], left, self._value(node.comparators[0]))
        # As in Python, what follows a comparison that fails is not computed.
        result, after = self._cell(BOOL), self._label()
        for number, (op, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if number:
                further = self._label()
                self._branch(one, further, after)
                self._start(further)
            right = self._value(comparator)
            one = self._comparison(op, left, right)
            self._store(result, one)
            left = right
        self._start(after)
        return self._load(result)  # type: ignore[no-any-return]

    def _comparison(self, op: ast.cmpop, left: Value, right: Value) -> Number:
        if not isinstance(op, ast.In | ast.NotIn):
            return self._compare(type(op), left, right)
        if not is_tuple(right):
            self._fail('`in` looks into a tuple')
        found = Number(BOOL, 'false')
        for element in right:
            equal = self._compare(ast.Eq, left, element)
            found = self._new(BOOL, f'or i1 {found.name}, {equal.name}')
        return found if isinstance(op, ast.In) else self._new(BOOL, f'xor i1 {found.name}, true')

    def _of_boolop(self, node: ast.BoolOp) -> Value:
        result, after = self._cell(BOOL), self._label()
        for number, operand in enumerate(node.values):
            condition = self._condition(operand)
            self._store(result, condition)
            if number + 1 < len(node.values):
                further = self._label()
                ways = (further, after) if isinstance(node.op, ast.And) else (after, further)
                self._branch(condition, *ways)
                self._start(further)
        self._start(after)
        return self._load(result)

    def _of_ifexp(self, node: ast.IfExp) -> Value:
        condition = self._condition(node.test)
        if condition.is_literal:  # the other way need not even make sense
            return self._value(node.body if condition.name == 'true' else node.orelse)
        then, otherwise, after = self._label(), self._label(), self._label()
        self._branch(condition, then, otherwise)
        cells: Value = None
        for label, operand in ((then, node.body), (otherwise, node.orelse)):
            self._start(label)
            value = self._value(operand)
            if cells is None:
                cells = self._cells_of(type_of(value))
            if type_of(cells) != type_of(value):
                self._fail(
                    f'both ways must give the same type, not {described(type_of(cells))} and '
                    f'{described(type_of(value))}'
                )
            self._store(cells, value)
            self._jump(after)
        self._start(after)
        return self._load(cells)

    # Calls --------------------------------------------------------------------------------------

    def _of_call(self, node: ast.Call) -> Value:
        function = self._callee(node.func)
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            self._fail('arguments are given one by one')
        values = [self._value(argument) for argument in node.args]
        named = {word.arg: self._value(word.value) for word in node.keywords if word.arg}
        if len(named) != len(node.keywords):
            self._fail('arguments are given one by one')
        if isinstance(function, _Method):
            if function.function is Record.at.__func__:  # type: ignore[attr-defined]
                start = values[1] if len(values) > 1 else whole(0)
                return self._record_at(function.owner.meaning, values[0], start)
            return self._call(function.function, [function.owner, *values], named)
        if isinstance(function, type) and hasattr(function, '_fields'):
            return self._made(function, values, named)
        operation = OPERATIONS.get(function) if _is_hashable(function) else None
        if operation is None and isinstance(function, FunctionType):
            return self._call(function, values, named)
        if operation is None:
            self._fail(f'{ast.unparse(node.func)} is not known in kernels')
        if named:
            self._fail(f'{ast.unparse(node.func)} takes plain arguments')
        return operation(self, values)

    def _callee(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Attribute):
            owner = self._value(node.value)
            if node.attr == '_replace' and is_tuple(owner):
                return _Method(_replace, owner)
            found = self._attribute(owner, node.attr)
        else:
            found = self._value(node)
        if isinstance(found, _Method):
            return found
        if not isinstance(found, Known):
            self._fail(f'{ast.unparse(node)} is {described(type_of(found))} and cannot be called')
        return found.meaning

    def _made(self, maker: Any, values: list[Value], named: dict[str, Value]) -> Value:
        """Return a named tuple."""
        try:
            return maker(*values, **named)
        except TypeError as error:
            return self._fail(str(error))

    def _call(
        self, function: Any, values: list[Value], named: dict[str, Value] | None = None
    ) -> Value:
        if function is _replace:
            return self._made(values[0]._replace, values[1:], named or {})
        if not isinstance(function, FunctionType):
            self._fail(f'{function!r} is no kernel')
        values = self._bound(function, values, named or {})
        symbol, result = self._resolve(function, tuple(type_of(value) for value in values))
        numbers = ', '.join(f'{n.type} {n.name}' for value in values for n in leaves(value))
        line = f'call fastcc {structure(result)} @"{symbol}"({numbers})'
        if result is None:
            self._emit(line)
            return None
        whole_ = self._new(structure(result), line)
        parts = [
            self._new(leaf, f'extractvalue {whole_.type} {whole_.name}, {i}')
            for i, leaf in enumerate(leaves(result))
        ]
        return shaped(result, parts)

    def _bound(self, function: Any, values: list[Value], named: dict[str, Value]) -> list[Value]:
        """Return the arguments of a call in order, defaults included."""
        code, name = function.__code__, function.__name__
        parameters = code.co_varnames[: code.co_argcount]
        if code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            self._fail(f'{name} must take plain arguments')
        if len(values) > len(parameters):
            self._fail(f'{name} takes {len(parameters)} arguments, not {len(values)}')
        given = dict(zip(parameters, values, strict=False))
        for word, value in named.items():
            if word not in parameters or word in given:
                self._fail(f'{name} takes no {word}, or has it already')
            given[word] = value
        if any(value is None for value in given.values()):
            self._fail('a call that gives nothing cannot be an argument')
        defaults = function.__defaults__ or ()
        for word, default in zip(
            parameters[len(parameters) - len(defaults) :], defaults, strict=True
        ):
            if word not in given:
                given[word] = self._constant(default)
        missing = [word for word in parameters if word not in given]
        if missing:
            self._fail(f'{name} needs {", ".join(missing)}')
        return [given[word] for word in parameters]


class _Method:
    """A function together with its first argument."""

    def __init__(self, function: Any, owner: Value) -> None:
        self.function = function
        self.owner = owner


def _replace() -> None:
    """Stand for that method of named tuples, which is no kernel."""


def _statics_of(owner: type[Any]) -> frozenset[str]:
    return layout_of(owner).statics if issubclass(owner, Record) else frozenset()


def _is_hashable(value: Any) -> bool:
    return getattr(value, '__hash__', None) is not None
