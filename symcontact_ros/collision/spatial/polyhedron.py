"""
A polyhedron of triangles that grows corner by corner, for the expanding polytope algorithm.

A new corner takes the place of the faces that see it: they go, and a fan from their rim to the
corner comes.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.spatial.supports import copy_row, CORNERS, FLAT, HUGE, ROW, SCALE
from symcontact_ros.collision.spatial.vectors import (
    cross,
    dot,
    keep,
    minus,
    times,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import integers, Memory, separate

MOST_CORNERS = 192
MOST_FACES = 2 * MOST_CORNERS  # Euler: a corner more is two faces more

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


def first_faces(work: Memory, height: float) -> None:
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


def nearest_face(work: Memory, faces: int) -> int:
    """Return the face whose plane is nearest to the origin, -1 if there are only slivers."""
    nearest, distance = -1, 0.1 * HUGE
    place = PLANES + 3
    for face in range(faces):
        if work[place] < distance:
            nearest, distance = face, work[place]
        place += PLANE
    return nearest


@separate
def see(work: Memory, face: int, point: Vector) -> int:
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


def rim_of(work: Memory, seen: int) -> tuple[int, int]:
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


def is_loop(work: Memory, rim: tuple[int, int]) -> bool:
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
def put_fan(work: Memory, seen: int, rim: tuple[int, int], corner: int, faces: int) -> int:
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
