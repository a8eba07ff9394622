"""
Narrow-phase interface of a shape pair: three kernels.

A feature is a face (edges in the plane): those of A count from 0, those of B go on from there;
a pair of edges in space (below CORNER); or CORNER, which is anything else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from symcontact_ros.collision.contact_points import ContactPoint, write_lone_point
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import embedded, layout_of, Record, Rows
from symcontact_ros.shapes.records import Solid

S = TypeVar('S', bound=Solid)  # `PlanarSolid` or `SpatialSolid`
F = TypeVar('F')  # frames of the plane or of space
V = TypeVar('V')  # vectors of the plane or of space
# The same, as protocols take and give them.
S_contra = TypeVar('S_contra', bound=Solid, contravariant=True)
F_contra = TypeVar('F_contra', contravariant=True)
V_co = TypeVar('V_co', covariant=True)
# distance [m], unit normal from A to B, closest points on the boundaries of A and of B [m], status
Result: TypeAlias = tuple[float, V, V, V, int]
QueryResult: TypeAlias = tuple[float, int, int]  # separation [m], feature, status
Contacts: TypeAlias = tuple[int, V]  # how many contact points, their unit normal from A to B

CORNER = -1
TOUCHING = -2  # a hint: they touched before, so that no axis is worth trying first
ANY = 1e300  # a margin that no axis exceeds

# Statuses of a result.
PROVEN = 0
UNPROVEN = 1  # a depth that may not be the least one
# The exact method had to answer instead of a convex program, because
NOT_OPTIMAL = 2  # its solver found no optimum,
CORE_INSIDE = 3  # the shrunk bodies overlap, so that their distance is not known,
TOO_DEEP = 4  # two flat bodies overlap too deeply for growth to be exact,
NOT_CONVEX = 5  # or one of them is a surface, which no convex program describes.
FALLBACKS = {
    NOT_OPTIMAL: 'not_optimal',
    CORE_INSIDE: 'core_inside',
    TOO_DEEP: 'too_deep',
    NOT_CONVEX: 'not_convex',
}
STATUSES = 6  # how many there are

# Programs that a warm start can be of.
NO_PROGRAM, MIN_DISTANCE, GROWTH = range(3)


class WarmStart(Record):
    """Warm start of the next query of the same pair; zeros: none."""

    program: int  # of which it is
    count: int  # of pairs of vertices that carried the answer
    vertices_a: Ints = embedded(3)
    vertices_b: Ints = embedded(3)


WARM_START = layout_of(WarmStart).slots


class Pair(Protocol[S_contra, F_contra, V_co]):
    """
    Kernels of two kinds of shapes.

    Its methods are kernels. They take shape and frame of A and of B; ``work`` is memory that they
    may use as they like.
    """

    @property
    def shares(self) -> float:
        """Of the stiffness: a contact point carries its shares out of these."""

    @property
    def has_normals(self) -> bool:
        """Whether each contact point has a normal of its own: `OwnNormals`, in the work memory."""

    def gap(
        self, a: S_contra, frame_a: F_contra, b: S_contra, frame_b: F_contra, work: Floats
    ) -> Result[V_co]:
        """Return signed distance, normal from A to B, closest points on both, and a status."""

    def query(
        self,
        a: S_contra,
        frame_a: F_contra,
        b: S_contra,
        frame_b: F_contra,
        hint: int,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> QueryResult:
        """
        Return a separation, the feature that contact points are to be taken from, and a status.

        Above the margin the separation is only a lower bound. The hint is the feature found
        before, tried first; CORNER is none, TOUCHING: do not try.
        """

    def contacts(
        self,
        a: S_contra,
        frame_a: F_contra,
        b: S_contra,
        frame_b: F_contra,
        feature: int,
        rows: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> Contacts[V_co]:
        """
        Write the contact points of a feature; return their number and their normal from A to B.

        It is smooth in the frames: a step has one query, and uses its feature for all stages.
        """


class CommonNormal:
    """Base of pairs whose contact points have the normal of the pair."""

    has_normals = False  # see `Pair`


@dataclass(frozen=True)
class OnePoint(CommonNormal, Generic[S, F, V]):
    """The pair of a closed form whose gap is its one contact point."""

    closed_form: Callable[[S, F, S, F], tuple[float, V, V, V]]
    in_space: Callable[[V], tuple[float, float, float]]
    shares: float = 1.0

    def gap(self, a: S, frame_a: F, b: S, frame_b: F, work: Floats) -> Result[V]:
        """Return the gap that the closed form gives."""
        distance, normal, point_a, point_b = self.closed_form(a, frame_a, b, frame_b)
        return distance, normal, point_a, point_b, PROVEN

    def query(
        self,
        a: S,
        frame_a: F,
        b: S,
        frame_b: F,
        hint: int,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> QueryResult:
        """Return its distance."""
        distance, _, _, _ = self.closed_form(a, frame_a, b, frame_b)
        return distance, CORNER, PROVEN

    def contacts(
        self,
        a: S,
        frame_a: F,
        b: S,
        frame_b: F,
        feature: int,
        rows: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> Contacts[V]:
        """Write its one contact point."""
        distance, normal, point_a, point_b = self.closed_form(a, frame_a, b, frame_b)
        write_lone_point(rows, distance, self.in_space(point_a), self.in_space(point_b), 0)
        return 1, normal
