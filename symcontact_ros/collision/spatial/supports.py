"""
Farthest points of cores and of differences of cores; how the work memory of a query is laid out.

A query knows two cores only by their farthest points along directions. Two cores meet where
their difference, the set of all b - a, holds the origin; the distance of the cores is that of
the difference from the origin. All is seen in A's axes from A's centre, and B's points from B's
centre, so that nothing is lost when a core lies far from the origin of its frame.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.layout import (
    BOX,
    CENTRE,
    CORE,
    CYLINDER,
    HULL,
    MESH_VERTICES,
    POINT,
    RADIUS,
    REACH,
    SIZE,
    VERTEX_COUNT,
)
from symcontact_ros.collision.spatial.vectors import (
    along,
    cross,
    direction_in,
    dot,
    FRAME,
    Frame,
    frame_at,
    keep,
    minus,
    norm,
    opposite,
    perpendicular,
    placed,
    plus,
    times,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import Memory, separate

# A row is a point of the difference: itself, the points of A and of B that it is made of, each
# from its own centre and in its own axes, and the ids of their features.
ROW = 11
POINT_A = 3
POINT_B = 6
FEATURE_A = 9
FEATURE_B = 10
NO_FEATURE = -9.0  # of a row that is inside the difference, not on its boundary

# Work memory: B's axes and centre as A has them, the size of the difference, the rows of a
# simplex, their weights, and the corners of a polytope inside the difference.
POSE = 0
SCALE = POSE + FRAME
SIMPLEX = SCALE + 1
SPARE = SIMPLEX + 4 * ROW  # a row for tries
WEIGHTS = SPARE + ROW
CORNERS = WEIGHTS + 4

HUGE = 1e300
FLAT = 1e-13  # of the scale: what is thinner has no direction but that of its rounding
ON_AXIS = 1e-14  # a direction this close to a cylinder's axis has a farthest disc, not a point


def support(shape: Memory, direction: Vector) -> tuple[Vector, int]:
    """
    Return the point of a core that is farthest along a direction, and the id of its feature.

    Both are in the frame of the shape. The feature is a vertex, or the end of a cylinder (-1
    above, -2 below), whose points differ from each other by a smooth function of the direction.
    """
    core = int(shape[CORE])
    if core == HULL:
        vertex = _farthest_vertex(shape, direction)
        return vector_at(shape, MESH_VERTICES + 3 * vertex), vertex
    if core == POINT:
        return vector_at(shape, CENTRE), 0
    x, y, z = 0.0, 0.0, shape[SIZE + 2]
    feature = 0
    if direction[2] < 0.0:
        z = -z
        feature = 4
    if core == BOX:
        x, y = shape[SIZE], shape[SIZE + 1]
        if direction[0] < 0.0:
            x = -x
            feature += 1
        if direction[1] < 0.0:
            y = -y
            feature += 2
    elif core == CYLINDER:
        x, y = _on_the_rim(shape[SIZE], direction)
        feature = -1 if feature == 0 else -2
    return plus(vector_at(shape, CENTRE), (x, y, z)), feature


def _farthest_vertex(shape: Memory, direction: Vector) -> int:
    """Return the vertex of a hull that is farthest along a direction, the first of equal ones."""
    best, farthest = 0, -HUGE
    place = MESH_VERTICES
    for vertex in range(int(shape[VERTEX_COUNT])):
        height = dot(vector_at(shape, place), direction)
        place += 3
        if height > farthest:
            best, farthest = vertex, height
    return best


def _on_the_rim(radius: float, direction: Vector) -> tuple[float, float]:
    """Return the point of a circle around z that is farthest along a direction."""
    length = math.sqrt(direction[0] * direction[0] + direction[1] * direction[1])
    if length <= ON_AXIS * abs(direction[2]):
        return radius, 0.0
    return direction[0] * (radius / length), direction[1] * (radius / length)


def keep_pose(a: Memory, b: Memory, frame_b_in_a: Frame, work: Memory) -> None:
    """Keep B's axes and centre in A's axes from A's centre, and what tolerances relate to [m]."""
    work[SCALE] = a[REACH] - a[RADIUS] + (b[REACH] - b[RADIUS])
    centre = placed(frame_b_in_a, vector_at(b, CENTRE))
    keep(work, POSE, frame_b_in_a[0])
    keep(work, POSE + 3, frame_b_in_a[1])
    keep(work, POSE + 6, frame_b_in_a[2])
    keep(work, POSE + 9, minus(centre, vector_at(a, CENTRE)))


@separate
def difference_support(
    a: Memory, b: Memory, work: Memory, direction: Vector, place: int
) -> Vector:
    """Return the point of the difference farthest along a direction; keep its row at a place."""
    frame = frame_at(work, POSE)
    point_a, feature_a = support(a, opposite(direction))
    point_b, feature_b = support(b, direction_in(frame, direction))
    point_a = minus(point_a, vector_at(a, CENTRE))
    point_b = minus(point_b, vector_at(b, CENTRE))
    point = minus(placed(frame, point_b), point_a)
    keep(work, place, point)
    keep(work, place + POINT_A, point_a)
    keep(work, place + POINT_B, point_b)
    work[place + FEATURE_A] = float(feature_a)
    work[place + FEATURE_B] = float(feature_b)
    return point


def place_again(work: Memory, place: int) -> None:
    """Compute a row's point anew from its points of A and B, after either has moved."""
    point_b = placed(frame_at(work, POSE), vector_at(work, place + POINT_B))
    keep(work, place, minus(point_b, vector_at(work, place + POINT_A)))


@separate
def copy_row(work: Memory, source: int, target: int) -> None:
    """Copy a row from a place to another."""
    for column in range(ROW):
        work[target + column] = work[source + column]


def weighted(work: Memory, count: int, column: int) -> Vector:
    """Return the weighted sum of vectors in the first rows of the simplex."""
    total = (0.0, 0.0, 0.0)
    for row in range(count):
        total = along(total, work[WEIGHTS + row], vector_at(work, SIMPLEX + ROW * row + column))
    return total


@separate
def first_tetrahedron(a: Memory, b: Memory, work: Memory, count: int) -> tuple[float, Vector]:
    """
    Make four points of the difference the first corners of a polytope.

    Parameters
    ----------
    a, b, work
        The shapes and the memory of the query.
    count
        How many rows of the simplex are points of the difference. They are taken if they are
        four and enclose a volume.

    Returns
    -------
    height
        Of the fourth corner over the other three [m], signed; 0 if the difference is flat.
    normal
        Unit normal of the first three corners; of the flat, if it is one.
    """
    scale = work[SCALE]
    for row in range(count):
        copy_row(work, SIMPLEX + ROW * row, CORNERS + ROW * row)
    if count == 0:
        difference_support(a, b, work, (1.0, 0.0, 0.0), CORNERS)
    if count == 4:
        height, normal = _height_of_fourth(work)
        if abs(height) > 1e-9 * scale:
            return height, normal
    edge = _second_corner(a, b, work)
    if dot(edge, edge) <= FLAT * FLAT * scale * scale:
        return 0.0, (0.0, 0.0, 1.0)
    normal = _third_corner(a, b, work, edge)
    area = norm(normal)
    if area <= FLAT * scale * scale:
        side = perpendicular(edge)
        return 0.0, times(1.0 / norm(side), side)
    normal = times(1.0 / area, normal)
    height = _fourth_corner(a, b, work, normal)
    if abs(height) <= FLAT * scale:
        height = 0.0
    return height, normal


def _height_of_fourth(work: Memory) -> tuple[float, Vector]:
    """Return how high the fourth corner is over the plane of three, and its unit normal."""
    first = vector_at(work, CORNERS)
    normal = cross(
        minus(vector_at(work, CORNERS + ROW), first),
        minus(vector_at(work, CORNERS + 2 * ROW), first),
    )
    length = norm(normal)
    if length <= 0.0:
        return 0.0, normal
    normal = times(1.0 / length, normal)
    return dot(normal, minus(vector_at(work, CORNERS + 3 * ROW), first)), normal


def _second_corner(a: Memory, b: Memory, work: Memory) -> Vector:
    """Put the second corner far from the first; return the edge between them."""
    first = vector_at(work, CORNERS)
    edge = (0.0, 0.0, 0.0)
    for axis in range(6):
        way = 1.0 if axis < 3 else -1.0
        x = way if axis % 3 == 0 else 0.0
        y = way if axis % 3 == 1 else 0.0
        z = way if axis % 3 == 2 else 0.0
        other = minus(difference_support(a, b, work, (x, y, z), SPARE), first)
        if dot(other, other) > dot(edge, edge):
            edge = other
            copy_row(work, SPARE, CORNERS + ROW)
    return edge


def _third_corner(a: Memory, b: Memory, work: Memory, edge: Vector) -> Vector:
    """Put the third corner far from an edge; return the normal, as long as the area is large."""
    first = vector_at(work, CORNERS)
    side = perpendicular(edge)
    across = times(1.0 / norm(edge), cross(edge, side))
    normal = (0.0, 0.0, 0.0)
    for turn in range(4):
        direction = side if turn % 2 == 0 else across
        direction = direction if turn < 2 else opposite(direction)
        other = minus(difference_support(a, b, work, direction, SPARE), first)
        area = cross(edge, other)
        if dot(area, area) > dot(normal, normal):
            normal = area
            copy_row(work, SPARE, CORNERS + 2 * ROW)
    return normal


def _fourth_corner(a: Memory, b: Memory, work: Memory, normal: Vector) -> float:
    """Put the fourth corner far from the plane of three; return its signed height over it."""
    first = vector_at(work, CORNERS)
    place = CORNERS + 3 * ROW
    above = dot(normal, minus(difference_support(a, b, work, normal, place), first))
    below = dot(normal, minus(difference_support(a, b, work, opposite(normal), SPARE), first))
    if -below > above:
        copy_row(work, SPARE, place)
        return below
    return above
