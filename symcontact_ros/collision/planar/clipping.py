"""
Contact points of flat shapes in the plane: the incident edge, cut to the reference edge.

All points of an edge are written, also those that lie apart.
"""

from __future__ import annotations

from symcontact_ros.collision.contact_points import ContactPoint, write_point
from symcontact_ros.collision.planar.separating_axes import vertex_of
from symcontact_ros.kernels.records import embedded, Record, Rows
from symcontact_ros.kernels.vectors.planar import (
    along,
    direction_in,
    dot,
    Frame,
    in_space,
    minus,
    norm,
    opposite,
    placed,
    turned,
    Vector,
)
from symcontact_ros.shapes.records import PlanarSolid

UPRIGHT = 1e-9  # sine of the angle to the upright below which an edge counts as such


class EdgePoints(Record):
    """Contact points of an edge that are only compared, in work memory."""

    points: Rows[ContactPoint] = embedded(2)


def edge_contacts(
    a: PlanarSolid,
    frame_a: Frame,
    b: PlanarSolid,
    frame_b: Frame,
    edge: int,
    rows: Rows[ContactPoint],
) -> tuple[int, Vector]:
    """Write the contact points of a reference edge; return their number and the normal A to B."""
    count = len(a.edges)
    if edge < count:
        return contacts_on(a, frame_a, b, frame_b, edge, rows)
    number, normal = contacts_on(b, frame_b, a, frame_a, edge - count, rows)
    return number, opposite(normal)


def contacts_on(
    a: PlanarSolid,
    frame_a: Frame,
    b: PlanarSolid,
    frame_b: Frame,
    edge: int,
    rows: Rows[ContactPoint],
) -> tuple[int, Vector]:
    """Write the contact points on an edge of A; return their number and its outward normal."""
    side = a.edges[edge]
    normal = turned(frame_a, side.normal)
    first = placed(frame_a, vertex_of(a, side.first))
    span = minus(placed(frame_a, vertex_of(a, side.second)), first)
    tangent = (-normal[1], normal[0])
    incident = b.edges[facing_edge(b, direction_in(frame_b, normal))]
    near = placed(frame_b, vertex_of(b, incident.first))
    far = placed(frame_b, vertex_of(b, incident.second))
    low, high = overlap(
        dot(tangent, span),
        dot(tangent, minus(near, first)),
        dot(tangent, minus(far, first)),
        norm(minus(far, near)),
    )
    radii = a.radius + b.radius
    ends = ((low, incident.first), (high, incident.second))
    for number, (part, vertex) in enumerate(ends):
        point = along(near, part, minus(far, near))
        distance = dot(normal, minus(point, first)) - radii
        middle = along(point, -b.radius - 0.5 * distance, normal)
        write_point(rows[number], distance, in_space(middle), 1.0, 64 * edge + vertex)
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


def facing_edge(shape: PlanarSolid, direction: Vector) -> int:
    """Return the edge whose normal is most opposed to a direction; ends of segments do not."""
    lowest = 1e300
    chosen = 0
    edges = shape.edges
    for edge in range(len(shape.vertices)):
        facing = dot(direction, edges[edge].normal)
        if facing < lowest:
            lowest = facing
            chosen = edge
    return chosen
