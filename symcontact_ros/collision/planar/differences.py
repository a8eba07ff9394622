"""
The difference of two cores in the plane: the set of all b - a, known by its farthest vertices.

All is seen in A's frame. Rows of vertices are kept in the work memory: where the vertex of the
difference is, and which vertices of A and of B it is made of.
"""

from __future__ import annotations

from symcontact_ros.collision.planar.polygons import lowest_vertex, vertex_of
from symcontact_ros.collision.planar.vectors import (
    along,
    direction_in,
    Frame,
    minus,
    opposite,
    placed,
    Vector,
)
from symcontact_ros.kernels.transitional import Memory

ROW = 4  # x, y, vertex of A, vertex of B
VERTEX_A = 2
VERTEX_B = 3


def row_point(work: Memory, row: int) -> Vector:
    """Return the vertex of the difference in a row."""
    return work[ROW * row], work[ROW * row + 1]


def place_row(a: Memory, b: Memory, frame: Frame, work: Memory, row: int) -> Vector:
    """Compute the vertex of a row from those of A and of B, and return it."""
    first = vertex_of(a, int(work[ROW * row + VERTEX_A]))
    second = vertex_of(b, int(work[ROW * row + VERTEX_B]))
    point = minus(placed(frame, second), first)
    work[ROW * row] = point[0]
    work[ROW * row + 1] = point[1]
    return point


def farthest_row(
    a: Memory, b: Memory, frame: Frame, work: Memory, direction: Vector, row: int
) -> Vector:
    """Return the vertex of the difference that is farthest along a direction; keep its row."""
    work[ROW * row + VERTEX_A] = float(lowest_vertex(a, direction))
    against = direction_in(frame, opposite(direction))
    work[ROW * row + VERTEX_B] = float(lowest_vertex(b, against))
    return place_row(a, b, frame, work, row)


def copy_row(work: Memory, source: int, target: int) -> None:
    """Copy a row onto another."""
    for column in range(ROW):
        work[ROW * target + column] = work[ROW * source + column]


def point_of_a(a: Memory, work: Memory, count: int, share: float) -> Vector:
    """Return the point of A that goes with a point of the first row, or between the first two."""
    first = vertex_of(a, int(work[VERTEX_A]))
    if count == 1:
        return first
    return along(first, share, minus(vertex_of(a, int(work[ROW + VERTEX_A])), first))
