"""
Rules that decide which bodies may touch.

Bodies that fixed joints join are one, and never touch among themselves. Neighbours, one joint
apart, touch where the model names them. Pairs of one robot follow its `self_collision`; those of
``safe`` are left out of a simulation if they overlap where it starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
import itertools

from symcontact_ros.model.input_limits import PAIRS
from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.model.self_collision import ALL, NONE, SAFE
from symcontact_ros.model.welds import trees_of, welds_of

NamePair = tuple[str, str]  # of two bodies, a < b
BY_LIST, BY_MODE = 'exclude', 'self_collision: none'  # why a pair never touches


@dataclass(frozen=True)
class PairList:
    """Pairs of bodies, given by names or by patterns."""

    named: frozenset[NamePair] = frozenset()
    # The bodies that the first and the second pattern of an entry match.
    matched: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.named or self.matched)

    def __contains__(self, pair: NamePair) -> bool:
        if pair in self.named:
            return True
        numbers, partners = self._partners
        a, b = pair
        return a in numbers and b in numbers and bool(partners[a] >> numbers[b] & 1)

    @cached_property
    def _partners(self) -> tuple[dict[str, int], dict[str, int]]:
        """Number of each body that a pattern matches, and the set of its partners as bits."""
        names = frozenset().union(*(first | second for first, second in self.matched))
        numbers = {name: number for number, name in enumerate(names)}
        partners = dict.fromkeys(names, 0)
        for sides in self.matched:
            for own, others in (sides, sides[::-1]):
                bits = sum(1 << numbers[name] for name in others)
                for name in own:
                    partners[name] |= bits
        return numbers, partners

    def among(self, names: Sequence[str]) -> Iterable[NamePair]:
        """Return the pairs of the list that some bodies make, which are in alphabetical order."""
        if self.matched:
            return (pair for pair in itertools.combinations(names, 2) if pair in self)
        known = frozenset(names)
        return sorted(pair for pair in self.named if known.issuperset(pair))


class TooManyPairsError(Exception):
    """More pairs than a simulation can have."""


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
    def left_out(self) -> dict[NamePair, str]:
        """Reason why pairs never touch that would, by `exclude` or `self_collision`."""
        return self._found[2]

    @cached_property
    def _found(self) -> tuple[tuple[NamePair, ...], tuple[NamePair, ...], dict[NamePair, str]]:
        welded, trees = welds_of(self._bodies), trees_of(self._bodies)
        robots = {body.name: body.robot for body in self._bodies}
        joined = {(welded[b.name], welded.get(b.joint.parent, WORLD)) for b in self._bodies}
        neighbours = joined | {(b, a) for a, b in joined}
        named = frozenset() if self.collide is None else self.collide.named
        shaped = sorted(body.name for body in self._bodies if body.shapes)
        pairs, safe = [], []
        left_out: dict[NamePair, str] = {}
        counts = {body.name: len(body.shapes) for body in self._bodies}
        count = 0
        for pair in self._listed(shaped):
            a, b = pair
            still = a not in trees and b not in trees
            if still or welded[a] == welded[b]:
                continue
            if pair not in named and (welded[a], welded[b]) in neighbours:
                continue
            same_robot = robots[a] == robots[b] != ''
            is_ruled = pair not in named and (same_robot or trees.get(a) == trees.get(b))
            mode = self._mode(robots[a] or robots[b]) if is_ruled else ALL
            count += counts[a] * counts[b]
            if count > PAIRS:
                raise TooManyPairsError
            if pair in self.exclude:
                left_out[pair] = BY_LIST
            elif mode == NONE:
                left_out[pair] = BY_MODE
            else:
                pairs.append(pair)
                if mode == SAFE:
                    safe.append(pair)
        return tuple(pairs), tuple(safe), left_out

    def _mode(self, robot: str) -> str:
        return self.self_collision.get(robot, self.self_collision.get('', SAFE))

    def _listed(self, shaped: Sequence[str]) -> Iterable[NamePair]:
        """Return the pairs of bodies with shapes that `collide` has, in alphabetical order."""
        if self.collide is None:
            return itertools.combinations(shaped, 2)
        return self.collide.among(shaped)
