"""What the convex programs of both dimensions share: which one is exact, and growth."""

from __future__ import annotations

from typing import Any

from symcontact_ros.collision.layout import BOX, CORE, CYLINDER, HULL, INNER
from symcontact_ros.collision.pairs import NOT_OPTIMAL, PROVEN, TOO_DEEP
from symcontact_ros.kernels.transitional import Memory, separate

DEEP = 0.04  # of the inner radius of the smaller body, 2 % of its width: growth tells no more
OPTIMAL = 1e-7  # part of the growth factor by which its bounds may differ
VERTICES = 65536  # that two numbers of vertices can be kept of in one

# They stand for the programs of a dimension, and for what growth is made of there.
growth: Any = None
min_distance: Any = None
grown: Any = None
recalled: Any = None
between: Any = None
placed: Any = None
turned: Any = None
COLUMNS: Any = None  # rows that carry the answer


@separate
def exact_program(
    a: Memory, frame_a: Any, b: Memory, frame_b: Any, margin: float, kept: Memory, work: Memory
) -> Any:
    """Solve the program that is exact; growth, which is not, for two flat shapes in overlap."""
    if is_flat(a) and is_flat(b):
        answer = growth(a, frame_a, b, frame_b, margin, kept, work)
        # That they are apart is proven by any normal; their distance is not growth's to tell.
        if answer[0] <= 0.0 or answer[0] > margin:
            return answer
    return min_distance(a, frame_a, b, frame_b, margin, kept, work)


@separate
def growth_program(
    a: Memory, frame_a: Any, b: Memory, frame_b: Any, margin: float, kept: Memory, work: Memory
) -> Any:
    """Let both shapes grow or shrink until they touch."""
    count = recalled(a, b, kept, work, -COLUMNS)
    distance, slack, normal, p, q = grown(a, b, between(frame_a, frame_b), work, count)
    note = PROVEN
    if -distance > DEEP * min(a[INNER], b[INNER]) or slack > 1.0:  # concentric ones as well
        note = TOO_DEEP
    elif slack > OPTIMAL:
        note = NOT_OPTIMAL
    rows = -COLUMNS if slack <= OPTIMAL else 0  # concentric ones have none
    return distance, turned(frame_a, normal), placed(frame_a, p), placed(frame_a, q), note, rows


def is_flat(shape: Memory) -> bool:
    """Return whether a shape has an inside without its radius."""
    return int(shape[CORE]) in (BOX, HULL, CYLINDER)
