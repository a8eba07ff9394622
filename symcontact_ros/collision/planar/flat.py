"""Pairs of shapes with edges in the plane: rectangles, polygons, capsules, and half-planes."""

from __future__ import annotations

from symcontact_ros.collision.layout import EDGE, EDGE_COUNT, EDGES_START, RADIUS, REACH
from symcontact_ros.collision.pairs import CORNER, Look, PROVEN, Result
from symcontact_ros.collision.planar.clipping import edge_contacts, edge_ends, facing_edge
from symcontact_ros.collision.planar.closed_forms import surface
from symcontact_ros.collision.planar.gjk import core_distance
from symcontact_ros.collision.planar.polygons import (
    find_edge,
    lowest_vertex,
    vertex_of,
)
from symcontact_ros.collision.planar.vectors import (
    along,
    between,
    direction_in,
    dot,
    Frame,
    opposite,
    placed,
    turned,
    Vector,
)
from symcontact_ros.collision.rows import are_as_deep, deepest_row, POINT, ROW, write_row
from symcontact_ros.kernels.transitional import Memory, separate

ANY = 1e300  # a margin that no axis exceeds
EXACT = 1e-12  # of the size: what rounding can make of two equal distances


@separate
def polygons_gap(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, work: Memory
) -> Result[Vector]:
    """Return the gap of two polygons with or without radii."""
    separation, edge, _ = find_edge(a, frame_a, b, frame_b, -1, ANY)
    radii = a[RADIUS] + b[RADIUS]
    apart = separation + radii
    distance = 0.0
    normal, core = frame_a
    if apart > 0.0:
        distance, _, normal, core, _ = core_distance(a, b, between(frame_a, frame_b), work)
    if distance > 0.0:
        normal = turned(frame_a, normal)
        core = placed(frame_a, core)
        if distance <= apart + EXACT * (a[REACH] + b[REACH]):  # not of two vertices
            distance, normal = apart, edge_normal(a, frame_a, b, frame_b, edge)
        return (
            distance - radii,
            normal,
            along(core, a[RADIUS], normal),
            along(core, distance - b[RADIUS], normal),
            0.0,
        )
    count, normal = edge_contacts(a, frame_a, b, frame_b, edge, work)
    middle = middle_of(work, deepest_row(work, count))
    return (
        separation,
        normal,
        along(middle, -0.5 * separation, normal),
        along(middle, 0.5 * separation, normal),
        0.0,
    )


def edge_normal(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, edge: int) -> Vector:
    """Return the normal from A to B that belongs to an edge of either."""
    count = int(a[EDGE_COUNT])
    if edge < count:
        start = int(a[EDGES_START]) + EDGE * edge
        return turned(frame_a, (a[start + 2], a[start + 3]))
    start = int(b[EDGES_START]) + EDGE * (edge - count)
    return opposite(turned(frame_b, (b[start + 2], b[start + 3])))


def polygons_look(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    hint: int,
    margin: float,
    kept: Memory,
    work: Memory,
) -> Look:
    """Return separation and reference edge of two polygons."""
    separation, _, reference = find_edge(a, frame_a, b, frame_b, hint, margin)
    radii = a[RADIUS] + b[RADIUS]
    if separation <= margin and radii > 0.0 and separation + radii > 0.0:
        distance, _, _, _, _ = core_distance(a, b, between(frame_a, frame_b), work)
        if distance - radii > separation + EXACT * (a[REACH] + b[REACH]):
            return distance - radii, CORNER, PROVEN
    if radii > 0.0 and separation < 0.0:  # a capsule may stand on the very end of an edge
        count, _ = edge_contacts(a, frame_a, b, frame_b, reference, work)
        if not are_as_deep(work, count, separation):
            return separation, CORNER, PROVEN
    return separation, reference, PROVEN


def polygons_contacts(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    feature: int,
    rows: Memory,
    kept: Memory,
    work: Memory,
) -> tuple[int, Vector]:
    """Write the contact points of two polygons for a reference edge."""
    if feature == CORNER:
        distance, normal, point_a, _, _ = polygons_gap(a, frame_a, b, frame_b, work)
        middle = along(point_a, 0.5 * distance, normal)
        write_row(rows, 0, distance, (middle[0], middle[1], 0.0), 1.0, float(CORNER))
        return 1, normal
    return edge_contacts(a, frame_a, b, frame_b, feature, rows)


def half_space_gap(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, work: Memory
) -> Result[Vector]:
    """Return the gap of a polygon and a half-plane."""
    normal, offset = surface(b, frame_b)
    deepest = lowest_vertex(a, direction_in(frame_a, normal))
    core = placed(frame_a, vertex_of(a, deepest))
    point_a = along(core, -a[RADIUS], normal)
    distance = dot(normal, core) - offset - a[RADIUS]
    return distance, opposite(normal), point_a, along(point_a, -distance, normal), 0.0


def half_space_look(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    hint: int,
    margin: float,
    kept: Memory,
    work: Memory,
) -> Look:
    """Return separation of a polygon and a half-plane, and the edge that faces it."""
    normal, offset = surface(b, frame_b)
    local = direction_in(frame_a, normal)
    height = dot(local, vertex_of(a, lowest_vertex(a, local))) + dot(normal, frame_a[1])
    return height - offset - a[RADIUS], facing_edge(a, local), PROVEN


def half_space_contacts(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    feature: int,
    rows: Memory,
    kept: Memory,
    work: Memory,
) -> tuple[int, Vector]:
    """Write how deep the ends of an edge lie in a half-plane."""
    normal, offset = surface(b, frame_b)
    first, last = edge_ends(a, feature)
    for number in range(2):
        vertex = first if number == 0 else last
        point = placed(frame_a, vertex_of(a, vertex))
        distance = dot(normal, point) - offset - a[RADIUS]
        middle = along(point, -a[RADIUS] - 0.5 * distance, normal)
        write_row(rows, number, distance, (middle[0], middle[1], 0.0), 1.0, float(vertex))
    return 2, opposite(normal)


def middle_of(rows: Memory, number: int) -> Vector:
    """Return the point of a row."""
    start = ROW * number + POINT
    return rows[start], rows[start + 1]
