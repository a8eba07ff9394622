"""
Polyhedron of triangles that grows corner by corner, for the expanding polytope algorithm.

A new corner takes the place of the faces that see it: they go, and a fan from their rim to the
corner comes.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.spatial.differences import copy_corner, FLAT, HUGE
from symcontact_ros.collision.spatial.query_memory import Face, Polyhedron, QueryMemory, Three
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import cross, dot, minus, times, Vector

DEAD, ALIVE, VISIBLE = range(3)  # states of faces


def first_faces(query: QueryMemory, height: float) -> None:
    """Make the four faces of the first tetrahedron."""
    polyhedron = query.polyhedron
    corners = polyhedron.corners
    if height > 0.0:  # the first face points away from the fourth corner
        copy_corner(corners[0], query.spare)
        copy_corner(corners[1], corners[0])
        copy_corner(query.spare, corners[1])
    _set_face(polyhedron, 0, (0, 1, 2), (1, 2, 3))
    _set_face(polyhedron, 1, (0, 3, 1), (3, 2, 0))
    _set_face(polyhedron, 2, (1, 3, 2), (1, 3, 0))
    _set_face(polyhedron, 3, (2, 3, 0), (2, 1, 0))
    for face in range(4):
        _set_plane(query, face, face)


def _set_face(polyhedron: Polyhedron, number: int, corners: Three, neighbours: Three) -> None:
    """Make a face that is alive."""
    face = polyhedron.faces[number]
    face.corners = corners
    face.neighbours = neighbours
    polyhedron.states[number] = ALIVE


def _set_neighbour(face: Face, corner: int, neighbour: int) -> None:
    """Put another face across the edge that starts at a corner."""
    p, q, r = face.corners
    of_p, of_q, of_r = face.neighbours
    face.neighbours = (
        neighbour if p == corner else of_p,
        neighbour if q == corner else of_q,
        neighbour if r == corner else of_r,
    )


@separate
def _set_plane(query: QueryMemory, face: int, neighbour: int) -> None:
    """Compute the plane of a face; a sliver takes its neighbour's and is never the nearest."""
    thin = FLAT * query.scale
    planes = query.polyhedron.planes
    plane = planes[face]
    p, q, r = points_of(query.polyhedron, face)
    first, second, third = minus(q, p), minus(r, p), minus(r, q)
    normal = cross(first, second)
    area2 = dot(normal, normal)
    longest2 = max(dot(first, first), dot(second, second), dot(third, third))
    if area2 <= thin * thin * longest2 or area2 <= 0.0:
        plane.normal = planes[neighbour].normal
        plane.distance = HUGE
        return
    normal = times(1.0 / math.sqrt(area2), normal)
    plane.normal = normal
    plane.distance = max(dot(normal, p), dot(normal, q), dot(normal, r))


def points_of(polyhedron: Polyhedron, face: int) -> tuple[Vector, Vector, Vector]:
    """Return the corners of a face."""
    corners = polyhedron.corners
    p, q, r = polyhedron.faces[face].corners
    return corners[p].point, corners[q].point, corners[r].point


def nearest_face(polyhedron: Polyhedron, faces: int) -> int:
    """Return the face whose plane is nearest to the origin, -1 if there are only slivers."""
    nearest, distance = -1, 0.1 * HUGE
    planes = polyhedron.planes
    for face in range(faces):
        if planes[face].distance < distance:
            nearest, distance = face, planes[face].distance
    return nearest


@separate
def see(query: QueryMemory, face: int, point: Vector) -> int:
    """List the faces that see a point, from one of them on; return how many they are."""
    polyhedron = query.polyhedron
    corners, planes = polyhedron.corners, polyhedron.planes
    faces, states, seen = polyhedron.faces, polyhedron.states, polyhedron.seen
    thin = 0.1 * FLAT * query.scale
    states[face] = VISIBLE
    seen[0] = face
    count, done = 1, 0
    while done < count:
        neighbours = faces[seen[done]].neighbours
        done += 1
        for other in neighbours:
            if states[other] != ALIVE:
                continue
            corner = corners[faces[other].corners[0]].point
            if dot(planes[other].normal, minus(point, corner)) > thin:
                states[other] = VISIBLE
                seen[count] = other
                count += 1
    return count


def rim_of(polyhedron: Polyhedron, seen: int) -> tuple[int, int]:
    """Keep the edges around the visible faces; return how many, and a corner on them."""
    faces = polyhedron.faces
    edges, first = 0, 0
    for i in range(seen):
        face = faces[polyhedron.seen[i]]
        p, q, r = face.corners
        of_p, of_q, of_r = face.neighbours
        for start, end, other in ((p, q, of_p), (q, r, of_q), (r, p, of_r)):
            if polyhedron.states[other] == ALIVE:
                polyhedron.rim_ends[start] = end
                polyhedron.rim_faces[start] = other
                edges, first = edges + 1, start
    return edges, first


def is_loop(polyhedron: Polyhedron, rim: tuple[int, int]) -> bool:
    """Return whether the rim is one loop, as it is but for rounding."""
    edges, first = rim
    corner, steps = first, 0
    while steps < edges:
        corner = polyhedron.rim_ends[corner]
        steps += 1
        if corner == first:
            break
    return edges >= 3 and steps == edges and corner == first


@separate
def put_fan(query: QueryMemory, seen: int, rim: tuple[int, int], corner: int, count: int) -> int:
    """Put a fan from the rim to a new corner in place of the visible faces; count the faces."""
    polyhedron = query.polyhedron
    faces = polyhedron.faces
    free = polyhedron.seen  # places for the faces of the fan: first those of the faces that go
    edges, start = rim
    for i in range(edges, seen):
        polyhedron.states[free[i]] = DEAD
        polyhedron.planes[free[i]].distance = HUGE
    for i in range(seen, edges):
        free[i] = count
        count += 1
    for i in range(edges):
        face = free[i]
        following = free[i + 1 if i + 1 < edges else 0]
        preceding = free[i - 1 if i > 0 else edges - 1]
        end, outside = polyhedron.rim_ends[start], polyhedron.rim_faces[start]
        _set_face(polyhedron, face, (start, end, corner), (outside, following, preceding))
        _set_neighbour(faces[outside], end, face)
        _set_plane(query, face, outside)
        start = end
    return count
