"""Rotations and vectors of many bodies at once, a row each."""

from __future__ import annotations

import numpy as np

from symcontact_ros.types import Vector


def cross(a: Vector, b: Vector) -> Vector:
    """Return a x b, row by row; `numpy.cross` takes several times as long for few rows."""
    out = np.empty_like(a)
    out[:, 0] = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]
    out[:, 1] = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]
    out[:, 2] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return out


def quaternions(rotation: Vector) -> Vector:
    """Return the unit quaternions x, y, z, w with w >= 0 of rotation matrices."""
    # Every row of 4 q q^T is a multiple of q; the one with the largest diagonal is the best.
    products = (rotation.reshape(-1, 9) @ _PRODUCTS + _IDENTITY).reshape(-1, 4, 4)
    rows = np.arange(len(products))
    best = np.argmax(products[:, range(4), range(4)], axis=1)
    found: Vector = products[rows, best]
    found /= np.sqrt((found**2).sum(axis=1))[:, None]
    return np.where(found[:, 3:] < 0.0, -found, found)


def _products() -> Vector:
    """Return how the entries of 4 q q^T - 1 follow from those of a rotation matrix."""
    table = np.zeros((9, 4, 4))
    for i in range(3):
        table[4 * i, i, i] = table[4 * i, 3, 3] = 1.0
        j, k = (i + 1) % 3, (i + 2) % 3
        table[4 * j, i, i] = table[4 * k, i, i] = -1.0
        for a, b in ((i, j), (j, i)):
            table[3 * i + j, a, b] = table[3 * j + i, a, b] = 1.0
        for a, b in ((i, 3), (3, i)):
            table[3 * k + j, a, b], table[3 * j + k, a, b] = 1.0, -1.0
    return table.reshape(9, 16)


_PRODUCTS = _products()
_IDENTITY = np.eye(4).reshape(16)
