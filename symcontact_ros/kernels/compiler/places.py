"""
Reading and writing of memory becomes LLVM IR: indices, slices, fields of records.

Compiled for debugging, every index is checked, and so is whether what is read was ever written.
A fault is noted and the kernel goes on with some other memory: it ends as it may, and then raises.
"""

from __future__ import annotations

from typing import Any

from symcontact_ros.kernels.compiler.values import (
    BOOL,
    described,
    FLOAT,
    INT,
    Known,
    Memory,
    Number,
    POINTER,
    Row,
    type_of,
    Value,
)
from symcontact_ros.kernels.compiler.writer import whole, Writer
from symcontact_ros.kernels.records import BlockKind, Field, layout_of, Record, slots_of, TupleKind

_TYPES = {float: FLOAT, int: INT, bool: BOOL}
CONSTANT = ', !invariant.load !0'  # where a block is does not change while a kernel runs


class Checks:
    """Where a module checks, by number, if it is compiled for debugging."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self.sites: list[str] = []

    def site(self, text: str) -> int:
        """Return the number of a place that is checked."""
        self.sites.append(text)
        return len(self.sites) - 1


class Places(Writer):
    """Writes what reaches memory."""

    def __init__(self, function: Any, checks: Checks) -> None:
        super().__init__(function)
        self._checks = checks

    # Blocks -------------------------------------------------------------------------------------

    def _member(self, memory: Memory, index: Value) -> Value:
        """Return a member of a block: a number, or a record."""
        start = self._member_start(memory, index)
        if memory.member.meaning in (float, int):
            return self._loaded(start, memory.member.meaning)
        return Row(memory.member, start)

    def _member_start(self, memory: Memory, index: Value) -> Number:
        self._check_index(index)
        start = self._shifted(memory.start, self._times(index, _width(memory)))
        if not self._checks.wanted:
            return start
        good = self._checked(index, memory.count, f'index {{0}} of {{1}} of {memory.member!r}')
        return self._new(POINTER, f'select i1 {good.name}, {POINTER} {start.name}, {SPARE}')

    def _check_index(self, index: Value) -> None:
        if getattr(index, 'type', '') != INT:
            self._fail(f'an index must be an int, not {described(type_of(index))}')
        if index.is_literal and int(index.name) < 0:
            self._fail('memory has no negative index')

    def _sliced(self, memory: Memory, first: Value | None, last: Value | None) -> Memory:
        """Return a part of a block."""
        start, count = memory.start, memory.count
        first = whole(0) if first is None else first
        end = memory.count if last is None else last
        self._check_index(first)
        self._check_index(end)
        if first.name != '0':
            start = self._shifted(start, self._times(first, _width(memory)))
        if first.name != '0' or last is not None:
            count = self._new(INT, f'sub i64 {end.name}, {first.name}')
        if self._checks.wanted:
            more = self._new(INT, f'add i64 {memory.count.name}, 1')
            good = self._checked(first, more, f'slice from {{0}} of {{1}} of {memory.member!r}')
            good2 = self._checked(end, more, f'slice to {{0}} of {{1}} of {memory.member!r}')
            both = self._new(BOOL, f'and i1 {good.name}, {good2.name}')
            start = self._new(POINTER, f'select i1 {both.name}, {POINTER} {start.name}, {SPARE}')
        return Memory(memory.member, start, count)

    def _write_member(self, memory: Memory, index: Value, value: Value) -> None:
        if memory.member.meaning not in (float, int):
            self._fail('a record is written field by field')
        wanted = _TYPES[memory.member.meaning]
        if type_of(value) != wanted:
            self._fail(f'memory of {memory.member!r} cannot take {described(type_of(value))}')
        self._written(self._member_start(memory, index), value)

    # Records ------------------------------------------------------------------------------------

    def _record_at(self, record: type[Record], memory: Value, start: Value) -> Row:
        """Return the record that starts at an index of a block."""
        if not isinstance(memory, Memory) or memory.member.meaning is not float:
            self._fail(f'{record.__name__} lies in memory of floats')
        self._check_index(start)
        place = memory.start
        if start.name != '0':
            place = self._shifted(place, start)
        if self._checks.wanted:
            room = self._new(INT, f'sub i64 {memory.count.name}, {layout_of(record).slots - 1}')
            good = self._checked(start, room, f'{record.__name__} at {{0}} of {{1}}')
            place = self._new(POINTER, f'select i1 {good.name}, {POINTER} {place.name}, {SPARE}')
        return Row(Known(record), place)

    def _field_of(self, row: Row, name: str) -> Field | None:
        return layout_of(row.record.meaning).fields.get(name)

    def _read_field(self, row: Row, field: Field) -> Value:
        return self._read(row, field.kind, field.offset)

    def _read(self, row: Row, kind: Any, offset: int) -> Value:
        if isinstance(kind, TupleKind):
            parts = []
            for part in kind.parts:
                parts.append(self._read(row, part, offset))
                offset += slots_of(part)
            return tuple(parts) if kind.maker is None else kind.maker(*parts)
        start = self._shifted(row.start, whole(offset))
        if isinstance(kind, BlockKind):
            return self._block_of(row, kind, start)
        if issubclass(kind, Record):
            return Row(Known(kind), start)
        return self._loaded(start, kind)

    def _block_of(self, row: Row, kind: BlockKind, place: Number) -> Memory:
        if kind.length is not None:
            return Memory(Known(kind.member), place, whole(kind.length))
        header = self._new('i64*', f'bitcast {POINTER} {place.name} to i64*')
        after = self._new('i64*', f'getelementptr i64, i64* {header.name}, i64 1')
        offset = self._new(INT, f'load i64, i64* {header.name}{CONSTANT}')
        count = self._new(INT, f'load i64, i64* {after.name}{CONSTANT}')
        return Memory(Known(kind.member), self._shifted(row.start, offset), count)

    def _write_field(self, row: Row, field: Field, value: Value) -> None:
        self._write(row, field.kind, field.offset, value, field.name)

    def _write(self, row: Row, kind: Any, offset: int, value: Value, name: str) -> None:
        if isinstance(kind, TupleKind):
            if not isinstance(value, tuple) or len(value) != len(kind.parts):
                self._fail(f'{name} cannot be {described(type_of(value))}')
            for part, member in zip(kind.parts, value, strict=True):
                self._write(row, part, offset, member, name)
                offset += slots_of(part)
            return
        if kind not in _TYPES:
            self._fail(f'{name} stays where it is: write what is in it')
        if type_of(value) != _TYPES[kind]:
            self._fail(f'{name} is {kind.__name__} and cannot be {described(type_of(value))}')
        self._written(self._shifted(row.start, whole(offset)), value)

    # Slots --------------------------------------------------------------------------------------

    def _loaded(self, place: Number, kind: Any) -> Number:
        """Return what a slot holds."""
        if kind is float:
            value = self._new(FLOAT, f'load double, double* {place.name}')
            if self._checks.wanted:
                self._check_written(self._new(INT, f'bitcast double {value.name} to i64'))
            return value
        cell = self._new('i64*', f'bitcast {POINTER} {place.name} to i64*')
        value = self._new(INT, f'load i64, i64* {cell.name}')
        if self._checks.wanted:
            self._check_written(value)
        return value if kind is int else self._new(BOOL, f'icmp ne i64 {value.name}, 0')

    def _written(self, place: Number, value: Number) -> None:
        """Write a slot."""
        if value.type == FLOAT:
            self._emit(f'store double {value.name}, double* {place.name}')
            return
        if value.type == BOOL:
            value = self._new(INT, f'zext i1 {value.name} to i64')
        cell = self._new('i64*', f'bitcast {POINTER} {place.name} to i64*')
        self._emit(f'store i64 {value.name}, i64* {cell.name}')

    def _shifted(self, start: Number, slots: Number) -> Number:
        if slots.name == '0':
            return start
        return self._new(POINTER, f'getelementptr double, double* {start.name}, i64 {slots.name}')

    def _times(self, index: Number, width: int) -> Number:
        if width == 1:
            return index
        if index.is_literal:
            return whole(int(index.name) * width)
        return self._new(INT, f'mul i64 {index.name}, {width}')

    # Checks -------------------------------------------------------------------------------------

    def _checked(self, index: Number, count: Number, text: str) -> Number:
        """Return whether 0 <= index < count; if not, it is noted."""
        site = self._checks.site(f'{self.place}: {text}')
        numbers = f'i64 {site}, i64 {index.name}, i64 {count.name}'
        return self._new(BOOL, f'call i1 @in_range({numbers})')

    def _check_written(self, bits: Number) -> None:
        """Note it if a slot that is read was never written."""
        site = self._checks.site(f'{self.place}: memory that nobody has written is read')
        self._emit(f'call void @was_written(i64 {site}, i64 {bits.name})')

    def _check_divisor(self, divisor: Number) -> None:
        if self._checks.wanted:
            zero = self._new(BOOL, f'icmp eq i64 {divisor.name}, 0')
            number = self._new(INT, f'zext i1 {zero.name} to i64')
            self._checked(number, whole(1), 'an int is divided by zero')


SPARE = f'{POINTER} bitcast ([4096 x double]* @spare to {POINTER})'  # where faults lead to


def _width(memory: Memory) -> int:
    """Return how many slots a member has."""
    return slots_of(memory.member.meaning)
