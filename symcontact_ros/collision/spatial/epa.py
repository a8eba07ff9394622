"""
Depth of an overlap of two cores by the expanding polytope algorithm.

A polytope inside the difference grows towards the boundary where that is nearest to the origin:
its nearest face either lies on the boundary, or the farthest point along the normal becomes a
corner. Distances of faces are signed, so the origin may as well lie outside: overlap, touching
and a hair apart take one path.
"""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision.spatial.gjk import TOLERANCE
from symcontact_ros.collision.spatial.polyhedron import (
    FACE,
    FACES,
    first_faces,
    is_loop,
    nearest_face,
    PLANE,
    PLANES,
    put_fan,
    rim_of,
    see,
)
from symcontact_ros.collision.spatial.supports import (
    copy_row,
    CORNERS,
    difference_support,
    first_tetrahedron,
    HUGE,
    ROW,
    SCALE,
    SIMPLEX,
    WEIGHTS,
)
from symcontact_ros.collision.spatial.vectors import (
    along,
    cross,
    dot,
    minus,
    opposite,
    times,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import integers, Memory, separate

# status, upper and lower bound of the depth [m], unit normal outwards, nearest face, faces
Expansion: TypeAlias = tuple[int, float, float, Vector, int, int]

# Of a polyhedron: curved shapes either need few corners or no number of them is enough.
MOST_CORNERS_CURVED = 96
PROVEN, FLAT_DIFFERENCE, CAPPED, BROKEN = range(4)  # how an expansion ended


@separate
def expand(a: Memory, b: Memory, work: Memory, count: int, cap: int) -> Expansion:
    """
    Grow a polytope until its nearest face is on the boundary of the difference.

    Parameters
    ----------
    a, b, work
        The shapes and the memory of the query, with the pose and the simplex in it.
    count
        Rows of the simplex.
    cap
        Corners after which to give up.

    Returns
    -------
    status
        PROVEN, FLAT_DIFFERENCE, CAPPED or BROKEN.
    upper
        Of the depth: how far the difference reaches along the normal [m].
    lower
        Bound of the depth: the distance of the nearest face [m].
    normal
        Unit normal of the difference, outwards: from B to A.
    face, faces
        The nearest one, if it is proven; how many there are.
    """
    height, normal = first_tetrahedron(a, b, work, count)
    if height == 0.0:
        if dot(normal, vector_at(work, CORNERS)) > 0.0:
            normal = opposite(normal)
        offset = dot(normal, vector_at(work, CORNERS))
        return FLAT_DIFFERENCE, offset, offset, normal, 0, 0
    first_faces(work, height)
    faces = 4
    upper, lower = HUGE, -HUGE
    for corner in range(4, cap):
        face = nearest_face(work, faces)
        if face < 0:
            return BROKEN, upper, lower, normal, 0, 0
        direction = vector_at(work, PLANES + PLANE * face)
        distance = work[PLANES + PLANE * face + 3]
        lower = max(lower, distance)
        point = difference_support(a, b, work, direction, CORNERS + ROW * corner)
        reach = dot(direction, point)
        # Only the face's own reach counts: by the best so far, the points would be of another.
        if reach - distance <= TOLERANCE * work[SCALE]:
            return PROVEN, reach, lower, direction, face, faces
        if reach < upper:
            upper, normal = reach, direction
        seen = see(work, face, point)
        rim = rim_of(work, seen)
        if not is_loop(work, rim):
            return BROKEN, upper, lower, normal, 0, 0
        faces = put_fan(work, seen, rim, corner, faces)
    return CAPPED, upper, lower, normal, 0, 0


@separate
def take_face(work: Memory, face: int, faces: int) -> None:
    """
    Make a face of a polytope the simplex, weighed to give the origin's foot on its plane.

    Of several faces on one plane, any may be the nearest; the one that holds the foot is taken.
    """
    normal = vector_at(work, PLANES + PLANE * face)
    distance = work[PLANES + PLANE * face + 3]
    tolerance = TOLERANCE * work[SCALE]
    foot = times(distance, normal)
    _, weights, inside = _weigh_face(work, face, foot, normal)
    best = face
    for other in range(faces if inside < 0.0 else 0):
        if work[PLANES + PLANE * other + 3] <= distance + tolerance:
            below, other_weights, other_inside = _weigh_face(work, other, foot, normal)
            if other_inside > inside and below <= tolerance:
                best, inside, weights = other, other_inside, other_weights
    cells = integers(work)
    for side in range(3):
        corner = cells[FACES + FACE * best + side]
        copy_row(work, CORNERS + ROW * corner, SIMPLEX + ROW * side)
        work[WEIGHTS + side] = weights[side]


@separate
def _weigh_face(
    work: Memory, face: int, foot: Vector, normal: Vector
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
    cells = integers(work)
    p = minus(vector_at(work, CORNERS + ROW * cells[FACES + FACE * face]), foot)
    q = minus(vector_at(work, CORNERS + ROW * cells[FACES + FACE * face + 1]), foot)
    r = minus(vector_at(work, CORNERS + ROW * cells[FACES + FACE * face + 2]), foot)
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
