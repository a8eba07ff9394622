"""
Pairs of shapes whose kernels solve convex programs.

Such a pair is made of the exact one: the program gives distance and normal, the exact kernels cut
the contact points on the face that the normal belongs to, and they answer by themselves where the
program cannot, with a note of why.
"""

from __future__ import annotations

from typing import Any

from symcontact_ros.collision.pairs import CORNER, KEPT, Look, NOT_OPTIMAL, Pair, PROVEN
from symcontact_ros.collision.rows import write_lone_row
from symcontact_ros.kernels.transitional import bound, Memory, separate, shift

ANY = 1e300  # a margin that no distance exceeds

# They stand for a program and what belongs to its dimension, and for the kernels of an exact pair.
solve: Any = None
remember: Any = None
reference: Any = None
in_space: Any = None
exact_gap: Any = None
exact_look: Any = None
exact_contacts: Any = None


def program_pair(exact: Pair, program: Any, keep: Any, face: Any, point: Any) -> Pair:
    """
    Return a pair whose kernels solve a program.

    Parameters
    ----------
    exact
        The pair that the program stands in for.
    program
        As in `spatial`.
    keep, face, point
        What there is in the plane or in space: ``remember``, ``reference`` and ``in_space``.
    """
    names = {
        'solve': program,
        'remember': keep,
        'reference': no_reference if exact.shares == 1.0 else face,
        'in_space': point,
        'exact_gap': exact.gap,
        'exact_look': exact.look,
        'exact_contacts': exact.contacts,
    }
    return Pair(
        bound(program_gap, **names),
        bound(program_look, **names),
        bound(program_contacts, **names),
        exact.shares,
    )


def no_reference(
    a: Memory, frame_a: Any, b: Memory, frame_b: Any, distance: float, normal: Any, work: Memory
) -> int:
    """Return the feature of a pair that touches in one point."""
    return CORNER


@separate
def program_gap(a: Memory, frame_a: Any, b: Memory, frame_b: Any, work: Memory) -> Any:
    """Return the gap of a pair by a program, or the exact one and a note of why."""
    work[0] = 0.0  # nothing is kept from an earlier look
    free = shift(work, KEPT)
    distance, normal, point_a, point_b, note, _ = solve(a, frame_a, b, frame_b, ANY, work, free)
    if note >= NOT_OPTIMAL:
        distance, normal, point_a, point_b, _ = exact_gap(a, frame_a, b, frame_b, free)
    return distance, normal, point_a, point_b, note


@separate
def program_look(
    a: Memory,
    frame_a: Any,
    b: Memory,
    frame_b: Any,
    hint: int,
    margin: float,
    kept: Memory,
    work: Memory,
) -> Look:
    """Return distance and feature of a pair by a program, or the exact ones and a note of why."""
    distance, normal, _, _, note, rows = solve(a, frame_a, b, frame_b, margin, kept, work)
    remember(rows, kept, work)
    if note >= NOT_OPTIMAL:
        distance, feature, _ = exact_look(a, frame_a, b, frame_b, hint, margin, kept, work)
        return distance, feature, note
    if distance > margin:
        return distance, CORNER, PROVEN
    return distance, reference(a, frame_a, b, frame_b, distance, normal, work), PROVEN


@separate
def program_contacts(
    a: Memory,
    frame_a: Any,
    b: Memory,
    frame_b: Any,
    feature: int,
    rows: Memory,
    kept: Memory,
    work: Memory,
) -> Any:
    """Write the contact points of a feature: on a face, or the point that the program gives."""
    if feature != CORNER:
        return exact_contacts(a, frame_a, b, frame_b, feature, rows, kept, work)
    distance, normal, point_a, point_b, note, _ = solve(a, frame_a, b, frame_b, ANY, kept, work)
    if note >= NOT_OPTIMAL:
        distance, normal, point_a, point_b, _ = exact_gap(a, frame_a, b, frame_b, work)
    write_lone_row(rows, distance, in_space(point_a), in_space(point_b), float(CORNER))
    return 1, normal
