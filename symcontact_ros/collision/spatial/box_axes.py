"""
Separating axes of two boxes: 3 + 3 faces and 9 pairs of edges, in the frame of A.

Faces are numbered +x, -x, +y, -y, +z, -z; those of B follow those of A.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.spatial.edge_gap import edges_feature
from symcontact_ros.collision.spatial.reference_face import Axes, chosen_axes, ROUNDING
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import (
    between,
    cross,
    dot,
    Frame,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid

PARALLEL = 1e-12  # square of the sine between edges that have no axis of their own


@separate
def boxes_axes(
    a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, margin: float
) -> Axes:
    """Return the best axes of two boxes; the search stops at one that separates enough."""
    half_a, half_b = a.size, b.size
    x, y, z, offset = between(frame_a, frame_b)  # the axes of B and its centre
    first, face_a = best_of_three(
        abs(offset[0]) - half_a[0] - reach(half_b, (x[0], y[0], z[0])),
        abs(offset[1]) - half_a[1] - reach(half_b, (x[1], y[1], z[1])),
        abs(offset[2]) - half_a[2] - reach(half_b, (x[2], y[2], z[2])),
        offset,
    )
    if first > margin:
        return first, face_a, face_a
    ahead = (dot(x, offset), dot(y, offset), dot(z, offset))
    second, face_b = best_of_three(
        abs(ahead[0]) - half_b[0] - reach(half_a, x),
        abs(ahead[1]) - half_b[1] - reach(half_a, y),
        abs(ahead[2]) - half_b[2] - reach(half_a, z),
        (-ahead[0], -ahead[1], -ahead[2]),
    )
    face_b += 6
    if second > margin:
        return second, face_b, face_b
    third, pair = best_edges(half_a, half_b, x, y, z, offset)
    edges = edges_between(pair, x, y, z, offset)
    return chosen_axes(first, face_a, second, face_b, third, edges, a.reach + b.reach)


def reach(half: Vector, direction: Vector) -> float:
    """Return how far a box reaches along a direction in its frame."""
    return half[0] * abs(direction[0]) + half[1] * abs(direction[1]) + half[2] * abs(direction[2])


def best_of_three(
    first: float, second: float, third: float, direction: Vector
) -> tuple[float, int]:
    """Return the largest of three separations, and the face of that axis on the side given."""
    if first >= second and first >= third:
        return first, 0 if direction[0] >= 0.0 else 1
    if second >= third:
        return second, 2 if direction[1] >= 0.0 else 3
    return third, 4 if direction[2] >= 0.0 else 5


def best_edges(
    half_a: Vector, half_b: Vector, x: Vector, y: Vector, z: Vector, offset: Vector
) -> tuple[float, int]:
    """Return the largest separation of a pair of edges, and 3 (axis of A) + (axis of B)."""
    best, chosen = -1e300, -1
    for pair in range(9):
        axis_b = pair % 3
        own, next_, after = x, y, z  # of B: the axis of the edge and the two others
        half_next, half_after = half_b[1], half_b[2]
        if axis_b == 1:
            own, next_, after = y, z, x
            half_next, half_after = half_b[2], half_b[0]
        elif axis_b == 2:
            own, next_, after = z, x, y
            half_next, half_after = half_b[0], half_b[1]
        if pair < 3:
            separation = edges_separation(
                own[1],
                own[2],
                offset[1],
                offset[2],
                half_a[1],
                half_a[2],
                half_next * abs(after[0]) + half_after * abs(next_[0]),
            )
        elif pair < 6:
            separation = edges_separation(
                own[2],
                own[0],
                offset[2],
                offset[0],
                half_a[2],
                half_a[0],
                half_next * abs(after[1]) + half_after * abs(next_[1]),
            )
        else:
            separation = edges_separation(
                own[0],
                own[1],
                offset[0],
                offset[1],
                half_a[0],
                half_a[1],
                half_next * abs(after[2]) + half_after * abs(next_[2]),
            )
        if separation > best:
            best, chosen = separation, pair
    return best, chosen


def edges_separation(
    own_1: float,
    own_2: float,
    offset_1: float,
    offset_2: float,
    half_1: float,
    half_2: float,
    reach_b: float,
) -> float:
    """
    Return the separation along the common normal of an edge of A and one of B.

    Given are the components of the direction of B's edge and of the offset of B along the two
    other axes of A, half the extents of A along these, and how far B reaches along the normal
    before it is made unit.
    """
    square = own_1 * own_1 + own_2 * own_2
    if square < PARALLEL:
        return -1e300
    apart = abs(own_1 * offset_2 - own_2 * offset_1)
    overlap = half_1 * abs(own_2) + half_2 * abs(own_1) + reach_b
    # Nearly parallel edges have an axis that rounding decides: it must not beat a face by that.
    spread = ROUNDING * (half_1 + half_2 + abs(offset_1) + abs(offset_2))
    return (apart - overlap - spread) / math.sqrt(square)


def edges_between(pair: int, x: Vector, y: Vector, z: Vector, offset: Vector) -> int:
    """Return the feature of the edges that meet along the common normal of two axes."""
    if pair < 0:
        return 0
    axis_a, axis_b = pair // 3, pair % 3
    axis = (
        1.0 if axis_a == 0 else 0.0,
        1.0 if axis_a == 1 else 0.0,
        1.0 if axis_a == 2 else 0.0,
    )
    own = x if axis_b == 0 else (y if axis_b == 1 else z)
    normal = cross(axis, own)
    if dot(normal, offset) < 0.0:
        normal = (-normal[0], -normal[1], -normal[2])
    corner_a = corner(axis_a, normal[0], normal[1], normal[2])
    corner_b = corner(axis_b, -dot(normal, x), -dot(normal, y), -dot(normal, z))
    return edges_feature(corner_a, corner_a + (1 << axis_a), corner_b, corner_b + (1 << axis_b))


def corner(axis: int, x: float, y: float, z: float) -> int:
    """Return the vertex of a box farthest along a direction, on the positive side of an axis."""
    number = 0
    if x < 0.0 and axis != 0:
        number += 1
    if y < 0.0 and axis != 1:
        number += 2
    if z < 0.0 and axis != 2:
        number += 4
    return number
