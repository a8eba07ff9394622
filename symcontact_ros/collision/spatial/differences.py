"""Difference of two cores in space: its farthest points, and simplices of them."""

from __future__ import annotations

from symcontact_ros.collision.spatial.query_memory import Corner, QueryMemory
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.records import Rows
from symcontact_ros.kernels.vectors.spatial import (
    along,
    cross,
    direction_in,
    dot,
    Frame,
    minus,
    norm,
    opposite,
    perpendicular,
    placed,
    times,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import support

HUGE = 1e300
FLAT = 1e-13  # of the scale: what is thinner has no direction but that of its rounding


def store_pose(a: SpatialSolid, b: SpatialSolid, frame_b_in_a: Frame, query: QueryMemory) -> None:
    """Store B's axes and centre in A's axes from A's centre, and what tolerances relate to [m]."""
    query.scale = a.reach - a.radius + (b.reach - b.radius)
    x, y, z, _ = frame_b_in_a
    query.pose = x, y, z, minus(placed(frame_b_in_a, b.centre), a.centre)


@separate
def difference_support(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, direction: Vector, corner: Corner
) -> Vector:
    """Return the point of the difference farthest along a direction; store it in a corner."""
    pose = query.pose
    point_a, feature_a = support(a, opposite(direction))
    point_b, feature_b = support(b, direction_in(pose, direction))
    point_a = minus(point_a, a.centre)
    point_b = minus(point_b, b.centre)
    point = minus(placed(pose, point_b), point_a)
    corner.point = point
    corner.point_a = point_a
    corner.point_b = point_b
    corner.feature_a = feature_a
    corner.feature_b = feature_b
    return point


def place_again(query: QueryMemory, corner: Corner) -> None:
    """Compute a corner's point anew from its points of A and B, after either has moved."""
    corner.point = minus(placed(query.pose, corner.point_b), corner.point_a)


@separate
def copy_corner(source: Corner, target: Corner) -> None:
    """Copy a corner."""
    target.point = source.point
    target.point_a = source.point_a
    target.point_b = source.point_b
    target.feature_a = source.feature_a
    target.feature_b = source.feature_b


def set_weights(query: QueryMemory, weights: Vector) -> None:
    """Weigh the first three corners of the simplex."""
    for i, weight in enumerate(weights):
        query.weights[i] = weight


def weighted(query: QueryMemory, count: int) -> Vector:
    """Return the point that the first corners of the simplex give by their weights."""
    total = (0.0, 0.0, 0.0)
    for i in range(count):
        total = along(total, query.weights[i], query.simplex[i].point)
    return total


def weighted_a(query: QueryMemory, count: int) -> Vector:
    """Return the point of A that goes with the point that `weighted` returns."""
    total = (0.0, 0.0, 0.0)
    for i in range(count):
        total = along(total, query.weights[i], query.simplex[i].point_a)
    return total


@separate
def first_tetrahedron(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, count: int
) -> tuple[float, Vector]:
    """
    Make four points of the difference the first corners of a polyhedron.

    Parameters
    ----------
    a, b, query
        The shapes and the memory of the query.
    count
        How many corners of the simplex are points of the difference. They are taken if they are
        four and enclose a volume.

    Returns
    -------
    height
        Of the fourth corner over the other three [m], signed; 0 if the difference is flat.
    normal
        Unit normal of the first three corners; of the flat, if it is one.
    """
    scale = query.scale
    corners = query.polyhedron.corners
    for i in range(count):
        copy_corner(query.simplex[i], corners[i])
    if count == 0:
        difference_support(a, b, query, (1.0, 0.0, 0.0), corners[0])
    if count == 4:
        height, normal = _height_of_fourth(corners)
        if abs(height) > 1e-9 * scale:
            return height, normal
    edge = _second_corner(a, b, query)
    if dot(edge, edge) <= FLAT * FLAT * scale * scale:
        return 0.0, (0.0, 0.0, 1.0)
    normal = _third_corner(a, b, query, edge)
    area = norm(normal)
    if area <= FLAT * scale * scale:
        side = perpendicular(edge)
        return 0.0, times(1.0 / norm(side), side)
    normal = times(1.0 / area, normal)
    height = _fourth_corner(a, b, query, normal)
    if abs(height) <= FLAT * scale:
        height = 0.0
    return height, normal


def _height_of_fourth(corners: Rows[Corner]) -> tuple[float, Vector]:
    """Return how high the fourth corner is over the plane of three, and its unit normal."""
    first = corners[0].point
    normal = cross(minus(corners[1].point, first), minus(corners[2].point, first))
    length = norm(normal)
    if length <= 0.0:
        return 0.0, normal
    normal = times(1.0 / length, normal)
    return dot(normal, minus(corners[3].point, first)), normal


def _second_corner(a: SpatialSolid, b: SpatialSolid, query: QueryMemory) -> Vector:
    """Put the second corner far from the first; return the edge between them."""
    first = query.polyhedron.corners[0].point
    edge = (0.0, 0.0, 0.0)
    for axis in range(6):
        way = 1.0 if axis < 3 else -1.0
        x = way if axis % 3 == 0 else 0.0
        y = way if axis % 3 == 1 else 0.0
        z = way if axis % 3 == 2 else 0.0
        other = minus(difference_support(a, b, query, (x, y, z), query.spare), first)
        if dot(other, other) > dot(edge, edge):
            edge = other
            copy_corner(query.spare, query.polyhedron.corners[1])
    return edge


def _third_corner(a: SpatialSolid, b: SpatialSolid, query: QueryMemory, edge: Vector) -> Vector:
    """Put the third corner far from an edge; return the normal, as long as the area is large."""
    first = query.polyhedron.corners[0].point
    side = perpendicular(edge)
    across = times(1.0 / norm(edge), cross(edge, side))
    normal = (0.0, 0.0, 0.0)
    for turn in range(4):
        direction = side if turn % 2 == 0 else across
        direction = direction if turn < 2 else opposite(direction)
        other = minus(difference_support(a, b, query, direction, query.spare), first)
        area = cross(edge, other)
        if dot(area, area) > dot(normal, normal):
            normal = area
            copy_corner(query.spare, query.polyhedron.corners[2])
    return normal


def _fourth_corner(a: SpatialSolid, b: SpatialSolid, query: QueryMemory, normal: Vector) -> float:
    """Put the fourth corner far from the plane of three; return its signed height over it."""
    first = query.polyhedron.corners[0].point
    fourth = query.polyhedron.corners[3]
    above = dot(normal, minus(difference_support(a, b, query, normal, fourth), first))
    lowest = difference_support(a, b, query, opposite(normal), query.spare)
    below = dot(normal, minus(lowest, first))
    if -below > above:
        copy_corner(query.spare, fourth)
        return below
    return above
