"""
LLVM IR of memory access: indices, slices, fields of records.

Compiled for debugging, every index is checked, and every read for uninitialised memory. After a
fault every function returns at once, and the kernel raises.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from symcontact_ros.kernels.compiler.values import (
    BOOL,
    described,
    FAULT,
    FLOAT,
    INT,
    kind_of,
    made,
    Memory,
    Number,
    POINTER,
    Row,
    type_of,
    Value,
    whole,
)
from symcontact_ros.kernels.compiler.writer import Writer
from symcontact_ros.kernels.memory import UNWRITTEN
from symcontact_ros.kernels.records import (
    BlockKind,
    Field,
    Layout,
    layout_of,
    Record,
    slots_of,
    TupleKind,
)
from symcontact_ros.kernels.statics import Known

_TYPES = {float: FLOAT, int: INT, bool: BOOL}
_CONSTANT = ', !invariant.load !0'  # the location of a block is constant while a kernel runs


class Checks:
    """Numbered locations of the checks of a module compiled for debugging."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self.sites: list[tuple[str, str]] = []  # location, message

    def site(self, place: str, text: str) -> int:
        """Return the number of a place that is checked, from 1 on."""
        self.sites.append((place, text))
        return len(self.sites)


class MemoryAccess(Writer):
    """Writer of memory access."""

    def __init__(self, function: FunctionType, checks: Checks) -> None:
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
        count = memory.count.known
        if index.known is not None and count is not None and index.known >= count:
            self._fail(f'there is no member {index.name} of {count}')
        if self._checks.wanted:
            good = self._new(BOOL, f'icmp ult i64 {index.name}, {memory.count.name}')
            self._require(good, f'index {{}} of {{}} of {memory.member!r}', index, memory.count)
        return self._shifted(memory.start, self._times(index, self._width(memory)))

    def _width(self, memory: Memory) -> int:
        """Return the number of slots of a member."""
        member = memory.member.meaning
        return 1 if member in (float, int) else self._layout(member).slots

    def _check_index(self, index: Value) -> None:
        if kind_of(index) != INT:
            self._fail(f'an index must be an int, not {described(type_of(index))}')
        if index.known is not None and index.known < 0:
            self._fail('memory has no negative index')

    def _sliced(self, memory: Memory, first: Value | None, last: Value | None) -> Memory:
        """Return a part of a block."""
        first = whole(0) if first is None else first
        end = memory.count if last is None else last
        self._check_index(first)
        self._check_index(end)
        if first.known is not None and end.known is not None and first.known > end.known:
            self._fail(f'a slice from {first.name} to {end.name} has no end')
        if self._checks.wanted:
            text = f'slice from {{}} to {{}} of {memory.member!r}'
            good = self._new(BOOL, f'icmp ule i64 {end.name}, {memory.count.name}')
            self._require(good, f'slice to {{}} of {{}} of {memory.member!r}', end, memory.count)
            good = self._new(BOOL, f'icmp ule i64 {first.name}, {end.name}')
            self._require(good, text, first, end)
        if first.known == 0:
            return Memory(memory.member, memory.start, end)
        start = self._shifted(memory.start, self._times(first, self._width(memory)))
        count = self._new(INT, f'sub i64 {end.name}, {first.name}')
        return Memory(memory.member, start, count)

    def _write_member(self, memory: Memory, index: Value, value: Value) -> None:
        if memory.member.meaning not in (float, int):
            self._fail('a record is written field by field')
        if type_of(value) != _TYPES[memory.member.meaning]:
            self._fail(f'memory of {memory.member!r} cannot take {described(type_of(value))}')
        self._written(self._member_start(memory, index), value)

    # Records ------------------------------------------------------------------------------------

    def _layout(self, record: type[Record]) -> Layout:
        try:
            return layout_of(record)
        except (TypeError, NameError) as error:
            return self._fail(f'{record.__name__} is no record: {error}')

    def _record_at(self, record: type[Record], memory: Value, start: Value) -> Row:
        """Return the record that starts at an index of a block."""
        if not isinstance(memory, Memory) or memory.member.meaning is not float:
            self._fail(f'{record.__name__} lies in memory of floats')
        self._check_index(start)
        slots = self._layout(record).slots
        if self._checks.wanted:
            room = self._new(INT, f'sub i64 {memory.count.name}, {slots}')
            good = self._new(BOOL, f'icmp sge i64 {room.name}, {start.name}')
            positive = self._new(BOOL, f'icmp sge i64 {start.name}, 0')
            both = self._new(BOOL, f'and i1 {good.name}, {positive.name}')
            text = f'{record.__name__} of {slots} slots at {{}} of {{}}'
            self._require(both, text, start, memory.count)
        return Row(Known(record), self._shifted(memory.start, start))

    def _field_of(self, row: Row, name: str) -> Field | None:
        return self._layout(row.record.meaning).fields.get(name)

    def _read_field(self, row: Row, field: Field) -> Value:
        return self._read(row, field.kind, field.offset)

    def _read(self, row: Row, kind: Any, offset: int) -> Value:
        if isinstance(kind, TupleKind):
            parts = []
            for part in kind.parts:
                parts.append(self._read(row, part, offset))
                offset += slots_of(part)
            return made(kind.maker or tuple, parts)
        start = self._shifted(row.start, whole(offset))
        if isinstance(kind, BlockKind):
            return self._block_of(row, kind, start)
        return Row(Known(kind), start) if issubclass(kind, Record) else self._loaded(start, kind)

    def _block_of(self, row: Row, kind: BlockKind, place: Number) -> Memory:
        if kind.length is not None:
            return Memory(Known(kind.member), place, whole(kind.length))
        header = self._new('i64*', f'bitcast {POINTER} {place.name} to i64*')
        after = self._new('i64*', f'getelementptr i64, i64* {header.name}, i64 1')
        offset = self._new(INT, f'load i64, i64* {header.name}{_CONSTANT}')
        count = self._new(INT, f'load i64, i64* {after.name}{_CONSTANT}')
        if self._checks.wanted:
            self._check_written(offset)
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
        """Return the value of a slot."""
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
        if slots.known == 0:
            return start
        return self._new(POINTER, f'getelementptr double, double* {start.name}, i64 {slots.name}')

    def _times(self, index: Number, width: int) -> Number:
        if width == 1:
            return index
        if index.known is not None:
            return whole(int(index.known) * width)
        return self._new(INT, f'mul i64 {index.name}, {width}')

    # Checks -------------------------------------------------------------------------------------

    def _require(
        self, good: Number, text: str, a: Number | None = None, b: Number | None = None
    ) -> None:
        """Record a fault, and return from the function, unless a condition holds."""
        site = self._checks.site(self.place, text)
        bad, fine = self._label(), self._label()
        self._branch(good, fine, bad)
        self._start(bad)
        numbers = (f'i64 {number.name if number else 0}' for number in (a, b))
        self._emit(f'call void @note(i64 {site}, {", ".join(numbers)})')
        self._leave()
        self._start(fine)

    def _check_written(self, bits: Number) -> None:
        """Record a fault if a slot is read that was never written."""
        good = self._new(BOOL, f'icmp ne i64 {bits.name}, {UNWRITTEN}')
        self._require(good, 'memory that nobody has written is read')

    def _check_faults(self) -> None:
        """Return from the function if a called function found a fault."""
        site = self._new(
            INT, f'load i64, i64* getelementptr ([3 x i64], [3 x i64]* @{FAULT}, i64 0, i64 0)'
        )
        good = self._new(BOOL, f'icmp eq i64 {site.name}, 0')
        bad, fine = self._label(), self._label()
        self._branch(good, fine, bad)
        self._start(bad)
        self._leave()
        self._start(fine)
