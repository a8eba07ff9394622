"""
Exact normals of curved cores, by Newton's method on the sphere of directions.

How far a difference reaches along a direction is the greatest of finitely many parts (vertices
and ends of axes), each linear, plus the radii of the discs, which are smooth. The simplex that a
query ends with tells which parts are greatest at the same time; each beyond the first leaves the
normal one angle less to turn by. A tolerance of 1e-9 in the distance is 3e-5 in the normal; this
makes both exact to rounding.
"""

from __future__ import annotations

from symcontact_ros.collision.layout import CORE, CYLINDER, SIZE
from symcontact_ros.collision.spatial.gjk import Distance, segment_weights, triangle_weights
from symcontact_ros.collision.spatial.supports import (
    copy_row,
    CORNERS,
    difference_support,
    FEATURE_A,
    FEATURE_B,
    place_again,
    POINT_A,
    POINT_B,
    POSE,
    ROW,
    SCALE,
    SIMPLEX,
    SPARE,
    weighted,
    WEIGHTS,
)
from symcontact_ros.collision.spatial.vectors import (
    along,
    cross,
    direction_in,
    dot,
    frame_at,
    keep,
    minus,
    norm,
    opposite,
    perpendicular,
    placed,
    times,
    Vector,
    vector_at,
)
from symcontact_ros.memory import Memory, separate

IDLE = 1e-6  # a row of less weight does not count
ROUNDING = 1e-13  # of the scale: by how much a better normal may seem worse
NEAR_AXIS = 0.999  # cosine, 0.045 rad: the axis of a cylinder is then tried as the normal
TURN = 0.05  # [rad] Newton's method is trusted with no more
STEPS = 6


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
    reach = _reach(a, b, work, normal)
    snapped = _snapped(a, b, work, normal, reach)
    if dot(snapped, snapped) > 0.0:
        reach = _reach(a, b, work, snapped)
        _weigh_again(work, SIMPLEX, count, times(reach, snapped))
        return -reach, slack, opposite(snapped), count
    better = _turned_normal(a, b, work, count, normal)
    if dot(better, better) <= 0.0:
        return simplex
    better_reach = _reach(a, b, work, better)
    if better_reach > reach + ROUNDING * work[SCALE]:
        return simplex
    count = _renewed_rows(a, b, work, count, better)
    return -better_reach, slack, opposite(better), count


def _reach(a: Memory, b: Memory, work: Memory, normal: Vector) -> float:
    """Return how far the difference reaches along a direction."""
    return dot(normal, difference_support(a, b, work, normal, SPARE))


def _radius(shape: Memory) -> float:
    """Return the radius of the discs of a core, 0 if it has none."""
    return shape[SIZE] if int(shape[CORE]) == CYLINDER else 0.0


def _snapped(a: Memory, b: Memory, work: Memory, normal: Vector, reach: float) -> Vector:
    """Return a cylinder's axis close to the normal, if not worse, else nothing: a kink."""
    for which in range(2):
        radius = _radius(a) if which == 0 else _radius(b)
        axis = (0.0, 0.0, 1.0) if which == 0 else vector_at(work, POSE + 6)
        cosine = dot(axis, normal)
        if radius > 0.0 and abs(cosine) > NEAR_AXIS:
            axis = axis if cosine > 0.0 else opposite(axis)
            if _reach(a, b, work, axis) <= reach + ROUNDING * work[SCALE]:
                return axis
    return 0.0, 0.0, 0.0


@separate
def _turned_normal(a: Memory, b: Memory, work: Memory, count: int, normal: Vector) -> Vector:
    """Return the normal at which the difference reaches least, nothing if that is not clear."""
    ties, base, tie, both = _working_set(a, b, work, count)
    if ties < 0:
        return 0.0, 0.0, 0.0
    if ties == 2:
        factor = 1.0 / norm(both)
        return times(factor if dot(both, normal) >= 0.0 else -factor, both)
    for _ in range(STEPS):
        if ties == 1:
            normal = along(normal, -dot(normal, tie), tie)
            normal = times(1.0 / norm(normal), normal)
            side = cross(normal, tie)
            across = (0.0, 0.0, 0.0)  # no angle to turn by
        else:
            side = perpendicular(normal)
            side = times(1.0 / norm(side), side)
            across = cross(normal, side)
        clear, turn, other_turn = _newton(a, b, work, base, (normal, side, across))
        if not clear or abs(turn) + abs(other_turn) > TURN:
            return 0.0, 0.0, 0.0
        normal = along(along(normal, turn, side), other_turn, across)
        normal = times(1.0 / norm(normal), normal)
        if abs(turn) + abs(other_turn) < 1e-12:
            break
    return normal


def _working_set(
    a: Memory, b: Memory, work: Memory, count: int
) -> tuple[int, Vector, Vector, Vector]:
    """
    Return which parts are greatest at the normal.

    Returns
    -------
    ties
        How many parts there are beyond the first; -1: none at all.
    base
        The first part, which carries most weight.
    tie
        Unit vector to the second one.
    both
        At right angles to the vectors to the second and third.
    """
    tie = (0.0, 0.0, 0.0)
    both = (0.0, 0.0, 0.0)
    first = _heaviest(work, count)
    if work[WEIGHTS + first] <= IDLE:
        return -1, tie, tie, both
    base = _linear_part(a, b, work, first)
    ties = 0
    for row in range(count):
        if work[WEIGHTS + row] <= IDLE or _same_part(work, row, first):
            continue
        other = minus(_linear_part(a, b, work, row), base)
        length = norm(other)
        if length <= 1e-9 * work[SCALE]:
            continue
        other = times(1.0 / length, other)
        if ties == 0:
            tie = other
            ties = 1
        elif ties == 1:
            both = cross(tie, other)
            if dot(both, both) > 1e-12:
                ties = 2
    return ties, base, tie, both


def _heaviest(work: Memory, count: int) -> int:
    """Return the row with the greatest weight."""
    best = 0
    for row in range(1, count):
        if work[WEIGHTS + row] > work[WEIGHTS + best]:
            best = row
    return best


def _same_part(work: Memory, row: int, other: int) -> bool:
    """Return whether two rows are points of the same features."""
    p, q = SIMPLEX + ROW * row, SIMPLEX + ROW * other
    return bool(
        work[p + FEATURE_A] == work[q + FEATURE_A] and work[p + FEATURE_B] == work[q + FEATURE_B]
    )


def _linear_part(a: Memory, b: Memory, work: Memory, row: int) -> Vector:
    """Return a row's point without the radii of discs."""
    point_a = vector_at(work, SIMPLEX + ROW * row + POINT_A)
    point_b = vector_at(work, SIMPLEX + ROW * row + POINT_B)
    if _radius(a) > 0.0:
        point_a = (0.0, 0.0, point_a[2])
    if _radius(b) > 0.0:
        point_b = (0.0, 0.0, point_b[2])
    return minus(placed(frame_at(work, POSE), point_b), point_a)


@separate
def _newton(
    a: Memory,
    b: Memory,
    work: Memory,
    base: Vector,
    axes: tuple[Vector, Vector, Vector],
) -> tuple[bool, float, float]:
    """Return whether the least reach is clear, and the angles to turn by to get there [rad]."""
    normal, side, across = axes
    gradient = base
    reach = dot(normal, base)
    curve, mixed, other_curve = 0.0, 0.0, 0.0
    for which in range(2):
        radius = _radius(a) if which == 0 else _radius(b)
        if radius <= 0.0:
            continue
        axis = (0.0, 0.0, 1.0) if which == 0 else vector_at(work, POSE + 6)
        radial = along(normal, -dot(normal, axis), axis)
        length = norm(radial)
        if length < 1e-7:  # on the axis: a kink, nothing is smooth there
            return False, 0.0, 0.0
        reach += radius * length
        gradient = along(gradient, radius / length, radial)
        tangent = times(1.0 / length, cross(axis, normal))
        x, y = dot(tangent, side), dot(tangent, across)
        curve += radius / length * x * x
        mixed += radius / length * x * y
        other_curve += radius / length * y * y
    curve -= reach
    other_curve -= reach
    slope, other_slope = dot(gradient, side), dot(gradient, across)
    if dot(across, across) <= 0.0:  # one angle only
        if curve <= 1e-9 * work[SCALE]:
            return False, 0.0, 0.0
        return True, -slope / curve, 0.0
    determinant = curve * other_curve - mixed * mixed
    if determinant <= 1e-12 * work[SCALE] * work[SCALE] or curve <= 0.0:
        return False, 0.0, 0.0
    turn = (other_slope * mixed - slope * other_curve) / determinant
    return True, turn, (slope * mixed - other_slope * curve) / determinant


def _renewed_rows(a: Memory, b: Memory, work: Memory, count: int, normal: Vector) -> int:
    """Move the rows to where a better normal has them, if that brings the points closer."""
    target = times(_reach(a, b, work, normal), normal)
    old = norm(minus(weighted(work, count, 0), target))
    weights = vector_at(work, WEIGHTS)
    left = 0
    for row in range(count):
        known = work[WEIGHTS + row] <= IDLE
        for other in range(row):
            known = known or (work[WEIGHTS + other] > IDLE and _same_part(work, row, other))
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
    _turn_disc(work, place + POINT_A, -_radius(a), normal)
    _turn_disc(work, place + POINT_B, _radius(b), in_b)
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
