"""The kernels of the pairs of shapes that a model has, by slot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symcontact_ros.collision.pairs import Pair
from symcontact_ros.kernels.transitional import bound, Memory

# They stand for the kernel of one slot, its number, and the choice among those that follow.
number: Any = None
this: Any = None
others: Any = None


def dispatched(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return `look`, `contacts` and `gap` of several pairs, which take the number of one first."""
    return {
        'look': _chain(_only, _one_of, [pair.look for pair in pairs]),
        'contacts': _chain(_only, _one_of, [pair.contacts for pair in pairs]),
        'gap': _chain(_only_gap, _one_gap_of, [pair.gap for pair in pairs]),
    }


def _chain(last: Any, further: Any, kernels: Sequence[Any]) -> Any:
    chain = bound(last, this=kernels[-1])
    for slot in range(len(kernels) - 2, -1, -1):
        chain = bound(further, number=slot, this=kernels[slot], others=chain)
    return chain


# A look takes a hint and a margin, contacts a feature and rows; then what is kept, and work.
def _only(
    slot: int,
    a: Memory,
    frame_a: Any,
    b: Memory,
    frame_b: Any,
    one: Any,
    two: Any,
    kept: Memory,
    work: Memory,
) -> Any:
    return this(a, frame_a, b, frame_b, one, two, kept, work)


def _one_of(
    slot: int,
    a: Memory,
    frame_a: Any,
    b: Memory,
    frame_b: Any,
    one: Any,
    two: Any,
    kept: Memory,
    work: Memory,
) -> Any:
    if slot == number:
        return this(a, frame_a, b, frame_b, one, two, kept, work)
    return others(slot, a, frame_a, b, frame_b, one, two, kept, work)


def _only_gap(slot: int, a: Memory, frame_a: Any, b: Memory, frame_b: Any, work: Memory) -> Any:
    return this(a, frame_a, b, frame_b, work)


def _one_gap_of(slot: int, a: Memory, frame_a: Any, b: Memory, frame_b: Any, work: Memory) -> Any:
    if slot == number:
        return this(a, frame_a, b, frame_b, work)
    return others(slot, a, frame_a, b, frame_b, work)
