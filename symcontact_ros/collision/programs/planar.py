"""The convex programs of two shapes in the plane; see `spatial`."""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision.layout import (
    EDGE_COUNT,
    RADIUS,
    REACH,
    SHRUNK,
    STAR,
)
from symcontact_ros.collision.pairs import CORE_INSIDE, CORNER, PROVEN
from symcontact_ros.collision.planar.clipping import edge_contacts, facing_edge
from symcontact_ros.collision.planar.differences import ROW, VERTEX_A, VERTEX_B
from symcontact_ros.collision.planar.gjk import core_distance
from symcontact_ros.collision.planar.growth import grown
from symcontact_ros.collision.planar.polygons import edge_separation, TIE
from symcontact_ros.collision.planar.vectors import (
    along,
    between,
    direction_in,
    Frame,
    opposite,
    placed,
    turned,
    Vector,
)
from symcontact_ros.collision.programs.choice import exact_program, growth_program, VERTICES
from symcontact_ros.collision.rows import are_as_deep
from symcontact_ros.kernels.transitional import bound, Memory, separate, shift

Answer: TypeAlias = tuple[float, Vector, Vector, Vector, float, int]

TOUCHING = 1e-12  # of the size: nearer cores have no direction from one to the other


@separate
def min_distance(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, margin: float, kept: Memory, work: Memory
) -> Answer:
    """Find the distance of two shrunk shapes, and subtract what they were shrunk by."""
    inner_a, inner_b = shift(a, int(a[SHRUNK])), shift(b, int(b[SHRUNK]))
    count = recalled(a, b, kept, work, 2)
    distance, _, normal, p, rows = core_distance(
        inner_a, inner_b, between(frame_a, frame_b), work, count
    )
    radii = inner_a[RADIUS] + inner_b[RADIUS]
    shrunk = inner_a[STAR] + inner_b[STAR]
    if distance <= shrunk or distance <= TOUCHING * (inner_a[REACH] + inner_b[REACH]):
        return -radii, frame_a[0], frame_a[1], frame_a[1], CORE_INSIDE, 0
    q = along(p, distance - inner_b[RADIUS], normal)
    return (
        distance - radii,
        turned(frame_a, normal),
        placed(frame_a, along(p, inner_a[RADIUS], normal)),
        placed(frame_a, q),
        PROVEN,
        rows,
    )


def reference(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    distance: float,
    normal: Vector,
    work: Memory,
) -> int:
    """Return the edge to take contact points from, or CORNER."""
    edge = facing_edge(a, direction_in(frame_a, opposite(normal)))
    if explains(a, frame_a, b, frame_b, distance, edge, work):
        return edge
    edge = int(a[EDGE_COUNT]) + facing_edge(b, direction_in(frame_b, normal))
    if explains(a, frame_a, b, frame_b, distance, edge, work):
        return edge
    return CORNER


def explains(
    a: Memory,
    frame_a: Frame,
    b: Memory,
    frame_b: Frame,
    distance: float,
    edge: int,
    work: Memory,
) -> bool:
    """
    Return whether an edge has this distance, and contact points about as deep.

    Rounded shapes may touch beside the edge, corner to corner: there it has none.
    """
    radii = a[RADIUS] + b[RADIUS]
    least = distance + radii - TIE * (a[REACH] + b[REACH])
    if edge_separation(a, frame_a, b, frame_b, edge) < least:
        return False
    if radii == 0.0 or distance >= 0.0:
        return True
    count, _ = edge_contacts(a, frame_a, b, frame_b, edge, work)
    return are_as_deep(work, count, distance)


def remember(rows: int, kept: Memory, work: Memory) -> None:
    """Keep which vertices carry an answer."""
    kept[0] = float(rows)
    for row in range(abs(rows)):
        first, second = work[ROW * row + VERTEX_A], work[ROW * row + VERTEX_B]
        kept[1 + row] = first * VERTICES + second
        if first < 0.0 or second >= VERTICES:
            kept[0] = 0.0


def recalled(a: Memory, b: Memory, kept: Memory, work: Memory, wanted: int) -> int:
    """Put the vertices that carried the last answer into the rows; return how many."""
    rows = int(kept[0])
    if rows * wanted <= 0:  # of another program, or none
        return 0
    for row in range(abs(rows)):
        pair = int(kept[1 + row])
        work[ROW * row + VERTEX_A] = float(pair // VERTICES)
        work[ROW * row + VERTEX_B] = float(pair % VERTICES)
    return abs(rows)


growth = bound(
    growth_program,
    grown=grown,
    recalled=recalled,
    between=between,
    placed=placed,
    turned=turned,
    COLUMNS=2,
)
auto = bound(exact_program, growth=growth, min_distance=min_distance)
