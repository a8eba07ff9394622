"""Expressions of kernels become LLVM IR: syntax trees are read, names and calls resolved."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any

from symcontact_ros.compiled.kernel_operations import KNOWN, Operations
from symcontact_ros.compiled.kernel_values import (
    BOOL,
    constant,
    FLOAT,
    INT,
    INTEGERS,
    leaves,
    MEMORY,
    Number,
    shaped,
    structure,
    Type,
    type_of,
    Value,
)

PACKAGE = __name__.split('.', maxsplit=1)[0]
_BUILTINS = {'abs': abs, 'min': min, 'max': max, 'int': int, 'float': float, 'bool': bool}
Resolve = Callable[[Any, Type], tuple[str, Type]]  # function, argument types -> symbol, result


def is_kernel(value: Any) -> bool:
    """Return whether a value is a function of this package."""
    return isinstance(value, FunctionType) and value.__module__.split('.')[0] == PACKAGE


class Expressions(Operations):
    """Writes expressions of one function."""

    def __init__(self, function: Any, resolve: Resolve) -> None:
        super().__init__(function)
        self._resolve = resolve
        self._variables: dict[str, Value] = {}  # name -> where its numbers are kept

    def _condition(self, node: ast.expr) -> Number:
        value = self._value(node)
        if not isinstance(value, Number) or value.type != BOOL:
            self._fail('a condition must be a comparison or a bool')
        return value

    def _value(self, node: ast.expr) -> Value:
        if hasattr(node, 'lineno'):
            self._node = node
        name = type(node).__name__
        method = getattr(self, f'_of_{name.lower()}', None)
        if method is None:
            self._fail(f'{name} is not known in kernels')
        return method(node)

    def _of_constant(self, node: ast.Constant) -> Value:
        value = constant(node.value)
        return value if value is not None else self._fail(f'{node.value!r} is no number')

    def _of_name(self, node: ast.Name) -> Value:
        if node.id in self._variables:
            return self._load(self._variables[node.id])
        value = constant(self._global(node))
        return value if value is not None else self._fail(f'{node.id} is no number')

    def _global(self, node: ast.expr) -> Any:
        """Return what a name, or a name in a module, stands for outside the function."""
        if isinstance(node, ast.Attribute):
            module = self._global(node.value)
            if not isinstance(module, ModuleType):
                self._fail(f'{ast.unparse(node)} is not known in kernels')
            return getattr(module, node.attr)
        assert isinstance(node, ast.Name)
        names = self._function.__globals__
        if node.id in names:
            return names[node.id]
        if node.id in _BUILTINS:
            return _BUILTINS[node.id]
        return self._fail(f'{node.id} is not known')

    def _of_attribute(self, node: ast.Attribute) -> Value:
        if isinstance(node.value, ast.Name) and node.value.id in self._variables:
            cells = getattr(self._variables[node.value.id], node.attr, None)
            if cells is None:
                self._fail(f'{node.value.id} has no {node.attr}')
            return self._load(cells)
        value = constant(self._global(node))
        return value if value is not None else self._fail(f'{ast.unparse(node)} is no number')

    def _of_tuple(self, node: ast.Tuple) -> Value:
        return tuple(self._value(element) for element in node.elts)

    def _of_subscript(self, node: ast.Subscript) -> Value:
        value = self._value(node.value)
        if not isinstance(value, Number):
            if isinstance(node.slice, ast.Constant):
                return value[node.slice.value]
            return self._chosen(value, self._value(node.slice))
        return self._loaded(self._place(node))

    def _place(self, node: ast.Subscript) -> Number:
        """Return memory from an index on."""
        memory, index = self._value(node.value), self._value(node.slice)
        if not isinstance(memory, Number) or memory.type not in (MEMORY, INTEGERS):
            self._fail('only memory and tuples have an index')
        if index.type != INT:
            self._fail('an index must be an int')
        return self._shifted(memory, index)

    def _chosen(self, values: Sequence[Value], index: Number) -> Value:
        """Return the member of a tuple at an index that only the running kernel knows."""
        if len({type_of(value) for value in values}) != 1:
            self._fail('an index of such a tuple must be a constant')
        chosen = leaves(values[0])
        for i, value in enumerate(values[1:], start=1):
            here = self._compare(ast.Eq, index, Number(INT, str(i)))
            pairs = zip(leaves(value), chosen, strict=True)
            chosen = [self._select(here, number, other) for number, other in pairs]
        return shaped(type_of(values[0]), chosen)

    def _of_unaryop(self, node: ast.UnaryOp) -> Value:
        value = self._value(node.operand)
        if isinstance(node.op, ast.Not) and value.type == BOOL:
            return self._new(BOOL, f'xor i1 {value.name}, true')
        if isinstance(node.op, ast.USub) and value.type == FLOAT:
            return self._new(FLOAT, f'fneg double {value.name}')
        if isinstance(node.op, ast.USub) and value.type == INT:
            return self._new(INT, f'sub i64 0, {value.name}')
        return self._fail(f'{ast.unparse(node)} is not known in kernels')

    def _of_binop(self, node: ast.BinOp) -> Value:
        left = self._value(node.left)
        return self._binary(node.op, left, self._value(node.right))

    def _of_compare(self, node: ast.Compare) -> Number:
        left = self._value(node.left)
        result = Number(BOOL, 'true')
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self._value(comparator)
            if isinstance(op, ast.In):
                one = Number(BOOL, 'false')
                for element in right:
                    equal = self._compare(ast.Eq, left, element)
                    one = self._new(BOOL, f'or i1 {one.name}, {equal.name}')
            else:
                one = self._compare(type(op), left, right)
            result = self._new(BOOL, f'and i1 {result.name}, {one.name}')
            left = right
        return result

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
        then, otherwise, after = self._label(), self._label(), self._label()
        self._branch(self._condition(node.test), then, otherwise)
        cells: Value = None
        for label, operand in ((then, node.body), (otherwise, node.orelse)):
            self._start(label)
            value = self._value(operand)
            if cells is None:
                cells = self._cells_of(type_of(value))
            if type_of(cells) != type_of(value):
                self._fail('both ways must give the same type')
            self._store(cells, value)
            self._jump(after)
        self._start(after)
        return self._load(cells)

    # Calls --------------------------------------------------------------------------------------

    def _of_call(self, node: ast.Call) -> Value:
        function = self._global(node.func)
        if node.keywords:
            self._fail('kernels are called with plain arguments')
        values = [self._value(argument) for argument in node.args]
        self._node = node
        if isinstance(function, type) and hasattr(function, '_fields'):
            return function(*values)
        if is_kernel(function) and function not in KNOWN:
            return self._call(function, values)
        method = KNOWN.get(function)
        if method is None:
            self._fail(f'{ast.unparse(node.func)} is not known in kernels')
        return method(self, values)

    def _call(self, function: Any, values: Sequence[Value]) -> Value:
        missing = function.__code__.co_argcount - len(values)
        defaults = (function.__defaults__ or ())[-missing:] if missing > 0 else ()
        values = [*values, *(constant(default) for default in defaults)]
        symbol, result = self._resolve(function, tuple(type_of(value) for value in values))
        numbers = ', '.join(f'{n.type} {n.name}' for value in values for n in leaves(value))
        line = f'call fastcc {structure(result)} @"{symbol}"({numbers})'
        if result is None:
            self._emit(line)
            return None
        whole = self._new(structure(result), line)
        parts = [
            self._new(leaf, f'extractvalue {whole.type} {whole.name}, {i}')
            for i, leaf in enumerate(leaves(result))
        ]
        return shaped(result, parts)
