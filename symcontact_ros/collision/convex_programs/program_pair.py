"""
Pairs of shapes whose kernels solve convex programs.

Such a pair is made of the exact one: the program gives distance and normal, the exact kernels cut
the contact points on the face that the normal belongs to, and they answer by themselves where the
program cannot, with a status of why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from symcontact_ros.collision.contact_points import ContactPoint, write_lone_point
from symcontact_ros.collision.convex_programs.program import Dimension, Program, Reference
from symcontact_ros.collision.shape_pair import (
    ANY,
    CommonNormal,
    Contacts,
    CORNER,
    F,
    NO_PROGRAM,
    NOT_OPTIMAL,
    Pair,
    PROVEN,
    QueryResult,
    Result,
    S,
    V,
    WARM_START,
    WarmStart,
)
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import Rows


@dataclass(frozen=True)
class ProgramPair(CommonNormal, Generic[S, F, V]):
    """
    A pair whose kernels solve a program.

    Its kernels need WARM_START more floats of work memory than the exact ones.

    Attributes
    ----------
    exact
        The pair that the program stands in for.
    program
        Of the dimension that the pair is in, or what stands in for it.
    dimension
        The kernels of that dimension.
    reference
        Which feature contact points are taken from.
    """

    exact: Pair[S, F, V]
    program: Program[S, F, V]
    dimension: Dimension[S, F, V]
    reference: Reference[S, F, V]

    @property
    def shares(self) -> float:
        """Of the stiffness: a contact point carries its shares out of these."""
        return self.exact.shares

    @separate
    def gap(self, a: S, frame_a: F, b: S, frame_b: F, work: Floats) -> Result[V]:
        """Return the gap of a pair by a program, or the exact one and a status of why."""
        warm = WarmStart.at(work)
        warm.program = NO_PROGRAM  # no warm start
        free = work[WARM_START:]
        distance, normal, point_a, point_b, status, _, _ = self.program.solve(
            a, frame_a, b, frame_b, ANY, warm, free
        )
        if status >= NOT_OPTIMAL:
            distance, normal, point_a, point_b, _ = self.exact.gap(a, frame_a, b, frame_b, free)
        return distance, normal, point_a, point_b, status

    @separate
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
        """Return distance and feature by a program, or the exact ones and a status of why."""
        distance, normal, _, _, status, program, count = self.program.solve(
            a, frame_a, b, frame_b, margin, warm, work
        )
        self.dimension.remember(program, count, warm, work)
        if status >= NOT_OPTIMAL:
            distance, feature, _ = self.exact.query(
                a, frame_a, b, frame_b, hint, margin, warm, work
            )
            return distance, feature, status
        if distance > margin:
            return distance, CORNER, PROVEN
        return distance, self.reference(a, frame_a, b, frame_b, distance, normal, work), PROVEN

    @separate
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
        """Write the contact points of a feature: on a face, or the point of the program."""
        if feature != CORNER:
            return self.exact.contacts(a, frame_a, b, frame_b, feature, rows, warm, work)
        distance, normal, point_a, point_b, status, _, _ = self.program.solve(
            a, frame_a, b, frame_b, ANY, warm, work
        )
        if status >= NOT_OPTIMAL:
            distance, normal, point_a, point_b, _ = self.exact.gap(a, frame_a, b, frame_b, work)
        in_space = self.dimension.in_space
        write_lone_point(rows, distance, in_space(point_a), in_space(point_b), CORNER)
        return 1, normal


def program_pair(
    exact: Pair[S, F, V], program: Program[S, F, V], dimension: Dimension[S, F, V]
) -> ProgramPair[S, F, V]:
    """Return the pair that solves a program in the place of an exact one."""
    meets_in_one_point = exact.shares == 1.0
    reference = no_reference if meets_in_one_point else dimension.reference
    return ProgramPair(exact, program, dimension, reference)


def no_reference(
    a: S, frame_a: F, b: S, frame_b: F, distance: float, normal: V, work: Floats
) -> int:
    """Return the feature of a pair that touches in one point."""
    return CORNER
