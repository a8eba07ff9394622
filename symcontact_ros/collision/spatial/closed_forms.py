"""Pairs of round shapes in space, and of a ball and another shape: one formula per region."""

from __future__ import annotations

import math

from symcontact_ros.collision.layout import OFFSET, RADIUS, SIZE
from symcontact_ros.collision.spatial.vectors import (
    along,
    clamped,
    cross,
    dot,
    Frame,
    Gap,
    minus,
    norm,
    opposite,
    perpendicular,
    placed,
    point_in,
    reversed_gap,
    sign,
    times,
    turned,
    Vector,
)
from symcontact_ros.memory import Memory


def sphere_sphere(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of two balls; concentric ones part along +x."""
    return balls(frame_a[3], a[RADIUS], frame_b[3], b[RADIUS], (1.0, 0.0, 0.0))


def sphere_half_space(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of a ball and a half-space."""
    normal, offset = surface(b, frame_b)
    centre = frame_a[3]
    height = dot(normal, centre) - offset
    return (
        height - a[RADIUS],
        opposite(normal),
        along(centre, -a[RADIUS], normal),
        along(centre, -height, normal),
    )


def sphere_capsule(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of a ball and a capsule."""
    axis = frame_b[2]
    position = clamped(dot(axis, minus(frame_a[3], frame_b[3])), b[SIZE + 2])
    nearest = along(frame_b[3], position, axis)
    return balls(frame_a[3], a[RADIUS], nearest, b[RADIUS], frame_b[0])


def capsule_capsule(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of two capsules; segments that cross part along their common normal."""
    axis_a, axis_b = frame_a[2], frame_b[2]
    along_a, along_b = closest_on_segments(
        axis_a, a[SIZE + 2], axis_b, b[SIZE + 2], minus(frame_b[3], frame_a[3])
    )
    common = cross(axis_a, axis_b)
    if dot(common, common) <= 1e-24:
        common = perpendicular(axis_a)
    common = times(1.0 / norm(common), common)
    point_a = along(frame_a[3], along_a, axis_a)
    point_b = along(frame_b[3], along_b, axis_b)
    return balls(point_a, a[RADIUS], point_b, b[RADIUS], common)


def box_sphere(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of a box and a ball."""
    depth, direction, nearest = point_box(
        (a[SIZE], a[SIZE + 1], a[SIZE + 2]), point_in(frame_a, frame_b[3])
    )
    normal = turned(frame_a, direction)
    point_b = along(frame_b[3], -b[RADIUS], normal)
    return depth - b[RADIUS], normal, placed(frame_a, nearest), point_b


def sphere_cylinder(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of a ball and a cylinder."""
    return reversed_gap(cylinder_sphere(b, frame_b, a, frame_a))


def cylinder_sphere(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of a cylinder and a ball."""
    depth, direction, nearest = point_cylinder(a[SIZE], a[SIZE + 2], point_in(frame_a, frame_b[3]))
    normal = turned(frame_a, direction)
    point_b = along(frame_b[3], -b[RADIUS], normal)
    return depth - b[RADIUS], normal, placed(frame_a, nearest), point_b


def balls(
    centre_a: Vector, radius_a: float, centre_b: Vector, radius_b: float, otherwise: Vector
) -> Gap:
    """Return the gap of two balls; concentric ones part along the direction given."""
    apart = minus(centre_b, centre_a)
    distance = norm(apart)
    normal = otherwise
    if distance > 1e-15 * (radius_a + radius_b):
        normal = times(1.0 / distance, apart)
    return (
        distance - radius_a - radius_b,
        normal,
        along(centre_a, radius_a, normal),
        along(centre_b, -radius_b, normal),
    )


def closest_on_segments(
    axis_a: Vector, half_a: float, axis_b: Vector, half_b: float, offset: Vector
) -> tuple[float, float]:
    """
    Return where two segments come closest, measured from their middles along their unit axes.

    ``offset`` is the way from the middle of A to that of B. Of parallel ones that lie side by
    side, the middle of the stretch that they share is returned.
    """
    cosine = dot(axis_a, axis_b)
    ahead_a, ahead_b = dot(axis_a, offset), dot(axis_b, offset)
    square = dot(cross(axis_a, axis_b), cross(axis_a, axis_b))  # of the sine, without rounding
    if square > 1e-14:
        at_a = clamped((ahead_a - cosine * ahead_b) / square, half_a)
    else:
        low = max(-half_a, ahead_a - half_b)
        high = min(half_a, ahead_a + half_b)
        at_a = clamped(0.5 * (low + high), half_a)
    at_b = cosine * at_a - ahead_b
    if abs(at_b) > half_b:
        at_b = clamped(at_b, half_b)
        at_a = clamped(cosine * at_b + ahead_a, half_a)
    return at_a, at_b


def point_box(half: Vector, point: Vector) -> tuple[float, Vector, Vector]:
    """
    Return signed distance, outward normal and nearest boundary point of a box to a point.

    Inside, the nearest face wins; of equal ones the first of x, y, z.
    """
    x, y, z = point
    nearest = (clamped(x, half[0]), clamped(y, half[1]), clamped(z, half[2]))
    outwards = minus(point, nearest)
    distance = norm(outwards)
    if distance > 0.0:
        return distance, times(1.0 / distance, outwards), nearest
    beyond_x, beyond_y, beyond_z = abs(x) - half[0], abs(y) - half[1], abs(z) - half[2]
    if beyond_x >= beyond_y and beyond_x >= beyond_z:
        return beyond_x, (sign(x), 0.0, 0.0), (sign(x) * half[0], y, z)
    if beyond_y >= beyond_z:
        return beyond_y, (0.0, sign(y), 0.0), (x, sign(y) * half[1], z)
    return beyond_z, (0.0, 0.0, sign(z)), (x, y, sign(z) * half[2])


def point_cylinder(
    radius: float, half_length: float, point: Vector
) -> tuple[float, Vector, Vector]:
    """Return signed distance, outward normal and nearest boundary point to a point."""
    x, y, z = point
    off_axis = math.sqrt(x * x + y * y)
    radial = (1.0, 0.0)
    if off_axis > 0.0:
        radial = (x / off_axis, y / off_axis)
    end = sign(z)
    beyond_side, beyond_end = off_axis - radius, abs(z) - half_length
    if beyond_side > 0.0 and beyond_end > 0.0:  # nearest to the rim
        distance = math.sqrt(beyond_side * beyond_side + beyond_end * beyond_end)
        out, up = beyond_side / distance, end * beyond_end / distance
        rim = (radius * radial[0], radius * radial[1], end * half_length)
        return distance, (out * radial[0], out * radial[1], up), rim
    if beyond_side >= beyond_end:
        side = (radius * radial[0], radius * radial[1], z)
        return beyond_side, (radial[0], radial[1], 0.0), side
    return beyond_end, (0.0, 0.0, end), (x, y, end * half_length)


def surface(half_space: Memory, frame: Frame) -> tuple[Vector, float]:
    """Return the outward normal of a half-space in the world, and its offset along it."""
    normal = turned(frame, (half_space[SIZE], half_space[SIZE + 1], half_space[SIZE + 2]))
    return normal, half_space[OFFSET] + dot(normal, frame[3])
