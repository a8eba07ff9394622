"""Poses of the bodies of a run, at the rows of its recording."""

from __future__ import annotations

import numpy as np

from symcontact_ros.cli.recording import Recording
from symcontact_ros.placements import matrix
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector


class RunPoses:
    """
    Poses of a spatial model over time.

    Attributes
    ----------
    moving
        Names of the bodies that can move.
    still
        Poses of the others: position [m] and rotation matrix, by name.

    """

    def __init__(self, simulation: Simulation, recording: Recording) -> None:
        model = simulation.model
        self._recording = recording
        self.moving = [name for name in model.body_names if name not in model.grounded]
        poses = simulation.poses()
        self.still = {
            name: (poses[name].position, matrix(tuple(poses[name].quaternion)))
            for name in model.grounded
        }

    def path(self, body: str) -> Vector:
        """Return the positions of a body [m], (rows, 3)."""
        return np.stack([self._recording[f'{body}.{axis}'] for axis in 'xyz'], axis=1)

    def at(self, row: int) -> dict[str, tuple[Vector, Vector]]:
        """Return position and rotation matrix of the bodies that move, at a row."""
        found = {}
        for body in self.moving:
            turn = tuple(self._recording[f'{body}.q{axis}'][row] for axis in 'xyzw')
            found[body] = self.path(body)[row], matrix(turn)
        return found
