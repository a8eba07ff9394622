"""Conversion of numbers to messages, written in place: cheaper than new messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped

Numbers = Sequence[float]


def stamp(nanoseconds: int) -> Time:
    """Return simulated time as a stamp."""
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return Time(sec=seconds, nanosec=rest)


def nanoseconds(time: Time) -> int:
    """Return a stamp as a number."""
    return int(time.sec) * 1_000_000_000 + int(time.nanosec)


def transform(parent: str, child: str) -> TransformStamped:
    """Return the identity of child in parent, to be written to."""
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    return message


def write_vector(message: Any, numbers: Numbers) -> None:
    """Set x, y and z of a message."""
    message.x, message.y, message.z = numbers


def write_rotation(message: Any, quaternion: Numbers) -> None:
    """Set x, y, z and w of a message."""
    message.x, message.y, message.z, message.w = quaternion


def read_vector(message: Any) -> tuple[float, float, float]:
    """Return x, y and z of a message."""
    return message.x, message.y, message.z
