"""
Rules that decide which bodies may touch.

Bodies that fixed joints join are one, and never touch among themselves. Neighbours, one joint
apart, touch where the model names them. Pairs of one robot follow its `self_collision`; those of
``safe`` are left out of a simulation if they overlap where it starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
import itertools

from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.model.self_collision import NONE, SAFE
from symcontact_ros.model.welds import trees_of, welds_of

NamePair = tuple[str, str]  # of two bodies, a < b


@dataclass(frozen=True)
class PairList:
    """Pairs of bodies, given by names or by patterns."""

    named: frozenset[NamePair] = frozenset()
    # The bodies that the first and the second pattern of an entry match.
    matched: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.named or self.matched)

    def __contains__(self, pair: NamePair) -> bool:
        a, b = pair
        return pair in self.named or any(
            (a in first and b in second) or (b in first and a in second)
            for first, second in self.matched
        )


class PairRules:
    """
    Rules of a model.

    Parameters
    ----------
    bodies
        All bodies, parents first.
    collide
        The only pairs that may touch, those that are named even as neighbours; None: all.
    exclude
        Pairs that never touch.
    self_collision
        Mode by robot, '' for all others: ``safe``, ``all`` or ``none``.
    """

    def __init__(
        self,
        bodies: tuple[Body, ...],
        collide: PairList | None,
        exclude: PairList,
        self_collision: Mapping[str, str],
    ) -> None:
        self.collide = collide
        self.exclude = exclude
        self.self_collision = self_collision
        self._bodies = bodies

    @cached_property
    def pairs(self) -> tuple[NamePair, ...]:
        """Pairs that may touch, in alphabetical order."""
        return self._found[0]

    @cached_property
    def safe_pairs(self) -> tuple[NamePair, ...]:
        """Those among them that never touch if they overlap at the start."""
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[tuple[NamePair, ...], tuple[NamePair, ...]]:
        welded, trees = welds_of(self._bodies), trees_of(self._bodies)
        robots = {body.name: body.robot for body in self._bodies}
        joined = {(welded[b.name], welded.get(b.joint.parent, WORLD)) for b in self._bodies}
        neighbours = joined | {(b, a) for a, b in joined}
        named = frozenset() if self.collide is None else self.collide.named
        shaped = sorted(body.name for body in self._bodies if body.shapes)
        pairs, safe = [], []
        for pair in itertools.combinations(shaped, 2):
            a, b = pair
            still = a not in trees and b not in trees
            if still or welded[a] == welded[b] or not self._is_wanted(pair):
                continue
            if pair not in named:
                if (welded[a], welded[b]) in neighbours:
                    continue
                same_robot = robots[a] == robots[b] != ''
                if same_robot or trees.get(a) == trees.get(b):
                    default = self.self_collision.get('', SAFE)
                    mode = self.self_collision.get(robots[a] or robots[b], default)
                    if mode == NONE:
                        continue
                    if mode == SAFE:
                        safe.append(pair)
            pairs.append(pair)
        return tuple(pairs), tuple(safe)

    def _is_wanted(self, pair: NamePair) -> bool:
        return (self.collide is None or pair in self.collide) and pair not in self.exclude
