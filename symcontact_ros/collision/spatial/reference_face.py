"""Choice of the exact axis of two polytopes, and of the face for contact points."""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision.shape_pair import CORNER
from symcontact_ros.collision.spatial.faces import beyond_face, facing
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import direction_in, Frame, opposite, Vector
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import face_count

# exact separation [m] (apart: a lower bound), its feature, the feature for contact points
Axes: TypeAlias = tuple[float, int, int]

EQUAL = 1e-12  # of the size: a pair of edges is exact only if it beats faces by this
ROUNDING = 2e-15  # of the size: of a separation before it is divided by the sine of two edges
TIE = 1e-7  # of the size: a face of B must separate better than one of A by this
CLEARLY = 0.05  # edges must separate better than faces by this part of it,
EDGE_TIE = 1e-6  # and by this part of the size


def chosen_axes(
    first: float,
    face_a: int,
    second: float,
    face_b: int,
    third: float,
    edges: int,
    size: float,
) -> Axes:
    """
    Return the exact axis and the one for contact points.

    Faces are preferred there, because edges that are nearly parallel have a normal and a place of
    contact that rounding decides: a box at rest would be shaken.
    """
    separation, exact = first, face_a
    faces, reference = first, face_a
    if second > separation:
        separation, exact = second, face_b
    if second > first + TIE * size:
        faces, reference = second, face_b
    if third > separation + EQUAL * size:
        separation, exact = third, edges
    if third > faces + CLEARLY * abs(faces) + EDGE_TIE * size:
        reference = edges
    return separation, exact, reference


@separate
def best_reference(
    a: SpatialSolid,
    frame_a: Frame,
    b: SpatialSolid,
    frame_b: Frame,
    distance: float,
    normal: Vector,
) -> int:
    """
    Return the face to make contact on when the distance is known, or CORNER.

    It is the face of A or of B closest to the normal, if shapes are hardly deeper along its normal
    than along the exact one.
    """
    radii = a.radius + b.radius
    face_a = facing(a, direction_in(frame_a, normal))
    face_b = facing(b, direction_in(frame_b, opposite(normal)))
    first = second = -1e300
    if face_a >= 0:
        first = beyond_face(a, frame_a, b, frame_b, face_a) - radii
    if face_b >= 0:
        second = beyond_face(b, frame_b, a, frame_a, face_b) - radii
        face_b += face_count(a)
    size = a.reach + b.reach
    best, chosen = first, face_a
    if second > first + TIE * size:
        best, chosen = second, face_b
    if distance > best + CLEARLY * abs(best) + EDGE_TIE * size:
        return CORNER
    return chosen
