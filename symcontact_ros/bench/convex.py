"""
Collision detection of the paper by convex optimisation, in CVXPY with ECOS: eqs. 15 to 17.

A round solid is replaced by one of a smaller radius R* at the same position, a flat one by one
whose sides are moved inwards; b is the amount of shrinking. In favour of the paper, each problem
is built once and parametrised, which is six times faster than building it at every call.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
import math
from typing import Any

import numpy as np

from symcontact_ros.bench.detection import Detector, Place, Touch
from symcontact_ros.bench.scenes import Ground, Scene, Solid
from symcontact_ros.types import Vector

PACKAGES = ('cvxpy', 'ecos')
REST = 0.5  # R* as a part of R, and the remaining part of the half width of a flat solid


class Program:
    """Closest points of two shrunk solids; A is at the origin, the pose of B is an argument."""

    def __init__(self, a: Solid | Ground, b: Solid, dimension: int) -> None:
        cp: Any = import_module('cvxpy')  # a second to import

        self._p, self._q = cp.Variable(dimension), cp.Variable(dimension)
        self._centre = cp.Parameter(dimension)
        self._axes = cp.Parameter((dimension, dimension))  # rows: the axes of B
        self._along = cp.Parameter(dimension)  # the centre of B along them
        within: list[Any] = []
        self._shrunk = 0.0
        if isinstance(a, Ground):
            within.append(a.normal[:dimension] @ self._p <= a.offset)
        elif a.is_round:
            self._shrunk += (1.0 - REST) * a.size[0]
            within.append(cp.norm(self._p) <= REST * a.size[0])
        else:
            # The paper shrinks one of the two; only for two flat solids both are shrunk.
            margin = 0.0 if b.is_round else (1.0 - REST) * float(a.size.min())
            self._shrunk += margin
            within.append(cp.abs(self._p) <= a.size[:dimension] - margin)
        if b.is_round:
            self._shrunk += (1.0 - REST) * b.size[0]
            within.append(cp.norm(self._q - self._centre) <= REST * b.size[0])
            self._beyond = (1.0 - REST) * b.size[0]
        else:
            self._beyond = (1.0 - REST) * float(b.size.min())
            self._shrunk += self._beyond
            turned = self._axes @ self._q - self._along
            within.append(cp.abs(turned) <= b.size[:dimension] - self._beyond)
        self._problem = cp.Problem(cp.Minimize(cp.sum_squares(self._p - self._q)), within)
        self._solver = cp.ECOS

    def __call__(self, centre: Vector, axes: Vector) -> Touch:
        """Return the contact of A and B, in the frame of A; ``axes``: rows are the axes of B."""
        self._centre.value = centre
        self._axes.value = axes
        self._along.value = axes @ centre
        self._problem.solve(solver=self._solver)
        p, q = np.asarray(self._p.value), np.asarray(self._q.value)
        length = math.sqrt(max(float(self._problem.value), 1e-30))
        normal = (q - p) / length  # eq. 17
        distance = length - self._shrunk  # eq. 16, with its sign
        return Touch(distance, normal, q - (self._beyond + 0.5 * distance) * normal)


def convex_detectors(scene: Scene) -> tuple[Detector | None, Callable[..., Touch] | None]:
    """Return a detector of the two solids of a scene, or of its solid and its ground."""
    solids = sorted(scene.solids, key=lambda solid: solid.is_round)  # flat solids first, as A
    size = scene.dimension
    if scene.ground is not None:
        program = Program(scene.ground, solids[0], size)

        def on_ground(ground: Ground, size_b: Vector, place: Place) -> Touch:
            return program(place.position, np.eye(size))

        return None, on_ground
    program = Program(solids[0], solids[-1], size)

    def detect(size_a: Vector, a: Place, size_b: Vector, b: Place) -> Touch:
        own = np.eye(size) if a.rotation is None else a.rotation
        other = np.eye(size) if b.rotation is None else b.rotation
        touch = program(own.T @ (b.position - a.position), other.T @ own)
        return Touch(touch.distance, own @ touch.normal, a.position + own @ touch.point)

    return detect, None
