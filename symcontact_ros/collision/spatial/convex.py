"""
Signed distance of any two convex shapes with a core of points and a radius.

Cores that are apart are measured by `gjk`; cores that meet, or are too close to tell, by `epa`;
`rays` does what `epa` cannot prove, and `polish` makes the normals of cylinders exact. Radii are
subtracted last, apart and in overlap alike.
"""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision.layout import BOX, CENTRE, CORE, CYLINDER, POINT, RADIUS, SIZE
from symcontact_ros.collision.spatial import polyhedron
from symcontact_ros.collision.spatial.closed_forms import point_box, point_cylinder
from symcontact_ros.collision.spatial.epa import (
    CAPPED,
    expand,
    Expansion,
    MOST_CORNERS_CURVED,
    PROVEN,
    take_face,
)
from symcontact_ros.collision.spatial.gjk import core_distance, Distance, TOLERANCE
from symcontact_ros.collision.spatial.polish import polish
from symcontact_ros.collision.spatial.polyhedron import MOST_CORNERS
from symcontact_ros.collision.spatial.rays import least_depth
from symcontact_ros.collision.spatial.supports import POINT_A, SCALE, weighted
from symcontact_ros.collision.spatial.vectors import (
    along,
    between,
    dot,
    Frame,
    minus,
    opposite,
    placed,
    plus,
    point_in,
    turned,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import Memory, separate

# distance [m], unit normal from A to B, points of A and of B [m], 1 if not proven
ProvenGap: TypeAlias = tuple[float, Vector, Vector, Vector, float]

WORK = polyhedron.WORK  # doubles of work memory that a query needs
# Of the scale: nearer cores are measured as if they met, ...
TOUCHING = 1e-9
# ... and so are near ones on which the search for the distance has stalled.
CLOSE = 1e-3
# Of the scale, and of the distance: a result with bounds closer than this is proven.
PROOF = 1e-8


@separate
def convex_gap(a: Memory, frame_a: Frame, b: Memory, frame_b: Frame, work: Memory) -> ProvenGap:
    """
    Return the signed distance of two convex shapes.

    Parameters
    ----------
    a, b
        The shapes; any but half-spaces.
    frame_a, frame_b
        Their frames in the world.
    work
        WORK doubles of any value.

    Returns
    -------
    distance
        Of the surfaces, negative in overlap: then the shortest way apart [m].
    normal
        Unit vector from A to B.
    point_a, point_b
        Points on the surfaces; their difference along the normal is the distance.
    unproven
        1 for an overlap whose depth may not be the least one, else 0.
    """
    distance, normal, p, q, unproven = core_gap(a, between(frame_a, frame_b), b, work)
    return (
        distance - a[RADIUS] - b[RADIUS],
        turned(frame_a, normal),
        placed(frame_a, along(p, a[RADIUS], normal)),
        placed(frame_a, along(q, -b[RADIUS], normal)),
        unproven,
    )


@separate
def core_gap(a: Memory, frame_b_in_a: Frame, b: Memory, work: Memory) -> ProvenGap:
    """Return the gap of two cores in A's frame, as `convex_gap` does for shapes in the world."""
    core_a, core_b = int(a[CORE]), int(b[CORE])
    # A point on the axis of a disc would need more faces than there is room for.
    if core_a == POINT and core_b in (BOX, CYLINDER):
        point = vector_at(a, CENTRE)
        distance, outwards, nearest = point_core(b, point_in(frame_b_in_a, point))
        normal = opposite(turned(frame_b_in_a, outwards))
        return distance, normal, point, placed(frame_b_in_a, nearest), 0.0
    if core_b == POINT and core_a in (BOX, CYLINDER):
        point = placed(frame_b_in_a, vector_at(b, CENTRE))
        distance, normal, nearest = point_core(a, point)
        return distance, normal, nearest, point, 0.0
    curved = CYLINDER in (core_a, core_b)
    simplex = core_distance(a, b, frame_b_in_a, work)
    if too_close(work, simplex):
        cap = MOST_CORNERS_CURVED if curved else MOST_CORNERS
        polytope = expand(a, b, work, simplex[3], cap)
        simplex = _better(a, b, work, simplex, polytope)
    if curved and simplex[3] < 4:
        simplex = polish(a, b, work, simplex)
    return with_points(a, work, simplex)


def too_close(work: Memory, simplex: Distance) -> bool:
    """Return whether cores meet, touch, or are near and no more is known."""
    distance, slack, _, _ = simplex
    close = distance <= CLOSE * work[SCALE] and slack > TOLERANCE * work[SCALE]
    return bool(close or distance <= TOUCHING * work[SCALE])


def _better(
    a: Memory, b: Memory, work: Memory, simplex: Distance, polytope: Expansion
) -> Distance:
    """Return what is better proven: the distance by a simplex, or the depth by a polytope."""
    distance, slack, _, count = simplex
    status, upper, lower, outwards, face, faces = polytope
    if distance > 0.0 and -upper < distance - slack:
        return simplex  # two vertices a hair apart, for example
    if status == PROVEN:
        take_face(work, face, faces)
        count = 3
    elif status >= CAPPED:
        (upper, outwards), count = least_depth(a, b, work, (upper, outwards), lower)
    depth_slack = max(upper - lower, 0.0)
    if distance > 0.0:
        nearer = max(-upper, min(distance, depth_slack - upper))
        return nearer, min(distance - nearer, depth_slack), opposite(outwards), count
    return -upper, depth_slack, opposite(outwards), count


def with_points(a: Memory, work: Memory, simplex: Distance) -> ProvenGap:
    """Return the gap of two cores in A's frame."""
    distance, slack, normal, count = simplex
    step = weighted(work, count, 0)
    # What is left of the bounds' difference goes half to either point.
    excess = 0.5 * (dot(step, normal) - distance)
    p = plus(weighted(work, count, POINT_A), vector_at(a, CENTRE))
    q = along(plus(p, step), -excess, normal)
    unproven = 1.0 if slack > PROOF * (work[SCALE] + abs(distance)) else 0.0
    return distance, normal, along(p, excess, normal), q, unproven


def point_core(shape: Memory, point: Vector) -> tuple[float, Vector, Vector]:
    """Return distance, outward unit normal and nearest point of a box or cylinder to a point."""
    centre = vector_at(shape, CENTRE)
    offset = minus(point, centre)
    if int(shape[CORE]) == BOX:
        distance, normal, nearest = point_box(vector_at(shape, SIZE), offset)
    else:
        distance, normal, nearest = point_cylinder(shape[SIZE], shape[SIZE + 2], offset)
    return distance, normal, plus(nearest, centre)
