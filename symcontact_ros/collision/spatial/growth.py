"""
Growth of two shapes: the factor by which both must grow about their centres until they touch.

That is a linear program, or a conic one for round shapes, in a point and the factor. It is solved
where it is smallest: the ray from centre to centre leaves the difference of the shapes where they
touch, and `rays` finds the plane there by the simplex method. The plane's normal is that of the
contact; how far the shapes overlap along it is never less than the least depth, and equal to it
where the ray leaves through the nearest part of the boundary.
"""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision.spatial.differences import (
    difference_support,
    HUGE,
    place_again,
    store_pose,
    weighted_a,
)
from symcontact_ros.collision.spatial.normals import cost, snapped_normal, turned_normal
from symcontact_ros.collision.spatial.query_memory import Corner, QueryMemory
from symcontact_ros.collision.spatial.rays import combination, EXACT, first_triangle, shoot
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.vectors.spatial import (
    along,
    direction_in,
    dot,
    Frame,
    minus,
    norm,
    opposite,
    plus,
    times,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import is_curved, support

# distance along the normal [m], bounds of the growth factor apart (as a part of it), unit normal
# from A to B and points of A and of B, all in A's frame
Growth: TypeAlias = tuple[float, float, Vector, Vector, Vector]

CONCENTRIC = 1e-12  # of the inner radii: nearer centres have no direction
CURVED = 1e-8  # tolerance of shapes whose normal is made exact afterwards
ROUNDING = 1e-13  # by how much a better normal may seem worse, as a part of the cost


@separate
def rounded_support(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, direction: Vector, corner: Corner
) -> Vector:
    """Return the farthest point of the difference of two shapes, radii included; store it."""
    point = difference_support(a, b, query, direction, corner)
    if a.radius + b.radius == 0.0:
        return point
    out = times(1.0 / norm(direction), direction)
    corner.point_a = along(corner.point_a, -a.radius, out)
    corner.point_b = along(corner.point_b, b.radius, direction_in(query.pose, out))
    place_again(query, corner)
    return corner.point


@separate
def grown(
    a: SpatialSolid, b: SpatialSolid, frame_b_in_a: Frame, work: Floats, warm_count: int = 0
) -> Growth:
    """
    Return where two shapes touch when they have grown, and how far apart that has them.

    Parameters
    ----------
    a, b
        The shapes; any but half-spaces.
    frame_b_in_a
        B's frame as A's frame has it.
    work
        Memory for the `QueryMemory`, which has the three corners that carry the answer.
    warm_count
        3 if points of A and of B are in the first corners of the simplex, to start from.

    Returns
    -------
    distance
        Of the shapes along the normal: never above the true one, 0 when they touch [m].
    slack
        How far the bounds of the factor are apart, as a part of it; huge without a direction.
    normal, point_a, point_b
        Unit vector from A to B, and points a distance apart along it.
    """
    query = QueryMemory.at(work)
    store_pose(a, b, frame_b_in_a, query)
    x, y, z, apart = query.pose
    query.pose = x, y, z, (0.0, 0.0, 0.0)  # shapes about their own centres
    length = norm(apart)
    inside = a.inner + b.inner
    if length <= CONCENTRIC * inside:
        return 0.0, HUGE, (0.0, 0.0, 1.0), apart, apart
    ray = times(-1.0 / length, apart)
    if warm_count == 0 or not _encloses(query, ray, inside):
        first_triangle(query, ray, inside)
    curved = is_curved(a) or is_curved(b) or a.radius + b.radius > 0.0
    tolerance = CURVED if curved else EXACT
    reach, outwards, slack = shoot(rounded_support, a, b, query, ray, tolerance)
    if curved:
        outwards = _polished(a, b, query, ray, outwards)
        reach = dot(outwards, rounded_support(a, b, query, outwards, query.spare))
    normal = opposite(outwards)
    distance = dot(normal, apart) - reach
    factor = dot(normal, apart) / reach
    point_a = _touching(a, query, normal, factor)
    return distance, slack, normal, point_a, along(point_a, distance, normal)


def _encloses(query: QueryMemory, ray: Vector, inside: float) -> bool:
    """Place the corners of a warm start; return whether the ray runs between them."""
    for i in range(3):
        place_again(query, query.simplex[i])
    x, y, z = combination(query, ray)
    leaving = x + y + z  # one over where the ray leaves: not before it does the ball inside
    return x >= 0.0 and y >= 0.0 and z >= 0.0 and 0.0 < leaving * inside <= 1.0


def _polished(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, ray: Vector, normal: Vector
) -> Vector:
    """Return a normal that is exact to rounding, if one is clearly not worse."""
    snapped = snapped_normal(a, b, query, normal, ray)
    if dot(snapped, snapped) > 0.0:
        return snapped
    better = turned_normal(a, b, query, 3, normal, ray)
    if dot(better, better) <= 0.0 or dot(better, ray) <= 0.0:
        return normal
    least = cost(a, b, query, normal, ray)
    return better if cost(a, b, query, better, ray) <= least * (1.0 + ROUNDING) else normal


def _touching(a: SpatialSolid, query: QueryMemory, normal: Vector, factor: float) -> Vector:
    """Return where grown shapes touch, moved along the normal to where A ends."""
    touching = times(factor, weighted_a(query, 3))
    farthest, _ = support(a, normal)
    end = dot(normal, minus(farthest, a.centre)) + a.radius
    return plus(a.centre, along(touching, end - dot(normal, touching), normal))
