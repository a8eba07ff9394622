"""Contact of an edge of A with an edge of B."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import CORNER
from symcontact_ros.collision.spatial.closed_forms import closest_on_segments
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import (
    along,
    cross,
    dot,
    Frame,
    Gap,
    minus,
    norm,
    opposite,
    perpendicular,
    placed,
    plus,
    times,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid

MOST_VERTICES = 1024  # of a hull whose edges are tried against each other


def edges_feature(a_first: int, a_last: int, b_first: int, b_last: int) -> int:
    """Return the feature of two edges, from the vertices at their ends; all are below CORNER."""
    number = (a_first * MOST_VERTICES + a_last) * MOST_VERTICES + b_first
    return CORNER - 1 - (number * MOST_VERTICES + b_last)


def ends_of(feature: int) -> tuple[int, int, int, int]:
    """Return the vertices at the ends of the edges of a feature: two of A, two of B."""
    number = CORNER - 1 - feature
    b_last = number % MOST_VERTICES
    number //= MOST_VERTICES
    b_first = number % MOST_VERTICES
    number //= MOST_VERTICES
    return number // MOST_VERTICES, number % MOST_VERTICES, b_first, b_last


@separate
def edges_gap(
    a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, feature: int
) -> Gap:
    """Return the gap of two edges along their common normal, which points out of A."""
    a_first, a_last, b_first, b_last = ends_of(feature)
    middle_a, axis_a, half_a = edge(a, frame_a, a_first, a_last)
    middle_b, axis_b, half_b = edge(b, frame_b, b_first, b_last)
    normal = cross(axis_a, axis_b)
    length = norm(normal)
    normal = perpendicular(axis_a) if length < 1e-12 else normal
    normal = times(1.0 / norm(normal), normal)
    if dot(normal, minus(middle_a, placed(frame_a, a.centre))) < 0.0:
        normal = opposite(normal)
    at_a, at_b = closest_on_segments(axis_a, half_a, axis_b, half_b, minus(middle_b, middle_a))
    point_a, point_b = along(middle_a, at_a, axis_a), along(middle_b, at_b, axis_b)
    distance = dot(normal, minus(middle_b, middle_a))
    return distance, normal, point_a, point_b


def edge(shape: SpatialSolid, frame: Frame, first: int, last: int) -> tuple[Vector, Vector, float]:
    """Return middle, unit direction and half length of an edge, in the world."""
    start = placed(frame, shape.vertices[first].position)
    end = placed(frame, shape.vertices[last].position)
    way = minus(end, start)
    length = norm(way)
    return times(0.5, plus(start, end)), times(1.0 / length, way), 0.5 * length
