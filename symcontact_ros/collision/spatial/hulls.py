"""
Separating axes of two hulls of few faces: their faces, and the edges that meet on the Gauss map.

On the Gauss map a face is a point of the unit sphere and an edge the arc between its two faces.
Two edges make a face of the Minkowski difference, and need to be tried, only if their arcs cross
(one of them reversed).
"""

from __future__ import annotations

from symcontact_ros.collision.layout import (
    CENTRE,
    FACE_COUNT,
    MESH_EDGE_COUNT,
    MESH_EDGES_START,
    MESH_VERTICES,
    PLANES_START,
    REACH,
)
from symcontact_ros.collision.pairs import CORNER
from symcontact_ros.collision.spatial.edges import edges_feature
from symcontact_ros.collision.spatial.reference import Axes, chosen_axes, ROUNDING
from symcontact_ros.collision.spatial.supports import support
from symcontact_ros.collision.spatial.vectors import (
    between,
    cross,
    direction_in,
    dot,
    Frame,
    minus,
    norm,
    opposite,
    placed,
    plus,
    times,
    turned,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import Memory, separate

PARALLEL = 1e-12  # square of the sine between edges that have no axis of their own


@separate
def hulls_axes(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, margin: float) -> Axes:
    """Return the best axes of two hulls; the search stops at one that separates enough."""
    b_in_a = between(frame_a, frame_b)
    between_centres = centre_line(a, b_in_a, b)
    if between_centres > margin:  # the cheapest axis, and often enough; no face goes with it
        return between_centres, CORNER, CORNER
    first, face_a = best_face(a, b_in_a, b, margin)
    if first > margin:
        return first, face_a, face_a
    second, face_b = best_face(b, between(frame_b, frame_a), a, margin)
    face_b += int(a[FACE_COUNT])
    if second > margin:
        return second, face_b, face_b
    third, edges = best_edges(a, b_in_a, b)
    return chosen_axes(first, face_a, second, face_b, third, edges, a[REACH] + b[REACH])


def centre_line(a: Memory, b_in_a: Frame, b: Memory) -> float:
    """Return the separation along the line from centre to centre."""
    way = minus(placed(b_in_a, vector_at(b, CENTRE)), vector_at(a, CENTRE))
    length = norm(way)
    if length == 0.0:
        return -1e300
    direction = times(1.0 / length, way)
    highest, _ = support(a, direction)
    lowest, _ = support(b, direction_in(b_in_a, opposite(direction)))
    return dot(direction, minus(placed(b_in_a, lowest), highest))


@separate
def best_face(a: Memory, b_in_a: Frame, b: Memory, margin: float) -> tuple[float, int]:
    """Return how far B lies beyond the face of A that separates best, and that face."""
    best, chosen = -1e300, 0
    for face in range(int(a[FACE_COUNT])):
        start = int(a[PLANES_START]) + 4 * face
        normal = vector_at(a, start)
        deepest, _ = support(b, direction_in(b_in_a, opposite(normal)))
        beyond = dot(normal, placed(b_in_a, deepest)) - a[start + 3]
        if beyond > best:
            best, chosen = beyond, face
            if best > margin:
                break
    return best, chosen


@separate
def best_edges(a: Memory, b_in_a: Frame, b: Memory) -> tuple[float, int]:
    """Return the best separation of two edges that meet on the Gauss map, and their feature."""
    best, chosen = -1e300, 0
    spread = ROUNDING * (a[REACH] + b[REACH])  # see `boxes.edges_separation`
    for j in range(int(b[MESH_EDGE_COUNT])):
        row_b = int(b[MESH_EDGES_START]) + 4 * j
        # B's arc reversed: normals of the Minkowski difference point out of A.
        left_b = opposite(turned(b_in_a, normal_of(b, int(b[row_b + 2]))))
        right_b = opposite(turned(b_in_a, normal_of(b, int(b[row_b + 3]))))
        pole_b = cross(right_b, left_b)
        start_b = placed(b_in_a, vertex_of(b, int(b[row_b])))
        for i in range(int(a[MESH_EDGE_COUNT])):
            row_a = int(a[MESH_EDGES_START]) + 4 * i
            left_a, right_a = normal_of(a, int(a[row_a + 2])), normal_of(a, int(a[row_a + 3]))
            pole_a = cross(right_a, left_a)
            if not arcs_cross(left_a, right_a, pole_a, left_b, right_b, pole_b):
                continue
            normal = cross(pole_a, pole_b)
            square = dot(normal, normal)
            if square <= PARALLEL * dot(pole_a, pole_a) * dot(pole_b, pole_b):
                continue
            length = norm(normal)
            normal = times(1.0 / length, normal)
            if dot(normal, plus(left_a, right_a)) < 0.0:
                normal = opposite(normal)
            separation = dot(normal, minus(start_b, vertex_of(a, int(a[row_a]))))
            separation -= spread * norm(pole_a) * norm(pole_b) / length
            if separation > best:
                best = separation
                chosen = edges_feature(
                    int(a[row_a]), int(a[row_a + 1]), int(b[row_b]), int(b[row_b + 1])
                )
    return best, chosen


def arcs_cross(
    left_a: Vector,
    right_a: Vector,
    pole_a: Vector,
    left_b: Vector,
    right_b: Vector,
    pole_b: Vector,
) -> bool:
    """Return whether two arcs on the unit sphere cross; a pole is at right angles to its arc."""
    first, last = dot(left_b, pole_a), dot(right_b, pole_a)
    if first * last >= 0.0:
        return False
    other_first, other_last = dot(left_a, pole_b), dot(right_a, pole_b)
    return other_first * other_last < 0.0 and first * other_last > 0.0


def normal_of(shape: Memory, face: int) -> Vector:
    """Return the outward normal of a face in the frame of its shape."""
    return vector_at(shape, int(shape[PLANES_START]) + 4 * face)


def vertex_of(shape: Memory, vertex: int) -> Vector:
    """Return a vertex in the frame of its shape."""
    return vector_at(shape, MESH_VERTICES + 3 * vertex)
