"""Farthest points of cores and of differences of cores."""

from __future__ import annotations

import math

from symcontact_ros.collision.solids import BOX, CYLINDER, HULL, POINT, SpatialSolid, Vertex
from symcontact_ros.collision.spatial.query import Corner, Query
from symcontact_ros.collision.spatial.vectors import (
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
    plus,
    times,
    Vector,
)
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.records import Rows

HUGE = 1e300
FLAT = 1e-13  # of the scale: what is thinner has no direction but that of its rounding
ON_AXIS = 1e-14  # a direction this close to a cylinder's axis has a farthest disc, not a point


def support(solid: SpatialSolid, direction: Vector) -> tuple[Vector, int]:
    """
    Return the point of a core that is farthest along a direction, and the id of its feature.

    Both are in the frame of the shape. The feature is a vertex, or the end of a cylinder (-1
    above, -2 below), whose points differ from each other by a smooth function of the direction.
    """
    core = solid.core
    if core == HULL:
        vertex = _farthest_vertex(solid.vertices, direction)
        return solid.vertices[vertex].position, vertex
    if core == POINT:
        return solid.centre, 0
    size = solid.size
    x, y, z = 0.0, 0.0, size[2]
    feature = 0
    if direction[2] < 0.0:
        z = -z
        feature = 4
    if core == BOX:
        x, y = size[0], size[1]
        if direction[0] < 0.0:
            x = -x
            feature += 1
        if direction[1] < 0.0:
            y = -y
            feature += 2
    elif core == CYLINDER:
        x, y = _on_the_rim(size[0], direction)
        feature = -1 if feature == 0 else -2
    return plus(solid.centre, (x, y, z)), feature


def _farthest_vertex(vertices: Rows[Vertex], direction: Vector) -> int:
    """Return the vertex that is farthest along a direction, the first of equal ones."""
    best, farthest = 0, -HUGE
    for vertex in range(len(vertices)):
        height = dot(vertices[vertex].position, direction)
        if height > farthest:
            best, farthest = vertex, height
    return best


def _on_the_rim(radius: float, direction: Vector) -> tuple[float, float]:
    """Return the point of a circle around z that is farthest along a direction."""
    length = math.sqrt(direction[0] * direction[0] + direction[1] * direction[1])
    if length <= ON_AXIS * abs(direction[2]):
        return radius, 0.0
    return direction[0] * (radius / length), direction[1] * (radius / length)


def keep_pose(a: SpatialSolid, b: SpatialSolid, frame_b_in_a: Frame, query: Query) -> None:
    """Keep B's axes and centre in A's axes from A's centre, and what tolerances relate to [m]."""
    query.scale = a.reach - a.radius + (b.reach - b.radius)
    x, y, z, _ = frame_b_in_a
    query.pose = x, y, z, minus(placed(frame_b_in_a, b.centre), a.centre)


@separate
def difference_support(
    a: SpatialSolid, b: SpatialSolid, query: Query, direction: Vector, corner: Corner
) -> Vector:
    """Return the point of the difference farthest along a direction; keep it in a corner."""
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


def place_again(query: Query, corner: Corner) -> None:
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


def set_weights(query: Query, weights: Vector) -> None:
    """Weigh the first three corners of the simplex."""
    for i, weight in enumerate(weights):
        query.weights[i] = weight


def weighted(query: Query, count: int) -> Vector:
    """Return the point that the first corners of the simplex give by their weights."""
    total = (0.0, 0.0, 0.0)
    for i in range(count):
        total = along(total, query.weights[i], query.simplex[i].point)
    return total


def weighted_a(query: Query, count: int) -> Vector:
    """Return the point of A that goes with the point that `weighted` returns."""
    total = (0.0, 0.0, 0.0)
    for i in range(count):
        total = along(total, query.weights[i], query.simplex[i].point_a)
    return total


@separate
def first_tetrahedron(
    a: SpatialSolid, b: SpatialSolid, query: Query, count: int
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


def _second_corner(a: SpatialSolid, b: SpatialSolid, query: Query) -> Vector:
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


def _third_corner(a: SpatialSolid, b: SpatialSolid, query: Query, edge: Vector) -> Vector:
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


def _fourth_corner(a: SpatialSolid, b: SpatialSolid, query: Query, normal: Vector) -> float:
    """Put the fourth corner far from the plane of three; return its signed height over it."""
    first = query.polyhedron.corners[0].point
    fourth = query.polyhedron.corners[3]
    above = dot(normal, minus(difference_support(a, b, query, normal, fourth), first))
    below = minus(difference_support(a, b, query, opposite(normal), query.spare), first)
    depth = dot(normal, below)
    if -depth > above:
        copy_corner(query.spare, fourth)
        return depth
    return above
