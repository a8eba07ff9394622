"""
Serialised messages in which only numbers and stamps change.

rclpy converts a message field by field whenever it is sent: 230 us for 39 transforms, more than
the simulation itself takes. Names and sizes are constant here, so that this is done once; later,
numbers are written at their offsets in the bytes: 4 us. Messages of many topics are on one sheet,
so that their numbers and stamps are written by one call each.
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
_STAMP = struct.Struct('=iI')
_DIFFERENT = 3  # bytes at the beginning of a mark that no other has
FEW = 4  # stamps: up to here one by one is faster
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

    Attributes
    ----------
    buffer
        The bytes.
    places, stamps
        Offsets of the numbers, and of the stamps, in it.

    """

    def __init__(self, message: Any, numbers: Sequence[Place], stamps: Sequence[Any]) -> None:
        of_numbers = marks(len(numbers), _OF_NUMBER)
        of_stamps = marks(len(stamps), _OF_STAMP)
        for (owner, key), mark in zip(numbers, of_numbers, strict=True):
            _set(owner, key, struct.unpack('=d', mark)[0])
        for stamp, mark in zip(stamps, of_stamps, strict=True):
            stamp.sec, stamp.nanosec = _STAMP.unpack(mark)
        data = bytearray(serialize_message(message))
        self._use(
            data, _offsets(data, of_numbers, _OF_NUMBER), _offsets(data, of_stamps, _OF_STAMP)
        )

    def _use(self, buffer: bytearray, places: list[int], stamps: list[int]) -> None:
        """Write to this buffer, at these offsets."""
        self.buffer, self.places, self.stamps = buffer, places, stamps
        # CDR puts doubles at multiples of eight, counted from behind its header.
        start = places[0] % 8 if places else 0
        count = (len(buffer) - start) // 8
        self._doubles = np.frombuffer(buffer, np.float64, count, start)
        self._indices = np.array([(place - start) // 8 for place in places], dtype=np.int64)
        self._words = np.frombuffer(buffer, np.int32, len(buffer) // 4)
        self._stamps = np.array([[place // 4, place // 4 + 1] for place in stamps], dtype=np.int64)
        if any(place % 8 != start for place in places) or any(place % 4 for place in stamps):
            raise RuntimeError(_STRANGE)

    def write(self, numbers: Vector) -> None:
        """Set all numbers."""
        self._doubles[self._indices] = numbers.reshape(-1)

    def stamp(self, nanoseconds: int) -> None:
        """Set all stamps to a time [ns]."""
        seconds, rest = divmod(nanoseconds, 1_000_000_000)
        if len(self.stamps) <= FEW:
            for place in self.stamps:
                _STAMP.pack_into(self.buffer, place, seconds, rest)
        else:
            self._words[self._stamps] = seconds, rest  # less than 2**31, both

    @property
    def data(self) -> bytes:
        """The bytes to send."""
        return bytes(self.buffer)


class Sheet(Serialized):
    """
    Several messages as bytes, one after the other, which are written at once.

    Parameters
    ----------
    messages
        Their numbers follow one another in the argument of `write`.

    Attributes
    ----------
    parts
        Where each message starts and ends in `data`.

    """

    def __init__(self, messages: Sequence[Serialized]) -> None:
        buffer, places, stamps = bytearray(), [], []
        self.parts: list[tuple[int, int]] = []
        for message in messages:
            start = len(buffer)
            self.parts.append((start, start + len(message.buffer)))
            places += [start + place for place in message.places]
            stamps += [start + place for place in message.stamps]
            buffer += message.buffer
            buffer += bytes(-len(buffer) % 8)  # all doubles stay at multiples of eight
        self._use(buffer, places, stamps)


def marks(count: int, end: bytes) -> list[bytes]:
    """
    Return different marks of eight bytes with a common end.

    None has a byte 0: the padding behind the 0 of a text is what the memory had before, which may
    be a part of a mark of an earlier message.
    """
    return [
        bytes(1 + i // 255**digit % 255 for digit in range(_DIFFERENT)) + end for i in range(count)
    ]


def _set(owner: Any, key: str | int, value: float) -> None:
    if isinstance(key, str):
        setattr(owner, key, value)
    else:
        owner[key] = value


def _offsets(data: bytearray, wanted: Sequence[bytes], end: bytes) -> list[int]:
    """Return the offsets of marks with a common end; each must occur once."""
    known = set(wanted)
    places: dict[bytes, int] = {}
    start = data.find(end)
    while start >= 0:
        place = start - _DIFFERENT
        mark = bytes(data[max(place, 0) : start + len(end)])
        if mark in places:
            raise RuntimeError(_STRANGE)
        if mark in known:
            places[mark] = place
        start = data.find(end, start + 1)
    if len(places) < len(known):
        raise RuntimeError(_STRANGE)
    return [places[mark] for mark in wanted]


def xyz(message: Any) -> list[Place]:
    """Return the fields of a vector or a point."""
    return [(message, axis) for axis in 'xyz']


def xyzw(message: Any) -> list[Place]:
    """Return the fields of a quaternion."""
    return [(message, axis) for axis in 'xyzw']
