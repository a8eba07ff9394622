"""
Interface of convex programs in both dimensions; the choice of the exact one, and growth.

A program is a frozen class with a kernel `solve`. What the dimensions have of their own is in
`planar` and in `spatial`: the program ``MinDistance()``, ``DIMENSION`` (a `Dimension`), and
``PROGRAMS`` (`programs_of` them).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias

from symcontact_ros.collision.shape_pair import (
    F,
    F_contra,
    GROWTH,
    NO_PROGRAM,
    NOT_OPTIMAL,
    PROVEN,
    S,
    S_contra,
    TOO_DEEP,
    V,
    V_co,
    WarmStart,
)
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.shapes.records import Triple

# Of the inner radius of the smaller body, 2 % of its width: growth is not exact for more.
DEEP = 0.04
OPTIMAL = 1e-7  # part of the growth factor by which its bounds may differ

# distance [m], unit normal from A to B, points of A and of B [m], status; then a warm start of the
# next query: pairs of vertices of which program (NO_PROGRAM: none), and how many, which the work
# memory has. Above the margin the distance may be a lower bound. With a status of a fallback,
# the first four mean nothing.
Answer: TypeAlias = tuple[float, V, V, V, int, int, int]
# distance along the normal [m], bounds of the growth factor apart (as a part of it), unit normal
# from A to B and points of A and of B, all in A's frame
Growth: TypeAlias = tuple[float, float, V, V, V]
# (A, its frame, B, its frame, distance [m], normal from A to B, work memory) -> the feature to
# take contact points from, or CORNER
Reference: TypeAlias = Callable[[S, F, S, F, float, V, Floats], int]


class Program(Protocol[S_contra, F_contra, V_co]):
    """A convex program of two shapes; its method is a kernel."""

    def solve(
        self,
        a: S_contra,
        frame_a: F_contra,
        b: S_contra,
        frame_b: F_contra,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> Answer[V_co]:
        """Return the answer; the warm start is only read."""


@dataclass(frozen=True)
class Dimension(Generic[S, F, V]):
    """
    The kernels that programs of a dimension are made of.

    Attributes
    ----------
    between, turned, placed
        Another frame as a frame has it; world components of a direction and of a point in one.
    in_space
        A vector as three numbers.
    grown
        (A, B, B's frame as A has it, work, how many pairs of vertices to start from) -> growth.
    carriers
        How many pairs of vertices carry the answer of growth.
    remember
        (program, how many, warm start, work): store the pairs of vertices that carry an answer.
        The warm start has no program if one of them is no vertex, or there are too many.
    recalled
        (A, B, program, warm start, work): put the pairs of vertices that carried the last answer
        of this program into the work memory; return how many, 0 if there is none.
    reference
        The feature that contact points are to be taken from.
    is_rounded
        Whether the core of a shape has no inside.
    """

    between: Callable[[F, F], F]
    turned: Callable[[F, V], V]
    placed: Callable[[F, V], V]
    in_space: Callable[[V], Triple]
    grown: Callable[[S, S, F, Floats, int], Growth[V]]
    carriers: int
    remember: Callable[[int, int, WarmStart, Floats], None]
    recalled: Callable[[S, S, int, WarmStart, Floats], int]
    reference: Reference[S, F, V]
    is_rounded: Callable[[S], bool]


@dataclass(frozen=True)
class ExactProgram(Generic[S, F, V]):
    """The program that is exact; growth, which is not, for two flat shapes in overlap."""

    growth: Program[S, F, V]
    min_distance: Program[S, F, V]
    is_rounded: Callable[[S], bool]  # of the dimension: whether a core has no inside

    @separate
    def solve(
        self,
        a: S,
        frame_a: F,
        b: S,
        frame_b: F,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> Answer[V]:
        """Solve growth for flat shapes, and least distance if they are apart or not flat."""
        if not (self.is_rounded(a) or self.is_rounded(b)):
            answer = self.growth.solve(a, frame_a, b, frame_b, margin, warm, work)
            # Any normal proves that they are apart; their distance does not follow from growth.
            if answer[0] <= 0.0 or answer[0] > margin:
                return answer
        return self.min_distance.solve(a, frame_a, b, frame_b, margin, warm, work)


@dataclass(frozen=True)
class GrowthProgram(Generic[S, F, V]):
    """The least factor by which both shapes must grow to touch."""

    dimension: Dimension[S, F, V]

    @separate
    def solve(
        self,
        a: S,
        frame_a: F,
        b: S,
        frame_b: F,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> Answer[V]:
        """Let both shapes grow or shrink until they touch."""
        own = self.dimension
        count = own.recalled(a, b, GROWTH, warm, work)
        frame_b_in_a = own.between(frame_a, frame_b)
        distance, slack, normal, p, q = own.grown(a, b, frame_b_in_a, work, count)
        status = PROVEN
        if -distance > DEEP * min(a.inner, b.inner) or slack > 1.0:  # concentric ones as well
            status = TOO_DEEP
        elif slack > OPTIMAL:
            status = NOT_OPTIMAL
        program = GROWTH if slack <= OPTIMAL else NO_PROGRAM  # concentric ones have no vertices
        return (
            distance,
            own.turned(frame_a, normal),
            own.placed(frame_a, p),
            own.placed(frame_a, q),
            status,
            program,
            own.carriers if program == GROWTH else 0,
        )


def programs_of(
    dimension: Dimension[S, F, V], min_distance: Program[S, F, V]
) -> dict[str, Program[S, F, V]]:
    """Return the programs of a dimension by the names that options have for them."""
    growth = GrowthProgram(dimension)
    auto = ExactProgram(growth, min_distance, dimension.is_rounded)
    return {'auto': auto, 'min_distance': min_distance, 'growth': growth}
