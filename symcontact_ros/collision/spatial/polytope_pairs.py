"""Pairs of boxes and hulls: separating axes in overlap, GJK when apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symcontact_ros.collision.contact_points import (
    are_as_deep,
    ContactPoint,
    deepest,
    MOST,
    write_lone_point,
)
from symcontact_ros.collision.shape_pair import (
    CommonNormal,
    Contacts,
    CORNER,
    PROVEN,
    QueryResult,
    Result,
    WarmStart,
)
from symcontact_ros.collision.spatial.box_axes import boxes_axes
from symcontact_ros.collision.spatial.clipping import Clipping, contacts_on_face
from symcontact_ros.collision.spatial.convex_gap import convex_gap
from symcontact_ros.collision.spatial.edge_gap import edges_gap
from symcontact_ros.collision.spatial.faces import beyond_face
from symcontact_ros.collision.spatial.hull_axes import hulls_axes
from symcontact_ros.collision.spatial.reference_face import Axes, best_reference
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import embedded, Record, Rows
from symcontact_ros.kernels.vectors.spatial import (
    along,
    direction_in,
    Frame,
    opposite,
    placed,
    point_in,
    turned,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import (
    face_count,
    face_normal,
    has_sides,
    is_within_sides,
    support,
)

# Of a hull whose axes are tried one by one. With 8 triangles that takes longer in overlap than GJK
# and EPA do, with 20 four times as long.
MOST_FACES = 6


class Trial(Record):
    """Work memory of contact points that are only compared."""

    rows: Rows[ContactPoint] = embedded(MOST)
    clipping: Clipping


@dataclass(frozen=True)
class Polytopes(CommonNormal):
    """
    Boxes and hulls against each other.

    Attributes
    ----------
    axes
        Returns the best axes of two polytopes; the search may stop at one beyond a margin [m].
    shares
        See `Pair`.
    """

    axes: Callable[[SpatialSolid, Frame, SpatialSolid, Frame, float], Axes]
    shares: float = 4.0

    @separate
    def gap(
        self, a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, work: Floats
    ) -> Result[Vector]:
        """Return the gap of two polytopes."""
        if is_small(a) and is_small(b):
            separation, feature, _ = self.axes(a, frame_a, b, frame_b, 0.0)
            if separation <= 0.0:
                return feature_gap(a, frame_a, b, frame_b, separation, feature, work)
        return convex_gap(a, frame_a, b, frame_b, work)

    @separate
    def query(
        self,
        a: SpatialSolid,
        frame_a: Frame,
        b: SpatialSolid,
        frame_b: Frame,
        hint: int,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> QueryResult:
        """Return separation and reference of two polytopes."""
        if hint >= 0:
            separation = face_separation(a, frame_a, b, frame_b, hint)
            if separation > margin:
                return separation, hint, PROVEN
        if is_small(a) and is_small(b):
            separation, exact, reference = self.axes(a, frame_a, b, frame_b, margin)
            if reference != exact and not matches_depth(
                a, frame_a, b, frame_b, separation, reference, work
            ):
                reference = exact
            return separation, reference, PROVEN
        return convex_query(a, frame_a, b, frame_b, margin, work)

    def contacts(
        self,
        a: SpatialSolid,
        frame_a: Frame,
        b: SpatialSolid,
        frame_b: Frame,
        feature: int,
        rows: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> Contacts[Vector]:
        """Write the contact points of two polytopes for a reference."""
        return polytopes_contacts(a, frame_a, b, frame_b, feature, rows, work)


def is_small(shape: SpatialSolid) -> bool:
    """Return whether the axes of a shape are tried one by one."""
    return len(shape.planes) <= MOST_FACES


@separate
def feature_gap(
    a: SpatialSolid,
    frame_a: Frame,
    b: SpatialSolid,
    frame_b: Frame,
    separation: float,
    feature: int,
    work: Floats,
) -> Result[Vector]:
    """Return the gap of two polytopes in overlap, of which the best axis is known."""
    if feature < CORNER:
        distance, normal, point_a, point_b = edges_gap(a, frame_a, b, frame_b, feature)
        return distance, normal, point_a, point_b, PROVEN
    trial = Trial.at(work)
    count, normal = face_contacts(a, frame_a, b, frame_b, feature, trial.rows, trial.clipping)
    if count == 0:  # only touching, at a corner of the face
        return convex_gap(a, frame_a, b, frame_b, work)
    row = trial.rows[deepest(trial.rows, count)]
    point_a = along(row.point, -0.5 * row.distance, normal)
    return separation, normal, point_a, along(point_a, separation, normal), PROVEN


@separate
def convex_query(
    a: SpatialSolid,
    frame_a: Frame,
    b: SpatialSolid,
    frame_b: Frame,
    margin: float,
    work: Floats,
) -> QueryResult:
    """Return distance and reference of two convex shapes by GJK."""
    distance, normal, _, _, status = convex_gap(a, frame_a, b, frame_b, work)
    if distance <= margin:
        face = best_reference(a, frame_a, b, frame_b, distance, normal)
        if face > CORNER and matches_depth(a, frame_a, b, frame_b, distance, face, work):
            return distance, face, status
    return distance, CORNER, status


@separate
def matches_depth(
    a: SpatialSolid,
    frame_a: Frame,
    b: SpatialSolid,
    frame_b: Frame,
    distance: float,
    face: int,
    work: Floats,
) -> bool:
    """
    Return whether the contact points on a face are about as deep as the shapes are.

    They are not where shapes overlap beside the face, at an edge of it.
    """
    if distance >= 0.0 or face < CORNER:
        return True
    first = face_count(a)
    if face < first and is_above(a, frame_a, b, frame_b, face):
        return True
    if face >= first and is_above(b, frame_b, a, frame_a, face - first):
        return True
    trial = Trial.at(work)
    count, _ = face_contacts(a, frame_a, b, frame_b, face, trial.rows, trial.clipping)
    return are_as_deep(trial.rows, count, distance)


def is_above(a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, face: int) -> bool:
    """Return whether the deepest point of B is known to lie within the sides of a face of A."""
    if not has_sides(a):
        return False
    down = opposite(turned(frame_a, face_normal(a, face)))
    lowest, _ = support(b, direction_in(frame_b, down))
    return is_within_sides(a, face, point_in(frame_a, placed(frame_b, lowest)))


def face_separation(
    a: SpatialSolid, frame_a: Frame, b: SpatialSolid, frame_b: Frame, face: int
) -> float:
    """Return how far one shape lies beyond a face of the other."""
    count = face_count(a)
    if face < count:
        return beyond_face(a, frame_a, b, frame_b, face)
    return beyond_face(b, frame_b, a, frame_a, face - count)


@separate
def face_contacts(
    a: SpatialSolid,
    frame_a: Frame,
    b: SpatialSolid,
    frame_b: Frame,
    face: int,
    rows: Rows[ContactPoint],
    work: Clipping,
) -> Contacts[Vector]:
    """Write the contact points on a face; return their number and the normal from A to B."""
    count = face_count(a)
    if face < count:
        return contacts_on_face(a, frame_a, b, frame_b, face, rows, work)
    number, normal = contacts_on_face(b, frame_b, a, frame_a, face - count, rows, work)
    return number, opposite(normal)


@separate
def polytopes_contacts(
    a: SpatialSolid,
    frame_a: Frame,
    b: SpatialSolid,
    frame_b: Frame,
    feature: int,
    rows: Rows[ContactPoint],
    work: Floats,
) -> Contacts[Vector]:
    """Write the contact points of two polytopes for a reference."""
    if feature > CORNER:
        return face_contacts(a, frame_a, b, frame_b, feature, rows, Clipping.at(work))
    if feature < CORNER:
        distance, normal, point_a, point_b = edges_gap(a, frame_a, b, frame_b, feature)
    else:
        distance, normal, point_a, point_b, _ = convex_gap(a, frame_a, b, frame_b, work)
    write_lone_point(rows, distance, point_a, point_b, feature)
    return 1, normal


BOXES = Polytopes(boxes_axes)
HULLS = Polytopes(hulls_axes)
