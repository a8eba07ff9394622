"""
Overlaps where a model starts, and the pairs of bodies that a simulation has.

Links of a robot often overlap in its description: across two joints that are close, or in
simplified hulls. Such pairs of one robot would push it apart, and are left out; those of a robot
and the world are reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
import itertools
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from symcontact_ros.collision.batch_query import batch_query
from symcontact_ros.collision.detection import Detection
from symcontact_ros.model.model import Model
from symcontact_ros.model.pair_rules import NamePair, PairRules
from symcontact_ros.model.start_pose import StartPose
from symcontact_ros.shapes.base import Shape
from symcontact_ros.shapes.planar_dispatch import bounds as planar_bounds
from symcontact_ros.shapes.spatial_dispatch import bounds as spatial_bounds
from symcontact_ros.types import Vector

TOUCH = 1e-4  # of the smaller shape: a pair that is nearer than this overlaps
MOST_NAMED = 4  # pairs that a message names
BY_OVERLAP = 'overlap at the start'  # why a pair never touches


class Overlap(NamedTuple):
    """Two bodies that overlap at the start."""

    pair: NamePair
    depth: float  # of their deepest shapes [m]; slightly negative: they all but touch
    size: float  # smallest extent of the smaller one of these shapes [m]


class BodyPairs(NamedTuple):
    """Pairs of bodies of a simulation, a < b, in alphabetical order."""

    pairs: tuple[NamePair, ...]  # that may touch
    excluded: Mapping[NamePair, str]  # that would otherwise, with the reason

    def note(self) -> str:
        """Return which pairs are excluded as they overlap, in a line; '' where none is."""
        overlapping = [pair for pair, reason in self.excluded.items() if reason == BY_OVERLAP]
        if not overlapping:
            return ''
        count = len(overlapping)
        named = ', '.join(f'{a} - {b}' for a, b in overlapping[:MOST_NAMED])
        more = f' and {count - MOST_NAMED} more' if count > MOST_NAMED else ''
        what = 'pair overlaps' if count == 1 else 'pairs overlap'
        return (
            f'{count} {what} at the start and will not collide: {named}{more} '
            '(self_collision: all lets them)'
        )


_known: WeakKeyDictionary[PairRules, BodyPairs] = WeakKeyDictionary()


def body_pairs(model: Model) -> BodyPairs:
    """Return the pairs of bodies that may touch in a simulation; found once for a model."""
    rules = model.pair_rules
    if rules not in _known:
        overlapping = sorted(overlap.pair for overlap in overlaps_of(model, rules.safe_pairs))
        excluded = {**rules.left_out, **dict.fromkeys(overlapping, BY_OVERLAP)}
        _known[rules] = BodyPairs(
            tuple(pair for pair in rules.pairs if pair not in excluded), excluded
        )
    return _known[rules]


def overlaps_of(model: Model, pairs: Iterable[NamePair]) -> Iterator[Overlap]:
    """Yield the pairs of bodies that overlap where the model starts."""
    pairs = tuple(pairs)
    if not pairs:
        return
    detection = Detection(model.dimension)
    placed = _placed_shapes(model, {name for pair in pairs for name in pair}, detection)
    for pair in pairs:
        found = [
            Overlap(pair, -distance, min(one.size, other.size))
            for one, other in itertools.product(placed[pair[0]], placed[pair[1]])
            if one.may_touch(other)
            and (distance := _distance(one, other, detection)) <= TOUCH * min(one.size, other.size)
        ]
        if found:
            yield max(found, key=lambda overlap: overlap.depth)


class _Placed(NamedTuple):
    """A shape where it starts."""

    shape: Shape
    block: Vector
    frame: Vector  # as kernels have it, in a row
    lower: Vector  # corners of the box around it [m]
    upper: Vector
    size: float  # how thin it is [m]

    def may_touch(self, other: _Placed) -> bool:
        """Return whether the boxes meet."""
        return bool((self.lower <= other.upper).all() and (other.lower <= self.upper).all())


def _placed_shapes(
    model: Model, names: set[str], detection: Detection
) -> dict[str, list[_Placed]]:
    start = StartPose(model)
    return {
        name: [_put(shape, turn, place, detection) for shape, turn, place in start.shapes(name)]
        for name in names
    }


def _put(shape: Shape, turn: Vector, place: Vector, detection: Detection) -> _Placed:
    block, size = detection.block(shape), shape.smallest_extent()
    solid: Any = detection.solid(block)
    if detection.dimension == 2:
        frame = np.array([turn[0, 0], turn[1, 0], place[0], place[1]])
        rows = frame.reshape(2, 2)
        bounds: Any = planar_bounds
    else:
        frame = np.concatenate([turn.T.ravel(), place])
        rows = frame.reshape(4, 3)
        bounds = spatial_bounds
    lower, upper = np.full(len(rows[0]), -np.inf), np.full(len(rows[0]), np.inf)
    if shape.is_bounded:
        corners = bounds(solid, tuple(map(tuple, rows.tolist())))
        lower = np.array(corners[0]) - solid.radius
        upper = np.array(corners[1]) + solid.radius
    return _Placed(shape, block, frame.reshape(1, -1), lower, upper, size)


def _distance(one: _Placed, other: _Placed, detection: Detection) -> float:
    """Return the signed distance of two shapes [m]; inf where none is defined."""
    found = batch_query(one.shape.kind, other.shape.kind, detection)
    if found is None:
        return np.inf
    query, swapped = found
    first, second = (other, one) if swapped else (one, other)
    records = query(first.block, first.frame, second.block, second.frame)
    return float(records['distance'][0])
