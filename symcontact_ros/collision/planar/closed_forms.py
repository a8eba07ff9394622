"""Pairs of a disc and another shape in the plane: one formula for every region."""

from __future__ import annotations

from symcontact_ros.collision.layout import (
    EDGE,
    EDGE_COUNT,
    EDGES_START,
    OFFSET,
    RADIUS,
    REACH,
    SIZE,
)
from symcontact_ros.collision.planar.polygons import on_segment, vertex_of
from symcontact_ros.collision.planar.vectors import (
    along,
    dot,
    Frame,
    Gap,
    minus,
    norm,
    opposite,
    placed,
    point_in,
    turned,
    Vector,
)
from symcontact_ros.collision.scalars import clamped, sign
from symcontact_ros.kernels.transitional import Memory


def circle_circle(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of two discs; concentric ones part along +x."""
    return discs(frame_a[1], a[RADIUS], frame_b[1], b[RADIUS])


def circle_half_space(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of a disc and a half-plane."""
    normal, offset = surface(b, frame_b)
    centre = frame_a[1]
    height = dot(normal, centre) - offset
    return (
        height - a[RADIUS],
        opposite(normal),
        along(centre, -a[RADIUS], normal),
        along(centre, -height, normal),
    )


def circle_capsule(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of a disc and a capsule; a centre on the segment parts across it."""
    x, y = point_in(frame_b, frame_a[1])
    nearest = clamped(x, b[SIZE])
    distance, outward = abs(y), (0.0, sign(y))
    if x != nearest:  # beyond an end
        way = (x - nearest, y)
        distance = norm(way)
        outward = (way[0] / distance, way[1] / distance)
    normal = turned(frame_b, opposite(outward))
    point_a = along(frame_a[1], a[RADIUS], normal)
    point_b = along(placed(frame_b, (nearest, 0.0)), -b[RADIUS], normal)
    return distance - a[RADIUS] - b[RADIUS], normal, point_a, point_b


def rectangle_circle(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of a rectangle and a disc."""
    depth, direction, nearest = point_rectangle(
        a[SIZE], a[SIZE + 1], point_in(frame_a, frame_b[1])
    )
    normal = turned(frame_a, direction)
    point_b = along(frame_b[1], -b[RADIUS], normal)
    return depth - b[RADIUS], normal, placed(frame_a, nearest), point_b


def polygon_circle(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame) -> Gap:
    """Return the gap of a polygon and a disc."""
    depth, direction, nearest = point_polygon(a, point_in(frame_a, frame_b[1]))
    normal = turned(frame_a, direction)
    point_b = along(frame_b[1], -b[RADIUS], normal)
    return depth - b[RADIUS], normal, placed(frame_a, nearest), point_b


def discs(centre_a: Vector, radius_a: float, centre_b: Vector, radius_b: float) -> Gap:
    """Return the gap of two discs."""
    apart = minus(centre_b, centre_a)
    length = norm(apart)
    normal = (1.0, 0.0)
    if length > 0.0:
        normal = (apart[0] / length, apart[1] / length)
    return (
        length - radius_a - radius_b,
        normal,
        along(centre_a, radius_a, normal),
        along(centre_b, -radius_b, normal),
    )


def point_rectangle(half_x: float, half_y: float, point: Vector) -> tuple[float, Vector, Vector]:
    """
    Return signed distance, outward normal and nearest boundary point of a rectangle to a point.

    Inside, the nearest side wins; of equal ones that across x. On the boundary the outward normal
    is that of the side, at a corner too.
    """
    x, y = point
    nearest = (clamped(x, half_x), clamped(y, half_y))
    outwards = minus(point, nearest)
    distance = norm(outwards)
    if distance > 0.0:
        return distance, (outwards[0] / distance, outwards[1] / distance), nearest
    beyond_x, beyond_y = abs(x) - half_x, abs(y) - half_y
    if beyond_x >= beyond_y:
        return beyond_x, (sign(x), 0.0), (sign(x) * half_x, y)
    return beyond_y, (0.0, sign(y)), (x, sign(y) * half_y)


def point_polygon(shape: Memory, point: Vector) -> tuple[float, Vector, Vector]:
    """Return signed distance, outward normal and nearest point of a polygon to a point."""
    height = -1e300
    outward, across = (1.0, 0.0), point
    best = 1e300
    nearest = point
    for edge in range(int(shape[EDGE_COUNT])):
        start = int(shape[EDGES_START]) + EDGE * edge
        first = vertex_of(shape, int(shape[start]))
        normal = (shape[start + 2], shape[start + 3])
        beyond = dot(normal, minus(point, first))
        if beyond > height:
            height, outward, across = beyond, normal, along(point, -beyond, normal)
        foot = on_segment(first, vertex_of(shape, int(shape[start + 1])), point)
        way = minus(point, foot)
        if dot(way, way) < best:
            best, nearest = dot(way, way), foot
    distance = norm(minus(point, nearest))
    # Beside an edge both are the same, and the normal of the edge is the better one.
    if height <= 0.0 or distance <= height + 1e-13 * shape[REACH]:
        return height, outward, across
    way = minus(point, nearest)
    return distance, (way[0] / distance, way[1] / distance), nearest


def surface(half_space: Memory, frame: Frame) -> tuple[Vector, float]:
    """Return the outward normal of a half-plane in the world, and its offset along it."""
    normal = turned(frame, (half_space[SIZE], half_space[SIZE + 1]))
    return normal, half_space[OFFSET] + dot(normal, frame[1])
