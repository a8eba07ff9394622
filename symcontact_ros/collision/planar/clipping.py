"""
Contact points of flat shapes in the plane: the incident edge, cut to the reference edge.

Rows of contact points are written to memory: signed distance, point (x, y, z), shares of the
stiffness that it carries, and its feature. All points of an edge are written, also those that lie
apart.
"""

from __future__ import annotations

from symcontact_ros.collision.layout import (
    EDGE,
    EDGE_COUNT,
    EDGES_START,
    RADIUS,
    VERTEX_COUNT,
)
from symcontact_ros.collision.planar.polygons import vertex_of
from symcontact_ros.collision.planar.vectors import (
    along,
    direction_in,
    dot,
    Frame,
    minus,
    norm,
    opposite,
    placed,
    turned,
    Vector,
)
from symcontact_ros.collision.rows import write_row
from symcontact_ros.kernels.transitional import Memory

UPRIGHT = 1e-9  # sine of the angle to the upright below which an edge counts as such


def edge_contacts(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, edge: int, rows: Memory
) -> tuple[int, Vector]:
    """Write the contact points of a reference edge; return their number and the normal A to B."""
    count = int(a[EDGE_COUNT])
    if edge < count:
        return contacts_on(a, frame_a, b, frame_b, edge, rows)
    number, normal = contacts_on(b, frame_b, a, frame_a, edge - count, rows)
    return number, opposite(normal)


def contacts_on(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, edge: int, rows: Memory
) -> tuple[int, Vector]:
    """Write the contact points on an edge of A; return their number and its outward normal."""
    start = int(a[EDGES_START]) + EDGE * edge
    normal = turned(frame_a, (a[start + 2], a[start + 3]))
    first = placed(frame_a, vertex_of(a, int(a[start])))
    span = minus(placed(frame_a, vertex_of(a, int(a[start + 1]))), first)
    tangent = (-normal[1], normal[0])
    incident = facing_edge(b, direction_in(frame_b, normal))
    first_b, last_b = edge_ends(b, incident)
    near = placed(frame_b, vertex_of(b, first_b))
    far = placed(frame_b, vertex_of(b, last_b))
    low, high = overlap(
        dot(tangent, span),
        dot(tangent, minus(near, first)),
        dot(tangent, minus(far, first)),
        norm(minus(far, near)),
    )
    radii = a[RADIUS] + b[RADIUS]
    base = float(64 * edge)
    for number in range(2):
        part = low if number == 0 else high
        point = along(near, part, minus(far, near))
        distance = dot(normal, minus(point, first)) - radii
        middle = along(point, -b[RADIUS] - 0.5 * distance, normal)
        feature = base + float(first_b if number == 0 else last_b)
        write_row(rows, number, distance, (middle[0], middle[1], 0.0), 1.0, feature)
    return 2, normal


def overlap(length: float, start: float, end: float, span: float) -> tuple[float, float]:
    """
    Return which part of the way from start to end lies in [0, length], all along one line.

    If none does, the end that is nearest stands for both. ``span`` is how long the way is in the
    plane: one that stands upright on the line is taken whole.
    """
    way = end - start
    if abs(way) <= UPRIGHT * span:
        return 0.0, 1.0
    at_first, at_last = -start / way, (length - start) / way
    low, high = min(at_first, at_last), max(at_first, at_last)
    if high <= 0.0:
        return 0.0, 0.0
    if low >= 1.0:
        return 1.0, 1.0
    return max(low, 0.0), min(high, 1.0)


def facing_edge(shape: Memory, direction: Vector) -> int:
    """Return the edge whose normal is most opposed to a direction; ends of segments do not."""
    lowest = 1e300
    chosen = 0
    for edge in range(int(shape[VERTEX_COUNT])):
        start = int(shape[EDGES_START]) + EDGE * edge
        facing = direction[0] * shape[start + 2] + direction[1] * shape[start + 3]
        if facing < lowest:
            lowest = facing
            chosen = edge
    return chosen


def edge_ends(shape: Memory, edge: int) -> tuple[int, int]:
    """Return the vertices of an edge."""
    start = int(shape[EDGES_START]) + EDGE * edge
    return int(shape[start]), int(shape[start + 1])
