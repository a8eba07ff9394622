"""Farthest vertices of polygons and hulls along a direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symcontact_ros.kernels.vectors import planar, spatial

if TYPE_CHECKING:
    from symcontact_ros.kernels.records import Rows
    from symcontact_ros.shapes.records import Vertex, Vertex2

HUGE = 1e300


def downhill(vertices: Rows[Vertex2], direction: planar.Vector, start: int) -> tuple[int, float]:
    """
    Return the vertex of a polygon farthest against a direction, and its height along it.

    Walks from a vertex to its neighbours as long as they are lower.
    """
    count = len(vertices)
    vertex = start
    height = planar.dot(direction, vertices[vertex].position)
    for way in range(2):
        for _ in range(count):
            following = following_vertex(vertex, count, way)
            next_height = planar.dot(direction, vertices[following].position)
            if next_height >= height:
                break
            vertex = following
            height = next_height
        if vertex != start:  # on a slope that has ended
            break
    return vertex, height


def following_vertex(vertex: int, count: int, way: int) -> int:
    """Return the next vertex around a polygon: counter-clockwise (way 0) or clockwise (1)."""
    if way == 0:
        return vertex + 1 if vertex + 1 < count else 0
    return vertex - 1 if vertex > 0 else count - 1


def farthest_vertex(vertices: Rows[Vertex], direction: spatial.Vector) -> int:
    """Return the vertex of a hull farthest along a direction, the first of equal ones."""
    best, farthest = 0, -HUGE
    for vertex in range(len(vertices)):
        height = spatial.dot(vertices[vertex].position, direction)
        if height > farthest:
            best, farthest = vertex, height
    return best
