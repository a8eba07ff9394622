"""Rotations and placements of frames: in formulas, and as matrices and quaternions in numbers."""

from __future__ import annotations

from dataclasses import dataclass
import math

import numpy as np

from symcontact_ros.expressions import evaluate_all, Scalar, Values
from symcontact_ros.types import Vector

Triple = tuple[Scalar, Scalar, Scalar]
ZERO: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Rotation:
    """An attitude: roll, pitch, yaw about fixed axes [rad], or a quaternion x, y, z, w."""

    rpy: Triple = ZERO
    quaternion: tuple[Scalar, Scalar, Scalar, Scalar] | None = None  # wins over rpy

    def evaluated(self, values: Values) -> tuple[float, float, float, float]:
        """Return the unit quaternion x, y, z, w."""
        if self.quaternion is not None:
            numbers = evaluate_all(self.quaternion, values)
            length = math.hypot(*numbers)
            x, y, z, w = (number / length for number in numbers)
            return x, y, z, w
        halves = [0.5 * angle for angle in evaluate_all(self.rpy, values)]
        (cr, cp, cy), (sr, sp, sy) = map(math.cos, halves), map(math.sin, halves)
        return (
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        )


@dataclass(frozen=True)
class Placement:
    """Pose of a frame in another one."""

    position: Triple = ZERO  # [m]
    rotation: Rotation = Rotation()


NO_TURN = Rotation()
AT_ORIGIN = Placement()


def matrix(quaternion: tuple[float, ...]) -> Vector:
    """Return the rotation matrix of a unit quaternion x, y, z, w."""
    x, y, z, w = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_of(rotation: Vector) -> Vector:
    """Return the unit quaternion x, y, z, w with w >= 0 of a rotation matrix."""
    rows = rotation.tolist()  # plain numbers: half the time of numpy's
    trace = rows[0][0] + rows[1][1] + rows[2][2]
    diagonal = [rows[0][0], rows[1][1], rows[2][2], trace]
    k = diagonal.index(max(diagonal))
    if k == 3:
        x, y = rows[2][1] - rows[1][2], rows[0][2] - rows[2][0]
        q = np.array([x, y, rows[1][0] - rows[0][1], 1.0 + trace])
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        q = np.empty(4)
        q[k] = 1.0 + 2.0 * rows[k][k] - trace
        q[i] = rows[i][k] + rows[k][i]
        q[j] = rows[j][k] + rows[k][j]
        q[3] = rows[j][i] - rows[i][j]
    q /= math.sqrt(q.dot(q))
    return -q if q[3] < 0.0 else q
