"""
Distance of two cores by the algorithm of Gilbert, Johnson and Keerthi.

A simplex of points of the difference closes in on the point of the difference that is nearest to
the origin: the farthest point against the present nearest one joins, and what does not carry
the new nearest point leaves. A farthest point also bounds the distance from below.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from symcontact_ros.collision.spatial.differences import (
    copy_corner,
    difference_support,
    HUGE,
    place_again,
    set_weights,
    store_pose,
    weighted,
)
from symcontact_ros.collision.spatial.query_memory import QueryMemory
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.vectors.scalars import sign
from symcontact_ros.kernels.vectors.spatial import (
    along,
    cross,
    dot,
    Frame,
    minus,
    norm,
    opposite,
    times,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid

# distance [m], by how much it may be off [m], unit normal from A to B, corners of the simplex
Distance: TypeAlias = tuple[float, float, Vector, int]

TOLERANCE = 1e-9  # of the scale: how far the bounds of a distance may be apart
MEETING = 1e-14  # of the scale: nearer cores meet
BLUNT = 1e-13  # of the scale: with bounds further apart, a better normal is searched for
TINY = 1e-200  # instead of zero, to be divided by
STEPS = 100  # 53 were the most ever needed


@separate
def core_distance(
    a: SpatialSolid, b: SpatialSolid, frame_b_in_a: Frame, work: Floats, warm_count: int = 0
) -> Distance:
    """
    Return the distance of two cores.

    Parameters
    ----------
    a, b
        The shapes.
    frame_b_in_a
        B's frame as A's frame has it.
    work
        Memory for the `QueryMemory`, which has the simplex and its weights.
    warm_count
        How many corners of the simplex of an earlier query of the same shapes to start from.

    Returns
    -------
    distance
        Of the cores, 0 if they meet [m].
    slack
        By how much the bound that the normal proves is less [m].
    normal
        Unit direction from A to B that proves the lower bound, in A's axes; if they meet, none.
    count
        Corners of the simplex.
    """
    query = QueryMemory.at(work)
    store_pose(a, b, frame_b_in_a, query)
    scale = query.scale
    count = _start(a, b, query, warm_count)
    normal = (0.0, 0.0, 1.0)
    distance, lower, previous = 0.0, -HUGE, HUGE
    for step in range(STEPS + 1):
        if _weigh(query, count):
            return 0.0, 0.0, normal, count
        count = _drop_idle_corners(query, count)
        nearest = weighted(query, count)
        distance = norm(nearest)
        if distance <= MEETING * scale:
            return 0.0, 0.0, normal, count
        # Without progress, rounding is all that is left, but for the direction.
        last = distance >= previous * (1.0 - 1e-15) or step == STEPS
        previous = distance
        point = difference_support(a, b, query, opposite(nearest), query.simplex[count])
        bound = dot(point, nearest) / distance
        if bound > lower:
            # The last direction is not always the best one: close to touching it may be far off.
            lower = bound
            normal = times(1.0 / distance, nearest)
        if last or distance - lower <= TOLERANCE * scale or _has(query, count, point):
            break
        count += 1
    if distance - lower > BLUNT * scale:
        lower, normal = _sharpened(a, b, query, count, (lower, normal))
    return distance, max(distance - lower, 0.0), normal, count


def _sharpened(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, count: int, best: tuple[float, Vector]
) -> tuple[float, Vector]:
    """
    Return the better of a bound with its normal and that at right angles to the simplex.

    A nearest point of 1e-9 has a direction to 1e-7 only; edges have theirs to rounding.
    """
    if count == 1:
        return best
    p = query.simplex[0].point
    first = minus(query.simplex[1].point, p)
    length2 = dot(first, first)
    if count == 2 and length2 > 0.0:
        normal = along(best[1], -dot(best[1], first) / length2, first)
    elif count == 3:
        normal = cross(first, minus(query.simplex[2].point, p))
    else:
        return best
    length = norm(normal)
    if length <= TINY:
        return best
    normal = times(sign(dot(normal, best[1])) / length, normal)
    bound = dot(normal, difference_support(a, b, query, opposite(normal), query.spare))
    return (bound, normal) if bound > best[0] else best


def _start(a: SpatialSolid, b: SpatialSolid, query: QueryMemory, warm_count: int) -> int:
    """Make the first simplex, return its number of corners."""
    if warm_count > 0:
        for i in range(warm_count):
            place_again(query, query.simplex[i])
        return warm_count
    difference_support(a, b, query, opposite(query.pose[3]), query.simplex[0])
    return 1


def _has(query: QueryMemory, count: int, point: Vector) -> bool:
    """Return whether a point is in the simplex already."""
    for i in range(count):
        x, y, z = query.simplex[i].point
        if x == point[0] and y == point[1] and z == point[2]:
            return True
    return False


def _drop_idle_corners(query: QueryMemory, count: int) -> int:
    """Remove the corners without weight, return how many are left."""
    left = 0
    for i in range(count):
        if query.weights[i] > 0.0:
            if left != i:
                query.weights[left] = query.weights[i]
                copy_corner(query.simplex[i], query.simplex[left])
            left += 1
    return left


def _weigh(query: QueryMemory, count: int) -> bool:
    """Weigh the corners for their point nearest to the origin; return whether it is inside."""
    if count == 4:
        return tetrahedron_weights(query)
    simplex = query.simplex
    weights = (1.0, 0.0, 0.0)
    if count == 2:
        share, rest, _ = segment_weights(simplex[0].point, simplex[1].point)
        weights = (share, rest, 0.0)
    elif count == 3:
        weights = triangle_weights(simplex[0].point, simplex[1].point, simplex[2].point)
    set_weights(query, weights)
    return False


@separate
def segment_weights(p: Vector, q: Vector) -> tuple[float, float, float]:
    """Return the weights of the point of a segment nearest to the origin; its squared distance."""
    edge = minus(q, p)
    length2 = dot(edge, edge)
    reach = -dot(p, edge)
    if length2 <= 0.0 or reach <= 0.0:
        return 1.0, 0.0, dot(p, p)
    if reach >= length2:
        return 0.0, 1.0, dot(q, q)
    share = reach / length2
    nearest = along(times(1.0 - share, p), share, q)
    return 1.0 - share, share, dot(nearest, nearest)


@separate
def triangle_weights(p: Vector, q: Vector, r: Vector) -> Vector:
    """Return the weights of the point of a triangle that is nearest to the origin."""
    first, second = minus(q, p), minus(r, p)
    length2 = max(dot(first, first), TINY)
    of_p, of_q, of_r = -1.0, -1.0, -1.0
    # Along an edge and at right angles to it: a thin triangle loses nothing.
    ratio = dot(second, first) / length2
    height = along(second, -ratio, first)
    height2 = dot(height, height)
    if height2 > 1e-28 * dot(second, second) and height2 > TINY:
        start = -dot(p, first) / length2
        of_r = -dot(along(p, start, first), height) / height2
        of_q = start - of_r * ratio
        of_p = 1.0 - of_q - of_r
        if of_p > 0.0 and of_q > 0.0 and of_r > 0.0:
            return of_p, of_q, of_r
    # The nearest point is on an edge that the foot lies beyond.
    best = HUGE
    weights = (1.0, 0.0, 0.0)
    if of_r <= 0.0:
        share, rest, best = segment_weights(p, q)
        weights = (share, rest, 0.0)
    if of_q <= 0.0:
        share, rest, squared = segment_weights(p, r)
        if squared < best:
            best = squared
            weights = (share, 0.0, rest)
    if of_p <= 0.0:
        share, rest, squared = segment_weights(q, r)
        if squared < best:
            weights = (0.0, share, rest)
    return weights


@separate
def tetrahedron_weights(query: QueryMemory) -> bool:
    """Weigh the four corners of the simplex, return whether the origin is inside."""
    simplex, shares = query.simplex, query.weights
    proper = _has_volume(query)
    outside = False
    best = HUGE
    for apex in range(4):
        i, j, k = (apex + 1) % 4, (apex + 2) % 4, (apex + 3) % 4
        p, q, r = simplex[i].point, simplex[j].point, simplex[k].point
        normal = cross(minus(q, p), minus(r, p))
        height = dot(normal, minus(simplex[apex].point, p))
        origin = -dot(normal, p)
        if proper and height * origin > 0.0:
            if not outside:
                shares[apex] = origin / height
            continue
        outside = True
        weights = triangle_weights(p, q, r)
        nearest = along(along(times(weights[0], p), weights[1], q), weights[2], r)
        squared = dot(nearest, nearest)
        if squared < best:
            best = squared
            shares[apex] = 0.0
            shares[i] = weights[0]
            shares[j] = weights[1]
            shares[k] = weights[2]
    return not outside


def _has_volume(query: QueryMemory) -> bool:
    """Return whether the four corners of the simplex are more than a flat figure."""
    first = query.simplex[0].point
    x = minus(query.simplex[1].point, first)
    y = minus(query.simplex[2].point, first)
    z = minus(query.simplex[3].point, first)
    volume = dot(x, cross(y, z))
    return abs(volume) > 1e-14 * math.sqrt(dot(x, x) * dot(y, y) * dot(z, z))
