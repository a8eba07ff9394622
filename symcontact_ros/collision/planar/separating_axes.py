"""
Separating axes of two polygons in the plane, their closest points, and their contact points.

A polygon may have a radius and may be a segment: capsules are among them. Edges of both polygons
are counted in one row: those of A, then those of B.
"""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import CORNER, TOUCHING
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.planar import (
    along,
    between,
    direction_in,
    dot,
    Frame,
    in_plane,
    minus,
    norm,
    placed,
    Vector,
)
from symcontact_ros.shapes.records import PlanarSolid
from symcontact_ros.shapes.vertices import downhill

# An edge of B is the reference only if it separates better than one of A by this part of the
# size: parallel edges are a tie, which rounding must not decide anew in each step.
TIE = 1e-7


@separate
def edges_separation(
    a: PlanarSolid, frame_b: Frame, b: PlanarSolid, margin: float
) -> tuple[float, int]:
    """
    Return how far B lies beyond the edge of A that separates best, and that edge.

    The search stops at an edge that separates by more than the margin. Cores only; ``frame_b`` is
    that of B as A has it. From edge to edge the lowest vertex of B is found by walking on from the
    last one: the height of the vertices around a convex polygon has one valley.
    """
    best = -1e300
    chosen = 0
    lowest = 0
    edges, vertices = a.edges, a.vertices
    for number in range(len(edges)):
        edge = edges[number]
        normal, first = edge.normal, vertices[edge.first].position
        lowest, depth = downhill(b.vertices, direction_in(frame_b, normal), lowest)
        beyond = depth + dot(normal, minus(frame_b[1], first))
        if beyond > best:
            best = beyond
            chosen = number
            if best > margin:
                break
    return best, chosen


def find_edge(
    a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame, hint: int, margin: float
) -> tuple[float, int, int]:
    """
    Return the separation of two polygons, the edge that attains it, and the reference edge.

    In overlap the separation is minus the depth. Apart it is a lower bound of the distance, and
    exact for cores that overlap; the search stops at an axis that separates by more than the
    margin, and starts with the edge given as hint (-1: none).
    """
    radii = a.radius + b.radius
    count = len(a.edges)
    if hint >= 0:
        bound = edge_separation(a, frame_a, b, frame_b, hint) - radii
        if bound > margin:
            return bound, hint, hint
    elif hint != TOUCHING:
        between_centres = centre_line(a, frame_a, b, frame_b) - radii
        if between_centres > margin:  # the cheapest axis, and often enough; no edge goes with it
            return between_centres, CORNER, CORNER
    first, edge_a = edges_separation(a, between(frame_a, frame_b), b, margin + radii)
    if first - radii > margin:
        return first - radii, edge_a, edge_a
    second, edge_b = edges_separation(b, between(frame_b, frame_a), a, margin + radii)
    exact, reference = edge_a, edge_a
    if second > first:
        exact = count + edge_b
    if second > first + TIE * (a.reach + b.reach):
        reference = count + edge_b
    return max(first, second) - radii, exact, reference


def centre_line(a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame) -> float:
    """Return the separation of two cores along the line from centre to centre."""
    centre_a = placed(frame_a, in_plane(a.centre))
    way = minus(placed(frame_b, in_plane(b.centre)), centre_a)
    length = norm(way)
    if length == 0.0:
        return -1e300
    direction = (way[0] / length, way[1] / length)
    against = direction_in(frame_a, (-direction[0], -direction[1]))
    _, top = downhill(a.vertices, against, 0)
    _, bottom = downhill(b.vertices, direction_in(frame_b, direction), 0)
    return bottom + top + dot(direction, minus(frame_b[1], frame_a[1]))


def edge_separation(
    a: PlanarSolid, frame_a: Frame, b: PlanarSolid, frame_b: Frame, edge: int
) -> float:
    """Return how far one polygon lies beyond an edge of the other, cores only."""
    count = len(a.edges)
    if edge < count:
        return beyond(a, between(frame_a, frame_b), b, edge)
    return beyond(b, between(frame_b, frame_a), a, edge - count)


def beyond(a: PlanarSolid, frame_b: Frame, b: PlanarSolid, edge: int) -> float:
    """Return how far the core of B lies beyond an edge of A."""
    side = a.edges[edge]
    deepest = vertex_of(b, lowest_vertex(b, direction_in(frame_b, side.normal)))
    return dot(side.normal, minus(placed(frame_b, deepest), vertex_of(a, side.first)))


def lowest_vertex(shape: PlanarSolid, direction: Vector) -> int:
    """Return the vertex that is farthest against a direction."""
    vertex, _ = downhill(shape.vertices, direction, 0)
    return vertex


def vertex_of(shape: PlanarSolid, vertex: int) -> Vector:
    """Return a vertex in the frame of its shape."""
    return shape.vertices[vertex].position


def on_segment(start: Vector, end: Vector, point: Vector) -> Vector:
    """Return the point of a segment that is nearest to a point."""
    span = minus(end, start)
    square = dot(span, span)
    if square <= 0.0:
        return start
    part = dot(span, minus(point, start)) / square
    if part <= 0.0:
        return start
    if part >= 1.0:
        return end
    return along(start, part, span)
