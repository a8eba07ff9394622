"""Bodies that fixed joints make one, and the trees that they are part of."""

from __future__ import annotations

from collections.abc import Sequence

from symcontact_ros.model.parts import Body, WORLD

LIGHT = 0.01  # of the heaviest of the bodies that are one


def welds_of(bodies: Sequence[Body]) -> dict[str, str]:
    """Return, by body, the first of the bodies that fixed joints make one with it."""
    welded: dict[str, str] = {}
    for body in bodies:
        is_part = body.joint.kind.is_fixed and body.joint.parent != WORLD
        welded[body.name] = welded[body.joint.parent] if is_part else body.name
    return welded


def trees_of(bodies: Sequence[Body]) -> dict[str, str]:
    """Return, by body that moves, the first moving body of the tree that it is part of."""
    trees: dict[str, str] = {}
    for body in bodies:
        if body.joint.parent in trees:
            trees[body.name] = trees[body.joint.parent]
        elif not body.joint.kind.is_fixed:
            trees[body.name] = body.name
    return trees


def weighty(bodies: Sequence[Body], masses: Sequence[float]) -> list[int]:
    """
    Return, for each body, the number of the one that stands for its mass in a contact.

    That is itself, or the heaviest of the bodies that are one with it where its own mass is none,
    or next to nothing: a sensor on a hand is as hard to push away as the hand.
    """
    welds = list(welds_of(bodies).values())
    heaviest: dict[str, int] = {}
    for i, first in enumerate(welds):
        if masses[i] > masses[heaviest.setdefault(first, i)]:
            heaviest[first] = i
    return [
        i if masses[i] > LIGHT * masses[heaviest[first]] else heaviest[first]
        for i, first in enumerate(welds)
    ]
