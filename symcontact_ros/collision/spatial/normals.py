"""
Exact normal of curved cores, by Newton's method on the sphere of directions.

How far a difference reaches along a direction is the greatest of finitely many parts (vertices
and ends of axes), each linear, plus the radii of the discs, which are smooth. The simplex that a
query ends with has the parts that are greatest at the same time; each beyond the first leaves the
normal one angle less to turn by.
"""

from __future__ import annotations

from symcontact_ros.collision.spatial.differences import difference_support
from symcontact_ros.collision.spatial.query_memory import NO_FEATURE, QueryMemory
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import (
    along,
    cross,
    dot,
    Frame,
    minus,
    norm,
    opposite,
    perpendicular,
    placed,
    plus,
    times,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import bend, has_discs, is_curved, linear_part

IDLE = 1e-6  # a corner of less weight does not count
ROUNDING = 1e-13  # of the scale: by how much a better normal may seem worse
NEAR_AXIS = 0.999  # cosine, 0.045 rad: the axis of a cylinder is then tried as the normal
TURN = 0.05  # [rad] Newton's method is trusted with no more
STEPS = 6


def reach_along(a: SpatialSolid, b: SpatialSolid, query: QueryMemory, normal: Vector) -> float:
    """Return how far the difference reaches along a direction."""
    return dot(normal, difference_support(a, b, query, normal, query.spare))


def disc_radius(solid: SpatialSolid) -> float:
    """Return the radius of the discs of a core, 0 if it has none."""
    return solid.size[0] if has_discs(solid) else 0.0


def own_axes() -> Frame:
    """Return the frame that all is given in: A's axes, from A's centre."""
    return (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


def nowhere() -> Vector:
    """Return the ray of a search for the least reach."""
    return 0.0, 0.0, 0.0


def cost(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, normal: Vector, ray: Vector
) -> float:
    """
    Return what is to be least: the reach of the difference along a normal [m].

    With a ray it is where the plane at that reach cuts it instead, as a part of the ray; radii
    are included then.
    """
    reach = reach_along(a, b, query, normal)
    if dot(ray, ray) == 0.0:
        return reach
    return (reach + a.radius + b.radius) / dot(normal, ray)


def snapped_normal(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, normal: Vector, ray: Vector
) -> Vector:
    """Return a cylinder's axis close to the normal, if not worse, else nothing: a kink."""
    for which in range(2):
        radius = disc_radius(a) if which == 0 else disc_radius(b)
        axis = (0.0, 0.0, 1.0) if which == 0 else query.pose[2]
        cosine = dot(axis, normal)
        if radius > 0.0 and abs(cosine) > NEAR_AXIS:
            axis = axis if cosine > 0.0 else opposite(axis)
            least = cost(a, b, query, normal, ray)
            if cost(a, b, query, axis, ray) <= least + ROUNDING * (query.scale + abs(least)):
                return axis
    return 0.0, 0.0, 0.0


@separate
def turned_normal(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, count: int, normal: Vector, ray: Vector
) -> Vector:
    """Return the normal at which the cost is least, nothing if that is not clear."""
    ties, base, tie, both = _working_set(a, b, query, count)
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
        clear, turn, other_turn = _newton(a, b, query, base, (normal, side, across), ray)
        if not clear or abs(turn) + abs(other_turn) > TURN:
            return 0.0, 0.0, 0.0
        normal = along(along(normal, turn, side), other_turn, across)
        normal = times(1.0 / norm(normal), normal)
        if abs(turn) + abs(other_turn) < 1e-12:
            break
    return normal


def _working_set(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, count: int
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
    first = _heaviest(query, count)
    if query.weights[first] <= IDLE or _has_inner_corner(query, count):
        return -1, tie, tie, both
    base = _linear_part(a, b, query, first)
    ties = 0
    for i in range(count):
        if query.weights[i] <= IDLE or same_part(query, i, first):
            continue
        other = minus(_linear_part(a, b, query, i), base)
        length = norm(other)
        if length <= 1e-9 * query.scale:
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


def _heaviest(query: QueryMemory, count: int) -> int:
    """Return the corner with the greatest weight."""
    best = 0
    for i in range(1, count):
        if query.weights[i] > query.weights[best]:
            best = i
    return best


def same_part(query: QueryMemory, first: int, second: int) -> bool:
    """Return whether two corners are points of the same features."""
    p, q = query.simplex[first], query.simplex[second]
    return p.feature_a == q.feature_a and p.feature_b == q.feature_b


def _linear_part(a: SpatialSolid, b: SpatialSolid, query: QueryMemory, number: int) -> Vector:
    """Return the point of a corner of the simplex without radii."""
    corner = query.simplex[number]
    point_a = linear_part(a, corner.point_a, corner.feature_a)
    point_b = linear_part(b, corner.point_b, corner.feature_b)
    return minus(placed(query.pose, point_b), point_a)


def _has_inner_corner(query: QueryMemory, count: int) -> bool:
    """Return whether a corner with weight is no farthest point, but one inside."""
    for i in range(count):
        if query.weights[i] > IDLE and query.simplex[i].feature_a == NO_FEATURE:
            return True
    return False


@separate
def _newton(
    a: SpatialSolid,
    b: SpatialSolid,
    query: QueryMemory,
    base: Vector,
    axes: tuple[Vector, Vector, Vector],
    ray: Vector,
) -> tuple[bool, float, float]:
    """Return whether the least cost is clear, and the angles to turn by to get there [rad]."""
    normal, side, across = axes
    gradient = base
    reach = dot(normal, base)
    curve, mixed, other_curve = 0.0, 0.0, 0.0
    for which in range(2):
        solid = a if which == 0 else b
        if not is_curved(solid):
            continue
        frame = own_axes() if which == 0 else query.pose
        is_smooth, more, slope, curves = bend(solid, frame, normal, side, across)
        if not is_smooth:
            return False, 0.0, 0.0
        reach += more
        gradient = plus(gradient, slope)
        curve += curves[0]
        mixed += curves[1]
        other_curve += curves[2]
    if dot(ray, ray) == 0.0:
        curve -= reach
        other_curve -= reach
    else:
        radii = a.radius + b.radius
        curve += radii
        other_curve += radii
        gradient = along(gradient, -(reach + radii) / dot(normal, ray), ray)
    slopes = (dot(gradient, side), dot(gradient, across))
    return _least_turn(slopes, (curve, mixed, other_curve), _angles(across), query.scale)


def _angles(across: Vector) -> int:
    """Return how many angles there are to turn by: no second one without its axis."""
    return 1 if dot(across, across) <= 0.0 else 2


def _least_turn(
    slopes: tuple[float, float], curves: Vector, angles: int, scale: float
) -> tuple[bool, float, float]:
    """Return whether a parabola in one or two angles has a clear least value, and where."""
    slope, other_slope = slopes
    curve, mixed, other_curve = curves
    if angles == 1:
        if curve <= 1e-9 * scale:
            return False, 0.0, 0.0
        return True, -slope / curve, 0.0
    determinant = curve * other_curve - mixed * mixed
    if determinant <= 1e-12 * scale * scale or curve <= 0.0:
        return False, 0.0, 0.0
    turn = (other_slope * mixed - slope * other_curve) / determinant
    return True, turn, (slope * mixed - other_slope * curve) / determinant
