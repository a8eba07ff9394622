"""
Serialised messages in which only numbers and stamps change.

rclpy converts a message field by field whenever it is sent: 230 us for 39 transforms, more than
the simulation itself takes. Names and sizes are constant here, so that this is done once; later,
numbers are written at their offsets in the bytes: 4 us.
"""

from __future__ import annotations

from collections.abc import Sequence
import struct
from typing import Any

import numpy as np
from rclpy.serialization import serialize_message

from symcontact_ros.types import Vector

Place = tuple[Any, str | int]  # a message and a field of it, or an array and an index
_SECONDS, _NANOSECONDS = 0x5A17_0000, 0x3B2A_0000  # marks, found again in the bytes
_NUMBER = 1.2345678901234567e200
_STRANGE = 'this RMW implementation does not serialise messages as CDR: use another one'


class Serialized:
    """
    A message as bytes.

    Parameters
    ----------
    message
        With its final names and sizes.
    numbers
        The numbers that change, in the order of the argument of `write`.
    stamps
        The stamps in it, all of one time.

    """

    def __init__(self, message: Any, numbers: Sequence[Place], stamps: Sequence[Any]) -> None:
        values = _NUMBER * (1.0 + np.arange(len(numbers)) * 2.0**-40)
        for (owner, key), value in zip(numbers, values.tolist(), strict=True):
            _set(owner, key, value)
        for i, stamp in enumerate(stamps):
            stamp.sec, stamp.nanosec = _SECONDS + i, _NANOSECONDS + i
        self._buffer = bytearray(serialize_message(message))
        places = _offsets(self._buffer, [value.tobytes() for value in values])
        marks = [struct.pack('=iI', _SECONDS + i, _NANOSECONDS + i) for i in range(len(stamps))]
        self._stamps = _offsets(self._buffer, marks)
        # CDR puts doubles at multiples of eight, counted from behind its header.
        start = places[0] % 8 if places else 0
        count = (len(self._buffer) - start) // 8
        self._doubles = np.frombuffer(self._buffer, np.float64, count, start)
        self._indices = np.array([(place - start) // 8 for place in places], dtype=np.int64)
        if any(place % 8 != start for place in places):
            raise RuntimeError(_STRANGE)

    def write(self, numbers: Vector) -> None:
        """Set all numbers."""
        self._doubles[self._indices] = numbers.reshape(-1)

    def stamp(self, nanoseconds: int) -> None:
        """Set all stamps to a time [ns]."""
        stamp = struct.pack('=iI', *divmod(nanoseconds, 1_000_000_000))
        for place in self._stamps:
            self._buffer[place : place + 8] = stamp

    @property
    def data(self) -> bytes:
        """The bytes to send."""
        return bytes(self._buffer)


def _set(owner: Any, key: str | int, value: float) -> None:
    if isinstance(key, str):
        setattr(owner, key, value)
    else:
        owner[key] = value


def _offsets(data: bytearray, marks: Sequence[bytes]) -> list[int]:
    """Return the offsets of marks of eight bytes; each must occur once."""
    if any(data.count(mark) != 1 for mark in marks):
        raise RuntimeError(_STRANGE)
    return [data.find(mark) for mark in marks]


def xyz(message: Any) -> list[Place]:
    """Return the fields of a vector or a point."""
    return [(message, axis) for axis in 'xyz']


def xyzw(message: Any) -> list[Place]:
    """Return the fields of a quaternion."""
    return [(message, axis) for axis in 'xyzw']
