"""
Operations on numbers become LLVM IR, and so do the functions that are no kernels.

Operations mean what they mean in Python, bit for bit. What cannot, because Python would raise or
an int would not fit into 64 bits, has a result all the same, and the same one on every machine: a
float division by zero gives inf or nan, an int division by zero 0, ints wrap around, and floats
that are no int become the nearest one, nan 0.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
import functools
import math
from typing import Any

from symcontact_ros.kernels.compiler.places import Places
from symcontact_ros.kernels.compiler.values import (
    BOOL,
    constant,
    described,
    FLOAT,
    INT,
    is_tuple,
    Known,
    Memory,
    Number,
    type_of,
    Value,
)
from symcontact_ros.kernels.compiler.writer import whole
from symcontact_ros.kernels.language import bits_of, call, from_bits

LIBRARY = ('sin', 'cos', 'tan', 'exp', 'log', 'atan2', 'tanh')  # of the C library
_ARITHMETIC = {ast.Add: 'add', ast.Sub: 'sub', ast.Mult: 'mul'}
_BITWISE = {ast.BitAnd: 'and', ast.BitOr: 'or', ast.BitXor: 'xor'}
_SHIFTS = {ast.LShift: 'shl', ast.RShift: 'ashr'}
_COMPARISONS = {
    ast.Lt: ('olt', 'slt'),
    ast.LtE: ('ole', 'sle'),
    ast.Gt: ('ogt', 'sgt'),
    ast.GtE: ('oge', 'sge'),
    ast.Eq: ('oeq', 'eq'),
    ast.NotEq: ('une', 'ne'),
}
_EXACT = 2**53  # ints beyond are not all floats


class Operations(Places):
    """Writes operations whose operands are known."""

    # Numbers ------------------------------------------------------------------------------------

    def _binary(self, op: ast.operator, left: Value, right: Value) -> Number:
        types = {getattr(left, 'type', ''), getattr(right, 'type', '')}
        if not types <= {FLOAT, INT}:
            self._fail(
                f'only numbers can be computed with, not {described(type_of(left))} and '
                f'{described(type_of(right))}'
            )
        kind = type(op)
        if kind is ast.Div and FLOAT not in types:
            # Python divides ints exactly, also those that are no floats.
            self._fail('ints are divided by //, or as floats: float(a) / float(b)')
        if FLOAT in types:
            return self._float_operation(kind, self._as_float(left), self._as_float(right))
        return self._int_operation(kind, left, right)

    def _float_operation(self, kind: Any, left: Number, right: Number) -> Number:
        name = 'div' if kind is ast.Div else _ARITHMETIC.get(kind)
        if name is None:
            self._fail('of floats there are sums, differences, products and quotients')
        return self._new(FLOAT, f'f{name} double {left.name}, {right.name}')

    def _int_operation(self, kind: Any, left: Number, right: Number) -> Number:
        operands = f'{left.name}, {right.name}'
        if kind in _ARITHMETIC or kind in _BITWISE:
            return self._new(INT, f'{(_ARITHMETIC | _BITWISE)[kind]} i64 {operands}')
        if kind in _SHIFTS:
            return self._new(INT, f'{_SHIFTS[kind]} i64 {left.name}, {self._shift(right).name}')
        if kind is ast.FloorDiv:
            return self._divided(left, right)[0]
        if kind is ast.Mod:
            return self._divided(left, right)[1]
        return self._fail('this is not computed with ints in kernels')

    def _shift(self, count: Number) -> Number:
        """Return by how much to shift; beyond 0 to 63 LLVM has no result at all."""
        if count.is_literal:
            if not 0 <= int(count.name) < 64:
                self._fail('ints are shifted by 0 to 63')
            return count
        if self._checks.wanted:
            self._checked(count, whole(64), 'an int is shifted by {0}')
        return self._new(INT, f'and i64 {count.name}, 63')

    def _divided(self, left: Number, right: Number) -> tuple[Number, Number]:
        """Return quotient and rest, rounded down as in Python, where LLVM rounds to zero."""
        divisor = right
        if right.is_literal:
            if int(right.name) in (0, -1):
                self._fail('ints are divided by 0, or by -1: write what is meant')
        else:
            # Of a division by 0, and of the lowest int by -1, LLVM has no result at all.
            zero = self._compare(ast.Eq, right, whole(0))
            minus = self._compare(ast.Eq, right, whole(-1))
            odd = self._new(BOOL, f'or i1 {zero.name}, {minus.name}')
            divisor = self._select(odd, whole(1), right)
        operands = f'{left.name}, {divisor.name}'
        rest = self._new(INT, f'srem i64 {operands}')
        mixed = self._new(INT, f'xor i64 {rest.name}, {divisor.name}')
        below = self._compare(ast.Lt, mixed, whole(0))
        some = self._compare(ast.NotEq, rest, whole(0))
        fix = self._new(BOOL, f'and i1 {below.name}, {some.name}')
        more = self._select(fix, divisor, whole(0))
        quotient = self._new(INT, f'sdiv i64 {operands}')
        less = self._new(INT, f'zext i1 {fix.name} to i64')
        quotient = self._new(INT, f'sub i64 {quotient.name}, {less.name}')
        rest = self._new(INT, f'add i64 {rest.name}, {more.name}')
        if right.is_literal:
            return quotient, rest
        opposite = self._new(INT, f'sub i64 0, {left.name}')
        quotient = self._select(minus, opposite, quotient)
        self._check_divisor(right)
        return self._select(zero, whole(0), quotient), rest

    def _as_float(self, value: Value) -> Number:
        kind = getattr(value, 'type', '')
        if kind == FLOAT:
            return value  # type: ignore[no-any-return]
        if kind == INT:
            return self._new(FLOAT, f'sitofp i64 {value.name} to double')
        if kind == BOOL:
            return self._new(FLOAT, f'uitofp i1 {value.name} to double')
        return self._fail(f'{described(type_of(value))} is no number')

    def _compare(self, kind: Any, left: Value, right: Value) -> Number:
        if kind in (ast.Is, ast.IsNot):
            if not (isinstance(left, Known) and isinstance(right, Known)):
                self._fail('`is` compares what is known while compiling')
            return constant((left == right) is (kind is ast.Is))  # type: ignore[no-any-return]
        types = {getattr(left, 'type', ''), getattr(right, 'type', '')}
        if types == {BOOL} and kind in (ast.Eq, ast.NotEq):
            return self._new(BOOL, f'icmp {_COMPARISONS[kind][1]} i1 {left.name}, {right.name}')
        if kind not in _COMPARISONS or not types <= {FLOAT, INT}:
            self._fail('only numbers can be compared')
        of_floats, of_ints = _COMPARISONS[kind]
        if FLOAT in types:
            left, right = self._comparable(left), self._comparable(right)
            return self._new(BOOL, f'fcmp {of_floats} double {left.name}, {right.name}')
        return self._new(BOOL, f'icmp {of_ints} i64 {left.name}, {right.name}')

    def _comparable(self, value: Number) -> Number:
        """Return a number that is compared with a float; Python compares ints exactly."""
        if value.type == INT and not (value.is_literal and abs(int(value.name)) <= _EXACT):
            self._fail('an int is compared with ints, or as a float: float(n)')
        return self._as_float(value)

    def _select(self, condition: Number, then: Number, otherwise: Number) -> Number:
        line = f'select i1 {condition.name}, {then.type} {then.name}, {then.type} {otherwise.name}'
        return self._new(then.type, line)

    def _abs(self, values: Sequence[Value]) -> Number:
        value = self._number(*values)
        if value.type == FLOAT:
            return self._new(FLOAT, f'call double @llvm.fabs.f64(double {value.name})')
        negative = self._compare(ast.Lt, value, whole(0))
        opposite = self._new(INT, f'sub i64 0, {value.name}')
        return self._select(negative, opposite, value)

    def _extreme(self, values: Sequence[Value], kind: Any) -> Number:
        """Return the first of the values unless another one is beyond it, as Python does."""
        if len(values) < 2:
            self._fail('min and max take two numbers or more')
        best = self._number(values[0])
        for value in values[1:]:
            if self._number(value).type != best.type:
                self._fail('min and max take numbers of one type')
            best = self._select(self._compare(kind, value, best), value, best)
        return best

    def _number(self, value: Value, *others: Value) -> Number:
        if others or getattr(value, 'type', '') not in (FLOAT, INT):
            self._fail(f'one number is needed here, not {described(type_of(value))}')
        return value  # type: ignore[no-any-return]

    def _to_int(self, values: Sequence[Value]) -> Number:
        if len(values) == 1 and getattr(values[0], 'type', '') == BOOL:
            return self._new(INT, f'zext i1 {values[0].name} to i64')
        value = self._number(*values)
        if value.type == INT:
            return value
        return self._new(INT, f'call i64 @llvm.fptosi.sat.i64.f64(double {value.name})')

    def _to_float(self, values: Sequence[Value]) -> Number:
        if len(values) != 1:
            self._fail('float takes one number')
        return self._as_float(values[0])

    def _to_bool(self, values: Sequence[Value]) -> Number:
        if len(values) == 1 and getattr(values[0], 'type', '') == BOOL:
            return values[0]  # type: ignore[no-any-return]
        return self._compare(ast.NotEq, self._number(*values), constant(0))

    def _library(self, name: str, values: Sequence[Value]) -> Number:
        if len(values) != (2 if name == 'atan2' else 1):
            self._fail(f'{name} takes another number of arguments')
        numbers = ', '.join(f'double {self._as_float(value).name}' for value in values)
        return self._new(FLOAT, f'call double @{name}({numbers})')

    def _floor(self, values: Sequence[Value]) -> Number:
        value = self._number(*values)
        if value.type == INT:
            return value
        return self._to_int([self._library('llvm.floor.f64', [value])])

    def _bits_of(self, values: Sequence[Value]) -> Number:
        value = self._number(*values)
        if value.type != FLOAT:
            self._fail('bits_of takes a float')
        return self._new(INT, f'bitcast double {value.name} to i64')

    def _from_bits(self, values: Sequence[Value]) -> Number:
        value = self._number(*values)
        if value.type != INT:
            self._fail('from_bits takes an int')
        return self._new(FLOAT, f'bitcast i64 {value.name} to double')

    def _len(self, values: Sequence[Value]) -> Number:
        if len(values) == 1 and isinstance(values[0], Memory):
            return values[0].count  # type: ignore[no-any-return]
        if len(values) == 1 and is_tuple(values[0]):
            return whole(len(values[0]))
        return self._fail('memory and tuples have a length')

    def _call_address(self, values: Sequence[Value]) -> None:
        """Call a program of blocks of memory."""
        address, *blocks = values
        if not all(isinstance(block, Memory) for block in blocks):
            self._fail('a program takes memory')
        types = ', '.join(block.start.type for block in blocks)
        pointer = self._new('', f'inttoptr i64 {address.name} to void ({types})*')
        given = ', '.join(f'{block.start.type} {block.start.name}' for block in blocks)
        self._emit(f'call void {pointer.name}({given})')


# What each function that is no kernel becomes.
OPERATIONS: dict[Any, Callable[[Any, Sequence[Value]], Value]] = {
    abs: Operations._abs,
    min: lambda writer, values: writer._extreme(values, ast.Lt),
    max: lambda writer, values: writer._extreme(values, ast.Gt),
    int: Operations._to_int,
    float: Operations._to_float,
    bool: Operations._to_bool,
    len: Operations._len,
    math.sqrt: lambda writer, values: writer._library('llvm.sqrt.f64', values),
    math.floor: Operations._floor,
    bits_of: Operations._bits_of,
    from_bits: Operations._from_bits,
    call: Operations._call_address,
    **{
        getattr(math, name): functools.partial(
            lambda writer, values, name: writer._library(name, values), name=name
        )
        for name in LIBRARY
    },
}
DECLARATIONS = (
    'declare double @llvm.sqrt.f64(double)',
    'declare double @llvm.fabs.f64(double)',
    'declare double @llvm.floor.f64(double)',
    'declare i64 @llvm.fptosi.sat.i64.f64(double)',
    'declare double @atan2(double, double)',
    *(f'declare double @{name}(double)' for name in LIBRARY if name != 'atan2'),
)


from symcontact_ros.kernels import transitional  # noqa: E402
from symcontact_ros.kernels.compiler.values import POINTER  # noqa: E402


def _part(writer: Any, values: Any) -> Any:
    address = writer._member(*values)
    start = writer._new(POINTER, f'inttoptr i64 {address.name} to double*')
    return Memory(Known(float), start, whole(2**40))


def _run(writer: Any, values: Any) -> None:
    writer._call_address([writer._member(*values[:2]), *values[2:]])


OPERATIONS[transitional.shift] = lambda writer, values: writer._sliced(*values, None)
OPERATIONS[transitional.integers] = lambda writer, values: Memory(
    Known(int), values[0].start, values[0].count
)
OPERATIONS[transitional.part] = _part
OPERATIONS[transitional.run] = _run
