"""
What is to be known of a pair of kinds of shapes: three kernels.

All of them take block and frame of shape A, block and frame of shape B; `work` is memory that they
may use as they like; `kept` is what a look of the same pair left there for the next one, to start
from (KEPT numbers, all of them 0 at first).

- ``gap(a, frame_a, b, frame_b, work)`` returns the signed distance, the unit normal from A to B,
  the closest points on both boundaries, and a note.
- ``look(a, frame_a, b, frame_b, hint, margin, kept, work)`` returns a separation, the feature that
  contact points are to be taken from, and a note. Above the margin the separation is only a lower
  bound. The hint is the feature found before, tried first; -1 is none, TOUCHING: do not try.
- ``contacts(a, frame_a, b, frame_b, feature, rows, kept, work)`` writes the contact points of that
  feature (see `rows`) and returns their number and their normal from A to B. It is smooth in the
  frames, which is why a step looks once and then keeps the feature.

A feature is a face (edges in the plane): those of A count from 0, those of B go on from there;
a pair of edges in space (below CORNER); or CORNER, which is anything else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from symcontact_ros.collision.rows import write_lone_row
from symcontact_ros.kernels.transitional import bound, Memory

V = TypeVar('V')
Result: TypeAlias = tuple[float, V, V, V, float]
Look: TypeAlias = tuple[float, int, float]
Kernel: TypeAlias = Callable[..., Any]

CORNER = -1
TOUCHING = -2  # a hint: they touched before, so that no axis is worth trying first
KEPT = 4  # numbers that a look keeps for the next one of the same pair

# Notes: what is to be known of an answer.
PROVEN = 0.0
UNPROVEN = 1.0  # a depth that may not be the least one
# The exact method had to answer instead of a convex program, because
NOT_OPTIMAL = 2.0  # its solver found no optimum,
CORE_INSIDE = 3.0  # the shrunk bodies overlap, so that their distance says nothing,
TOO_DEEP = 4.0  # or two flat bodies overlap too deeply for growth to tell how deep.
FALLBACKS = {NOT_OPTIMAL: 'not_optimal', CORE_INSIDE: 'core_inside', TOO_DEEP: 'too_deep'}


class Pair(NamedTuple):
    """How two kinds of shapes meet."""

    gap: Kernel
    look: Kernel
    contacts: Kernel
    shares: float  # a row carries its shares / shares of the stiffness


def single(closed_form: Kernel, point: Kernel) -> Pair:
    """Return the pair of a closed form whose gap is its one contact point."""
    return Pair(
        bound(_gap, closed_form=closed_form),
        bound(_look, closed_form=closed_form),
        bound(_contacts, closed_form=closed_form, in_space=point),
        shares=1.0,
    )


# They stand for a closed form, and for the way from its vectors to three numbers, in the kernels
# below.
closed_form: Any = None
in_space: Any = None


def _gap(a: Memory, frame_a: Any, b: Memory, frame_b: Any, work: Memory) -> Any:
    distance, normal, point_a, point_b = closed_form(a, frame_a, b, frame_b)
    return distance, normal, point_a, point_b, 0.0


def _look(
    a: Memory,
    frame_a: Any,
    b: Memory,
    frame_b: Any,
    hint: int,
    margin: float,
    kept: Memory,
    work: Memory,
) -> Any:
    distance, _, _, _ = closed_form(a, frame_a, b, frame_b)
    return distance, CORNER, PROVEN


def _contacts(
    a: Memory,
    frame_a: Any,
    b: Memory,
    frame_b: Any,
    feature: int,
    rows: Memory,
    kept: Memory,
    work: Memory,
) -> Any:
    distance, normal, point_a, point_b = closed_form(a, frame_a, b, frame_b)
    write_lone_row(rows, distance, in_space(point_a), in_space(point_b), 0.0)
    return 1, normal
