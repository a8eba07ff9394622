"""Kernel of motions: where all bodies and sites are, and how the bodies move."""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.records import Record, Rows
from symcontact_ros.kernels.vectors.spatial import along, minus
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.bodies.body import BodyMotion, Matrix
from symcontact_ros.simulation.step.articulated import move_groups
from symcontact_ros.simulation.step.candidates import refresh
from symcontact_ros.simulation.world.world import World

Quaternion = tuple[float, float, float, float]


class Centre(Record):
    """The centre of mass of a body in its own frame."""

    position: Triple  # [m]


class SitePose(Record):
    """A site: its pose in the world, and on its body."""

    position: Triple  # in the world [m]
    quaternion: Quaternion  # in the world: x, y, z, w with w >= 0
    body: int  # given, as all that follows
    offset: Triple  # in the body [m]
    turn: Matrix  # takes components in the site to those in the body


class MotionRecord(Record):
    """Motions of all bodies, and poses of all sites."""

    centres: Rows[Centre]  # given
    bodies: Rows[BodyMotion]
    sites: Rows[SitePose]


def write_motions(world: World[S, F, V], out: MotionRecord) -> None:
    """Write where all bodies and sites are and how the bodies move."""
    write_bodies(world, out.centres, out.bodies)
    for i in range(len(out.sites)):
        site = out.sites[i]
        body = out.bodies[site.body]
        site.position = along(body.position, 1.0, rotated(body.rotation, site.offset))
        site.quaternion = quaternion_of(product(body.rotation, site.turn))


def write_bodies(world: World[S, F, V], centres: Rows[Centre], out: Rows[BodyMotion]) -> None:
    """Write where all bodies are and how they move; no contacts act on them yet."""
    move_groups(world)
    for i in range(len(world.bodies)):
        body, motion = world.bodies[i], out[i]
        refresh(world, body)
        body.write_motion(motion)
        motion.quaternion = quaternion_of(motion.rotation)
        motion.position = minus(motion.com, rotated(motion.rotation, centres[i].position))
        motion.force = (0.0, 0.0, 0.0)
        motion.torque = (0.0, 0.0, 0.0)


def rotated(m: Matrix, a: Triple) -> Triple:
    """Return the components in the world of a vector in a body."""
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )


def product(m: Matrix, n: Matrix) -> Matrix:
    """Return the rotation that is first n, then m."""
    x = rotated(m, (n[0], n[3], n[6]))
    y = rotated(m, (n[1], n[4], n[7]))
    z = rotated(m, (n[2], n[5], n[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


def quaternion_of(m: Matrix) -> Quaternion:
    """Return the unit quaternion of a rotation matrix: by its largest number, none is lost."""
    xx, yy, zz = m[0], m[4], m[8]
    x, y, z = 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz
    w = 1.0 + xx + yy + zz
    yz, zx, xy = m[7] + m[5], m[2] + m[6], m[3] + m[1]
    wx, wy, wz = m[7] - m[5], m[2] - m[6], m[3] - m[1]
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
    return scale * x, scale * y, scale * z, scale * w
