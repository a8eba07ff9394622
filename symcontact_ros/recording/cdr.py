"""
Messages as bytes, in CDR as ROS 2 has it.

Numbers are little-endian, at multiples of their size. A message is a mapping from its fields to
their values; missing ones are zero or empty. One made of doubles alone, such as a pose, is the
sequence of its numbers, and an array of these is all of them in one sequence.
"""

from __future__ import annotations

from collections.abc import Mapping
import functools
import struct
from typing import Any

import numpy as np

from symcontact_ros.errors import OptionError
from symcontact_ros.recording.definitions import DEFINITIONS, fields_of, FieldType

HEADER = b'\0\1\0\0'  # little-endian
BASIC = {
    **{'bool': '?', 'byte': 'B', 'int8': 'b', 'uint8': 'B', 'int16': 'h', 'uint16': 'H'},
    **{'int32': 'i', 'uint32': 'I', 'int64': 'q', 'uint64': 'Q', 'float32': 'f', 'float64': 'd'},
}
NOTHING: Mapping[str, Any] = {}


@functools.cache
def doubles_of(kind: str) -> int:
    """Return how many doubles a type is made of; 0 where there is anything else in it."""
    if kind == 'float64':
        return 1
    if kind not in DEFINITIONS:
        return 0
    counts = [
        0 if field.count == -1 else doubles_of(field.kind) * (field.count or 1)
        for field in fields_of(kind)
    ]
    return sum(counts) if all(counts) else 0


# Writing -----------------------------------------------------------------------------------------


def serialize(kind: str, message: Mapping[str, Any]) -> bytes:
    """Return a message as bytes."""
    out = bytearray()
    _write_fields(out, kind, message)
    return HEADER + bytes(out)


def _write_fields(out: bytearray, kind: str, message: Mapping[str, Any]) -> None:
    for field in fields_of(kind):
        value = message.get(field.name)
        if field.count is None:
            _write_one(out, field.kind, value)
        else:
            _write_array(out, field, () if value is None else value)


def _write_one(out: bytearray, kind: str, value: Any) -> None:
    if kind == 'string':
        text = ('' if value is None else value).encode()
        _pad(out, 4)
        out += struct.pack('<I', len(text) + 1) + text + b'\0'
    elif count := doubles_of(kind):
        numbers = (0.0,) * count if value is None else value if kind != 'float64' else (value,)
        _pad(out, 8)
        out += struct.pack(f'<{count}d', *numbers)
    elif kind in BASIC:
        code = BASIC[kind]
        _pad(out, struct.calcsize(code))
        out += struct.pack('<' + code, 0 if value is None else value)
    else:
        _write_fields(out, kind, NOTHING if value is None else value)


def _write_array(out: bytearray, field: FieldType, values: Any) -> None:
    size = doubles_of(field.kind)
    if field.count == -1:
        _pad(out, 4)
        out += struct.pack('<I', len(values) // size if size else len(values))
    elif not len(values):
        values = (0,) * (field.count or 0) * max(size, 1)
    if not len(values):
        return
    if size or field.kind in BASIC:
        code = 'd' if size else BASIC[field.kind]
        _pad(out, struct.calcsize(code))
        out += np.asarray(values, dtype='<' + code).tobytes()
        return
    for value in values:
        _write_one(out, field.kind, value)


def _pad(out: bytearray, size: int) -> None:
    out += bytes(-len(out) % size)


# Reading -----------------------------------------------------------------------------------------


def deserialize(kind: str, data: bytes) -> dict[str, Any]:
    """Return the message in some bytes; OptionError if they are none of this type."""
    if data[:4] != HEADER:
        raise OptionError(f'not a message in little-endian CDR: it begins with {data[:4].hex()}')
    return _read_fields(_Cursor(memoryview(data)[4:]), kind)


def trimmed(kind: str, data: bytes) -> bytes:
    """
    Return the bytes of a message without those behind its end.

    rclpy leaves some where arrays of doubles are empty, and strict readers refuse them.
    """
    if not _may_have_rest(kind):
        return data
    cursor = _Cursor(memoryview(data)[4:])
    _read_fields(cursor, kind)
    return data[: 4 + cursor.at]


@functools.cache
def _may_have_rest(kind: str) -> bool:
    return any(
        (field.count == -1 and doubles_of(field.kind) > 0)
        or (field.kind in DEFINITIONS and _may_have_rest(field.kind))
        for field in fields_of(kind)
    )


class _Cursor:
    """Bytes of a message, and how far they have been read."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self.at = 0

    def take(self, code: str, count: int = 1) -> tuple[Any, ...]:
        """Return numbers, whose size is checked before room is made for them."""
        size = struct.calcsize(code)
        start = self.at + -self.at % size
        self.at = start + size * count
        if self.at > len(self._data):
            raise OptionError('a message that ends too early')
        return struct.unpack(f'<{count}{code}', self._data[start : self.at])

    def text(self) -> str:
        """Return a text; bytes that are none are replaced."""
        (length,) = self.take('I')
        start, self.at = self.at, self.at + length
        if self.at > len(self._data):
            raise OptionError('a message that ends too early')
        return bytes(self._data[start : max(start, self.at - 1)]).decode('utf-8', 'replace')

    def check(self, count: int) -> None:
        """Raise OptionError if there cannot be so many elements in what is left."""
        if count > len(self._data) - self.at:
            raise OptionError('a message that ends too early')


def _read_fields(cursor: _Cursor, kind: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields_of(kind):
        if field.count is None:
            found[field.name] = _read_one(cursor, field.kind)
            continue
        count = cursor.take('I')[0] if field.count == -1 else field.count
        cursor.check(count)
        size = doubles_of(field.kind)
        if not count:
            found[field.name] = ()
        elif size or field.kind in BASIC:
            found[field.name] = cursor.take(BASIC.get(field.kind, 'd'), count * max(size, 1))
        else:
            found[field.name] = [_read_one(cursor, field.kind) for _ in range(count)]
    return found


def _read_one(cursor: _Cursor, kind: str) -> Any:
    if kind == 'string':
        return cursor.text()
    if kind in BASIC:
        return cursor.take(BASIC[kind])[0]
    if count := doubles_of(kind):
        return cursor.take('d', count)
    return _read_fields(cursor, kind)
