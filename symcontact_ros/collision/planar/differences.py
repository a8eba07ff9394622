"""
The difference of two cores in the plane: the set of all b - a, known by its farthest vertices.

All is seen in A's frame. A query keeps a few vertices of the difference in its work memory.
"""

from __future__ import annotations

from symcontact_ros.collision.planar.polygons import lowest_vertex, vertex_of
from symcontact_ros.kernels.records import embedded, Record, Rows
from symcontact_ros.kernels.vectors.planar import (
    along,
    direction_in,
    Frame,
    minus,
    opposite,
    placed,
    Vector,
)
from symcontact_ros.shapes.records import PlanarSolid

NO_VERTEX = -1


class Corner(Record):
    """A vertex of the difference."""

    point: Vector  # [m]
    vertex_a: int  # of A that it is made of, or NO_VERTEX
    vertex_b: int  # of B


class Simplex(Record):
    """The vertices of the difference that a query works with."""

    corners: Rows[Corner] = embedded(2)  # that carry the answer: the first, or both
    new: Corner  # that joins them
    spare: Corner


def difference(a: PlanarSolid, b: PlanarSolid, frame: Frame, corner: Corner) -> Vector:
    """Return where the vertices of A and of B have a corner; ``frame`` is B's as A has it."""
    first = vertex_of(a, corner.vertex_a)
    second = vertex_of(b, corner.vertex_b)
    return minus(placed(frame, second), first)


def find_farthest(
    a: PlanarSolid, b: PlanarSolid, frame: Frame, direction: Vector, corner: Corner
) -> Vector:
    """Make a corner the farthest vertex of the difference along a direction; return its place."""
    corner.vertex_a = lowest_vertex(a, direction)
    corner.vertex_b = lowest_vertex(b, direction_in(frame, opposite(direction)))
    corner.point = difference(a, b, frame, corner)
    return corner.point


def copy(source: Corner, target: Corner) -> None:
    """Copy a corner onto another."""
    target.point = source.point
    target.vertex_a = source.vertex_a
    target.vertex_b = source.vertex_b


def point_of_a(a: PlanarSolid, simplex: Simplex, count: int, share: float) -> Vector:
    """Return the point of A that goes with the first corner, or one between both."""
    first = vertex_of(a, simplex.corners[0].vertex_a)
    if count == 1:
        return first
    return along(first, share, minus(vertex_of(a, simplex.corners[1].vertex_a), first))
