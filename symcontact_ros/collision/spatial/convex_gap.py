"""
Signed distance of any two convex shapes with a core of points and a radius.

Cores that are apart are measured by `gjk`; cores that meet, or are too close to decide, by `epa`;
`rays` does what `epa` cannot prove, and `polish` makes the normals of cylinders exact. Radii are
subtracted last, apart and in overlap alike.
"""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import PROVEN, Result, UNPROVEN
from symcontact_ros.collision.spatial.differences import weighted, weighted_a
from symcontact_ros.collision.spatial.epa import (
    CAPPED,
    expand,
    Expansion,
    MOST_CORNERS_CURVED,
    ON_BOUNDARY,
    take_face,
)
from symcontact_ros.collision.spatial.gjk import core_distance, Distance, TOLERANCE
from symcontact_ros.collision.spatial.polish import polish
from symcontact_ros.collision.spatial.query_memory import MOST_CORNERS, QueryMemory
from symcontact_ros.collision.spatial.rays import least_depth
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import layout_of
from symcontact_ros.kernels.vectors.spatial import (
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
)
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import has_point_gap, is_curved, is_point, point_gap

WORK = layout_of(QueryMemory).slots  # floats of work memory that a query needs
# Of the scale: nearer cores are measured as if they met, ...
TOUCHING = 1e-9
# ... and so are near ones on which the search for the distance has stalled.
CLOSE = 1e-3
# Of the scale, and of the distance: a result with bounds closer than this is proven.
PROOF = 1e-8


@separate
def convex_gap(
    a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, work: Floats
) -> Result[Vector]:
    """
    Return the signed distance of two convex shapes.

    Parameters
    ----------
    a, b
        The shapes; any but half-spaces.
    frame_a, frame_b
        Their frames in the world.
    work
        WORK floats of any value.

    Returns
    -------
    distance
        Of the surfaces, negative in overlap: then the shortest way apart [m].
    normal
        Unit vector from A to B.
    point_a, point_b
        Points on the surfaces; their difference along the normal is the distance.
    status
        UNPROVEN for an overlap whose depth may not be the least one, else PROVEN.
    """
    distance, normal, p, q, status = core_gap(a, between(frame_a, frame_b), b, work)
    return (
        distance - a.radius - b.radius,
        turned(frame_a, normal),
        placed(frame_a, along(p, a.radius, normal)),
        placed(frame_a, along(q, -b.radius, normal)),
        status,
    )


@separate
def core_gap(
    a: SpatialSolid, frame_b_in_a: Frame, b: SpatialSolid, work: Floats
) -> Result[Vector]:
    """Return the gap of two cores in A's frame, as `convex_gap` does for shapes in the world."""
    # A point on the axis of a disc would need more faces than there is room for.
    if is_point(a) and has_point_gap(b):
        point = a.centre
        distance, outwards, nearest = point_core(b, point_in(frame_b_in_a, point))
        normal = opposite(turned(frame_b_in_a, outwards))
        return distance, normal, point, placed(frame_b_in_a, nearest), PROVEN
    if is_point(b) and has_point_gap(a):
        point = placed(frame_b_in_a, b.centre)
        distance, normal, nearest = point_core(a, point)
        return distance, normal, nearest, point, PROVEN
    curved = is_curved(a) or is_curved(b)
    simplex = core_distance(a, b, frame_b_in_a, work)
    query = QueryMemory.at(work)
    if too_close(query, simplex):
        cap = MOST_CORNERS_CURVED if curved else MOST_CORNERS
        polytope = expand(a, b, query, simplex[3], cap)
        simplex = _better(a, b, query, simplex, polytope)
    if curved and simplex[3] < 4:
        simplex = polish(a, b, query, simplex)
    return with_points(a, query, simplex)


def too_close(query: QueryMemory, simplex: Distance) -> bool:
    """Return whether cores meet, touch, or are near and no more is known."""
    distance, slack, _, _ = simplex
    close = distance <= CLOSE * query.scale and slack > TOLERANCE * query.scale
    return close or distance <= TOUCHING * query.scale


def _better(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, simplex: Distance, polytope: Expansion
) -> Distance:
    """Return what is better proven: the distance by a simplex, or the depth by a polytope."""
    distance, slack, _, count = simplex
    status, upper, lower, outwards, face, faces = polytope
    if distance > 0.0 and -upper < distance - slack:
        return simplex  # two vertices a hair apart, for example
    if status == ON_BOUNDARY:
        take_face(query, face, faces)
        count = 3
    elif status >= CAPPED:
        (upper, outwards), count = least_depth(a, b, query, (upper, outwards), lower)
    depth_slack = max(upper - lower, 0.0)
    if distance > 0.0:
        nearer = max(-upper, min(distance, depth_slack - upper))
        return nearer, min(distance - nearer, depth_slack), opposite(outwards), count
    return -upper, depth_slack, opposite(outwards), count


def with_points(a: SpatialSolid, query: QueryMemory, simplex: Distance) -> Result[Vector]:
    """Return the gap of two cores in A's frame."""
    distance, slack, normal, count = simplex
    step = weighted(query, count)
    # What is left of the bounds' difference goes half to either point.
    excess = 0.5 * (dot(step, normal) - distance)
    p = plus(weighted_a(query, count), a.centre)
    q = along(plus(p, step), -excess, normal)
    status = UNPROVEN if slack > PROOF * (query.scale + abs(distance)) else PROVEN
    return distance, normal, along(p, excess, normal), q, status


def point_core(solid: SpatialSolid, point: Vector) -> tuple[float, Vector, Vector]:
    """Return distance, outward unit normal and nearest point of a core to a point."""
    distance, normal, nearest = point_gap(solid, minus(point, solid.centre))
    return distance, normal, plus(nearest, solid.centre)
