"""
Distances of curved cores, made exact to rounding.

A tolerance of 1e-9 in the distance is 3e-5 in the normal. `normals` finds a better one, and the
rows of the simplex, which tell the closest points, follow it here.
"""

from __future__ import annotations

from symcontact_ros.collision.spatial.gjk import Distance, segment_weights, triangle_weights
from symcontact_ros.collision.spatial.normals import (
    disc_radius,
    IDLE,
    nowhere,
    reach_along,
    ROUNDING,
    same_part,
    snapped_normal,
    turned_normal,
)
from symcontact_ros.collision.spatial.supports import (
    copy_row,
    CORNERS,
    place_again,
    POINT_A,
    POINT_B,
    POSE,
    ROW,
    SCALE,
    SIMPLEX,
    weighted,
    WEIGHTS,
)
from symcontact_ros.collision.spatial.vectors import (
    along,
    direction_in,
    dot,
    frame_at,
    keep,
    minus,
    norm,
    opposite,
    times,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import Memory, separate


@separate
def polish(a: Memory, b: Memory, work: Memory, simplex: Distance) -> Distance:
    """
    Return a better distance and normal, and the rows of the simplex that go with them.

    Parameters
    ----------
    a, b, work
        The shapes and the memory of the query.
    simplex
        What is to be made better; at most 3 rows. If nothing is clearly better, it is returned.
    """
    _, slack, normal, count = simplex
    normal = opposite(normal)  # outwards, as seen from the difference
    reach = reach_along(a, b, work, normal)
    snapped = snapped_normal(a, b, work, normal, nowhere())
    if dot(snapped, snapped) > 0.0:
        reach = reach_along(a, b, work, snapped)
        _weigh_again(work, SIMPLEX, count, times(reach, snapped))
        return -reach, slack, opposite(snapped), count
    better = turned_normal(a, b, work, count, normal, nowhere())
    if dot(better, better) <= 0.0:
        return simplex
    better_reach = reach_along(a, b, work, better)
    if better_reach > reach + ROUNDING * work[SCALE]:
        return simplex
    count = _renewed_rows(a, b, work, count, better)
    return -better_reach, slack, opposite(better), count


def _renewed_rows(a: Memory, b: Memory, work: Memory, count: int, normal: Vector) -> int:
    """Move the rows to where a better normal has them, if that brings the points closer."""
    target = times(reach_along(a, b, work, normal), normal)
    old = norm(minus(weighted(work, count, 0), target))
    weights = vector_at(work, WEIGHTS)
    left = 0
    for row in range(count):
        known = work[WEIGHTS + row] <= IDLE
        for other in range(row):
            known = known or (work[WEIGHTS + other] > IDLE and same_part(work, row, other))
        if not known:
            copy_row(work, SIMPLEX + ROW * row, CORNERS + ROW * left)
            _turn_discs(a, b, work, CORNERS + ROW * left, normal)
            left += 1
    if _weigh_again(work, CORNERS, left, target) <= old:
        for row in range(left):
            copy_row(work, CORNERS + ROW * row, SIMPLEX + ROW * row)
        return left
    keep(work, WEIGHTS, weights)
    return count


def _turn_discs(a: Memory, b: Memory, work: Memory, place: int, normal: Vector) -> None:
    """Move the points of discs in a row to where they are farthest along a normal."""
    in_b = direction_in(frame_at(work, POSE), normal)
    _turn_disc(work, place + POINT_A, -disc_radius(a), normal)
    _turn_disc(work, place + POINT_B, disc_radius(b), in_b)
    place_again(work, place)


def _turn_disc(work: Memory, place: int, radius: float, normal: Vector) -> None:
    """Move a point on a circle around z to where it is farthest along a normal."""
    length = norm((normal[0], normal[1], 0.0))
    if radius != 0.0 and length > 0.0:
        work[place] = normal[0] * (radius / length)
        work[place + 1] = normal[1] * (radius / length)


def _weigh_again(work: Memory, start: int, count: int, target: Vector) -> float:
    """Weigh rows from a place on for their point nearest to a target, return how near it is."""
    p = minus(vector_at(work, start), target)
    q = minus(vector_at(work, start + ROW), target) if count > 1 else p
    r = minus(vector_at(work, start + 2 * ROW), target) if count > 2 else p
    weights = (1.0, 0.0, 0.0)
    if count == 2:
        share, rest, _ = segment_weights(p, q)
        weights = (share, rest, 0.0)
    elif count == 3:
        weights = triangle_weights(p, q, r)
    keep(work, WEIGHTS, weights)
    return norm(along(along(times(weights[0], p), weights[1], q), weights[2], r))
