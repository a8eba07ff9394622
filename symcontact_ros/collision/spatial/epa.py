"""
Depth of an overlap of two cores by the expanding polytope algorithm.

A polytope inside the difference grows towards the boundary where that is nearest to the origin:
its nearest face either lies on the boundary, or the farthest point along the normal becomes a
corner. Distances of faces are signed, so the origin may as well lie outside: overlap, touching
and a hair apart take one path.
"""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision.spatial.differences import (
    copy_corner,
    difference_support,
    first_tetrahedron,
    HUGE,
    set_weights,
)
from symcontact_ros.collision.spatial.epa_polyhedron import (
    first_faces,
    is_loop,
    nearest_face,
    points_of,
    put_fan,
    rim_of,
    see,
)
from symcontact_ros.collision.spatial.gjk import TOLERANCE
from symcontact_ros.collision.spatial.query_memory import QueryMemory
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import (
    along,
    cross,
    dot,
    minus,
    opposite,
    times,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid

# status, upper and lower bound of the depth [m], unit normal outwards, nearest face, faces
Expansion: TypeAlias = tuple[int, float, float, Vector, int, int]

# Of a polyhedron: curved shapes either need few corners or no number of them is enough.
MOST_CORNERS_CURVED = 96
ON_BOUNDARY, FLAT_DIFFERENCE, CAPPED, BROKEN = range(4)  # how an expansion ended


@separate
def expand(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, count: int, cap: int
) -> Expansion:
    """
    Grow a polytope until its nearest face is on the boundary of the difference.

    Parameters
    ----------
    a, b, query
        The shapes and the memory of the query, with the pose and the simplex in it.
    count
        Corners of the simplex.
    cap
        Corners after which to give up.

    Returns
    -------
    status
        ON_BOUNDARY, FLAT_DIFFERENCE, CAPPED or BROKEN.
    upper
        Of the depth: how far the difference reaches along the normal [m].
    lower
        Bound of the depth: the distance of the nearest face [m].
    normal
        Unit normal of the difference, outwards: from B to A.
    face, faces
        The nearest one, if it is on the boundary; how many there are.
    """
    height, normal = first_tetrahedron(a, b, query, count)
    polyhedron = query.polyhedron
    if height == 0.0:
        first = polyhedron.corners[0].point
        if dot(normal, first) > 0.0:
            normal = opposite(normal)
        offset = dot(normal, first)
        return FLAT_DIFFERENCE, offset, offset, normal, 0, 0
    first_faces(query, height)
    faces = 4
    upper, lower = HUGE, -HUGE
    for corner in range(4, cap):
        face = nearest_face(polyhedron, faces)
        if face < 0:
            return BROKEN, upper, lower, normal, 0, 0
        plane = polyhedron.planes[face]
        direction, distance = plane.normal, plane.distance
        lower = max(lower, distance)
        point = difference_support(a, b, query, direction, polyhedron.corners[corner])
        reach = dot(direction, point)
        # Only the face's own reach counts: by the best so far, the points would be of another.
        if reach - distance <= TOLERANCE * query.scale:
            return ON_BOUNDARY, reach, lower, direction, face, faces
        if reach < upper:
            upper, normal = reach, direction
        seen = see(query, face, point)
        rim = rim_of(polyhedron, seen)
        if not is_loop(polyhedron, rim):
            return BROKEN, upper, lower, normal, 0, 0
        faces = put_fan(query, seen, rim, corner, faces)
    return CAPPED, upper, lower, normal, 0, 0


@separate
def take_face(query: QueryMemory, face: int, faces: int) -> None:
    """
    Make a face of a polytope the simplex, weighed to give the origin's foot on its plane.

    Of several faces on one plane, any may be the nearest; the one that holds the foot is taken.
    """
    polyhedron = query.polyhedron
    planes = polyhedron.planes
    normal, distance = planes[face].normal, planes[face].distance
    tolerance = TOLERANCE * query.scale
    foot = times(distance, normal)
    _, weights, inside = _weigh_face(points_of(polyhedron, face), foot, normal)
    best = face
    for other in range(faces if inside < 0.0 else 0):
        if planes[other].distance <= distance + tolerance:
            corners = points_of(polyhedron, other)
            below, other_weights, other_inside = _weigh_face(corners, foot, normal)
            if other_inside > inside and below <= tolerance:
                best, inside, weights = other, other_inside, other_weights
    for i, corner in enumerate(polyhedron.faces[best].corners):
        copy_corner(polyhedron.corners[corner], query.simplex[i])
    set_weights(query, weights)


@separate
def _weigh_face(
    corners: tuple[Vector, Vector, Vector], foot: Vector, normal: Vector
) -> tuple[float, Vector, float]:
    """
    Weigh the corners of a face to give a point, as seen along a normal.

    Returns
    -------
    below
        How far below the point it is that the corners give [m].
    weights
        Of the corners; none is negative.
    inside
        The least weight, negative if the point is outside of the face.
    """
    p, q, r = minus(corners[0], foot), minus(corners[1], foot), minus(corners[2], foot)
    of_p, of_q, of_r = dot(cross(q, r), normal), dot(cross(r, p), normal), dot(cross(p, q), normal)
    area = of_p + of_q + of_r
    if area <= 0.0:  # on edge
        return HUGE, (1.0, 0.0, 0.0), -HUGE
    inside = min(of_p, of_q, of_r) / area
    of_p, of_q, of_r = max(of_p, 0.0), max(of_q, 0.0), max(of_r, 0.0)
    area = of_p + of_q + of_r
    weights = (of_p / area, of_q / area, of_r / area)
    given = along(along(times(weights[0], p), weights[1], q), weights[2], r)
    return -dot(given, normal), weights, inside
