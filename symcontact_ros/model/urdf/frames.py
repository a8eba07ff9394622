"""Frames of a URDF: ``<origin>`` and rotations."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import Any

import numpy as np

from symcontact_ros.model.urdf.elements import child, Element, numbers, UrdfDescription
from symcontact_ros.placements import matrix
from symcontact_ros.types import Vector

Fields = dict[str, Any]  # of the model file


def frame(
    description: UrdfDescription, holder: Element, path: str, position: str = 'position'
) -> Fields:
    """Return the ``<origin>`` of an element as a position [m] and rpy [rad]; default: zeros."""
    place, rpy = origin(description, holder, f'{path}.{position}', f'{path}.rpy')
    return {position: place, 'rpy': rpy}


def origin(
    description: UrdfDescription, holder: Element, xyz_path: str, rpy_path: str
) -> tuple[list[float], list[float]]:
    """Return position [m] and rpy [rad] of an element's ``<origin>``, with faults at two paths."""
    element = child(holder, 'origin')
    xyz = numbers(description, element, 'xyz', xyz_path)
    if element is None or element.get('quat_xyzw') is None:
        return xyz, numbers(description, element, 'rpy', rpy_path)
    if element.get('rpy') is not None:
        description.refuse(element, rpy_path, '<origin> has `rpy` and `quat_xyzw`: give one')
    unturned = (0.0, 0.0, 0.0, 1.0)
    x, y, z, w = numbers(description, element, 'quat_xyzw', rpy_path, default=unturned)
    length = math.hypot(x, y, z, w)
    if length == 0.0:
        description.refuse(element, rpy_path, '<origin quat_xyzw="0 0 0 0"> is no rotation')
        return xyz, [0.0, 0.0, 0.0]
    return xyz, rpy_of(matrix((x / length, y / length, z / length, w / length)))


def rotation(rpy: Sequence[float]) -> Vector:
    """Return the matrix of fixed-axis roll, pitch, yaw [rad]: Rz(yaw) Ry(pitch) Rx(roll)."""
    (sr, sp, sy), (cr, cp, cy) = map(math.sin, rpy), map(math.cos, rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rpy_of(turn: Vector) -> list[float]:
    """Return roll, pitch, yaw [rad] of a rotation matrix."""
    is_upright = math.hypot(turn[1, 0], turn[0, 0]) < 1e-15  # pitch is a right angle
    yaw = 0.0 if is_upright else math.atan2(turn[1, 0], turn[0, 0])
    sin, cos = math.sin(yaw), math.cos(yaw)
    # Roll is what is left after yaw, so that both fit each other where pitch is a right angle.
    roll = math.atan2(sin * turn[0, 2] - cos * turn[1, 2], cos * turn[1, 1] - sin * turn[0, 1])
    pitch = math.atan2(-turn[2, 0], cos * turn[0, 0] + sin * turn[1, 0])
    return [roll, pitch, yaw]


def turn_of_z(axis: Sequence[float]) -> Vector:
    """Return the rotation matrix that takes z to a unit axis, by the shortest way."""
    x, y, z = axis
    if z < -1.0 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])  # about x by half a turn
    return np.array(
        [
            [1.0 - x * x / (1.0 + z), -x * y / (1.0 + z), x],
            [-x * y / (1.0 + z), 1.0 - y * y / (1.0 + z), y],
            [-x, -y, z],
        ]
    )
