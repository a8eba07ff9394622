"""
Operations on numbers and memory become LLVM IR, and so do the functions that are no kernels.

Operations mean what they mean in Python, bit for bit, except that a division by zero gives inf or
nan, that ints have 64 bits, and that no index is checked.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
import functools
import math
from typing import Any

from symcontact_ros.compiled.kernel_values import (
    BOOL,
    constant,
    FLOAT,
    INT,
    INTEGERS,
    MEMORY,
    Number,
    Value,
)
from symcontact_ros.compiled.kernel_writer import Writer
from symcontact_ros.memory import integers, part, run, shift

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


class Operations(Writer):
    """Writes operations whose operands are known."""

    # Numbers ------------------------------------------------------------------------------------

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

    def _compare(self, kind: Any, left: Value, right: Value) -> Number:
        types = {getattr(left, 'type', ''), getattr(right, 'type', '')}
        if kind not in _COMPARISONS or not types <= {FLOAT, INT}:
            self._fail('only numbers can be compared')
        of_floats, of_ints = _COMPARISONS[kind]
        if FLOAT in types:
            left, right = self._as_float(left), self._as_float(right)
            return self._new(BOOL, f'fcmp {of_floats} double {left.name}, {right.name}')
        return self._new(BOOL, f'icmp {of_ints} i64 {left.name}, {right.name}')

    def _select(self, condition: Number, then: Number, otherwise: Number) -> Number:
        line = f'select i1 {condition.name}, {then.type} {then.name}, {then.type} {otherwise.name}'
        return self._new(then.type, line)

    def _abs(self, values: Sequence[Value]) -> Number:
        (value,) = values
        if value.type == FLOAT:
            return self._new(FLOAT, f'call double @llvm.fabs.f64(double {value.name})')
        negative = self._new(BOOL, f'icmp slt i64 {value.name}, 0')
        opposite = self._new(INT, f'sub i64 0, {value.name}')
        return self._select(negative, opposite, value)

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

    # Memory -------------------------------------------------------------------------------------

    def _shifted(self, memory: Number, count: Number) -> Number:
        """Return memory from an index on."""
        kind = memory.type[:-1]
        return self._new(
            memory.type, f'getelementptr {kind}, {kind}* {memory.name}, i64 {count.name}'
        )

    def _loaded(self, place: Number) -> Number:
        """Return the first number of memory."""
        kind = place.type[:-1]
        return self._new(kind, f'load {kind}, {place.type} {place.name}')

    def _integers(self, values: Sequence[Value]) -> Number:
        return self._new(INTEGERS, f'bitcast double* {values[0].name} to i64*')

    def _part(self, values: Sequence[Value]) -> Number:
        address = self._address(*values)
        return self._new(MEMORY, f'inttoptr i64 {address.name} to double*')

    def _run(self, values: Sequence[Value]) -> None:
        """Call a function of blocks of memory whose address is in a table."""
        address = self._address(*values[:2])
        types = ', '.join(value.type for value in values[2:])
        pointer = self._new('', f'inttoptr i64 {address.name} to void ({types})*')
        blocks = ', '.join(f'{value.type} {value.name}' for value in values[2:])
        self._emit(f'call void {pointer.name}({blocks})')

    def _address(self, table: Number, index: Number) -> Number:
        if table.type != INTEGERS:
            self._fail('a table is needed here')
        return self._loaded(self._shifted(table, index))


# What each function that is no kernel becomes.
KNOWN: dict[Any, Callable[[Operations, Sequence[Value]], Value]] = {
    shift: lambda writer, values: writer._shifted(*values),
    integers: Operations._integers,
    part: Operations._part,
    run: Operations._run,
    abs: Operations._abs,
    min: lambda writer, values: writer._extreme(values, ast.Lt),
    max: lambda writer, values: writer._extreme(values, ast.Gt),
    int: Operations._to_int,
    float: lambda writer, values: writer._as_float(values[0]),
    bool: Operations._to_bool,
    math.sqrt: lambda writer, values: writer._library('llvm.sqrt.f64', values),
    math.floor: lambda writer, values: writer._library('llvm.floor.f64', values),
    **{
        getattr(math, name): functools.partial(
            lambda writer, values, name: writer._library(name, values), name=name
        )
        for name in LIBRARY
    },
}
