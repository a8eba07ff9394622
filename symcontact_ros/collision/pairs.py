"""
What is to be known of a pair of kinds of shapes: three kernels.

All of them take block and frame of shape A, block and frame of shape B; `work` is memory that they
may use as they like.

- ``gap(a, frame_a, b, frame_b, work)`` returns the exact signed distance, the unit normal from A
  to B, the closest points on both boundaries, and 1.0 if the depth is not proven minimal.
- ``look(a, frame_a, b, frame_b, hint, margin, work)`` returns a separation and the feature that
  contact points are to be taken from. Above the margin the separation is only a lower bound. The
  hint is the feature found before, tried first; -1 is none, TOUCHING: do not try.
- ``contacts(a, frame_a, b, frame_b, feature, rows, work)`` writes the contact points of that
  feature (see `rows`) and returns their number and their normal from A to B. It is smooth in the
  frames, which is why a step looks once and then keeps the feature.

A feature is a face (edges in the plane): those of A count from 0, those of B go on from there;
a pair of edges in space (below CORNER); or CORNER, which is anything else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from symcontact_ros.collision.rows import write_row
from symcontact_ros.memory import bound, Memory

V = TypeVar('V')
Result: TypeAlias = tuple[float, V, V, V, float]
Kernel: TypeAlias = Callable[..., Any]

CORNER = -1
TOUCHING = -2  # a hint: they touched before, so that no axis is worth trying first


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
    a: Memory, frame_a: Any, b: Memory, frame_b: Any, hint: int, margin: float, work: Memory
) -> Any:
    distance, _, _, _ = closed_form(a, frame_a, b, frame_b)
    return distance, CORNER


def _contacts(
    a: Memory, frame_a: Any, b: Memory, frame_b: Any, feature: int, rows: Memory, work: Memory
) -> Any:
    distance, normal, point_a, point_b = closed_form(a, frame_a, b, frame_b)
    p, q = in_space(point_a), in_space(point_b)
    middle = (0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2]))
    write_row(rows, 0, distance, middle, 1.0, 0.0)
    return 1, normal
