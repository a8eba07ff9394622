"""
Expressions of kernels become LLVM IR.

Operations mean what they mean in Python, bit for bit, except that a division by zero gives inf or
nan, that ints have 64 bits, and that no index is checked.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
import functools
import math
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from symcontact_ros.compiled.kernel_values import (
    BOOL,
    constant,
    FLOAT,
    INT,
    INTEGERS,
    KernelError,
    leaves,
    MEMORY,
    Number,
    shaped,
    structure,
    Type,
    type_of,
    Value,
)
from symcontact_ros.memory import integers, part, run, shift

PACKAGE = __name__.split('.', maxsplit=1)[0]
LIBRARY = ('sin', 'cos', 'tan', 'exp', 'log', 'atan2', 'tanh')  # of the C library
_ARITHMETIC = {ast.Add: 'add', ast.Sub: 'sub', ast.Mult: 'mul'}
_COMPARISONS = {
    ast.Lt: ('olt', 'slt'),
    ast.LtE: ('ole', 'sle'),
    ast.Gt: ('ogt', 'sgt'),
    ast.GtE: ('oge', 'sge'),
    ast.Eq: ('oeq', 'eq'),
    ast.NotEq: ('une', 'ne'),
}
Resolve = Callable[[Any, Type], tuple[str, Type]]  # function, argument types -> symbol, result


def is_kernel(value: Any) -> bool:
    """Return whether a value is a function of this package."""
    return isinstance(value, FunctionType) and value.__module__.split('.')[0] == PACKAGE


class Expressions:
    """
    Writes expressions of one function.

    Variables are cells at the start of the function, one per number, which LLVM makes registers
    of.
    """

    def __init__(self, function: Any, resolve: Resolve) -> None:
        self._function = function
        self._resolve = resolve
        self._cells: list[str] = []
        self._lines: list[str] = []
        self._variables: dict[str, Value] = {}  # name -> where its numbers are kept
        self._count = 0
        self._open = True  # whether the current block has not ended
        self._node: ast.AST = ast.Pass()

    def _fail(self, reason: str) -> NoReturn:
        path = self._function.__code__.co_filename
        raise KernelError(f'{path}:{getattr(self._node, "lineno", 0)}: {reason}')

    # Writing ------------------------------------------------------------------------------------

    def _emit(self, line: str) -> None:
        if self._open:
            self._lines.append(f'  {line}')

    def _new(self, type_: str, line: str) -> Number:
        self._count += 1
        number = Number(type_, f'%t{self._count}')
        self._emit(f'{number.name} = {line}')
        return number

    def _label(self) -> str:
        self._count += 1
        return f'b{self._count}'

    def _start(self, label: str) -> None:
        """Start a block; one that has not ended goes on into it."""
        self._emit(f'br label %{label}')
        self._lines.append(f'{label}:')
        self._open = True

    def _jump(self, label: str) -> None:
        self._emit(f'br label %{label}')
        self._open = False

    def _branch(self, condition: Number, then: str, otherwise: str) -> None:
        self._emit(f'br i1 {condition.name}, label %{then}, label %{otherwise}')
        self._open = False

    # Cells --------------------------------------------------------------------------------------

    def _cell(self, type_: str) -> Number:
        self._count += 1
        name = f'%v{self._count}'
        self._cells.append(f'  {name} = alloca {type_}')
        return Number(type_, name)

    def _cells_of(self, type_: Type) -> Value:
        return shaped(type_, (self._cell(leaf) for leaf in leaves(type_)))

    def _store(self, cells: Value, value: Value) -> None:
        for cell, number in zip(leaves(cells), leaves(value), strict=True):
            self._emit(f'store {number.type} {number.name}, {number.type}* {cell.name}')

    def _load(self, cells: Value) -> Value:
        numbers = [
            self._new(cell.type, f'load {cell.type}, {cell.type}* {cell.name}')
            for cell in leaves(cells)
        ]
        return shaped(type_of(cells), numbers)

    def _place(self, node: ast.Subscript) -> Number:
        """Return the address of a number in memory."""
        memory, index = self._value(node.value), self._value(node.slice)
        if not isinstance(memory, Number) or memory.type not in (MEMORY, INTEGERS):
            self._fail('only memory and tuples have an index')
        kind = memory.type[:-1]
        if index.type != INT:
            self._fail('an index must be an int')
        line = f'getelementptr {kind}, {kind}* {memory.name}, i64 {index.name}'
        return Number(kind, self._new(memory.type, line).name)

    # Expressions --------------------------------------------------------------------------------

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
        place = self._place(node)
        return self._new(place.type, f'load {place.type}, {place.type}* {place.name}')

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

    def _binary(self, op: ast.operator, left: Value, right: Value) -> Number:
        types = {getattr(left, 'type', ''), getattr(right, 'type', '')}
        if not types <= {FLOAT, INT}:
            self._fail('only numbers can be computed with')
        kind = type(op)
        if kind is ast.Div or FLOAT in types:
            return self._float_operation(kind, self._as_float(left), self._as_float(right))
        return self._int_operation(kind, left, right)

    def _float_operation(self, kind: Any, left: Number, right: Number) -> Number:
        name = 'div' if kind is ast.Div else _ARITHMETIC.get(kind)
        if name is None:
            self._fail('of floats there are sums, differences, products and quotients')
        return self._new(FLOAT, f'f{name} double {left.name}, {right.name}')

    def _int_operation(self, kind: Any, left: Number, right: Number) -> Number:
        operands = f'{left.name}, {right.name}'
        if kind in _ARITHMETIC:
            return self._new(INT, f'{_ARITHMETIC[kind]} i64 {operands}')
        if kind is ast.LShift:
            return self._new(INT, f'shl i64 {operands}')
        if kind in (ast.FloorDiv, ast.Mod):
            # Rounded down as in Python, where LLVM rounds to zero.
            rest = self._new(INT, f'srem i64 {operands}')
            mixed = self._new(INT, f'xor i64 {rest.name}, {right.name}')
            below = self._new(BOOL, f'icmp slt i64 {mixed.name}, 0')
            some = self._new(BOOL, f'icmp ne i64 {rest.name}, 0')
            fix = self._new(BOOL, f'and i1 {below.name}, {some.name}')
            if kind is ast.Mod:
                more = self._new(INT, f'select i1 {fix.name}, i64 {right.name}, i64 0')
                return self._new(INT, f'add i64 {rest.name}, {more.name}')
            quotient = self._new(INT, f'sdiv i64 {operands}')
            less = self._new(INT, f'zext i1 {fix.name} to i64')
            return self._new(INT, f'sub i64 {quotient.name}, {less.name}')
        return self._fail('this is not computed with ints in kernels')

    def _as_float(self, value: Number) -> Number:
        if value.type == FLOAT:
            return value
        return self._new(FLOAT, f'sitofp i64 {value.name} to double')

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

    def _compare(self, kind: Any, left: Value, right: Value) -> Number:
        types = {getattr(left, 'type', ''), getattr(right, 'type', '')}
        if kind not in _COMPARISONS or not types <= {FLOAT, INT}:
            self._fail('only numbers can be compared')
        of_floats, of_ints = _COMPARISONS[kind]
        if FLOAT in types:
            left, right = self._as_float(left), self._as_float(right)
            return self._new(BOOL, f'fcmp {of_floats} double {left.name}, {right.name}')
        return self._new(BOOL, f'icmp {of_ints} i64 {left.name}, {right.name}')

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
        if is_kernel(function) and function not in _KNOWN:
            return self._call(function, values)
        method = _KNOWN.get(function)
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

    def _shift(self, values: Sequence[Value]) -> Number:
        memory, count = values
        kind = memory.type[:-1]
        return self._new(
            memory.type, f'getelementptr {kind}, {kind}* {memory.name}, i64 {count.name}'
        )

    def _integers(self, values: Sequence[Value]) -> Number:
        return self._new(INTEGERS, f'bitcast double* {values[0].name} to i64*')

    def _part(self, values: Sequence[Value]) -> Number:
        address = self._address(values)
        return self._new(MEMORY, f'inttoptr i64 {address.name} to double*')

    def _run(self, values: Sequence[Value]) -> None:
        """Call a function of blocks of memory whose address is in a table."""
        address = self._address(values[:2])
        types = ', '.join(value.type for value in values[2:])
        pointer = self._new('', f'inttoptr i64 {address.name} to void ({types})*')
        blocks = ', '.join(f'{value.type} {value.name}' for value in values[2:])
        self._emit(f'call void {pointer.name}({blocks})')

    def _address(self, values: Sequence[Value]) -> Number:
        table, index = values
        if table.type != INTEGERS:
            self._fail('a table is needed here')
        place = self._new(INTEGERS, f'getelementptr i64, i64* {table.name}, i64 {index.name}')
        return self._new(INT, f'load i64, i64* {place.name}')

    def _abs(self, values: Sequence[Value]) -> Number:
        (value,) = values
        if value.type == FLOAT:
            return self._new(FLOAT, f'call double @llvm.fabs.f64(double {value.name})')
        negative = self._new(BOOL, f'icmp slt i64 {value.name}, 0')
        opposite = self._new(INT, f'sub i64 0, {value.name}')
        return self._select(negative, opposite, value)

    def _select(self, condition: Number, then: Number, otherwise: Number) -> Number:
        line = f'select i1 {condition.name}, {then.type} {then.name}, {then.type} {otherwise.name}'
        return self._new(then.type, line)

    def _extreme(self, values: Sequence[Value], kind: Any) -> Number:
        """Return the first of the values unless another one is beyond it, as Python does."""
        best: Number = values[0]
        for value in values[1:]:
            if value.type != best.type:
                self._fail('min and max take numbers of one type')
            best = self._select(self._compare(kind, value, best), value, best)
        return best

    def _to_int(self, values: Sequence[Value]) -> Number:
        value: Number = values[0]
        if value.type == INT:
            return value
        return self._new(INT, f'fptosi double {value.name} to i64')

    def _to_bool(self, values: Sequence[Value]) -> Number:
        value: Number = values[0]
        return value if value.type == BOOL else self._compare(ast.NotEq, value, constant(0))

    def _library(self, name: str, values: Sequence[Value]) -> Number:
        numbers = ', '.join(f'double {self._as_float(value).name}' for value in values)
        return self._new(FLOAT, f'call double @{name}({numbers})')


_BUILTINS = {'abs': abs, 'min': min, 'max': max, 'int': int, 'float': float, 'bool': bool}
_KNOWN: dict[Any, Callable[[Expressions, Sequence[Value]], Value]] = {
    shift: Expressions._shift,
    integers: Expressions._integers,
    part: Expressions._part,
    run: Expressions._run,
    abs: Expressions._abs,
    min: lambda writer, values: writer._extreme(values, ast.Lt),
    max: lambda writer, values: writer._extreme(values, ast.Gt),
    int: Expressions._to_int,
    float: lambda writer, values: writer._as_float(values[0]),
    bool: Expressions._to_bool,
    math.sqrt: lambda writer, values: writer._library('llvm.sqrt.f64', values),
    math.floor: lambda writer, values: writer._library('llvm.floor.f64', values),
    **{
        getattr(math, name): functools.partial(
            lambda writer, values, name: writer._library(name, values), name=name
        )
        for name in LIBRARY
    },
}
