"""Pairs of round shapes in space, and of a ball and another shape: one formula per region."""

from __future__ import annotations

from symcontact_ros.kernels.vectors.scalars import clamped, SHORTEST
from symcontact_ros.kernels.vectors.spatial import (
    along,
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
    times,
    turned,
    Vector,
)
from symcontact_ros.shapes.box import point_box
from symcontact_ros.shapes.cylinder import point_cylinder
from symcontact_ros.shapes.records import SpatialSolid

TINY = 1e-10  # of the size: cores that are this close have no direction from one to the other
PARALLEL = 1e-7  # sine below which two segments have no common normal of their own


def sphere_sphere(a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame) -> Gap:
    """Return the gap of two balls; concentric ones part along +x."""
    return balls(frame_a[3], a.radius, frame_b[3], b.radius, (1.0, 0.0, 0.0))


def sphere_half_space(a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame) -> Gap:
    """Return the gap of a ball and a half-space."""
    normal, offset = surface(b, frame_b)
    centre = frame_a[3]
    height = dot(normal, centre) - offset
    return (
        height - a.radius,
        opposite(normal),
        along(centre, -a.radius, normal),
        along(centre, -height, normal),
    )


def sphere_capsule(a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame) -> Gap:
    """Return the gap of a ball and a capsule; a centre on the segment parts across it."""
    axis = frame_b[2]
    offset = minus(frame_a[3], frame_b[3])
    ahead = dot(axis, offset)
    position = clamped(ahead, b.size[2])
    way = along(offset, -position, axis)  # from the segment to the centre
    otherwise = frame_b[0]
    if ahead == position:  # beside the segment: rounding must not tilt it
        way = along(way, -dot(axis, way), axis)
    distance, outward = length_and_direction(way, TINY * (a.radius + b.reach), otherwise)
    normal = opposite(outward)
    point_a = along(frame_a[3], a.radius, normal)
    nearest = along(frame_b[3], position, axis)
    return (
        distance - a.radius - b.radius,
        normal,
        point_a,
        along(nearest, -b.radius, normal),
    )


def capsule_capsule(a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame) -> Gap:
    """Return the gap of two capsules; segments that cross part along their common normal."""
    axis_a, axis_b = frame_a[2], frame_b[2]
    offset = minus(frame_b[3], frame_a[3])
    at_a, at_b = closest_on_segments(axis_a, a.size[2], axis_b, b.size[2], offset)
    common = cross(axis_a, axis_b)
    sine = norm(common)
    inside_a, inside_b = abs(at_a) < a.size[2], abs(at_b) < b.size[2]
    way = along(along(offset, at_b, axis_b), -at_a, axis_a)
    if sine > PARALLEL:
        common = times(1.0 / sine, common)
    else:
        common = perpendicular(axis_a)
        common = times(1.0 / norm(common), common)
    # Beside a segment the way is at right angles to it: rounding must not tilt it.
    if inside_a and inside_b and sine > PARALLEL:
        way = times(dot(common, way), common)
    elif inside_a:
        way = along(way, -dot(axis_a, way), axis_a)
    elif inside_b:
        way = along(way, -dot(axis_b, way), axis_b)
    distance, normal = length_and_direction(way, TINY * (a.reach + b.reach), common)
    point_a = along(along(frame_a[3], at_a, axis_a), a.radius, normal)
    point_b = along(along(frame_b[3], at_b, axis_b), -b.radius, normal)
    return distance - a.radius - b.radius, normal, point_a, point_b


def length_and_direction(way: Vector, least: float, otherwise: Vector) -> tuple[float, Vector]:
    """Return length and direction of a way; below a least length along another direction."""
    length = norm(way)
    if length > least:
        return length, times(1.0 / length, way)
    along_other = dot(otherwise, way)
    if along_other < 0.0:
        return -along_other, opposite(otherwise)
    return along_other, otherwise


def box_sphere(a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame) -> Gap:
    """Return the gap of a box and a ball."""
    depth, direction, nearest = point_box(a.size, point_in(frame_a, frame_b[3]))
    normal = turned(frame_a, direction)
    point_b = along(frame_b[3], -b.radius, normal)
    return depth - b.radius, normal, placed(frame_a, nearest), point_b


def cylinder_sphere(a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame) -> Gap:
    """Return the gap of a cylinder and a ball."""
    depth, direction, nearest = point_cylinder(a.size[0], a.size[2], point_in(frame_a, frame_b[3]))
    normal = turned(frame_a, direction)
    point_b = along(frame_b[3], -b.radius, normal)
    return depth - b.radius, normal, placed(frame_a, nearest), point_b


def balls(
    centre_a: Vector, radius_a: float, centre_b: Vector, radius_b: float, otherwise: Vector
) -> Gap:
    """Return the gap of two balls; concentric ones part along the direction given."""
    distance, normal = length_and_direction(minus(centre_b, centre_a), SHORTEST, otherwise)
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


def surface(half_space: SpatialSolid, frame: Frame) -> tuple[Vector, float]:
    """Return the outward normal of a half-space in the world, and its offset along it."""
    normal = turned(frame, half_space.size)
    return normal, half_space.offset + dot(normal, frame[3])
