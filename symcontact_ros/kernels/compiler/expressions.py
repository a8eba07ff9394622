"""Expressions of kernels become LLVM IR: names, indices, operators, conditions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence
import math
from types import FunctionType
from typing import Any

from symcontact_ros.kernels.compiler.calls import Calls, Resolve
from symcontact_ros.kernels.compiler.memory_access import Checks
from symcontact_ros.kernels.compiler.values import (
    BOOL,
    described,
    filled,
    FLOAT,
    INT,
    kind_of,
    Memory,
    Number,
    numbers_of,
    type_of,
    Value,
    whole,
)
from symcontact_ros.kernels.compiler.writer import Variable

_MISSING = object()


class Expressions(Calls):
    """Writer of the expressions of one function."""

    def __init__(self, function: FunctionType, resolve: Resolve, checks: Checks) -> None:
        super().__init__(function, resolve, checks)
        code = function.__code__
        self._locals = frozenset((*code.co_varnames, *code.co_cellvars))
        self._globals = frozenset(code.co_names)
        # Names with a value on every path: the value, or its cell.
        self._state: dict[str, Value | Variable] = {}

    def _value(self, node: ast.expr) -> Value:
        outer, self._node = self._node, node
        write = _WRITERS.get(type(node))
        if write is None:
            self._fail(f'{type(node).__name__} is not known in kernels')
        value = write(self, node)
        self._node = outer
        return value

    def _condition(self, node: ast.expr) -> Number:
        value = self._value(node)
        if kind_of(value) != BOOL:
            self._fail('a condition must be a comparison or a bool')
        return value  # type: ignore[no-any-return]

    def _of_constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, str | bytes | complex | type(...)):
            self._fail(f'{node.value!r} is no number')
        return self._constant(node.value)

    def _of_name(self, node: ast.Name) -> Value:
        name = node.id
        found = self._state.get(name)
        if found is not None:
            return self._load(found) if isinstance(found, Variable) else found
        if name in self._locals:
            self._fail(f'{name} may have no value here: give it one on every way')
        if name not in self._globals:
            self._fail(f'{name} is private to its class, or the file has changed since')
        value = self._function.__globals__.get(name, _MISSING)
        if value is _MISSING:
            value = getattr(builtins, name, _MISSING)
        if value is _MISSING:
            self._fail(f'{name} is not known')
        return self._constant(value)

    def _of_tuple(self, node: ast.Tuple) -> Value:
        return tuple([self._value(element) for element in node.elts])

    # Indices ------------------------------------------------------------------------------------

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
        if isinstance(owner, tuple):
            return self._chosen(owner, self._index(node.slice))
        return self._fail('only memory and tuples have an index')

    def _index(self, node: ast.expr) -> Number:
        if isinstance(node, ast.Slice):
            self._fail('a tuple is not cut')
        index = self._value(node)
        if kind_of(index) != INT:
            self._fail(f'an index must be an int, not {described(type_of(index))}')
        return index  # type: ignore[no-any-return]

    def _chosen(self, values: Sequence[Value], index: Number) -> Value:
        """Return a member of a tuple, also by an index that is known only at run time."""
        count = len(values)
        if index.known is not None:
            if not -count <= index.known < count:
                self._fail(f'there is no member {index.name} of {count}')
            return values[int(index.known)]
        type_ = type_of(values[0]) if values else None
        if not values or any(type_of(value) != type_ for value in values):
            self._fail('an index of such a tuple must be a constant')
        # As in Python, a negative index counts from the end.
        negative = self._compare(ast.Lt, index, whole(0))
        from_end = self._new(INT, f'add i64 {index.name}, {count}')
        place = self._select(negative, from_end, index)
        if self._checks.wanted:
            good = self._new(BOOL, f'icmp ult i64 {place.name}, {count}')
            self._require(good, 'index {} of a tuple of {}', index, whole(count))
        chosen = numbers_of(values[0])
        for i, value in enumerate(values[1:], start=1):
            here = self._compare(ast.Eq, place, whole(i))
            pairs = zip(numbers_of(value), chosen, strict=True)
            chosen = [self._select(here, number, other) for number, other in pairs]
        return filled(type_, iter(chosen))

    # Operators ----------------------------------------------------------------------------------

    def _of_unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            number = node.operand.value  # the lowest int is minus one that does not fit
            if type(number) in (int, float):
                return self._constant(-number)  # type: ignore[operator]
        value = self._value(node.operand)
        kind = kind_of(value)
        if isinstance(node.op, ast.Not) and kind == BOOL:
            return self._negated(value)
        if isinstance(node.op, ast.USub) and kind in (FLOAT, INT):
            return self._opposite(value)
        if isinstance(node.op, ast.UAdd) and kind in (FLOAT, INT):
            return value
        if isinstance(node.op, ast.Invert) and kind == INT:
            return self._int_operation(ast.BitXor, value, whole(-1))
        return self._fail(f'{ast.unparse(node)} is not known in kernels')

    def _opposite(self, value: Number) -> Number:
        if value.type == FLOAT and value.known is not None:
            return self._constant(-value.known)  # type: ignore[no-any-return]
        if value.type == FLOAT:
            return self._new(FLOAT, f'fneg double {value.name}')
        return self._int_operation(ast.Sub, whole(0), value)

    def _of_binop(self, node: ast.BinOp) -> Value:
        left = self._value(node.left)
        return self._binary(node.op, left, self._value(node.right))

    def _of_compare(self, node: ast.Compare) -> Number:
        left, right = self._value(node.left), self._value(node.comparators[0])
        one = self._comparison(node.ops[0], left, right)
        if len(node.ops) == 1:
            return one
        # As in Python, nothing after a false comparison is evaluated.
        after, ways = self._label(), []
        for op, comparator in zip(node.ops[1:], node.comparators[1:], strict=True):
            ways.append((self._current, one))
            further = self._label()
            self._branch(one, further, after)
            self._start(further)
            left, right = right, self._value(comparator)
            one = self._comparison(op, left, right)
        ways.append((self._current, one))
        self._start(after)
        return self._joined(ways)  # type: ignore[no-any-return]

    def _comparison(self, op: ast.cmpop, left: Value, right: Value) -> Number:
        if not isinstance(op, ast.In | ast.NotIn):
            return self._compare(type(op), left, right)
        if not isinstance(right, tuple):
            self._fail('`in` looks into a tuple')
        found = self._constant(False)
        for element in right:
            if kind_of(left) == kind_of(element) == FLOAT and not (
                _is_real(left) or _is_real(element)
            ):
                # Python finds a nan that is the same object; identity is not known here.
                self._fail('`in` compares ints, or floats with constants: write a == b or a == c')
            equal = self._compare(ast.Eq, left, element)
            found = self._new(BOOL, f'or i1 {found.name}, {equal.name}')
        return found if isinstance(op, ast.In) else self._negated(found)

    # Conditions ---------------------------------------------------------------------------------

    def _of_boolop(self, node: ast.BoolOp) -> Value:
        decisive = isinstance(node.op, ast.Or)  # the value that makes the rest irrelevant
        after = self._label()
        ways: list[tuple[str, Number]] = []
        for number, operand in enumerate(node.values, start=1):
            condition = self._condition(operand)
            if number < len(node.values) and condition.known is not decisive:
                if condition.known is None:
                    ways.append((self._current, condition))
                    further = self._label()
                    self._branch(condition, *((after, further) if decisive else (further, after)))
                    self._start(further)
                continue
            if not ways:
                return condition
            ways.append((self._current, condition))
            break
        self._start(after)
        return self._joined(ways)

    def _of_ifexp(self, node: ast.IfExp) -> Value:
        condition = self._condition(node.test)
        if condition.known is not None:  # the other branch is not compiled
            return self._value(node.body if condition.known else node.orelse)
        then, otherwise, after = self._label(), self._label(), self._label()
        self._branch(condition, then, otherwise)
        ways: list[tuple[str, Value]] = []
        for label, operand in ((then, node.body), (otherwise, node.orelse)):
            self._start(label)
            value = self._value(operand)
            ways.append((self._current, value))
            self._jump(after)
        types = [type_of(value) for _, value in ways]
        if types[0] != types[1]:
            self._fail(
                f'both ways must give the same type, not {" and ".join(map(described, types))}'
            )
        self._start(after)
        return self._joined(ways)


def _is_real(value: Number) -> bool:
    """Return whether a float is known and not nan."""
    return value.known is not None and not math.isnan(value.known)


_WRITERS: dict[type[ast.expr], Callable[[Any, Any], Value]] = {
    ast.Attribute: Expressions._of_attribute,
    ast.BinOp: Expressions._of_binop,
    ast.BoolOp: Expressions._of_boolop,
    ast.Call: Expressions._of_call,
    ast.Compare: Expressions._of_compare,
    ast.Constant: Expressions._of_constant,
    ast.IfExp: Expressions._of_ifexp,
    ast.Name: Expressions._of_name,
    ast.Subscript: Expressions._of_subscript,
    ast.Tuple: Expressions._of_tuple,
    ast.UnaryOp: Expressions._of_unaryop,
}
