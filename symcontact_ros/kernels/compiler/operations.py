"""
LLVM IR of operations on numbers, and of the functions that are not kernels.

Operations have the same results as in Python, bit for bit. Where Python would raise, or an int
would not fit into 64 bits, the result is defined and the same on every machine: a float division
by zero gives inf or nan, an int division by zero 0, ints wrap around, and floats out of range
become the nearest int, nan 0. Compiled for debugging, each of these is a fault.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
import enum
import math
import operator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from symcontact_ros.kernels.compiler.memory_access import MemoryAccess
from symcontact_ros.kernels.compiler.values import (
    BOOL,
    constant,
    described,
    FLOAT,
    INT,
    kind_of,
    Memory,
    NOTHING,
    Number,
    type_of,
    Value,
    whole,
)
from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.language import bits_of, call, from_bits
from symcontact_ros.kernels.statics import Known

_ARITHMETIC = {ast.Add: 'add', ast.Sub: 'sub', ast.Mult: 'mul'}
_BITWISE = {ast.BitAnd: 'and', ast.BitOr: 'or', ast.BitXor: 'xor'}
_COMPARISONS = {
    ast.Lt: ('olt', 'slt', operator.lt),
    ast.LtE: ('ole', 'sle', operator.le),
    ast.Gt: ('ogt', 'sgt', operator.gt),
    ast.GtE: ('oge', 'sge', operator.ge),
    ast.Eq: ('oeq', 'eq', operator.eq),
    ast.NotEq: ('une', 'ne', operator.ne),
}
_PLAIN: dict[Any, Callable[[int, int], int]] = {  # of ints that are known
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_EXACT = 2**53  # ints beyond are not all floats
_LARGEST = 2.0**63  # floats from here on are no ints
_BITS = 64
_SINGLE = (BuiltinFunctionType, enum.Enum, FunctionType, ModuleType, type)  # never two of them


class Operations(MemoryAccess):
    """Writer of operations."""

    def _constant(self, value: Any) -> Value:
        try:
            return constant(value)
        except KernelError as error:
            return self._fail(str(error))

    # Numbers ------------------------------------------------------------------------------------

    def _binary(self, op: ast.operator, left: Value, right: Value) -> Number:
        types = {kind_of(left), kind_of(right)}
        if not types <= {FLOAT, INT}:
            self._fail(
                f'only numbers can be computed with, not {described(type_of(left))} and '
                f'{described(type_of(right))}'
            )
        kind = type(op)
        if FLOAT in types:
            return self._float_operation(kind, self._as_float(left), self._as_float(right))
        if kind is ast.Div:
            # Python divides ints exactly, also those that are not representable as floats.
            self._fail('ints are divided by //, or as floats: float(a) / float(b)')
        return self._int_operation(kind, left, right)

    def _float_operation(self, kind: Any, left: Number, right: Number) -> Number:
        name = 'div' if kind is ast.Div else _ARITHMETIC.get(kind)
        if name is None:
            self._fail('of floats there are sums, differences, products and quotients')
        if name == 'div' and right.known == 0.0:
            self._fail('a float is divided by zero')
        if name == 'div' and self._checks.wanted:
            good = self._new(BOOL, f'fcmp une double {right.name}, 0.0')
            self._require(good, 'a float is divided by zero')
        return self._new(FLOAT, f'f{name} double {left.name}, {right.name}')

    def _int_operation(self, kind: Any, left: Number, right: Number) -> Number:
        if kind not in _PLAIN:
            self._fail('this is not computed with ints in kernels')
        if kind in (ast.LShift, ast.RShift):
            return self._shift_operation(kind, left, right)
        if kind in (ast.FloorDiv, ast.Mod) and right.known == 0:
            self._fail('an int is divided by zero')
        if left.known is not None and right.known is not None:
            return self._constant(_PLAIN[kind](left.known, right.known))  # type: ignore[no-any-return, arg-type]
        if kind in (ast.FloorDiv, ast.Mod):
            return self._divided(kind, left, right)
        if kind in _ARITHMETIC:
            return self._wrapped(_ARITHMETIC[kind], left, right)
        return self._new(INT, f'{_BITWISE[kind]} i64 {left.name}, {right.name}')

    def _wrapped(self, name: str, left: Number, right: Number) -> Number:
        """Return a sum, difference or product."""
        operands = f'i64 {left.name}, i64 {right.name}'
        if self._checks.wanted:
            pair = f'call {{i64, i1}} @llvm.s{name}.with.overflow.i64({operands})'
            both = self._new('', pair)
            over = self._new(BOOL, f'extractvalue {{i64, i1}} {both.name}, 1')
            good = self._new(BOOL, f'xor i1 {over.name}, true')
            self._require(good, 'an int leaves 64 bits')
        return self._new(INT, f'{name} i64 {left.name}, {right.name}')

    def _shift_operation(self, kind: Any, left: Number, right: Number) -> Number:
        """Return a shifted int; beyond 63 LLVM has no result at all, so that it gets none."""
        if right.known is not None:
            if right.known < 0 or (kind is ast.LShift and right.known >= _BITS):
                self._fail('ints are shifted by 0 to 63')
            if left.known is not None:
                return self._constant(_PLAIN[kind](left.known, right.known))  # type: ignore[no-any-return, arg-type]
        far = self._new(BOOL, f'icmp ugt i64 {right.name}, {_BITS - 1}')
        count = self._select(far, whole(_BITS - 1), right)
        if self._checks.wanted:
            good = self._compare(ast.GtE, right, whole(0))
            self._require(good, 'an int is shifted by {}', right)
        if kind is ast.RShift:
            return self._new(INT, f'ashr i64 {left.name}, {count.name}')
        shifted = self._new(INT, f'shl i64 {left.name}, {count.name}')
        shifted = self._select(far, whole(0), shifted)
        if self._checks.wanted:
            back = self._new(INT, f'ashr i64 {shifted.name}, {count.name}')
            good = self._compare(ast.Eq, back, left)
            self._require(good, 'an int leaves 64 bits')
        return shifted

    def _divided(self, kind: Any, left: Number, right: Number) -> Number:
        """Return a quotient or a rest, rounded down as in Python, where LLVM rounds to zero."""
        if right.known is not None:
            return self._divided_by(kind, left, right)
        # Of a division by 0, and of the lowest int by -1, LLVM has no result at all.
        zero = self._compare(ast.Eq, right, whole(0))
        if self._checks.wanted:
            self._require(self._negated(zero), 'an int is divided by zero')
        minus = self._compare(ast.Eq, right, whole(-1))
        odd = self._new(BOOL, f'or i1 {zero.name}, {minus.name}')
        divisor = self._select(odd, whole(1), right)
        rest = self._new(INT, f'srem i64 {left.name}, {divisor.name}')
        mixed = self._new(INT, f'xor i64 {rest.name}, {divisor.name}')
        below = self._compare(ast.Lt, mixed, whole(0))
        some = self._compare(ast.NotEq, rest, whole(0))
        fix = self._new(BOOL, f'and i1 {below.name}, {some.name}')
        if kind is ast.Mod:
            more = self._select(fix, divisor, whole(0))
            return self._new(INT, f'add i64 {rest.name}, {more.name}')
        quotient = self._new(INT, f'sdiv i64 {left.name}, {divisor.name}')
        less = self._new(INT, f'sext i1 {fix.name} to i64')
        quotient = self._new(INT, f'add i64 {quotient.name}, {less.name}')
        opposite = self._new(INT, f'sub i64 0, {left.name}')
        quotient = self._select(minus, opposite, quotient)
        return self._select(zero, whole(0), quotient)

    def _divided_by(self, kind: Any, left: Number, right: Number) -> Number:
        """Return a quotient or a rest by an int that is known, and is not 0."""
        if right.known == -1:
            return self._wrapped('sub', whole(0), left) if kind is ast.FloorDiv else whole(0)
        rest = self._new(INT, f'srem i64 {left.name}, {right.name}')
        wrong = rest if int(right.name) > 0 else self._new(INT, f'sub i64 0, {rest.name}')
        less = self._new(INT, f'ashr i64 {wrong.name}, {_BITS - 1}')  # -1, or 0
        if kind is ast.Mod:
            more = self._new(INT, f'and i64 {less.name}, {right.name}')
            return self._new(INT, f'add i64 {rest.name}, {more.name}')
        quotient = self._new(INT, f'sdiv i64 {left.name}, {right.name}')
        return self._new(INT, f'add i64 {quotient.name}, {less.name}')

    def _as_float(self, value: Value) -> Number:
        kind = kind_of(value)
        if kind == FLOAT:
            return value  # type: ignore[no-any-return]
        if kind not in (INT, BOOL):
            self._fail(f'{described(type_of(value))} is no number')
        if value.known is not None:
            return self._constant(float(value.known))  # type: ignore[no-any-return]
        how = 'sitofp i64' if kind == INT else 'uitofp i1'
        return self._new(FLOAT, f'{how} {value.name} to double')

    # Comparisons --------------------------------------------------------------------------------

    def _compare(self, kind: Any, left: Value, right: Value) -> Number:
        if kind in (ast.Is, ast.IsNot):
            return self._constant(self._is(left, right) is (kind is ast.Is))  # type: ignore[no-any-return]
        types = {kind_of(left), kind_of(right)}
        if types == {BOOL} and kind in (ast.Eq, ast.NotEq):
            return self._new(BOOL, f'icmp {_COMPARISONS[kind][1]} i1 {left.name}, {right.name}')
        if kind not in _COMPARISONS or not types <= {FLOAT, INT}:
            self._fail('only numbers can be compared')
        of_floats, of_ints, plain = _COMPARISONS[kind]
        if FLOAT in types:
            left, right = self._comparable(left), self._comparable(right)
        if left.known is not None and right.known is not None:
            return self._constant(plain(left.known, right.known))  # type: ignore[no-any-return]
        if FLOAT in types:
            return self._new(BOOL, f'fcmp {of_floats} double {left.name}, {right.name}')
        return self._new(BOOL, f'icmp {of_ints} i64 {left.name}, {right.name}')

    def _comparable(self, value: Number) -> Number:
        """Return a number that is compared with a float; Python compares ints exactly."""
        if value.type == INT and (value.known is None or abs(value.known) > _EXACT):
            self._fail('an int is compared with ints, or as a float: float(n)')
        return self._as_float(value)

    def _is(self, left: Value, right: Value) -> bool:
        """Return whether two statics are identical; equal numbers and texts need not be."""
        one, other = (v.meaning if isinstance(v, Known) else v for v in (left, right))
        if not any(meaning is None or isinstance(meaning, _SINGLE) for meaning in (one, other)):
            self._fail('`is` compares functions, classes, modules and None')
        return one is other

    def _negated(self, condition: Number) -> Number:
        if condition.known is not None:
            return self._constant(not condition.known)  # type: ignore[no-any-return]
        return self._new(BOOL, f'xor i1 {condition.name}, true')

    def _select(self, condition: Number, then: Number, otherwise: Number) -> Number:
        if condition.known is not None:
            return then if condition.known else otherwise
        line = f'select i1 {condition.name}, {then.type} {then.name}, {then.type} {otherwise.name}'
        return self._new(then.type, line)

    # Functions ----------------------------------------------------------------------------------

    def _one(self, values: Sequence[Value], *kinds: str) -> Number:
        """Return the one argument of a function."""
        if len(values) != 1:
            self._fail('one argument is needed here')
        if kind_of(values[0]) not in kinds:
            self._fail(f'{described(type_of(values[0]))} is not what is needed here')
        return values[0]  # type: ignore[no-any-return]

    def _abs(self, values: Sequence[Value]) -> Number:
        value = self._one(values, FLOAT, INT)
        if value.type == FLOAT:
            return self._new(FLOAT, f'call double @llvm.fabs.f64(double {value.name})')
        negative = self._compare(ast.Lt, value, whole(0))
        return self._select(negative, self._new(INT, f'sub i64 0, {value.name}'), value)

    def _extreme(self, values: Sequence[Value], kind: Any) -> Number:
        """Return the first of the values unless another one is beyond it, as in Python."""
        if len(values) < 2:
            self._fail('min and max take two numbers or more')
        if {kind_of(value) for value in values} not in ({FLOAT}, {INT}):
            self._fail('min and max take numbers of one type')
        best: Number = values[0]
        for value in values[1:]:
            best = self._select(self._compare(kind, value, best), value, best)
        return best

    def _to_int(self, values: Sequence[Value]) -> Number:
        value = self._one(values, FLOAT, INT, BOOL)
        if value.type == INT:
            return value
        if value.type == BOOL:
            return self._new(INT, f'zext i1 {value.name} to i64')
        self._check_range(value)
        if self._checks.wanted:
            size = self._new(FLOAT, f'call double @llvm.fabs.f64(double {value.name})')
            good = self._compare(ast.Lt, size, constant(_LARGEST))
            self._require(good, 'a float is no int of 64 bits')
        return self._new(INT, f'call i64 @llvm.fptosi.sat.i64.f64(double {value.name})')

    def _check_range(self, value: Number) -> None:
        if value.known is not None and not abs(value.known) < _LARGEST:
            self._fail(f'{value.known} is no int of 64 bits')

    def _to_float(self, values: Sequence[Value]) -> Number:
        return self._as_float(self._one(values, FLOAT, INT, BOOL))

    def _to_bool(self, values: Sequence[Value]) -> Number:
        value = self._one(values, FLOAT, INT, BOOL)
        return value if value.type == BOOL else self._compare(ast.NotEq, value, whole(0))

    def _sqrt(self, values: Sequence[Value]) -> Number:
        value = self._as_float(self._one(values, FLOAT, INT, BOOL))
        if value.known is not None and value.known < 0.0:
            self._fail('the root of a negative number is taken')
        if self._checks.wanted:
            good = self._new(BOOL, f'fcmp uge double {value.name}, 0.0')
            self._require(good, 'the root of a negative number is taken')
        return self._new(FLOAT, f'call double @llvm.sqrt.f64(double {value.name})')

    def _floor(self, values: Sequence[Value]) -> Number:
        value = self._one(values, FLOAT, INT)
        if value.type == INT:
            return value
        self._check_range(value)
        floor = self._new(FLOAT, f'call double @llvm.floor.f64(double {value.name})')
        return self._to_int([floor])

    def _bits_of(self, values: Sequence[Value]) -> Number:
        value = self._one(values, FLOAT)
        return self._new(INT, f'bitcast double {value.name} to i64')

    def _from_bits(self, values: Sequence[Value]) -> Number:
        value = self._one(values, INT)
        return self._new(FLOAT, f'bitcast i64 {value.name} to double')

    def _len(self, values: Sequence[Value]) -> Number:
        if len(values) == 1 and isinstance(values[0], Memory):
            return values[0].count
        if len(values) == 1 and isinstance(values[0], tuple):
            return whole(len(values[0]))
        return self._fail('memory and tuples have a length')

    def _call_address(self, values: Sequence[Value]) -> Value:
        """Call a program of blocks of memory, or an entry, which takes whole numbers too."""
        if not values or kind_of(values[0]) != INT:
            self._fail('the address of a program is needed')
        if not all(isinstance(value, Memory) or kind_of(value) == INT for value in values[1:]):
            self._fail('a program takes memory and whole numbers')
        given = [value.start if isinstance(value, Memory) else value for value in values[1:]]
        types = ', '.join(value.type for value in given)
        pointer = self._new('', f'inttoptr i64 {values[0].name} to void ({types})*')
        arguments = ', '.join(f'{value.type} {value.name}' for value in given)
        self._emit(f'call void {pointer.name}({arguments})')
        return NOTHING


# Operations of the functions that are not kernels.
OPERATIONS: dict[Any, Callable[[Any, Sequence[Value]], Value]] = {
    abs: Operations._abs,
    min: lambda writer, values: writer._extreme(values, ast.Lt),
    max: lambda writer, values: writer._extreme(values, ast.Gt),
    int: Operations._to_int,
    float: Operations._to_float,
    bool: Operations._to_bool,
    len: Operations._len,
    math.sqrt: Operations._sqrt,
    math.floor: Operations._floor,
    bits_of: Operations._bits_of,
    from_bits: Operations._from_bits,
    call: Operations._call_address,
}
DECLARATIONS = (
    'declare double @llvm.sqrt.f64(double)',
    'declare double @llvm.fabs.f64(double)',
    'declare double @llvm.floor.f64(double)',
    'declare i64 @llvm.fptosi.sat.i64.f64(double)',
    *(
        f'declare {{i64, i1}} @llvm.s{name}.with.overflow.i64(i64, i64)'
        for name in _ARITHMETIC.values()
    ),
)
