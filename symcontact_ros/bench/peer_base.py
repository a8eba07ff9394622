"""Base class of the other simulators, and conversions of scenes for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
import math
from typing import Any, ClassVar

import numpy as np

from symcontact_ros.bench.scenes import Scene, Solid
from symcontact_ros.placements import matrix
from symcontact_ros.types import Vector

RESTITUTION = 0.5
THICKNESS = 0.2  # half thickness of a rectangle as a box [m]


class Peer(ABC):
    """A scene in another simulator."""

    package: ClassVar[str]  # name for `pip install` and `import`
    title: ClassVar[str]
    loop: ClassVar[str] = 'compiled'
    warms_up = True
    most_runs = most_steps = 1_000_000

    def __init__(self, scene: Scene, step_size: float) -> None:
        self._scene = scene
        self._h = step_size
        self._library: Any = import_module(self.package)

    @classmethod
    def simulates(cls, scene: Scene) -> bool:
        """Return whether the simulator supports the scene."""
        return True

    @abstractmethod
    def build(self) -> None:
        """Create the scene."""

    @abstractmethod
    def reset(self) -> None:
        """Go back to the start."""

    @abstractmethod
    def run(self, steps: int) -> None:
        """Make steps."""

    @abstractmethod
    def end(self) -> Vector:
        """Return the positions of the solids [m]."""


def words(values: Vector) -> str:
    """Return numbers as text, all their digits."""
    return ' '.join(f'{value:.17g}' for value in values)


def extents(solid: Solid) -> Vector:
    """Return radius or half extents in space."""
    return np.append(solid.size, THICKNESS) if len(solid.size) == 2 else solid.size


def inertia_of(scene: Scene, solid: Solid) -> Vector:
    """Return three principal inertias; planar models have one, which is used for all."""
    return np.full(3, solid.inertia[2]) if scene.dimension == 2 else solid.inertia


def spatial_state(scene: Scene, solid: Solid) -> tuple[Vector, Vector]:
    """Return position and quaternion x y z w, velocity and rate of turn, all in world axes."""
    q, u = solid.q, solid.u
    if scene.dimension == 3:
        rotation = matrix(tuple(q[3:]))
        return q, np.concatenate([rotation @ u[:3], rotation @ u[3:]])
    half = 0.5 * q[2]
    pose = np.array([q[0], q[1], 0.0, 0.0, 0.0, math.sin(half), math.cos(half)])
    return pose, np.array([u[0], u[1], 0.0, 0.0, 0.0, u[2]])
