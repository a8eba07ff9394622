"""
Difference of two cores in the plane: the set of all b - a, known by its farthest points.

All is in A's frame. A query has a few points of the difference in its work memory.
"""

from __future__ import annotations

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
from symcontact_ros.shapes.planar_dispatch import support
from symcontact_ros.shapes.records import PlanarSolid

NO_VERTEX = -1  # of a point that is inside the difference, not on its boundary


class Corner(Record):
    """A point of the difference, and the points of A and of B that it is made of."""

    point: Vector  # [m]
    point_a: Vector  # of A's core [m]
    point_b: Vector  # of B's core, in B's frame [m]
    vertex_a: int  # of A, see `PlanarCore.support`; or NO_VERTEX
    vertex_b: int  # of B


class Simplex(Record):
    """Points of the difference that a query works with."""

    corners: Rows[Corner] = embedded(2)  # that carry the answer: the first, or both
    new: Corner  # that joins them
    spare: Corner


def difference(frame: Frame, corner: Corner) -> Vector:
    """Return where the points of A and of B have a corner; ``frame`` is B's in A's frame."""
    return minus(placed(frame, corner.point_b), corner.point_a)


def find_farthest(
    a: PlanarSolid, b: PlanarSolid, frame: Frame, direction: Vector, corner: Corner
) -> Vector:
    """Make a corner the farthest point of the difference along a direction; return its place."""
    corner.point_a, corner.vertex_a = support(a, opposite(direction))
    corner.point_b, corner.vertex_b = support(b, direction_in(frame, direction))
    corner.point = difference(frame, corner)
    return corner.point


def copy(source: Corner, target: Corner) -> None:
    """Copy a corner onto another."""
    target.point = source.point
    target.point_a = source.point_a
    target.point_b = source.point_b
    target.vertex_a = source.vertex_a
    target.vertex_b = source.vertex_b


def point_of_a(simplex: Simplex, count: int, share: float) -> Vector:
    """Return the point of A that goes with the first corner, or one between both."""
    first = simplex.corners[0].point_a
    if count == 1:
        return first
    return along(first, share, minus(simplex.corners[1].point_a, first))
