"""
Growth of two shapes: by which factor both must grow about their centres until they just touch.

That is a linear program, or a conic one for round shapes, in a point and the factor. It is solved
where it is smallest: the ray from centre to centre leaves the difference of the shapes where they
touch, and `rays` finds the plane there by the simplex method. The plane's normal is that of the
contact; how far the shapes overlap along it is never less than the least depth, and equal to it
where the ray leaves through the nearest part of the boundary.
"""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision.layout import CENTRE, CORE, CYLINDER, INNER, RADIUS
from symcontact_ros.collision.spatial.normals import cost, snapped_normal, turned_normal
from symcontact_ros.collision.spatial.rays import combination, EXACT, first_triangle, shoot
from symcontact_ros.collision.spatial.supports import (
    difference_support,
    HUGE,
    keep_pose,
    place_again,
    POINT_A,
    POINT_B,
    POSE,
    ROW,
    SIMPLEX,
    SPARE,
    support,
    weighted,
)
from symcontact_ros.collision.spatial.vectors import (
    along,
    direction_in,
    dot,
    Frame,
    frame_at,
    keep,
    minus,
    norm,
    opposite,
    plus,
    times,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import bound, Memory, separate

# distance along the normal [m], bounds of the growth factor apart (as a part of it), unit normal
# from A to B and points of A and of B, all in A's frame
Growth: TypeAlias = tuple[float, float, Vector, Vector, Vector]

CONCENTRIC = 1e-12  # of the inner radii: nearer centres have no direction
CURVED = 1e-8  # tolerance of shapes whose normal is made exact afterwards
ROUNDING = 1e-13  # by how much a better normal may seem worse, as a part of the cost


@separate
def rounded_support(a: Memory, b: Memory, work: Memory, direction: Vector, place: int) -> Vector:
    """Return the farthest point of the difference of two shapes, radii included; keep its row."""
    point = difference_support(a, b, work, direction, place)
    if a[RADIUS] + b[RADIUS] == 0.0:
        return point
    out = times(1.0 / norm(direction), direction)
    keep(work, place + POINT_A, along(vector_at(work, place + POINT_A), -a[RADIUS], out))
    in_b = direction_in(frame_at(work, POSE), out)
    keep(work, place + POINT_B, along(vector_at(work, place + POINT_B), b[RADIUS], in_b))
    place_again(work, place)
    return vector_at(work, place)


_shoot = bound(shoot, farthest_point=rounded_support)


@separate
def grown(a: Memory, b: Memory, frame_b_in_a: Frame, work: Memory, kept: int = 0) -> Growth:
    """
    Return where two shapes touch when they have grown, and how far apart that has them.

    Parameters
    ----------
    a, b
        The shapes; any but half-spaces.
    frame_b_in_a
        B's frame as A's frame has it.
    work
        Memory for the query; keeps the three rows that carry the answer.
    kept
        3 if points of A and of B are in the first rows of the simplex, to start from.

    Returns
    -------
    distance
        Of the shapes along the normal: never above the true one, 0 when they touch [m].
    slack
        How far the bounds of the factor are apart, as a part of it; huge without a direction.
    normal, point_a, point_b
        Unit vector from A to B, and points a distance apart along it.
    """
    keep_pose(a, b, frame_b_in_a, work)
    apart = vector_at(work, POSE + 9)
    keep(work, POSE + 9, (0.0, 0.0, 0.0))  # shapes about their own centres
    length = norm(apart)
    inside = a[INNER] + b[INNER]
    if length <= CONCENTRIC * inside:
        return 0.0, HUGE, (0.0, 0.0, 1.0), apart, apart
    ray = times(-1.0 / length, apart)
    if kept == 0 or not _encloses(work, ray, inside):
        first_triangle(work, ray, inside)
    curved = int(a[CORE]) == CYLINDER or int(b[CORE]) == CYLINDER or a[RADIUS] + b[RADIUS] > 0.0
    reach, outwards, slack = _shoot(a, b, work, ray, CURVED if curved else EXACT)
    if curved:
        outwards = _polished(a, b, work, ray, outwards)
        reach = dot(outwards, rounded_support(a, b, work, outwards, SPARE))
    normal = opposite(outwards)
    distance = dot(normal, apart) - reach
    factor = dot(normal, apart) / reach
    point_a = _touching(a, work, normal, factor)
    return distance, slack, normal, point_a, along(point_a, distance, normal)


def _encloses(work: Memory, ray: Vector, inside: float) -> bool:
    """Place the rows that were kept; return whether the ray runs between them."""
    for row in range(3):
        place_again(work, SIMPLEX + ROW * row)
    x, y, z = combination(work, ray)
    leaving = x + y + z  # one over where the ray leaves: not before it does the ball inside
    return x >= 0.0 and y >= 0.0 and z >= 0.0 and 0.0 < leaving * inside <= 1.0


def _polished(a: Memory, b: Memory, work: Memory, ray: Vector, normal: Vector) -> Vector:
    """Return a normal that is exact to rounding, if one is clearly not worse."""
    snapped = snapped_normal(a, b, work, normal, ray)
    if dot(snapped, snapped) > 0.0:
        return snapped
    better = turned_normal(a, b, work, 3, normal, ray)
    if dot(better, better) <= 0.0 or dot(better, ray) <= 0.0:
        return normal
    least = cost(a, b, work, normal, ray)
    return better if cost(a, b, work, better, ray) <= least * (1.0 + ROUNDING) else normal


def _touching(a: Memory, work: Memory, normal: Vector, factor: float) -> Vector:
    """Return where grown shapes touch, moved along the normal to where A ends."""
    touching = times(factor, weighted(work, 3, POINT_A))
    farthest, _ = support(a, normal)
    end = dot(normal, minus(farthest, vector_at(a, CENTRE))) + a[RADIUS]
    return plus(vector_at(a, CENTRE), along(touching, end - dot(normal, touching), normal))
