"""Nearest features of two bodies, found in numbers by the exact detector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
import itertools

import numpy as np
from numpy.typing import ArrayLike
import sympy as sm

from symcontact_ros.collision.proximity import proximity
from symcontact_ros.errors import OptionError
from symcontact_ros.expressions import Values
from symcontact_ros.symbolic.contact.contact_feature import symbol_values
from symcontact_ros.symbolic.contact.distances import has_closed_form, meeting
from symcontact_ros.symbolic.contact.evaluation import Evaluator
from symcontact_ros.symbolic.contact.feature_kinds import (
    ELLIPSOID,
    Feature,
    LINE,
    PLANE,
    POINT,
    RIM,
)
from symcontact_ros.symbolic.contact.feature_motions import Motions
from symcontact_ros.symbolic.contact.frames import Frame, frame_of
from symcontact_ros.symbolic.recorder import Recorder
from symcontact_ros.types import Pose, Proximity, Vector

Pair = tuple[Feature, Feature]
TOLERANCE = 1e-6  # of the size: features that differ less tie; the detector is good to 1e-9
# How much of a surface a feature stands for.
RANK = {POINT: 0, LINE: 1, RIM: 1, ELLIPSOID: 2, PLANE: 2}


def nearest(
    motions: Motions,
    bodies: tuple[str, str],
    features: Sequence[Sequence[tuple[Feature, ...]]],
    live: Values,
    q: ArrayLike,
) -> list[Pair]:
    """
    Return the nearest features of each pair of shapes at q, out of those of every shape.

    The detector gives normal and closest points; the features of A that lie farthest along the
    normal, and those of B against it, can have them.
    """
    values = symbol_values(motions, q, live)
    shapes = [motions.model.body(body).shapes for body in bodies]
    frames = [motions[body].frame for body in bodies]
    symbols, r = motions.names.live, motions.recorder
    placed = [
        [frame_of(shape.placement, symbols).within(r, frame) for shape in own]
        for own, frame in zip(shapes, frames, strict=True)
    ]
    numbers = Evaluator(values, r.assignments)
    chosen = []
    for i, k in itertools.product(*(range(len(own)) for own in shapes)):
        found = proximity(
            shapes[0][i].shape.evaluated(live),
            _pose(numbers, placed[0][i]),
            shapes[1][k].shape.evaluated(live),
            _pose(numbers, placed[1][k]),
            dimension=motions.model.dimension,
        )
        sides = [
            _touched(numbers, own, frame, point, normal)
            for own, frame, point, normal in zip(
                (features[0][i], features[1][k]),
                frames,
                (found.point_a, found.point_b),
                (found.normal, -found.normal),
                strict=True,
            )
        ]
        chosen.append(_chosen(sides[0], sides[1], found, bodies))
    return chosen


@dataclass(frozen=True)
class _Touched:
    """A feature that has the closest point."""

    feature: Feature  # in the frame of the body
    placed: Feature  # in the world, in numbers
    off: float  # from a vertex or the middle of a rim to the closest point [m]

    @property
    def rank(self) -> int:
        return RANK[self.feature.form]

    def reversed(self) -> _Touched:
        return _Touched(self.feature.reversed(), self.placed.reversed(), self.off)


def _touched(
    numbers: Evaluator, features: Sequence[Feature], frame: Frame, point: Vector, normal: Vector
) -> list[_Touched]:
    """Return the features that lie as far along a normal as a point on the boundary does."""
    rotation = [_values(numbers, row) for row in frame.rotation]
    there = Frame(rotation, _values(numbers, frame.position))
    placed = [_in_numbers(numbers, feature).placed(Recorder(), there) for feature in features]
    size = max(_size(feature, point) for feature in placed)
    return [
        _Touched(feature, own, _off(own, point))
        for feature, own in zip(features, placed, strict=True)
        if _reaches(own, point, normal, TOLERANCE * size)
    ]


def _in_numbers(numbers: Evaluator, feature: Feature) -> Feature:
    return replace(
        feature,
        point=_values(numbers, feature.point),
        direction=_values(numbers, feature.direction),
        margin=sm.Float(numbers(feature.margin)),
        radius=sm.Float(numbers(feature.radius)),
        semi_axes=tuple(_values(numbers, axis) for axis in feature.semi_axes),
    )


def _off(feature: Feature, point: Vector) -> float:
    bounded = feature.form in (POINT, RIM, ELLIPSOID)
    return float(np.linalg.norm(_floats(feature.point) - point)) if bounded else 0.0


def _size(feature: Feature, point: Vector) -> float:
    return _off(feature, point) + abs(float(feature.margin)) + float(feature.radius)


def _reaches(feature: Feature, point: Vector, normal: Vector, tolerance: float) -> bool:
    place, direction = _floats(feature.point), _floats(feature.direction)
    along = float(direction @ normal)
    if feature.form == PLANE:
        return float(np.linalg.norm(direction - normal)) < TOLERANCE
    if feature.form == LINE and abs(along) > TOLERANCE:
        return False
    reach = float(normal @ (place - point)) + float(feature.margin)
    if feature.form == RIM:
        reach += float(feature.radius) * float(np.linalg.norm(normal - along * direction))
    if feature.form == ELLIPSOID:
        reach += float(np.linalg.norm([_floats(axis) @ normal for axis in feature.semi_axes]))
    return abs(reach) <= tolerance


def _chosen(
    own: list[_Touched], others: list[_Touched], found: Proximity, bodies: tuple[str, str]
) -> Pair:
    """Return the pair of highest rank that has distance and normal of the detector."""
    pairs = sorted(
        itertools.product(own, others),
        key=lambda pair: (-pair[0].rank - pair[1].rank, pair[0].off + pair[1].off),
    )
    for one, other in pairs:
        turned = [other, other.reversed()] if one.feature.form == LINE else [other]
        for second in turned:
            if has_closed_form(one.feature, second.feature) and _fits(one, second, found):
                return one.feature, second.feature
    known = [
        ' or '.join(dict.fromkeys(t.feature.kind for t in side)) or '?' for side in (own, others)
    ]
    raise OptionError(
        f'{bodies[0]} and {bodies[1]} meet here as {known[0]} and {known[1]}, which has no closed '
        'form; Contact.jacobian of a simulation has its numbers'
    )


def _fits(one: _Touched, other: _Touched, found: Proximity) -> bool:
    gap = meeting(Recorder(), one.placed, other.placed)
    if not all(entry.is_finite for entry in (gap.distance, *gap.normal)):
        return False  # parallel lines, points that coincide
    size = abs(found.distance) + _size(one.placed, found.point_a)
    size += _size(other.placed, found.point_b)
    return (
        abs(float(gap.distance) - found.distance) <= TOLERANCE * size
        and float(np.linalg.norm(_floats(gap.normal) - found.normal)) <= 1e-3
    )


def _pose(numbers: Evaluator, frame: Frame) -> Pose:
    from scipy.spatial.transform import Rotation

    turn = Rotation.from_matrix([numbers.array(row) for row in frame.rotation])
    return Pose(numbers.array(frame.position), turn.as_quat())


def _values(numbers: Evaluator, expressions: Sequence[sm.Expr]) -> list[sm.Expr]:
    return [sm.Float(numbers(expression)) for expression in expressions]


def _floats(vector: Sequence[sm.Expr]) -> Vector:
    return np.array([float(component) for component in vector])
