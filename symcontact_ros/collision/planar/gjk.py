"""
Distance of two cores in the plane by the algorithm of Gilbert, Johnson and Keerthi.

One or two vertices of their difference carry the point that is nearest to the origin; the vertex
farthest against it joins until there is none nearer. See `spatial.gjk`.
"""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision.planar.differences import (
    copy,
    difference,
    find_farthest,
    point_of_a,
    Simplex,
)
from symcontact_ros.kernels.language import separate
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
from symcontact_ros.shapes.records import PlanarSolid

# distance [m], by how much it may be off [m], unit normal from A to B, point of A (in A's frame),
# corners that carry it
Distance: TypeAlias = tuple[float, float, Vector, Vector, int]

TOLERANCE = 1e-14  # of the size: how far the bounds of a distance may be apart
MEETING = 1e-14  # of the size: nearer cores meet
STEPS = 60


@separate
def core_distance(
    a: PlanarSolid, b: PlanarSolid, frame_b_in_a: Frame, simplex: Simplex, warm_count: int = 0
) -> Distance:
    """
    Return the distance of two cores, 0 if they meet.

    The simplex has the corners that carry it afterwards; a warm start has points of A and of B in
    the first ``warm_count`` of them.
    """
    size = a.reach - a.radius + b.reach - b.radius
    count = _start(a, b, frame_b_in_a, simplex, warm_count)
    distance, lower, best = 0.0, -1e300, 1e300
    normal = (0.0, 1.0)
    for _ in range(STEPS):
        share, nearest, towards = _nearest(simplex, count)
        if share <= 0.0 or share >= 1.0:  # an end of the two alone
            if share >= 1.0:
                copy(simplex.corners[1], simplex.corners[0])
            count = 1
        distance = dot(nearest, towards)
        if distance <= MEETING * size:
            return 0.0, 0.0, normal, frame_b_in_a[1], count
        stalled = distance >= best
        best = min(best, distance)
        point = find_farthest(a, b, frame_b_in_a, opposite(towards), simplex.new)
        bound = dot(point, towards)
        if bound > lower:
            lower, normal = bound, towards
        if stalled or distance - lower <= TOLERANCE * size or _is_known(simplex, count):
            break
        if count == 1:
            copy(simplex.new, simplex.corners[1])
            count = 2
        elif _replace(simplex):
            return 0.0, 0.0, normal, frame_b_in_a[1], count
    share, _, _ = _nearest(simplex, count)
    slack = max(distance - lower, 0.0)
    return distance, slack, normal, point_of_a(simplex, count, share), count


def _start(a: PlanarSolid, b: PlanarSolid, frame: Frame, simplex: Simplex, warm_count: int) -> int:
    """Make the first corners, return how many there are."""
    if warm_count > 0:
        for number in range(warm_count):
            corner = simplex.corners[number]
            corner.point = difference(frame, corner)
        return warm_count
    centre = in_plane(a.centre)
    way = minus(placed(frame, in_plane(b.centre)), centre)
    find_farthest(a, b, frame, opposite(way), simplex.corners[0])
    return 1


def _nearest(simplex: Simplex, count: int) -> tuple[float, Vector, Vector]:
    """Return where between the corners the nearest point is, the point, and the way to it."""
    first = simplex.corners[0].point
    share, nearest = 0.0, first
    if count == 2:
        edge = minus(simplex.corners[1].point, first)
        square = dot(edge, edge)
        share = -dot(first, edge) / square if square > 0.0 else 0.0
        if 0.0 < share < 1.0:
            # At right angles to the edge: exact however near the origin is.
            length = norm(edge)
            across = (edge[1] / length, -edge[0] / length)
            if dot(across, first) < 0.0:
                across = opposite(across)
            return share, along(first, share, edge), across
        nearest = simplex.corners[1].point if share >= 1.0 else first
    length = norm(nearest)
    if length <= 0.0:
        return share, nearest, (0.0, 1.0)
    return share, nearest, (nearest[0] / length, nearest[1] / length)


def _is_known(simplex: Simplex, count: int) -> bool:
    """Return whether the new corner is one of the others; points of curves are all different."""
    new = simplex.new
    if min(new.vertex_a, new.vertex_b) < 0:
        return False
    for number in range(count):
        corner = simplex.corners[number]
        if corner.vertex_a == new.vertex_a and corner.vertex_b == new.vertex_b:
            return True
    return False


def _replace(simplex: Simplex) -> bool:
    """Let a third corner take the place of one of two; return whether they enclose the origin."""
    first, second = simplex.corners[0].point, simplex.corners[1].point
    new = simplex.new.point
    one, two = _turn(first, second), _turn(second, new)
    three = _turn(new, first)
    if min(one, two, three) >= 0.0 or max(one, two, three) <= 0.0:
        return True
    if _from_origin(first, new) <= _from_origin(second, new):
        copy(simplex.new, simplex.corners[1])
    else:
        copy(simplex.new, simplex.corners[0])
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
