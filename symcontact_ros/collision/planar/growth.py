"""
Growth of two shapes in the plane: the factor by which both must grow until they just touch.

See `spatial.growth`. In the plane two points of the difference carry the answer, and where it is
rounded there is a closed form.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from symcontact_ros.collision.planar.differences import (
    copy,
    difference,
    find_farthest,
    NO_VERTEX,
    point_of_a,
    Simplex,
)
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.vectors.planar import (
    along,
    dot,
    Frame,
    in_plane,
    minus,
    norm,
    opposite,
    placed,
    Vector,
)
from symcontact_ros.shapes.planar_dispatch import support
from symcontact_ros.shapes.records import PlanarSolid

# as in space: distance [m], slack, unit normal from A to B, points of A and of B in A's frame
Growth: TypeAlias = tuple[float, float, Vector, Vector, Vector]
# where a ray leaves a difference: along which unit normal, how far that reaches [m], where between
# the two corners, and how far the bounds are apart, as a part of it
Exit: TypeAlias = tuple[Vector, float, float, float]

CONCENTRIC = 1e-12  # of the inner radii: nearer centres have no direction
EXACT = 1e-13
STEPS = 60
HUGE = 1e300


@separate
def grown(
    a: PlanarSolid, b: PlanarSolid, frame_b_in_a: Frame, work: Floats, warm_count: int = 0
) -> Growth:
    """Return what `spatial.growth.grown` does; ``warm_count`` is 2 with a warm start."""
    simplex = Simplex.at(work)
    centre = in_plane(a.centre)
    apart = minus(placed(frame_b_in_a, in_plane(b.centre)), centre)
    length = norm(apart)
    inside = a.inner + b.inner
    if length <= CONCENTRIC * inside:
        return 0.0, HUGE, (0.0, 1.0), centre, centre
    frame = (frame_b_in_a[0], minus(frame_b_in_a[1], apart))  # shapes about their own centres
    ray = (-apart[0] / length, -apart[1] / length)
    _start(a, b, frame, simplex, ray, inside, warm_count)
    outwards, reach, share, slack = _leave(a, b, frame, simplex, ray)
    normal = opposite(outwards)
    ahead = dot(normal, apart)
    point_a = _touching(a, simplex, centre, normal, share, ahead / reach)
    distance = ahead - reach
    return distance, slack, normal, point_a, along(point_a, distance, normal)


def _start(
    a: PlanarSolid,
    b: PlanarSolid,
    frame: Frame,
    simplex: Simplex,
    ray: Vector,
    inside: float,
    warm_count: int,
) -> None:
    """Put the first two corners on both sides of the ray."""
    first, second = simplex.corners[0], simplex.corners[1]
    if warm_count == 2:
        first.point = difference(frame, first)
        second.point = difference(frame, second)
        x, y = _combination(simplex, ray)
        if x >= 0.0 and y >= 0.0 and 0.0 < (x + y) * inside <= 1.0:
            return
    for corner, across in ((first, 0.8), (second, -0.8)):
        corner.point = (
            inside * (0.6 * ray[0] - across * ray[1]),
            inside * (0.6 * ray[1] + across * ray[0]),
        )
        corner.vertex_a = NO_VERTEX
        corner.vertex_b = NO_VERTEX


def _leave(a: PlanarSolid, b: PlanarSolid, frame: Frame, simplex: Simplex, ray: Vector) -> Exit:
    """Return where a ray from the origin leaves the difference of two shapes."""
    radii = a.radius + b.radius
    best, reach, normal, slack = 0.0, HUGE, ray, HUGE
    for _ in range(STEPS):
        slope = _slope(simplex)
        length = norm(slope)
        if length == 0.0:
            break
        progress = dot(slope, ray)
        point = find_farthest(a, b, frame, slope, simplex.new)
        farthest = dot(slope, point) + radii * length
        if farthest <= 0.0:
            break
        if progress / farthest > best:
            best, reach = progress / farthest, farthest / length
            normal = (slope[0] / length, slope[1] / length)
        slack = (progress - best) / progress
        if slack <= EXACT:
            break
        if radii > 0.0:
            rounded = _round_exit(a, b, frame, simplex, ray, radii)
            if rounded[3] <= EXACT:
                return rounded
        simplex.new.point = along(point, radii / length, slope)
        leaving = _leaving(simplex, ray)
        if leaving < 0:
            break
        copy(simplex.new, simplex.corners[leaving])
    x, y = _combination(simplex, ray)
    share = min(max(y / (x + y), 0.0), 1.0) if x + y > 0.0 else 0.5
    return normal, reach, share, slack


def _slope(simplex: Simplex) -> Vector:
    """Return the vector whose product with both corners is 1; nothing if there is none."""
    first = simplex.corners[0].point
    edge = minus(simplex.corners[1].point, first)
    height = edge[1] * first[0] - edge[0] * first[1]
    if height == 0.0:
        return 0.0, 0.0
    return edge[1] / height, -edge[0] / height


def _round_exit(
    a: PlanarSolid, b: PlanarSolid, frame: Frame, simplex: Simplex, ray: Vector, radii: float
) -> Exit:
    """Return where the ray leaves the capsule around the vertices of both corners."""
    if not _has_vertices(simplex):
        return ray, HUGE, 0.0, HUGE
    first = difference(frame, simplex.corners[0])
    edge = minus(difference(frame, simplex.corners[1]), first)
    share, exit_, normal = 0.0, 0.0, ray
    length = norm(edge)
    if length > 0.0:
        normal = (edge[1] / length, -edge[0] / length)
        if dot(normal, ray) < 0.0:
            normal = opposite(normal)
        if dot(normal, ray) > 0.0:
            exit_ = (dot(normal, first) + radii) / dot(normal, ray)
            foot = (exit_ * ray[0] - radii * normal[0], exit_ * ray[1] - radii * normal[1])
            share = dot(edge, minus(foot, first)) / (length * length)
    if share <= 0.0 or share >= 1.0 or exit_ <= 0.0:  # around one vertex
        share = min(max(share, 0.0), 1.0)
        corner = along(first, share, edge)
        beside = ray[0] * corner[1] - ray[1] * corner[0]
        if abs(beside) > radii:
            return ray, HUGE, 0.0, HUGE
        exit_ = dot(ray, corner) + math.sqrt(radii * radii - beside * beside)
        way = (exit_ * ray[0] - corner[0], exit_ * ray[1] - corner[1])
        normal = (way[0] / norm(way), way[1] / norm(way))
    if exit_ <= 0.0 or dot(normal, ray) <= 0.0:
        return ray, HUGE, 0.0, HUGE
    reach = dot(normal, find_farthest(a, b, frame, normal, simplex.spare)) + radii
    return normal, reach, share, reach / (dot(normal, ray) * exit_) - 1.0


def _has_vertices(simplex: Simplex) -> bool:
    """Return whether both corners are made of vertices."""
    first, second = simplex.corners[0], simplex.corners[1]
    return NO_VERTEX not in (first.vertex_a, second.vertex_a)


def _combination(simplex: Simplex, target: Vector) -> Vector:
    """Return how the two corners add up to a vector; nothing if they are on one line."""
    x, y = simplex.corners[0].point, simplex.corners[1].point
    area = x[0] * y[1] - x[1] * y[0]
    if area == 0.0:
        return 0.0, 0.0
    return (
        (target[0] * y[1] - target[1] * y[0]) / area,
        (x[0] * target[1] - x[1] * target[0]) / area,
    )


def _leaving(simplex: Simplex, ray: Vector) -> int:
    """Return the corner that the new one replaces so that the ray stays between, -1 if none."""
    shares = _combination(simplex, ray)
    entering = _combination(simplex, simplex.new.point)
    leaving, least = -1, HUGE
    for number in range(2):
        if entering[number] > 1e-14 and max(shares[number], 0.0) / entering[number] < least:
            leaving, least = number, max(shares[number], 0.0) / entering[number]
    return leaving


def _touching(
    a: PlanarSolid, simplex: Simplex, centre: Vector, normal: Vector, share: float, factor: float
) -> Vector:
    """Return where grown shapes touch, moved along the normal to where A ends."""
    touching = (0.0, 0.0)
    if _has_vertices(simplex):
        core = minus(point_of_a(simplex, 2, share), centre)
        on_a = along(core, a.radius, normal)
        touching = (factor * on_a[0], factor * on_a[1])
    farthest, _ = support(a, normal)
    end = dot(normal, minus(farthest, centre)) + a.radius
    return along(along(centre, 1.0, touching), end - dot(normal, touching), normal)
