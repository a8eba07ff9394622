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
# Ends of marks, which are found again in the bytes: of a finite number, and of a stamp.
_OF_NUMBER, _OF_STAMP = bytes.fromhex('5be74ace69'), bytes.fromhex('5a2a1b2a3b')
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
        of_numbers = marks(len(numbers), _OF_NUMBER)
        of_stamps = marks(len(stamps), _OF_STAMP)
        for (owner, key), mark in zip(numbers, of_numbers, strict=True):
            _set(owner, key, struct.unpack('=d', mark)[0])
        for stamp, mark in zip(stamps, of_stamps, strict=True):
            stamp.sec, stamp.nanosec = struct.unpack('=iI', mark)
        self._buffer = bytearray(serialize_message(message))
        places = _offsets(self._buffer, of_numbers)
        self._stamps = _offsets(self._buffer, of_stamps)
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


def marks(count: int, end: bytes) -> list[bytes]:
    """
    Return different marks of eight bytes with a common end.

    None has a byte 0: the padding behind the 0 of a text is what the memory had before, which may
    be a part of a mark of an earlier message.
    """
    return [bytes(1 + i // 255**digit % 255 for digit in range(3)) + end for i in range(count)]


def _set(owner: Any, key: str | int, value: float) -> None:
    if isinstance(key, str):
        setattr(owner, key, value)
    else:
        owner[key] = value


def _offsets(data: bytearray, wanted: Sequence[bytes]) -> list[int]:
    """Return the offsets of marks; each must occur once."""
    if any(data.count(mark) != 1 for mark in wanted):
        raise RuntimeError(_STRANGE)
    return [data.find(mark) for mark in wanted]


def xyz(message: Any) -> list[Place]:
    """Return the fields of a vector or a point."""
    return [(message, axis) for axis in 'xyz']


def xyzw(message: Any) -> list[Place]:
    """Return the fields of a quaternion."""
    return [(message, axis) for axis in 'xyzw']
