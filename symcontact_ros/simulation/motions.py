"""
Where bodies are and how they move, joints too, as a kernel: rows in which everything is written.

The loop keeps of a body what it needs (`planar.MOTION`, `spatial.MOTION`); here that becomes the
same for both: SI units, world axes, three numbers to a vector.
"""

from __future__ import annotations

import math

from symcontact_ros.kernels.transitional import Memory, shift
from symcontact_ros.simulation.loop import planar, spatial
from symcontact_ros.simulation.loop.layout import (
    JOINT,
    JOINT_APPLIED,
    JOINT_KD,
    JOINT_KP,
    JOINT_Q,
    JOINT_TARGET,
    JOINT_TARGET_SPEED,
    JOINT_U,
)

# What is written of a body: its origin, x y z w with w >= 0, what turns its components into the
# world, centre of mass, its velocity, rate of turn, force and torque of contacts.
POSITION, QUATERNION, ROTATION, COM, VELOCITY, RATE, FORCE, TORQUE = 0, 3, 7, 16, 19, 22, 25, 28
BODY = 31


def write_bodies(
    count: int, is_planar: int, motions: Memory, centres: Memory, bodies: Memory
) -> None:
    """Write the rows of bodies, whose centres of mass are somewhere in them; without loads."""
    for i in range(count):
        body = shift(bodies, BODY * i)
        if is_planar == 1:
            spread_planar(shift(motions, planar.MOTION * i), body)
        else:
            spread_spatial(shift(motions, spatial.MOTION * i), body)
        centre = shift(centres, 3 * i)
        for row in range(3):
            turned = 0.0
            for column in range(3):
                turned += body[ROTATION + 3 * row + column] * centre[column]
            body[POSITION + row] = body[COM + row] - turned
        write_quaternion(shift(body, ROTATION), shift(body, QUATERNION))
        for k in range(FORCE, BODY):
            body[k] = 0.0


def spread_planar(motion: Memory, body: Memory) -> None:
    """Write attitude and motion of a body in the plane."""
    cosine, sine = motion[0], motion[1]
    for k in range(ROTATION, FORCE):
        body[k] = 0.0
    body[ROTATION] = cosine
    body[ROTATION + 1] = 0.0 - sine
    body[ROTATION + 3] = sine
    body[ROTATION + 4] = cosine
    body[ROTATION + 8] = 1.0
    for axis in range(2):
        body[COM + axis] = motion[2 + axis]
        body[VELOCITY + axis] = motion[4 + axis]
    body[RATE + 2] = motion[6]


def spread_spatial(motion: Memory, body: Memory) -> None:
    """Write attitude and motion of a body in space; the loop keeps its axes one by one."""
    for axis in range(3):
        for component in range(3):
            body[ROTATION + 3 * component + axis] = motion[3 * axis + component]
    for k in range(9):
        body[COM + k] = motion[9 + k]


def write_quaternion(rotation: Memory, out: Memory) -> None:
    """Write the unit quaternion of a rotation matrix: by its largest number, none is lost."""
    xx, yy, zz = rotation[0], rotation[4], rotation[8]
    x, y, z = 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz
    w = 1.0 + xx + yy + zz
    yz, zx, xy = rotation[7] + rotation[5], rotation[2] + rotation[6], rotation[3] + rotation[1]
    wx, wy, wz = rotation[7] - rotation[5], rotation[2] - rotation[6], rotation[3] - rotation[1]
    if w >= x and w >= y and w >= z:
        x, y, z = wx, wy, wz
    elif x >= y and x >= z:
        y, z, w = xy, zx, wx
    elif y >= z:
        x, z, w = xy, yz, wy
    else:
        x, y, w = zx, yz, wz
    size = math.sqrt(x * x + y * y + z * z + w * w)
    scale = 1.0 / size if w >= 0.0 else -1.0 / size
    out[0] = scale * x
    out[1] = scale * y
    out[2] = scale * z
    out[3] = scale * w


def write_joints(count: int, joints: Memory, state: Memory, out: Memory) -> None:
    """Write all positions, then all velocities, then what all actuators do: effort and servo."""
    for i in range(count):
        joint = shift(joints, JOINT * i)
        q, u = state[int(joint[JOINT_Q])], state[int(joint[JOINT_U])]
        servo = joint[JOINT_KP] * (joint[JOINT_TARGET] - q)
        drag = joint[JOINT_KD] * (joint[JOINT_TARGET_SPEED] - u)
        out[i] = q
        out[count + i] = u
        out[2 * count + i] = joint[JOINT_APPLIED] + servo + drag
