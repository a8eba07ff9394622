"""Attitudes of bodies in space, as quaternions x, y, z, w, and how they change."""

from __future__ import annotations

import math
from typing import TypeAlias

from symcontact_ros.kernels.elementary import cos_sin
from symcontact_ros.kernels.records import Record
from symcontact_ros.kernels.vectors.spatial import (
    along,
    cross,
    dot,
    norm,
    times,
    turned,
    Vector,
)

Quaternion: TypeAlias = tuple[float, float, float, float]


class InverseInertia(Record):
    """The inverse of the inertia about the centre of mass, body axes [1/(kg m^2)]."""

    xx: float
    yy: float
    zz: float
    xy: float
    xz: float
    yz: float
    largest: float  # of its principal values
    is_isotropic: bool  # whether these are all equal, as of a ball


def axes_of(q: Quaternion) -> tuple[Vector, Vector, Vector]:
    """Return the axes of a body in the world; within a step a quaternion is not quite unit."""
    x, y, z, w = q
    s = 2.0 / (x * x + y * y + z * z + w * w)
    return (
        (1.0 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)),
        (s * (x * y - z * w), 1.0 - s * (x * x + z * z), s * (y * z + x * w)),
        (s * (x * z + y * w), s * (y * z - x * w), 1.0 - s * (x * x + y * y)),
    )


def quaternion_rate(q: Quaternion, w: Vector) -> Quaternion:
    """Return the rate of an attitude that turns at a rate in body axes."""
    x, y, z, s = q
    return (
        0.5 * (s * w[0] + y * w[2] - z * w[1]),
        0.5 * (s * w[1] + z * w[0] - x * w[2]),
        0.5 * (s * w[2] + x * w[1] - y * w[0]),
        -0.5 * (x * w[0] + y * w[1] + z * w[2]),
    )


def further(q: Quaternion, h: float, rate: Quaternion) -> Quaternion:
    """Return q + h rate."""
    return q[0] + h * rate[0], q[1] + h * rate[1], q[2] + h * rate[2], q[3] + h * rate[3]


def unit(q: Quaternion) -> Quaternion:
    """Return a quaternion of length 1."""
    scale = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return scale * q[0], scale * q[1], scale * q[2], scale * q[3]


def rate_in_body(inertia: InverseInertia, q: Quaternion, momentum: Vector) -> Vector:
    """Return the rate of turn that belongs to an angular momentum, in body axes [rad/s]."""
    part = (q[0], q[1], q[2])
    twice = times(2.0 / (dot(part, part) + q[3] * q[3]), cross(part, momentum))
    a, b, c = along(along(momentum, -q[3], twice), 1.0, cross(part, twice))  # in body axes
    xy, xz, yz = inertia.xy, inertia.xz, inertia.yz
    return (
        inertia.xx * a + xy * b + xz * c,
        xy * a + inertia.yy * b + yz * c,
        xz * a + yz * b + inertia.zz * c,
    )


def rate_in_world(inertia: InverseInertia, q: Quaternion, momentum: Vector) -> Vector:
    """Return the rate of turn that belongs to an angular momentum, in world axes [rad/s]."""
    x, y, z = axes_of(q)
    return turned((x, y, z, x), rate_in_body(inertia, q, momentum))


def turn(
    q: Quaternion, inertia: InverseInertia, momentum: Vector, change: Vector, h: float
) -> Quaternion:
    """Return the attitude after a time h in which the angular momentum grows by a change."""
    if inertia.is_isotropic and change[0] == 0.0 and change[1] == 0.0 == change[2]:
        return turned_evenly(q, times(inertia.largest, momentum), h)
    half, end = along(momentum, 0.5, change), along(momentum, 1.0, change)
    first = quaternion_rate(q, rate_in_body(inertia, q, momentum))
    stage = further(q, 0.5 * h, first)
    second = quaternion_rate(stage, rate_in_body(inertia, stage, half))
    stage = further(q, 0.5 * h, second)
    third = quaternion_rate(stage, rate_in_body(inertia, stage, half))
    stage = further(q, h, third)
    fourth = quaternion_rate(stage, rate_in_body(inertia, stage, end))
    stage = further(further(q, h / 6.0, first), h / 3.0, second)
    return unit(further(further(stage, h / 3.0, third), h / 6.0, fourth))


def turned_evenly(q: Quaternion, rate: Vector, h: float) -> Quaternion:
    """Return the attitude after a time h at a constant rate of turn, world axes."""
    size = norm(rate)
    if size == 0.0:
        return q
    cosine, sine = cos_sin(0.5 * h * size)
    x, y, z = times(sine / size, rate)
    return unit(
        (
            cosine * q[0] + x * q[3] + y * q[2] - z * q[1],
            cosine * q[1] + y * q[3] + z * q[0] - x * q[2],
            cosine * q[2] + z * q[3] + x * q[1] - y * q[0],
            cosine * q[3] - x * q[0] - y * q[1] - z * q[2],
        )
    )
