"""
Pairs of an ellipse and another shape in the plane.

For any unit normal, how far B lies beyond A along it bounds the signed distance from below, and
the greatest of these separations is the signed distance, apart and in overlap alike. It is found
by branch and bound on the circle of normals: the farthest points of A and B at both ends of a
sector also bound the separation within; the sector with the greatest bound is split until that is
attained. Newton's method makes the normal exact. ``frame`` is B's frame in A's, in which all is.
"""

from __future__ import annotations

from dataclasses import dataclass
import math

from symcontact_ros.collision.contact_points import ContactPoint, write_lone_point
from symcontact_ros.collision.planar.closed_forms import surface
from symcontact_ros.collision.shape_pair import (
    ANY,
    CommonNormal,
    Contacts,
    CORNER,
    PROVEN,
    QueryResult,
    Result,
    UNPROVEN,
    WarmStart,
)
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import embedded, Record, Rows
from symcontact_ros.kernels.vectors.planar import (
    along,
    between,
    direction_in,
    dot,
    Frame,
    Gap,
    in_plane,
    in_space,
    minus,
    norm,
    opposite,
    placed,
    point_in,
    turned,
    Vector,
)
from symcontact_ros.shapes.ellipse import EllipseCore, point_ellipse
from symcontact_ros.shapes.planar_dispatch import support
from symcontact_ros.shapes.records import PlanarSolid

TOLERANCE = 1e-9  # of the size: how far the bounds of a separation may be apart
PROOF = 1e-8  # of the size: a separation with bounds closer than this is proven
ROUNDING = 1e-15  # of the size and the distance: by how much a better normal may seem worse
CONCENTRIC = 1e-14  # of the size: nearer centres have no direction
MOST_SECTORS = 96
STEPS = 20


class Sector(Record):
    """A unit normal, and the sector from it to the following one, counter-clockwise."""

    normal: Vector
    step: Vector  # from A's farthest point along the normal to B's farthest point against it [m]
    separation: float  # of cores along the normal [m]
    bound: float  # of the separation in the sector [m]
    towards: Vector  # unit normal in the sector that the bound is at
    following: int  # sector


class Circle(Record):
    """Normals around the circle."""

    sectors: Rows[Sector] = embedded(MOST_SECTORS)


def unit(a: Vector) -> Vector:
    """Return a vector made unit."""
    length = norm(a)
    return a[0] / length, a[1] / length


def quarter_turn(a: Vector) -> Vector:
    """Return a vector turned by a right angle, counter-clockwise."""
    return -a[1], a[0]


def cross(a: Vector, b: Vector) -> float:
    """Return the vector product, positive where b is counter-clockwise from a."""
    return a[0] * b[1] - a[1] * b[0]


def step_along(a: PlanarSolid, b: PlanarSolid, frame: Frame, normal: Vector) -> Vector:
    """Return the way from A's farthest point along a normal to B's farthest against it [m]."""
    own, _ = support(a, normal)
    other, _ = support(b, opposite(direction_in(frame, normal)))
    return minus(placed(frame, other), own)


def separation(a: PlanarSolid, b: PlanarSolid, frame: Frame, normal: Vector) -> float:
    """Return how far B's core lies beyond A's along a unit normal [m]."""
    return dot(normal, step_along(a, b, frame, normal))


def measure(a: PlanarSolid, b: PlanarSolid, frame: Frame, normal: Vector, row: Sector) -> None:
    """Write the step and the separation along a normal."""
    row.normal = normal
    row.step = step_along(a, b, frame, normal)
    row.separation = dot(normal, row.step)


def bound(row: Sector, end: Sector) -> None:
    """
    Write the bound of a sector.

    The steps at both ends are between points of A and of B: along no normal is the separation
    more than either of them. The lesser one is greatest where both are equal, or along one.
    """
    row.bound, row.towards = row.separation, row.normal
    if end.separation > row.bound:
        row.bound, row.towards = end.separation, end.normal
    middle = along(row.normal, 1.0, end.normal)
    chord = minus(end.step, row.step)
    if dot(chord, chord) > 0.0:
        middle = quarter_turn(chord)
    middle = unit(middle)
    if not is_between(row.normal, middle, end.normal):
        middle = opposite(middle)
    if not is_between(row.normal, middle, end.normal):
        return  # narrower than rounding can resolve
    if dot(middle, row.step) > row.bound:
        row.bound, row.towards = dot(middle, row.step), middle
    if is_between(row.normal, row.step, middle) and norm(row.step) > row.bound:
        row.bound, row.towards = norm(row.step), unit(row.step)
    if is_between(middle, end.step, end.normal) and norm(end.step) > row.bound:
        row.bound, row.towards = norm(end.step), unit(end.step)


def is_between(first: Vector, middle: Vector, last: Vector) -> bool:
    """Return whether a vector is in the sector from one to another, of less than half a turn."""
    return cross(first, middle) > 0.0 and cross(middle, last) > 0.0


@separate
def best_normal(
    a: PlanarSolid, b: PlanarSolid, frame: Frame, margin: float, circle: Circle
) -> tuple[float, Vector, float]:
    """
    Return the greatest separation of two cores [m], its normal, and by how much it may be less.

    The search stops at a normal that separates by more than the margin. All is seen in A's frame.
    """
    rows = circle.sectors
    scale = a.reach + b.reach
    away = minus(placed(frame, in_plane(b.centre)), in_plane(a.centre))
    length = norm(away)
    normal = unit(away) if length > CONCENTRIC * scale else (0.0, 1.0)
    best = 0
    for i in range(4):
        measure(a, b, frame, normal, rows[i])
        if rows[i].separation > margin:
            return rows[i].separation, normal, 0.0
        if rows[i].separation > rows[best].separation:
            best = i
        rows[i].following = (i + 1) % 4
        normal = quarter_turn(normal)
    for i in range(4):
        bound(rows[i], rows[(i + 1) % 4])
    slack = 0.0
    for new in range(4, MOST_SECTORS):
        widest = 0
        for i in range(1, new):
            if rows[i].bound > rows[widest].bound:
                widest = i
        row = rows[widest]
        slack = row.bound - rows[best].separation
        if slack <= TOLERANCE * scale or rows[best].separation > margin:
            break
        measure(a, b, frame, row.towards, rows[new])
        rows[new].following = row.following
        row.following = new
        bound(row, rows[new])
        bound(rows[new], rows[rows[new].following])
        if rows[new].separation > rows[best].separation:
            best = new
    return rows[best].separation, rows[best].normal, slack


def curvature_radius(ellipse: PlanarSolid, direction: Vector) -> float:
    """Return the radius of curvature where the normal is a unit direction [m]."""
    a, b, _ = ellipse.size
    x, y = a * direction[0], b * direction[1]
    reach = math.sqrt(x * x + y * y)
    return (a * b / reach) * (a * b / reach) / reach


@separate
def sharpened(a: PlanarSolid, b: PlanarSolid, frame: Frame, normal: Vector) -> Vector:
    """Return the unit normal close to a given one of most separation."""
    rounding = ROUNDING * (a.reach + b.reach + norm(frame[1]))
    best = separation(a, b, frame, normal)
    for _ in range(STEPS):
        step = step_along(a, b, frame, normal)
        curve = dot(normal, step) + curvature_radius(a, normal)
        if len(b.vertices) == 0:
            curve += curvature_radius(b, direction_in(frame, normal))
        if curve <= 0.0:
            break
        angle = max(-0.1, min(0.1, dot(quarter_turn(normal), step) / curve))
        better = unit(along(normal, angle, quarter_turn(normal)))
        reached = separation(a, b, frame, better)
        if reached < best - rounding:
            break
        best, normal = max(reached, best), better
        if abs(angle) < 1e-15:
            break
    for i in range(len(b.edges)):  # whose normals are kinks of the separation
        edge = b.edges[i]
        other = opposite(turned(frame, edge.normal))
        if edge.first != edge.second and dot(other, normal) > 0.9:
            reached = separation(a, b, frame, other)
            if reached >= best - rounding:
                best, normal = reached, other
    return normal


def ellipse_circle(a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame) -> Gap:
    """Return the gap of an ellipse and a disc."""
    depth, direction, nearest = point_ellipse(in_plane(a.size), point_in(frame_a, frame_b[1]))
    normal = turned(frame_a, direction)
    point_b = along(frame_b[1], -b.radius, normal)
    return depth - b.radius, normal, placed(frame_a, nearest), point_b


def ellipse_half_space(a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame) -> Gap:
    """Return the gap of an ellipse and a half-plane."""
    normal, offset = surface(b, frame_b)
    point, _ = EllipseCore.support(a, opposite(direction_in(frame_a, normal)))
    lowest = placed(frame_a, point)
    height = dot(normal, lowest) - offset
    return height, opposite(normal), lowest, along(lowest, -height, normal)


@dataclass(frozen=True)
class Ellipses(CommonNormal):
    """An ellipse and any bounded shape."""

    shares: float = 1.0

    @separate
    def gap(
        self, a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame, work: Floats
    ) -> Result[Vector]:
        """Return the gap of an ellipse and another shape."""
        frame = between(frame_a, frame_b)
        _, normal, slack = best_normal(a, b, frame, ANY, Circle.at(work))
        normal = sharpened(a, b, frame, normal)
        distance = separation(a, b, frame, normal) - b.radius
        point, _ = EllipseCore.support(a, normal)
        return (
            distance,
            turned(frame_a, normal),
            placed(frame_a, point),
            placed(frame_a, along(point, distance, normal)),
            status_of(a, b, slack),
        )

    def query(
        self,
        a: PlanarSolid,
        frame_a: Frame,
        b: PlanarSolid,
        frame_b: Frame,
        hint: int,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> QueryResult:
        """Return the separation of an ellipse and another shape; there is one feature."""
        frame = between(frame_a, frame_b)
        apart, _, slack = best_normal(a, b, frame, margin + b.radius, Circle.at(work))
        return apart - b.radius, CORNER, status_of(a, b, slack)

    def contacts(
        self,
        a: PlanarSolid,
        frame_a: Frame,
        b: PlanarSolid,
        frame_b: Frame,
        feature: int,
        rows: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> Contacts[Vector]:
        """Write the one contact point."""
        distance, normal, point_a, point_b, _ = self.gap(a, frame_a, b, frame_b, work)
        write_lone_point(rows, distance, in_space(point_a), in_space(point_b), 0)
        return 1, normal


def status_of(a: PlanarSolid, b: PlanarSolid, slack: float) -> int:
    """Return whether bounds of a separation are close enough to prove it."""
    return UNPROVEN if slack > PROOF * (a.reach + b.reach) else PROVEN
