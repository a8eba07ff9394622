"""Pairs of a disc and another shape in the plane: one formula for every region."""

from __future__ import annotations

from symcontact_ros.collision.planar.separating_axes import on_segment, vertex_of
from symcontact_ros.kernels.vectors.planar import (
    along,
    dot,
    Frame,
    Gap,
    in_plane,
    minus,
    norm,
    opposite,
    placed,
    point_in,
    turned,
    Vector,
)
from symcontact_ros.kernels.vectors.scalars import clamped, SHORTEST, sign
from symcontact_ros.shapes.records import PlanarSolid


def circle_circle(a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame) -> Gap:
    """Return the gap of two discs; concentric ones part along +x."""
    return discs(frame_a[1], a.radius, frame_b[1], b.radius)


def circle_half_space(a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame) -> Gap:
    """Return the gap of a disc and a half-plane."""
    normal, offset = surface(b, frame_b)
    centre = frame_a[1]
    height = dot(normal, centre) - offset
    return (
        height - a.radius,
        opposite(normal),
        along(centre, -a.radius, normal),
        along(centre, -height, normal),
    )


def circle_capsule(a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame) -> Gap:
    """Return the gap of a disc and a capsule; a centre on the segment parts across it."""
    x, y = point_in(frame_b, frame_a[1])
    nearest = clamped(x, b.size[0])
    distance, outward = abs(y), (0.0, sign(y))
    if x != nearest:  # beyond an end
        way = (x - nearest, y)
        distance = norm(way)
        outward = (way[0] / distance, way[1] / distance)
    normal = turned(frame_b, opposite(outward))
    point_a = along(frame_a[1], a.radius, normal)
    point_b = along(placed(frame_b, (nearest, 0.0)), -b.radius, normal)
    return distance - a.radius - b.radius, normal, point_a, point_b


def rectangle_circle(a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame) -> Gap:
    """Return the gap of a rectangle and a disc."""
    depth, direction, nearest = point_rectangle(in_plane(a.size), point_in(frame_a, frame_b[1]))
    normal = turned(frame_a, direction)
    point_b = along(frame_b[1], -b.radius, normal)
    return depth - b.radius, normal, placed(frame_a, nearest), point_b


def polygon_circle(a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame) -> Gap:
    """Return the gap of a polygon and a disc."""
    depth, direction, nearest = point_polygon(a, point_in(frame_a, frame_b[1]))
    normal = turned(frame_a, direction)
    point_b = along(frame_b[1], -b.radius, normal)
    return depth - b.radius, normal, placed(frame_a, nearest), point_b


def discs(centre_a: Vector, radius_a: float, centre_b: Vector, radius_b: float) -> Gap:
    """Return the gap of two discs."""
    apart = minus(centre_b, centre_a)
    length = norm(apart)
    normal = (1.0, 0.0)
    if length > SHORTEST:
        normal = (apart[0] / length, apart[1] / length)
    return (
        length - radius_a - radius_b,
        normal,
        along(centre_a, radius_a, normal),
        along(centre_b, -radius_b, normal),
    )


def point_rectangle(half_extents: Vector, point: Vector) -> tuple[float, Vector, Vector]:
    """
    Return signed distance, outward normal and nearest boundary point of a rectangle to a point.

    Inside, the nearest side wins; of equal ones that across x. On the boundary the outward normal
    is that of the side, at a corner too.
    """
    half_x, half_y = half_extents
    x, y = point
    nearest = (clamped(x, half_x), clamped(y, half_y))
    outwards = minus(point, nearest)
    distance = norm(outwards)
    if distance > SHORTEST:
        return distance, (outwards[0] / distance, outwards[1] / distance), nearest
    beyond_x, beyond_y = abs(x) - half_x, abs(y) - half_y
    if beyond_x >= beyond_y:
        return beyond_x, (sign(x), 0.0), (sign(x) * half_x, y)
    return beyond_y, (0.0, sign(y)), (x, sign(y) * half_y)


def point_polygon(shape: PlanarSolid, point: Vector) -> tuple[float, Vector, Vector]:
    """Return signed distance, outward normal and nearest point of a polygon to a point."""
    height = -1e300
    outward, across = (1.0, 0.0), point
    best = 1e300
    nearest = point
    edges = shape.edges
    for number in range(len(edges)):
        edge = edges[number]
        first, normal = vertex_of(shape, edge.first), edge.normal
        beyond = dot(normal, minus(point, first))
        if beyond > height:
            height, outward, across = beyond, normal, along(point, -beyond, normal)
        foot = on_segment(first, vertex_of(shape, edge.second), point)
        way = minus(point, foot)
        if dot(way, way) < best:
            best, nearest = dot(way, way), foot
    distance = norm(minus(point, nearest))
    # Beside an edge both are the same, and the normal of the edge is the better one.
    if height <= 0.0 or distance <= height + 1e-13 * shape.reach:
        return height, outward, across
    way = minus(point, nearest)
    return distance, (way[0] / distance, way[1] / distance), nearest


def surface(half_space: PlanarSolid, frame: Frame) -> tuple[Vector, float]:
    """Return the outward normal of a half-plane in the world, and its offset along it."""
    normal = turned(frame, in_plane(half_space.size))
    return normal, half_space.offset + dot(normal, frame[1])
