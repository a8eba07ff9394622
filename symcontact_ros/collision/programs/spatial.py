"""
The convex programs of two shapes in space, solved by compiled kernels.

``solve(a, frame_a, b, frame_b, margin, kept, work)`` returns an answer: signed distance, unit
normal from A to B, points of A and of B, a note, and how many rows of the simplex are worth
keeping (negative: of growth). Above the margin the distance may be a lower bound. With a note of
a fallback, the rest means nothing.
"""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision.layout import (
    CENTRE,
    CORE,
    CYLINDER,
    HULL,
    MESH_VERTICES,
    POINT,
    RADIUS,
    SHRUNK,
    SIZE,
    STAR,
)
from symcontact_ros.collision.pairs import CORE_INSIDE, CORNER, PROVEN
from symcontact_ros.collision.programs.choice import exact_program, growth_program, VERTICES
from symcontact_ros.collision.spatial.convex import too_close, with_points
from symcontact_ros.collision.spatial.gjk import core_distance
from symcontact_ros.collision.spatial.growth import grown
from symcontact_ros.collision.spatial.polish import polish
from symcontact_ros.collision.spatial.polytopes import explains
from symcontact_ros.collision.spatial.reference import best_reference
from symcontact_ros.collision.spatial.supports import (
    FEATURE_A,
    FEATURE_B,
    POINT_A,
    POINT_B,
    ROW,
    SIMPLEX,
)
from symcontact_ros.collision.spatial.vectors import (
    along,
    between,
    Frame,
    keep,
    minus,
    placed,
    turned,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import bound, Memory, separate, shift

Answer: TypeAlias = tuple[float, Vector, Vector, Vector, float, int]


@separate
def min_distance(
    a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, margin: float, kept: Memory, work: Memory
) -> Answer:
    """Find the distance of two shrunk shapes, and subtract what they were shrunk by."""
    inner_a, inner_b = shift(a, int(a[SHRUNK])), shift(b, int(b[SHRUNK]))
    count = recalled(inner_a, inner_b, kept, work, 3)
    simplex = core_distance(inner_a, inner_b, between(frame_a, frame_b), work, count)
    radii = inner_a[RADIUS] + inner_b[RADIUS]
    if too_close(work, simplex) or simplex[0] <= inner_a[STAR] + inner_b[STAR]:
        return -radii, frame_a[0], frame_a[3], frame_a[3], CORE_INSIDE, 0
    if int(a[CORE]) == CYLINDER or int(b[CORE]) == CYLINDER:
        simplex = polish(inner_a, inner_b, work, simplex)
    distance, normal, p, q, _ = with_points(inner_a, work, simplex)
    p, q = along(p, inner_a[RADIUS], normal), along(q, -inner_b[RADIUS], normal)
    return (
        distance - radii,
        turned(frame_a, normal),
        placed(frame_a, p),
        placed(frame_a, q),
        PROVEN,
        simplex[3],
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
    """Return the face to take contact points from, or CORNER."""
    face = best_reference(a, frame_a, b, frame_b, distance, normal)
    if face > CORNER and explains(a, frame_a, b, frame_b, distance, face, work):
        return face
    return CORNER


def remember(rows: int, kept: Memory, work: Memory) -> None:
    """Keep which vertices carry an answer; points of a cylinder's rim have no number."""
    kept[0] = float(rows)
    for row in range(min(abs(rows), 3)):
        place = SIMPLEX + ROW * row
        first, second = work[place + FEATURE_A], work[place + FEATURE_B]
        kept[1 + row] = first * VERTICES + second
        if min(first, second) < 0.0 or second >= VERTICES or abs(rows) > 3:
            kept[0] = 0.0


def recalled(a: Memory, b: Memory, kept: Memory, work: Memory, wanted: int) -> int:
    """Put the vertices that carried the last answer into the simplex; return how many."""
    rows = int(kept[0])
    if rows * wanted <= 0:  # of another program, or none
        return 0
    for row in range(abs(rows)):
        pair = int(kept[1 + row])
        place = SIMPLEX + ROW * row
        first, second = pair // VERTICES, pair % VERTICES
        keep(work, place + POINT_A, _vertex(a, first))
        keep(work, place + POINT_B, _vertex(b, second))
        work[place + FEATURE_A] = float(first)
        work[place + FEATURE_B] = float(second)
    return abs(rows)


def _vertex(shape: Memory, number: int) -> Vector:
    """Return a vertex from the centre of its core, by the number that `support` gives it."""
    core = int(shape[CORE])
    if core == HULL:
        return minus(vector_at(shape, MESH_VERTICES + 3 * number), vector_at(shape, CENTRE))
    if core == POINT:
        return 0.0, 0.0, 0.0
    x, y, z = shape[SIZE], shape[SIZE + 1], shape[SIZE + 2]
    if number % 2 == 1:
        x = -x
    if number % 4 >= 2:
        y = -y
    return x, y, -z if number >= 4 else z


growth = bound(
    growth_program,
    grown=grown,
    recalled=recalled,
    between=between,
    placed=placed,
    turned=turned,
    COLUMNS=3,
)
auto = bound(exact_program, growth=growth, min_distance=min_distance)
