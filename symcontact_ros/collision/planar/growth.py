"""
Growth of two shapes in the plane: by which factor both must grow until they just touch.

See `spatial.growth`. In the plane two points of the difference carry the answer, and where it is
rounded there is a closed form.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from symcontact_ros.collision.layout import CENTRE, INNER, RADIUS
from symcontact_ros.collision.planar.differences import (
    copy_row,
    farthest_row,
    place_row,
    point_of_a,
    ROW,
    row_point,
    VERTEX_A,
)
from symcontact_ros.collision.planar.polygons import lowest_vertex, vertex_of
from symcontact_ros.collision.planar.vectors import (
    along,
    dot,
    Frame,
    minus,
    norm,
    opposite,
    placed,
    Vector,
)
from symcontact_ros.kernels.transitional import Memory, separate

# as in space: distance [m], slack, unit normal from A to B, points of A and of B in A's frame
Growth: TypeAlias = tuple[float, float, Vector, Vector, Vector]
# where a ray leaves a difference: along which unit normal, how far that reaches [m], where between
# the two rows, and how far the bounds are apart, as a part of it
Exit: TypeAlias = tuple[Vector, float, float, float]

CONCENTRIC = 1e-12  # of the inner radii: nearer centres have no direction
EXACT = 1e-13
STEPS = 60
HUGE = 1e300
NEW, SPARE = 2, 3  # rows


@separate
def grown(a: Memory, b: Memory, frame_b_in_a: Frame, work: Memory, kept: int = 0) -> Growth:
    """Return what `spatial.growth.grown` does; ``kept`` is 2 if there are rows to start from."""
    centre = (a[CENTRE], a[CENTRE + 1])
    apart = minus(placed(frame_b_in_a, (b[CENTRE], b[CENTRE + 1])), centre)
    length = norm(apart)
    inside = a[INNER] + b[INNER]
    if length <= CONCENTRIC * inside:
        return 0.0, HUGE, (0.0, 1.0), centre, centre
    frame = (frame_b_in_a[0], minus(frame_b_in_a[1], apart))  # shapes about their own centres
    ray = (-apart[0] / length, -apart[1] / length)
    _start(a, b, frame, work, ray, inside, kept)
    outwards, reach, share, slack = _leave(a, b, frame, work, ray)
    normal = opposite(outwards)
    ahead = dot(normal, apart)
    point_a = _touching(a, work, centre, normal, share, ahead / reach)
    distance = ahead - reach
    return distance, slack, normal, point_a, along(point_a, distance, normal)


def _start(
    a: Memory, b: Memory, frame: Frame, work: Memory, ray: Vector, inside: float, kept: int
) -> None:
    """Put the first two rows on both sides of the ray."""
    if kept == 2:
        place_row(a, b, frame, work, 0)
        place_row(a, b, frame, work, 1)
        x, y = _combination(work, ray)
        if x >= 0.0 and y >= 0.0 and 0.0 < (x + y) * inside <= 1.0:
            return
    for row in range(2):
        across = 0.8 if row == 0 else -0.8
        work[ROW * row] = inside * (0.6 * ray[0] - across * ray[1])
        work[ROW * row + 1] = inside * (0.6 * ray[1] + across * ray[0])
        work[ROW * row + VERTEX_A] = -1.0  # no vertex


def _leave(a: Memory, b: Memory, frame: Frame, work: Memory, ray: Vector) -> Exit:
    """Return where a ray from the origin leaves the difference of two shapes."""
    radii = a[RADIUS] + b[RADIUS]
    best, reach, normal, slack = 0.0, HUGE, ray, HUGE
    for _ in range(STEPS):
        slope = _slope(work)
        length = norm(slope)
        if length == 0.0:
            break
        progress = dot(slope, ray)
        point = farthest_row(a, b, frame, work, slope, NEW)
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
            rounded = _round_exit(a, b, frame, work, ray, radii)
            if rounded[3] <= EXACT:
                return rounded
        out = along(point, radii / length, slope)
        work[ROW * NEW] = out[0]
        work[ROW * NEW + 1] = out[1]
        leaving = _leaving(work, ray)
        if leaving < 0:
            break
        copy_row(work, NEW, leaving)
    x, y = _combination(work, ray)
    share = min(max(y / (x + y), 0.0), 1.0) if x + y > 0.0 else 0.5
    return normal, reach, share, slack


def _slope(work: Memory) -> Vector:
    """Return the vector whose product with both rows is 1; nothing if there is none."""
    first = row_point(work, 0)
    edge = minus(row_point(work, 1), first)
    height = edge[1] * first[0] - edge[0] * first[1]
    if height == 0.0:
        return 0.0, 0.0
    return edge[1] / height, -edge[0] / height


def _round_exit(
    a: Memory, b: Memory, frame: Frame, work: Memory, ray: Vector, radii: float
) -> Exit:
    """Return where the ray leaves the capsule around the vertices of both rows."""
    if work[VERTEX_A] < 0.0 or work[ROW + VERTEX_A] < 0.0:
        return ray, HUGE, 0.0, HUGE
    copy_row(work, 0, SPARE)
    first = place_row(a, b, frame, work, SPARE)
    copy_row(work, 1, SPARE)
    edge = minus(place_row(a, b, frame, work, SPARE), first)
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
    reach = dot(normal, farthest_row(a, b, frame, work, normal, SPARE)) + radii
    return normal, reach, share, reach / (dot(normal, ray) * exit_) - 1.0


def _combination(work: Memory, target: Vector) -> Vector:
    """Return how the two rows add up to a vector; nothing if they are on one line."""
    x, y = row_point(work, 0), row_point(work, 1)
    area = x[0] * y[1] - x[1] * y[0]
    if area == 0.0:
        return 0.0, 0.0
    return (
        (target[0] * y[1] - target[1] * y[0]) / area,
        (x[0] * target[1] - x[1] * target[0]) / area,
    )


def _leaving(work: Memory, ray: Vector) -> int:
    """Return the row that the new one replaces so that the ray stays between, -1 if none."""
    shares = _combination(work, ray)
    entering = _combination(work, row_point(work, NEW))
    leaving, least = -1, HUGE
    for row in range(2):
        if entering[row] > 1e-14 and max(shares[row], 0.0) / entering[row] < least:
            leaving, least = row, max(shares[row], 0.0) / entering[row]
    return leaving


def _touching(
    a: Memory, work: Memory, centre: Vector, normal: Vector, share: float, factor: float
) -> Vector:
    """Return where grown shapes touch, moved along the normal to where A ends."""
    touching = (0.0, 0.0)
    if work[VERTEX_A] >= 0.0 and work[ROW + VERTEX_A] >= 0.0:
        core = minus(point_of_a(a, work, 2, share), centre)
        on_a = along(core, a[RADIUS], normal)
        touching = (factor * on_a[0], factor * on_a[1])
    farthest = minus(vertex_of(a, lowest_vertex(a, opposite(normal))), centre)
    end = dot(normal, farthest) + a[RADIUS]
    return along(along(centre, 1.0, touching), end - dot(normal, touching), normal)
