"""Conversion of ROS messages to arrays."""

from __future__ import annotations

from typing import Any

from builtin_interfaces.msg import Time
import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import JointState, PointCloud2, PointField

Vector = NDArray[np.float64]

KINDS = {
    PointField.INT8: 'i1',
    PointField.UINT8: 'u1',
    PointField.INT16: 'i2',
    PointField.UINT16: 'u2',
    PointField.INT32: 'i4',
    PointField.UINT32: 'u4',
    PointField.FLOAT32: 'f4',
    PointField.FLOAT64: 'f8',
}


def seconds(stamp: Time) -> float:
    """Return a stamp in seconds."""
    return float(stamp.sec + 1e-9 * stamp.nanosec)


def vector(message: Any) -> Vector:
    """Return x, y, z of a Vector3 or Point."""
    return np.array([message.x, message.y, message.z])


def rotation(message: Any) -> Vector:
    """Return the matrix of a Quaternion: the axes of the body as columns."""
    x, y, z, w = message.x, message.y, message.z, message.w
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def joint(message: JointState, name: str) -> tuple[float, float]:
    """Return position and velocity of a joint; KeyError if the message has no such joint."""
    if name not in message.name:
        raise KeyError(f'no joint {name!r} in joint_states; available: {", ".join(message.name)}')
    index = message.name.index(name)
    return message.position[index], message.velocity[index]


def rows(message: PointCloud2) -> NDArray[np.void]:
    """Return the points of a cloud as a structured array, by the names of its fields."""
    order = '>' if message.is_bigendian else '<'
    layout = np.dtype(
        {
            'names': [field.name for field in message.fields],
            'formats': [order + KINDS[field.datatype] for field in message.fields],
            'offsets': [field.offset for field in message.fields],
            'itemsize': message.point_step,
        }
    )
    return np.frombuffer(bytes(message.data), layout, message.width * message.height)


def triples(cloud: NDArray[np.void], *names: str) -> Vector:
    """Return columns of a cloud as one array."""
    return np.stack([cloud[name].astype(float) for name in names], axis=-1)
