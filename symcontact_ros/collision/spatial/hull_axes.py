"""
Separating axes of two hulls of few faces: their faces, and the edges that meet on the Gauss map.

On the Gauss map a face is a point of the unit sphere and an edge the arc between its two faces.
Two edges make a face of the Minkowski difference, and need to be tried, only if their arcs cross
(one of them reversed).
"""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import CORNER
from symcontact_ros.collision.spatial.edge_gap import edges_feature
from symcontact_ros.collision.spatial.reference_face import Axes, chosen_axes, ROUNDING
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import (
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
)
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import support

PARALLEL = 1e-12  # square of the sine between edges that have no axis of their own


@separate
def hulls_axes(
    a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, margin: float
) -> Axes:
    """Return the best axes of two hulls; the search stops at one that separates enough."""
    b_in_a = between(frame_a, frame_b)
    between_centres = centre_line(a, b_in_a, b)
    if between_centres > margin:  # the cheapest axis, and often enough; no face goes with it
        return between_centres, CORNER, CORNER
    first, face_a = best_face(a, b_in_a, b, margin)
    if first > margin:
        return first, face_a, face_a
    second, face_b = best_face(b, between(frame_b, frame_a), a, margin)
    face_b += len(a.planes)
    if second > margin:
        return second, face_b, face_b
    third, edges = best_edges(a, b_in_a, b)
    return chosen_axes(first, face_a, second, face_b, third, edges, a.reach + b.reach)


def centre_line(a: SpatialSolid, b_in_a: Frame, b: SpatialSolid) -> float:
    """Return the separation along the line from centre to centre."""
    way = minus(placed(b_in_a, b.centre), a.centre)
    length = norm(way)
    if length == 0.0:
        return -1e300
    direction = times(1.0 / length, way)
    highest, _ = support(a, direction)
    lowest, _ = support(b, direction_in(b_in_a, opposite(direction)))
    return dot(direction, minus(placed(b_in_a, lowest), highest))


@separate
def best_face(a: SpatialSolid, b_in_a: Frame, b: SpatialSolid, margin: float) -> tuple[float, int]:
    """Return how far B lies beyond the face of A that separates best, and that face."""
    best, chosen = -1e300, 0
    planes = a.planes
    for face in range(len(planes)):
        plane = planes[face]
        normal = plane.normal
        deepest, _ = support(b, direction_in(b_in_a, opposite(normal)))
        beyond = dot(normal, placed(b_in_a, deepest)) - plane.offset
        if beyond > best:
            best, chosen = beyond, face
            if best > margin:
                break
    return best, chosen


@separate
def best_edges(a: SpatialSolid, b_in_a: Frame, b: SpatialSolid) -> tuple[float, int]:
    """Return the best separation of two edges that meet on the Gauss map, and their feature."""
    best, chosen = -1e300, 0
    spread = ROUNDING * (a.reach + b.reach)  # see `boxes.edges_separation`
    edges_a, planes_a, vertices_a = a.edges, a.planes, a.vertices
    edges_b, planes_b, vertices_b = b.edges, b.planes, b.vertices
    for j in range(len(edges_b)):
        edge_b = edges_b[j]
        # B's arc reversed: normals of the Minkowski difference point out of A.
        left_b = opposite(turned(b_in_a, planes_b[edge_b.left].normal))
        right_b = opposite(turned(b_in_a, planes_b[edge_b.right].normal))
        pole_b = cross(right_b, left_b)
        start_b = placed(b_in_a, vertices_b[edge_b.first].position)
        for i in range(len(edges_a)):
            edge_a = edges_a[i]
            left_a, right_a = planes_a[edge_a.left].normal, planes_a[edge_a.right].normal
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
            separation = dot(normal, minus(start_b, vertices_a[edge_a.first].position))
            separation -= spread * norm(pole_a) * norm(pole_b) / length
            if separation > best:
                best = separation
                chosen = edges_feature(edge_a.first, edge_a.second, edge_b.first, edge_b.second)
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
