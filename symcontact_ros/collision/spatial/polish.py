"""
Distances of curved cores, made exact to rounding.

A tolerance of 1e-9 in the distance is 3e-5 in the normal. `normals` finds a better one, and the
rows of the simplex, which give the closest points, follow it here.
"""

from __future__ import annotations

from symcontact_ros.collision.spatial.differences import (
    copy_corner,
    place_again,
    set_weights,
    weighted,
)
from symcontact_ros.collision.spatial.gjk import Distance, segment_weights, triangle_weights
from symcontact_ros.collision.spatial.normals import (
    IDLE,
    nowhere,
    reach_along,
    ROUNDING,
    same_part,
    snapped_normal,
    turned_normal,
)
from symcontact_ros.collision.spatial.query_memory import Corner, QueryMemory
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.records import Rows
from symcontact_ros.kernels.vectors.spatial import (
    along,
    direction_in,
    dot,
    minus,
    norm,
    opposite,
    times,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import moved


@separate
def polish(a: SpatialSolid, b: SpatialSolid, query: QueryMemory, simplex: Distance) -> Distance:
    """
    Return a better distance and normal, and the corners of the simplex that go with them.

    Parameters
    ----------
    a, b, query
        The shapes and the memory of the query.
    simplex
        What is to be made better; at most 3 corners. If nothing is clearly better, it is returned.
    """
    _, slack, normal, count = simplex
    normal = opposite(normal)  # outwards, as seen from the difference
    reach = reach_along(a, b, query, normal)
    snapped = snapped_normal(a, b, query, normal, nowhere())
    if dot(snapped, snapped) > 0.0:
        reach = reach_along(a, b, query, snapped)
        _weigh_again(query, query.simplex, count, times(reach, snapped))
        return -reach, slack, opposite(snapped), count
    better = turned_normal(a, b, query, count, normal, nowhere())
    if dot(better, better) <= 0.0:
        return simplex
    better_reach = reach_along(a, b, query, better)
    if better_reach > reach + ROUNDING * query.scale:
        return simplex
    count = _renewed_corners(a, b, query, count, better)
    return -better_reach, slack, opposite(better), count


def _renewed_corners(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, count: int, normal: Vector
) -> int:
    """Move the corners to where a better normal has them, if that brings the points closer."""
    target = times(reach_along(a, b, query, normal), normal)
    old = norm(minus(weighted(query, count), target))
    weights = (query.weights[0], query.weights[1], query.weights[2])
    left = 0
    for i in range(count):
        known = query.weights[i] <= IDLE
        for other in range(i):
            known = known or (query.weights[other] > IDLE and same_part(query, i, other))
        if not known:
            copy_corner(query.simplex[i], query.renewed[left])
            _move_points(a, b, query, query.renewed[left], normal)
            left += 1
    if _weigh_again(query, query.renewed, left, target) <= old:
        for i in range(left):
            copy_corner(query.renewed[i], query.simplex[i])
        return left
    set_weights(query, weights)
    return count


def _move_points(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, corner: Corner, normal: Vector
) -> None:
    """Move the points of curved features in a corner to where a normal has them."""
    corner.point_a = moved(a, corner.point_a, opposite(normal))
    corner.point_b = moved(b, corner.point_b, direction_in(query.pose, normal))
    place_again(query, corner)


def _weigh_again(query: QueryMemory, corners: Rows[Corner], count: int, target: Vector) -> float:
    """Weigh corners for their point nearest to a target, return how near it is."""
    p = minus(corners[0].point, target)
    q = minus(corners[1].point, target) if count > 1 else p
    r = minus(corners[2].point, target) if count > 2 else p
    weights = (1.0, 0.0, 0.0)
    if count == 2:
        share, rest, _ = segment_weights(p, q)
        weights = (share, rest, 0.0)
    elif count == 3:
        weights = triangle_weights(p, q, r)
    set_weights(query, weights)
    return norm(along(along(times(weights[0], p), weights[1], q), weights[2], r))
