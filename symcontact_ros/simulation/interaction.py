"""Narrow phase and contact law of every pair: motions in, forces out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from symcontact_ros.collision.packing import packed
from symcontact_ros.collision.pairs import Pair
from symcontact_ros.collision.planar.table import PAIRS, WORK
from symcontact_ros.contact.laws import Constants, elastic_plastic
from symcontact_ros.errors import OptionError
from symcontact_ros.memory import Memory, memory_of
from symcontact_ros.model.expressions import evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import PlacedShape

Frame = tuple[float, ...]  # x, y [m], cos, sin
Gap = tuple[float, ...]  # distance [m], nx, ny, closest points ax, ay, bx, by [m]


class Motion(NamedTuple):
    """Where a body is and how it moves, in the plane and in world axes."""

    frame: tuple[float, ...]  # x, y [m], cos, sin of the body frame
    com: tuple[float, ...]  # x, y of the centre of mass [m]
    twist: tuple[float, ...]  # vx, vy of the centre of mass [m/s], rate of turn [rad/s]


class Touch(NamedTuple):
    """One pair of shapes: its gap and the force on B at the midpoint of the closest points."""

    gap: Gap
    fx: float  # [N]
    fy: float  # [N]

    @property
    def point(self) -> tuple[float, float]:
        """Where the force acts [m]."""
        _, _, _, ax, ay, bx, by = self.gap
        return 0.5 * (ax + bx), 0.5 * (ay + by)


class Interaction:
    """All pairs of bodies that may touch."""

    def __init__(self, model: Model) -> None:
        self.pairs = model.pairs
        self._model = model
        self.constants: dict[tuple[str, str], Constants] = {}
        for a, b in self.pairs:
            law = model.material(a, b).law
            if law != 'elastic_plastic':
                raise OptionError(f'{a} and {b}: the contact law {law} is not simulated yet')
            for one in model.body(a).shapes:
                for other in model.body(b).shapes:
                    kinds = (one.shape.kind, other.shape.kind)
                    if 'circle' not in kinds or _pair(*kinds) is None:
                        raise OptionError(
                            f'{a} and {b}: no collision test for {kinds[0]} and {kinds[1]} yet'
                        )
        self._shapes: dict[str, list[tuple[str, Memory, Frame]]] = {}
        self._work = memory_of(np.zeros(WORK))
        self.set_values(model.parameters)

    def set_values(self, values: Values) -> None:
        """Take new values of the live symbols."""
        involved = {name for pair in self.pairs for name in pair}
        self._shapes = {
            body.name: [_in_body(placed, values) for placed in body.shapes]
            for body in self._model.bodies
            if body.name in involved
        }
        for pair in self.pairs:
            material = self._model.material(*pair)
            self.constants[pair] = Constants(
                *evaluate_all(
                    (
                        material.stiffness,
                        material.damping,
                        material.friction,
                        material.slip_speed,
                    ),
                    values,
                )
            )

    def touches(self, motions: Mapping[str, Motion]) -> Iterator[tuple[str, str, Touch]]:
        """Yield body A, body B and the touch of each pair of their shapes, apart or not."""
        placed = {
            name: [
                (kind, block, _composed(motions[name].frame, frame))
                for kind, block, frame in shapes
            ]
            for name, shapes in self._shapes.items()
        }
        for a, b in self.pairs:
            for one in placed[a]:
                for other in placed[b]:
                    gap = self._gap(one, other)
                    yield a, b, self._resolve(gap, motions[a], motions[b], self.constants[a, b])

    def _gap(self, a: tuple[str, Memory, Frame], b: tuple[str, Memory, Frame]) -> Gap:
        pair = _pair(a[0], b[0])
        assert pair is not None
        swapped = (a[0], b[0]) not in PAIRS
        first, second = (b, a) if swapped else (a, b)
        sides = [(block, ((c, s), (x, y))) for _, block, (x, y, c, s) in (first, second)]
        distance, normal, *points, _ = pair.gap(*sides[0], *sides[1], self._work)
        if swapped:
            normal = (-normal[0], -normal[1])
            points.reverse()
        return (distance, *normal, *points[0], *points[1])

    @staticmethod
    def _resolve(gap: Gap, a: Motion, b: Motion, constants: Constants) -> Touch:
        distance, nx, ny = gap[:3]
        if distance >= 0.0:
            return Touch(gap, 0.0, 0.0)
        vx, vy = relative_velocity(Touch(gap, 0.0, 0.0).point, a, b)
        normal, tangent = elastic_plastic(
            -distance, vx * nx + vy * ny, vy * nx - vx * ny, constants
        )
        return Touch(gap, normal * nx - tangent * ny, normal * ny + tangent * nx)


def relative_velocity(point: tuple[float, float], a: Motion, b: Motion) -> tuple[float, float]:
    """Return the velocity of B relative to A at a point of both [m/s]."""
    x, y = point
    (avx, avy, aw), (bvx, bvy, bw) = a.twist, b.twist
    return (
        bvx - bw * (y - b.com[1]) - avx + aw * (y - a.com[1]),
        bvy + bw * (x - b.com[0]) - avy - aw * (x - a.com[0]),
    )


def add_force(
    wrench: list[float], motion: Motion, point: tuple[float, float], fx: float, fy: float
) -> None:
    """Add a force at a point to a wrench (fx, fy, torque about the centre of mass)."""
    wrench[0] += fx
    wrench[1] += fy
    wrench[2] += (point[0] - motion.com[0]) * fy - (point[1] - motion.com[1]) * fx


def _pair(kind_a: str, kind_b: str) -> Pair | None:
    return PAIRS.get((kind_a, kind_b)) or PAIRS.get((kind_b, kind_a))


def _in_body(placed: PlacedShape, values: Values) -> tuple[str, Memory, Frame]:
    x, y, _ = evaluate_all(placed.placement.position, values)
    _, _, sin, cos = placed.placement.rotation.evaluated(values)  # of half the angle
    block = memory_of(packed(placed.shape.evaluated(values), 2))
    return placed.shape.kind, block, (x, y, cos * cos - sin * sin, 2.0 * sin * cos)


def _composed(body: Frame, shape: Frame) -> Frame:
    """Return the frame of a shape in the world."""
    bx, by, bc, bs = body
    x, y, c, s = shape
    return bx + bc * x - bs * y, by + bs * x + bc * y, bc * c - bs * s, bs * c + bc * s


def still(body_frame: Frame) -> Motion:
    """Return the motion of a body that never moves; its centre of mass is its origin."""
    return Motion(body_frame, body_frame[:2], (0.0, 0.0, 0.0))
