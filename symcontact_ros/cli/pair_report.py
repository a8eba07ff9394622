"""Pairs of bodies as `symcontact check` prints them, and what overlaps at the start."""

from __future__ import annotations

from collections.abc import Iterator

from symcontact_ros.model.model import Model
from symcontact_ros.simulation.world.start_overlaps import body_pairs, overlaps_of

MOST_PAIRS = 20  # a humanoid has a thousand
DEEP = 0.05  # of the smaller shape: less may be how deep a body rests


def pair_lines(model: Model, is_verbose: bool) -> Iterator[str]:
    """Yield the pairs that may touch, and those that are left out, by the reason."""
    found = body_pairs(model)
    most = len(found.pairs) if is_verbose else MOST_PAIRS
    for a, b in found.pairs[:most]:
        yield f'pair {a} - {b}'
    if len(found.pairs) > most:
        yield f'... and {len(found.pairs) - most} more (-v prints all pairs)'
    if is_verbose:
        for (a, b), reason in sorted(found.excluded.items(), key=lambda item: item[1]):
            yield f'excluded {a} - {b}: {reason}'


def overlap_warnings(model: Model) -> list[str]:
    """Return the pairs that may touch and overlap much at the start."""
    return [
        f'{" and ".join(overlap.pair)} overlap at the start, {overlap.depth:.3g} m deep: '
        'they will push each other apart'
        for overlap in overlaps_of(model, body_pairs(model).pairs)
        if overlap.depth > DEEP * overlap.size
    ]
