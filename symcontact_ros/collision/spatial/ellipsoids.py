"""
Pairs of an ellipsoid A and another shape B in space.

GJK and EPA find a normal to about 1e-5; here it is made exact. Along a unit normal n, a vertex v
of B lies beyond A by n.(v - p(n)), where p is the farthest point of A plus that of B's round part.
Newton's method on the sphere of normals finds where that is greatest, for one vertex or at right
angles to the edge between two; three leave no choice. Which vertices are tied at the best normal
is found on the way. Everything is seen in A's axes from A's centre.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import TypeAlias

from symcontact_ros.collision.contact_points import ContactPoint, write_lone_point
from symcontact_ros.collision.shape_pair import (
    CommonNormal,
    Contacts,
    CORNER,
    PROVEN,
    QueryResult,
    Result,
    UNPROVEN,
    WarmStart,
)
from symcontact_ros.collision.spatial.closed_forms import surface
from symcontact_ros.collision.spatial.convex_gap import PROOF, too_close
from symcontact_ros.collision.spatial.epa import expand, ON_BOUNDARY
from symcontact_ros.collision.spatial.gjk import core_distance
from symcontact_ros.collision.spatial.query_memory import MOST_CORNERS, QueryMemory
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import Rows
from symcontact_ros.kernels.vectors.spatial import (
    along,
    between,
    cross,
    direction_in,
    dot,
    Frame,
    Gap,
    minus,
    norm,
    opposite,
    perpendicular,
    placed,
    plus,
    times,
    turned,
    Vector,
)
from symcontact_ros.shapes.ellipsoid import farthest
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import bend, has_discs, linear_part, support

# vertices of B that are tied, and how many of them
Tie: TypeAlias = tuple[Vector, Vector, Vector, int]

ZERO = (0.0, 0.0, 0.0)
OWN = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), ZERO  # A's axes and centre
NOWHERE = -1e300
ROUNDING = 1e-15  # of the scale and of the way from centre to centre; see `rounding`
ASIDE = 1e-9  # of an edge or a triangle: a foot that is farther outside is not on it
NEAR_AXIS = 0.9  # cosine: the axis of a disc is then tried as the normal
TURN = 1e-4  # [rad] a normal is turned by no more before other vertices are tried
ROUNDS, STEPS, CUTS = 16, 40, 12  # of vertices, of Newton's method, of a step that is too long


def ellipsoid_half_space(a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame) -> Gap:
    """Return the gap of an ellipsoid and a half-space."""
    normal, offset = surface(b, frame_b)
    lowest = placed(frame_a, farthest(a.size, opposite(direction_in(frame_a, normal))))
    height = dot(normal, lowest) - offset
    return height, opposite(normal), lowest, along(lowest, -height, normal)


def rounding(query: QueryMemory) -> float:
    """Return by how much a better normal may seem worse [m]."""
    return ROUNDING * (query.scale + norm(query.pose[3]))


def nearest_vertex(b: SpatialSolid, query: QueryMemory, normal: Vector) -> Vector:
    """Return the vertex of B that is farthest against a normal."""
    point, feature = support(b, opposite(direction_in(query.pose, normal)))
    return placed(query.pose, linear_part(b, minus(point, b.centre), feature))


def beyond(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, vertex: Vector, normal: Vector
) -> float:
    """Return how far a vertex of B with its smooth part lies beyond A along a unit normal [m]."""
    _, own, _, _ = bend(a, OWN, normal, ZERO, ZERO)
    is_smooth, other, _, _ = bend(b, query.pose, normal, ZERO, ZERO)
    return dot(normal, vertex) - own - other if is_smooth else NOWHERE


def separation(a: SpatialSolid, b: SpatialSolid, query: QueryMemory, normal: Vector) -> float:
    """Return how far the core of B lies beyond A along a unit normal [m]."""
    point, _ = support(b, opposite(direction_in(query.pose, normal)))
    step = minus(placed(query.pose, minus(point, b.centre)), farthest(a.size, normal))
    return dot(normal, step)


def foot(a: SpatialSolid, b: SpatialSolid, query: QueryMemory, normal: Vector) -> Vector:
    """Return where B's vertex would be if the shapes touched at a normal."""
    _, _, other, _ = bend(b, query.pose, normal, ZERO, ZERO)
    return plus(farthest(a.size, normal), other)


@separate
def newton_turn(
    a: SpatialSolid,
    b: SpatialSolid,
    query: QueryMemory,
    vertex: Vector,
    axes: tuple[Vector, Vector, Vector],
) -> Vector:
    """
    Return by which vector to turn a normal to where a vertex is farthest beyond A.

    ``axes`` are the normal and two unit tangents; the second is 0 where there is one angle only.
    """
    normal, side, across = axes
    _, _, own, own_curves = bend(a, OWN, normal, side, across)
    _, _, other, other_curves = bend(b, query.pose, normal, side, across)
    step = minus(vertex, plus(own, other))
    height = dot(normal, step)
    xx, xy, yy = plus(own_curves, other_curves)
    xx, yy = xx + height, yy + height
    x, y = dot(side, step), dot(across, step)
    flat = 1e-12 * query.scale
    if dot(across, across) == 0.0:
        return times(x / max(abs(xx), flat), side)
    # Where it curves upwards, as deep in overlap, away from the least instead of towards it.
    least = 0.5 * (xx + yy) - math.sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy)
    shift = max(0.0, -2.0 * least, flat - least)
    xx, yy = xx + shift, yy + shift
    area = xx * yy - xy * xy
    return along(times((x * yy - y * xy) / area, side), (y * xx - x * xy) / area, across)


@separate
def climbed(
    a: SpatialSolid,
    b: SpatialSolid,
    query: QueryMemory,
    vertex: Vector,
    tie: Vector,
    normal: Vector,
    limit: float,
) -> Vector:
    """
    Return the unit normal of most separation that is near a given one.

    It stays at right angles to a tie, and is not turned by more than a limit [rad].
    """
    best = beyond(a, b, query, vertex, normal)
    last = math.pi
    for _ in range(STEPS):
        side = perpendicular(normal)
        if dot(tie, tie) > 0.0:
            side = cross(normal, tie)
        side = times(1.0 / norm(side), side)
        across = cross(normal, side) if dot(tie, tie) == 0.0 else ZERO
        turn = newton_turn(a, b, query, vertex, (normal, side, across))
        angle = norm(turn)
        if angle > limit:
            turn = times(limit / angle, turn)
        reached, better = NOWHERE, normal
        for _ in range(CUTS):
            better = plus(normal, turn)
            better = times(1.0 / norm(better), better)
            reached = beyond(a, b, query, vertex, better)
            if reached >= best - rounding(query):
                break
            turn = times(0.25, turn)
        if reached < best - rounding(query):
            break
        gain = reached - best
        best, normal = max(best, reached), better
        limit -= norm(turn)
        if angle < 1e-15 or (gain <= 0.0 and angle > 0.5 * last) or limit <= 0.0:
            break
        last = angle
    return normal


@separate
def of_three(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, tie: Tie, normal: Vector
) -> tuple[Tie, Vector]:
    """Return the normal of three vertices, and those of them that carry the contact."""
    first, second, third, _ = tie
    both = cross(minus(second, first), minus(third, first))
    area = norm(both)
    if area <= 1e-12 * query.scale * query.scale:
        return (first, second, third, 2), normal
    upright = times((1.0 if dot(both, normal) >= 0.0 else -1.0) / area, both)
    below = foot(a, b, query, upright)
    both = times(1.0 / area, both)
    of_first = dot(both, cross(minus(second, below), minus(third, below)))
    of_second = dot(both, cross(minus(third, below), minus(first, below)))
    of_third = dot(both, cross(minus(first, below), minus(second, below)))
    if min(of_first, of_second, of_third) >= -ASIDE * area:
        return tie, upright
    if of_first <= of_second and of_first <= of_third:
        return (second, third, first, 2), normal
    if of_second <= of_third:
        return (first, third, second, 2), normal
    return (first, second, third, 2), normal


@separate
def of_two(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, tie: Tie, normal: Vector, limit: float
) -> tuple[Tie, Vector]:
    """Return the best normal at right angles to two vertices, and which of them carry it."""
    first, second, third, _ = tie
    edge = minus(second, first)
    length = norm(edge)
    if length <= 0.0:
        return (first, second, third, 1), normal
    edge = times(1.0 / length, edge)
    level = along(normal, -dot(normal, edge), edge)
    if norm(level) < 1e-3:
        return (first, second, third, 1), normal
    level = climbed(a, b, query, first, edge, times(1.0 / norm(level), level), limit)
    share = dot(edge, minus(foot(a, b, query, level), first)) / length
    if share < -ASIDE:
        return (first, second, third, 1), level
    if share > 1.0 + ASIDE:
        return (second, first, third, 1), level
    return tie, level


def solved(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, tie: Tie, normal: Vector, limit: float
) -> tuple[Tie, Vector]:
    """Return the best normal of tied vertices near a given one, and which of them carry it."""
    if tie[3] == 3:
        tie, normal = of_three(a, b, query, tie, normal)
    if tie[3] == 2:
        tie, normal = of_two(a, b, query, tie, normal, limit)
    if tie[3] == 1:
        normal = climbed(a, b, query, tie[0], ZERO, normal, limit)
    return tie, normal


def single(b: SpatialSolid, query: QueryMemory, normal: Vector) -> Tie:
    """Return the nearest vertex alone."""
    return nearest_vertex(b, query, normal), ZERO, ZERO, 1


@separate
def sharpened(a: SpatialSolid, b: SpatialSolid, query: QueryMemory, normal: Vector) -> Vector:
    """Return the unit normal close to a given one along which B is farthest beyond A."""
    best = separation(a, b, query, normal)
    axis = query.pose[2] if dot(query.pose[2], normal) > 0.0 else opposite(query.pose[2])
    is_near = has_discs(b) and dot(axis, normal) > NEAR_AXIS
    if is_near and separation(a, b, query, axis) >= best - rounding(query):
        return axis  # flat on an end: a kink
    tie = single(b, query, normal)
    limit = TURN
    for _ in range(ROUNDS):
        tie, better = solved(a, b, query, tie, normal, limit)
        angle = norm(minus(better, normal))
        reached = separation(a, b, query, better)
        if reached >= best - rounding(query):
            best, normal = max(best, reached), better
        vertex = nearest_vertex(b, query, better)
        if dot(better, minus(tie[0], vertex)) <= rounding(query):
            if angle < 0.9 * limit or tie[3] == 3:
                break
            limit *= 4.0
        elif tie[3] == 3:  # too far: again, nearer by
            tie = single(b, query, normal)
            limit *= 0.1
        else:
            tie = tie[0], vertex if tie[3] == 1 else tie[1], vertex, tie[3] + 1
    return normal


@separate
def core_normal(
    a: SpatialSolid, b: SpatialSolid, frame_b_in_a: Frame, work: Floats
) -> tuple[float, Vector, float]:
    """Return the separation of cores [m], its normal in A's axes, and how much more it may be."""
    simplex = core_distance(a, b, frame_b_in_a, work)
    query = QueryMemory.at(work)
    upper, _, normal, count = simplex
    status = ON_BOUNDARY
    if too_close(query, simplex):
        status, _, lower, outwards, _, _ = expand(a, b, query, count, MOST_CORNERS)
        upper, normal = -lower, opposite(outwards)
    normal = sharpened(a, b, query, normal)
    best = separation(a, b, query, normal)
    if status != ON_BOUNDARY:  # nearly as deep all around: from the axes of both as well
        x, y, z, _ = query.pose
        for axis in (OWN[0], OWN[1], OWN[2], x, y, z):
            for start in (axis, opposite(axis)):
                other = sharpened(a, b, query, start)
                if separation(a, b, query, other) > best:
                    best, normal = separation(a, b, query, other), other
    return best, normal, upper - best


@dataclass(frozen=True)
class Ellipsoids(CommonNormal):
    """An ellipsoid and any bounded shape."""

    shares: float = 1.0

    @separate
    def gap(
        self, a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, work: Floats
    ) -> Result[Vector]:
        """Return the gap of an ellipsoid and another shape."""
        distance, normal, slack = core_normal(a, b, between(frame_a, frame_b), work)
        distance -= b.radius
        point = farthest(a.size, normal)
        scale = a.reach + b.reach
        return (
            distance,
            turned(frame_a, normal),
            placed(frame_a, point),
            placed(frame_a, along(point, distance, normal)),
            UNPROVEN if slack > PROOF * (scale + abs(distance)) else PROVEN,
        )

    def query(
        self,
        a: SpatialSolid,
        frame_a: Frame,
        b: SpatialSolid,
        frame_b: Frame,
        hint: int,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> QueryResult:
        """Return the distance of an ellipsoid and another shape; there is one feature."""
        distance, _, _, _, status = self.gap(a, frame_a, b, frame_b, work)
        return distance, CORNER, status

    def contacts(
        self,
        a: SpatialSolid,
        frame_a: Frame,
        b: SpatialSolid,
        frame_b: Frame,
        feature: int,
        rows: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> Contacts[Vector]:
        """Write the one contact point."""
        distance, normal, point_a, point_b, _ = self.gap(a, frame_a, b, frame_b, work)
        write_lone_point(rows, distance, point_a, point_b, 0)
        return 1, normal
