"""Conversion of numbers to messages, written in place: cheaper than new messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
import numpy as np

from symcontact_ros.types import Vector

Numbers = Sequence[float]
_CONJUGATE = np.array([-1.0, -1.0, -1.0, 1.0])


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


def relative_poses(parents: Vector, children: Vector) -> Vector:
    """
    Return the poses of children in the axes and from the origins of their parents.

    All are arrays (n, 7): position [m] and quaternion x y z w, those given in the world.
    """
    turn = parents[:, 3:] * _CONJUGATE
    placed = np.empty_like(children)
    placed[:, :3] = _rotated(turn, children[:, :3] - parents[:, :3])
    vector, scalar = turn[:, :3], turn[:, 3:]
    other, w = children[:, 3:6], children[:, 6:]
    placed[:, 3:6] = scalar * other + w * vector + np.cross(vector, other)
    placed[:, 6:] = scalar * w - np.sum(vector * other, axis=1, keepdims=True)
    return placed


def _rotated(quaternions: Vector, vectors: Vector) -> Vector:
    axis, scalar = quaternions[:, :3], quaternions[:, 3:]
    twice = 2.0 * np.cross(axis, vectors)
    rotated: Vector = vectors + scalar * twice + np.cross(axis, twice)
    return rotated
