"""
Depth of an overlap of two cores by the expanding polytope algorithm.

A polytope inside the difference grows towards the boundary where that is nearest to the origin:
its nearest face either lies on the boundary, or the farthest point along the normal becomes a
corner. Distances of faces are signed, so the origin may as well lie outside: overlap, touching
and a hair apart take one path.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from symcontact_ros.collision.spatial.gjk import TOLERANCE
from symcontact_ros.collision.spatial.supports import (
    copy_row,
    CORNERS,
    difference_support,
    first_tetrahedron,
    FLAT,
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
    keep,
    minus,
    opposite,
    times,
    Vector,
    vector_at,
)
from symcontact_ros.memory import integers, Memory, separate

# status, upper and lower bound of the depth [m], unit normal outwards, nearest face, faces
Expansion: TypeAlias = tuple[int, float, float, Vector, int, int]

MOST_CORNERS = 192
MOST_FACES = 2 * MOST_CORNERS  # Euler: a corner more is two faces more
# Curved shapes either need few corners or no number of them is enough.
MOST_CORNERS_CURVED = 96

# After the corners: planes (unit normal, distance; a dead face is HUGE away), and as integers:
# faces (3 corners, counter-clockwise from outside; 3 neighbours, each across the edge from its
# corner to the next; state), the faces that see a new corner, and the rim of these as, for each
# corner on it, the next one and the face outside.
PLANE = 4
PLANES = CORNERS + ROW * MOST_CORNERS
FACE = 8
NEIGHBOURS = 3
STATE = 6
FACES = PLANES + PLANE * MOST_FACES
SEEN = FACES + FACE * MOST_FACES
RIM_NEXT = SEEN + MOST_FACES
RIM_FACE = RIM_NEXT + MOST_CORNERS
WORK = RIM_FACE + MOST_CORNERS

DEAD, ALIVE, VISIBLE = range(3)  # states of faces
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
    _first_faces(work, height)
    faces = 4
    upper, lower = HUGE, -HUGE
    for corner in range(4, cap):
        face = _nearest_face(work, faces)
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
        seen = _see(work, face, point)
        rim = _rim(work, seen)
        if not _is_loop(work, rim):
            return BROKEN, upper, lower, normal, 0, 0
        faces = _fan(work, seen, rim, corner, faces)
    return CAPPED, upper, lower, normal, 0, 0


def _first_faces(work: Memory, height: float) -> None:
    """Make the four faces of the first tetrahedron."""
    cells = integers(work)
    if height > 0.0:  # the first face looks away from the fourth corner
        copy_row(work, CORNERS, CORNERS + 4 * ROW)
        copy_row(work, CORNERS + ROW, CORNERS)
        copy_row(work, CORNERS + 4 * ROW, CORNERS + ROW)
    _set_face(cells, 0, (0, 1, 2), (1, 2, 3))
    _set_face(cells, 1, (0, 3, 1), (3, 2, 0))
    _set_face(cells, 2, (1, 3, 2), (1, 3, 0))
    _set_face(cells, 3, (2, 3, 0), (2, 1, 0))
    for face in range(4):
        _set_plane(work, face, face)


def _set_face(
    cells: Memory, face: int, corners: tuple[int, int, int], neighbours: tuple[int, int, int]
) -> None:
    """Make a face that is alive."""
    place = FACES + FACE * face
    for side in range(3):
        cells[place + side] = corners[side]
        cells[place + NEIGHBOURS + side] = neighbours[side]
    cells[place + STATE] = ALIVE


@separate
def _set_plane(work: Memory, face: int, neighbour: int) -> None:
    """Compute the plane of a face; a sliver takes its neighbour's and is never the nearest."""
    cells = integers(work)
    thin = FLAT * work[SCALE]
    place = PLANES + PLANE * face
    p = vector_at(work, CORNERS + ROW * cells[FACES + FACE * face])
    q = vector_at(work, CORNERS + ROW * cells[FACES + FACE * face + 1])
    r = vector_at(work, CORNERS + ROW * cells[FACES + FACE * face + 2])
    first, second, third = minus(q, p), minus(r, p), minus(r, q)
    normal = cross(first, second)
    area2 = dot(normal, normal)
    longest2 = max(dot(first, first), dot(second, second), dot(third, third))
    if area2 <= thin * thin * longest2 or area2 <= 0.0:
        keep(work, place, vector_at(work, PLANES + PLANE * neighbour))
        work[place + 3] = HUGE
        return
    normal = times(1.0 / math.sqrt(area2), normal)
    keep(work, place, normal)
    work[place + 3] = max(dot(normal, p), dot(normal, q), dot(normal, r))


def _nearest_face(work: Memory, faces: int) -> int:
    """Return the face whose plane is nearest to the origin, -1 if there are only slivers."""
    nearest, distance = -1, 0.1 * HUGE
    place = PLANES + 3
    for face in range(faces):
        if work[place] < distance:
            nearest, distance = face, work[place]
        place += PLANE
    return nearest


@separate
def _see(work: Memory, face: int, point: Vector) -> int:
    """List the faces that see a point, from one of them on; return how many they are."""
    cells = integers(work)
    thin = 0.1 * FLAT * work[SCALE]
    cells[FACES + FACE * face + STATE] = VISIBLE
    cells[SEEN] = face
    seen, done = 1, 0
    while done < seen:
        place = FACES + FACE * cells[SEEN + done]
        done += 1
        for side in range(3):
            other = cells[place + NEIGHBOURS + side]
            if cells[FACES + FACE * other + STATE] != ALIVE:
                continue
            corner = vector_at(work, CORNERS + ROW * cells[FACES + FACE * other])
            normal = vector_at(work, PLANES + PLANE * other)
            if dot(normal, minus(point, corner)) > thin:
                cells[FACES + FACE * other + STATE] = VISIBLE
                cells[SEEN + seen] = other
                seen += 1
    return seen


def _rim(work: Memory, seen: int) -> tuple[int, int]:
    """Keep the edges around the visible faces; return how many, and a corner on them."""
    cells = integers(work)
    edges, first = 0, 0
    for index in range(seen):
        place = FACES + FACE * cells[SEEN + index]
        for side in range(3):
            other = cells[place + NEIGHBOURS + side]
            if cells[FACES + FACE * other + STATE] == ALIVE:
                first = cells[place + side]
                cells[RIM_NEXT + first] = cells[place + (side + 1) % 3]
                cells[RIM_FACE + first] = other
                edges += 1
    return edges, first


def _is_loop(work: Memory, rim: tuple[int, int]) -> bool:
    """Return whether the rim is one loop, as it is but for rounding."""
    cells = integers(work)
    edges, first = rim
    corner, steps = first, 0
    while steps < edges:
        corner = cells[RIM_NEXT + corner]
        steps += 1
        if corner == first:
            break
    return edges >= 3 and steps == edges and corner == first


@separate
def _fan(work: Memory, seen: int, rim: tuple[int, int], corner: int, faces: int) -> int:
    """Put a fan from the rim to a new corner in place of the visible faces; count the faces."""
    cells = integers(work)
    edges, start = rim
    for index in range(edges, seen):
        face = cells[SEEN + index]
        cells[FACES + FACE * face + STATE] = DEAD
        work[PLANES + PLANE * face + 3] = HUGE
    for index in range(seen, edges):
        cells[SEEN + index] = faces
        faces += 1
    for index in range(edges):
        face = cells[SEEN + index]
        following = cells[SEEN + (index + 1) % edges]
        preceding = cells[SEEN + (index + edges - 1) % edges]
        end = cells[RIM_NEXT + start]
        outside = cells[RIM_FACE + start]
        _set_face(cells, face, (start, end, corner), (outside, following, preceding))
        for side in range(3):
            if cells[FACES + FACE * outside + side] == end:
                cells[FACES + FACE * outside + NEIGHBOURS + side] = face
        _set_plane(work, face, outside)
        start = end
    return faces


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
