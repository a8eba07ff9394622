"""
Distance of two cores in the plane by the algorithm of Gilbert, Johnson and Keerthi.

One or two vertices of their difference carry the point that is nearest to the origin; the vertex
farthest against it joins until there is none nearer. See `spatial.gjk`.
"""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision.layout import CENTRE, RADIUS, REACH
from symcontact_ros.collision.planar.differences import (
    copy_row,
    farthest_row,
    place_row,
    point_of_a,
    ROW,
    row_point,
    VERTEX_A,
    VERTEX_B,
)
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

# distance [m], by how much it may be off [m], unit normal from A to B, point of A (in A's frame),
# rows that carry it
Distance: TypeAlias = tuple[float, float, Vector, Vector, int]

TOLERANCE = 1e-14  # of the size: how far the bounds of a distance may be apart
MEETING = 1e-14  # of the size: nearer cores meet
STEPS = 60
NEW = 2  # the row of a vertex that joins


@separate
def core_distance(
    a: Memory, b: Memory, frame_b_in_a: Frame, work: Memory, kept: int = 0
) -> Distance:
    """
    Return the distance of two cores, 0 if they meet.

    The work memory keeps the rows that carry it, and ``kept`` rows of it are what to start from.
    """
    size = a[REACH] - a[RADIUS] + b[REACH] - b[RADIUS]
    count = _start(a, b, frame_b_in_a, work, kept)
    distance, lower, best = 0.0, -1e300, 1e300
    normal = (0.0, 1.0)
    for _ in range(STEPS):
        share, nearest, towards = _nearest(work, count)
        if share <= 0.0 or share >= 1.0:  # an end of the two alone
            if share >= 1.0:
                copy_row(work, 1, 0)
            count = 1
        distance = dot(nearest, towards)
        if distance <= MEETING * size:
            return 0.0, 0.0, normal, frame_b_in_a[1], count
        stalled = distance >= best
        best = min(best, distance)
        point = farthest_row(a, b, frame_b_in_a, work, opposite(towards), NEW)
        bound = dot(point, towards)
        if bound > lower:
            lower, normal = bound, towards
        if stalled or distance - lower <= TOLERANCE * size or _is_kept(work, count):
            break
        if count == 1:
            copy_row(work, NEW, 1)
            count = 2
        elif _replace(work):
            return 0.0, 0.0, normal, frame_b_in_a[1], count
    share, _, _ = _nearest(work, count)
    slack = max(distance - lower, 0.0)
    return distance, slack, normal, point_of_a(a, work, count, share), count


def _start(a: Memory, b: Memory, frame: Frame, work: Memory, kept: int) -> int:
    """Make the first rows, return how many there are."""
    if kept > 0:
        for row in range(kept):
            place_row(a, b, frame, work, row)
        return kept
    centre = (a[CENTRE], a[CENTRE + 1])
    way = minus(placed(frame, (b[CENTRE], b[CENTRE + 1])), centre)
    farthest_row(a, b, frame, work, opposite(way), 0)
    return 1


def _nearest(work: Memory, count: int) -> tuple[float, Vector, Vector]:
    """Return where between the rows the nearest point is, the point, and the way to it."""
    first = row_point(work, 0)
    share, nearest = 0.0, first
    if count == 2:
        edge = minus(row_point(work, 1), first)
        square = dot(edge, edge)
        share = -dot(first, edge) / square if square > 0.0 else 0.0
        if 0.0 < share < 1.0:
            # At right angles to the edge: exact however near the origin is.
            length = norm(edge)
            across = (edge[1] / length, -edge[0] / length)
            if dot(across, first) < 0.0:
                across = opposite(across)
            return share, along(first, share, edge), across
        nearest = row_point(work, 1) if share >= 1.0 else first
    length = norm(nearest)
    if length <= 0.0:
        return share, nearest, (0.0, 1.0)
    return share, nearest, (nearest[0] / length, nearest[1] / length)


def _is_kept(work: Memory, count: int) -> bool:
    """Return whether the new vertex is in the rows already."""
    for row in range(count):
        same_a = work[ROW * row + VERTEX_A] == work[ROW * NEW + VERTEX_A]
        if same_a and work[ROW * row + VERTEX_B] == work[ROW * NEW + VERTEX_B]:
            return True
    return False


def _replace(work: Memory) -> bool:
    """Let a third vertex take the place of one of two; return whether they enclose the origin."""
    first, second, new = row_point(work, 0), row_point(work, 1), row_point(work, NEW)
    one, two = _turn(first, second), _turn(second, new)
    three = _turn(new, first)
    if min(one, two, three) >= 0.0 or max(one, two, three) <= 0.0:
        return True
    if _from_origin(first, new) <= _from_origin(second, new):
        copy_row(work, NEW, 1)
    else:
        copy_row(work, NEW, 0)
    return False


def _turn(a: Vector, b: Vector) -> float:
    return a[0] * b[1] - a[1] * b[0]


def _from_origin(start: Vector, end: Vector) -> float:
    """Return the squared distance of a segment from the origin."""
    edge = minus(end, start)
    square = dot(edge, edge)
    share = -dot(start, edge) / square if square > 0.0 else 0.0
    nearest = along(start, max(0.0, min(1.0, share)), edge)
    return dot(nearest, nearest)
