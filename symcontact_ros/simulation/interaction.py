"""Narrow phase and contact law of every pair: motions in, forces out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from symcontact_ros.collision.planar import Gap, PAIRS, place
from symcontact_ros.contact.laws import elastic_plastic
from symcontact_ros.errors import OptionError
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.dynamics import Motion


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
        self.material = model.material
        self.pairs = model.pairs
        self._shapes = {body.name: body.shapes for body in model.bodies}
        for a, b in self.pairs:
            for shape_a in self._shapes[a]:
                for shape_b in self._shapes[b]:
                    if (shape_a.kind, shape_b.kind) not in PAIRS:
                        raise OptionError(f'no test for {shape_a.kind} and {shape_b.kind}')

    def touches(self, motions: Mapping[str, Motion]) -> Iterator[tuple[str, str, Touch]]:
        """Yield body A, body B and the touch of each pair of their shapes, apart or not."""
        placed = {
            name: [(shape.kind, place(shape, motions[name].frame)) for shape in shapes]
            for name, shapes in self._shapes.items()
        }
        for a, b in self.pairs:
            for kind_a, placed_a in placed[a]:
                for kind_b, placed_b in placed[b]:
                    gap = PAIRS[kind_a, kind_b](placed_a, placed_b)
                    yield a, b, self._resolve(gap, motions[a], motions[b])

    def _resolve(self, gap: Gap, a: Motion, b: Motion) -> Touch:
        distance, nx, ny = gap[:3]
        if distance >= 0.0:
            return Touch(gap, 0.0, 0.0)
        vx, vy = relative_velocity(Touch(gap, 0.0, 0.0).point, a, b)
        normal, tangent = elastic_plastic(
            -distance, vx * nx + vy * ny, vy * nx - vx * ny, self.material
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
