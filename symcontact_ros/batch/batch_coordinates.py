"""
Coordinates and speeds of many worlds from their states.

The operations are those of `world.coordinates`, on stacks of vectors and matrices instead of
single ones, so that every number has the bits that `Simulation.q` and `.u` have.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.expressions import Values
from symcontact_ros.placements import quaternion_of
from symcontact_ros.simulation.world.coordinates import constants_of, Coordinates
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.types import Vector


class _Frames(NamedTuple):
    """Constants of a floating body, of every variant of a model: see `world.coordinates`."""

    rotation: Vector  # (variants, 3, 3)
    position: Vector
    heading: Vector
    upright: bool  # of all variants
    com: Vector
    inertia: Vector

    def of(self, variants: NDArray[np.int64]) -> _Frames:
        """Return those of worlds, given the variant of each."""
        arrays = (self.rotation, self.position, self.heading, self.com, self.inertia)
        rotation, position, heading, com, inertia = (array[variants] for array in arrays)
        return _Frames(rotation, position, heading, self.upright, com, inertia)


class BatchCoordinates:
    """Conversion of states ``(n, size)`` of the worlds of a model to q and u."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._coordinates = Coordinates(layout)
        self._renewals = -1
        self._variants: list[Values] = []
        self._frames: list[_Frames] = []

    def of_states(
        self, states: Vector, variants: NDArray[np.int64], values: list[Values], renewals: int
    ) -> tuple[Vector, Vector]:
        """
        Return q and u of worlds, given the variant of each and the values of all variants.

        ``renewals`` is another number where the variants are others than before.
        """
        if renewals != self._renewals:
            self._renewals, self._variants = renewals, list(values)
            self._frames = [self._frames_of(i) for i in range(len(self._layout.floating))]
        counts = self._coordinates.counts
        q, u = (np.zeros((len(states), count)) for count in counts)
        make = _planar if self._layout.model.dimension == 2 else _free
        size = self._layout.space.STATE
        for i, (body, frames) in enumerate(zip(self._layout.floating, self._frames, strict=True)):
            first_q, first_u = self._coordinates.starts[body.name]
            own = frames.of(variants)
            place, speeds = make(own, states[:, size * i : size * (i + 1)])
            q[:, first_q : first_q + place.shape[1]] = place
            u[:, first_u : first_u + speeds.shape[1]] = speeds
        for (own_q, q_places), (own_u, u_places) in self._coordinates.groups:
            q[:, own_q] = states[:, q_places]
            u[:, own_u] = states[:, u_places]
        return q, u

    def states(
        self, q: Vector, u: Vector, variants: NDArray[np.int64], values: list[Values]
    ) -> Vector:
        """Return the states of worlds that are given by q and u, without their ledgers."""
        if self._layout.floating:
            worlds = zip(q, u, variants, strict=True)
            return np.array([self._coordinates.state(a, b, values[i]) for a, b, i in worlds])
        states = np.zeros((len(q), self._layout.state_size))
        for (own_q, q_places), (own_u, u_places) in self._coordinates.groups:
            states[:, q_places] = q[:, own_q]
            states[:, u_places] = u[:, own_u]
        return states

    def _frames_of(self, number: int) -> _Frames:
        body, model = self._layout.floating[number], self._layout.model
        found = [constants_of(model, body, values) for values in self._variants]
        return _Frames(
            np.array([own.rotation for own in found]),
            np.array([own.position for own in found]),
            np.array([own.heading for own in found]),
            all(own.upright for own in found),
            np.array([own.com for own in found]),
            np.array([own.inertia for own in found]),
        )


def _times(matrices: Vector, vectors: Vector) -> Vector:
    """Return the products of matrices ``(n, 3, 3)`` and vectors ``(n, 3)``."""
    return np.asarray(np.matmul(matrices, vectors[:, :, None])[:, :, 0])


def _transposed(matrices: Vector) -> Vector:
    return matrices.transpose(0, 2, 1)


def _planar(body: _Frames, state: Vector) -> tuple[Vector, Vector]:
    angle, rate = state[:, 2], state[:, 5]
    arm = np.zeros((len(state), 3))
    if body.com.any():
        turn = np.zeros((len(state), 3, 3))
        # Not numpy's: their last bits may differ from those of `math`.
        turn[:, 0, 0] = turn[:, 1, 1] = [math.cos(a) for a in angle.tolist()]
        turn[:, 1, 0] = [math.sin(a) for a in angle.tolist()]
        turn[:, 0, 1] = -turn[:, 1, 0]
        turn[:, 2, 2] = 1.0
        arm = _times(turn, body.com)
    centre, velocity = np.zeros_like(arm), np.zeros_like(arm)
    centre[:, :2], velocity[:, :2] = state[:, :2], state[:, 3:5]
    across = np.stack([-arm[:, 1], arm[:, 0], np.zeros(len(state))], axis=1)
    origin = _times(_transposed(body.rotation), centre - arm - body.position)
    velocity = _times(_transposed(body.rotation), velocity - rate[:, None] * across)
    q = np.column_stack([origin[:, :2], angle - body.heading])
    return q, np.column_stack([velocity[:, :2], rate])


def _free(body: _Frames, state: Vector) -> tuple[Vector, Vector]:
    attitude = _matrices(state[:, 3:7])
    momentum = _times(_transposed(attitude), np.ascontiguousarray(state[:, 10:13]))
    turn = np.linalg.solve(body.inertia, momentum[:, :, None])[:, :, 0]
    velocity = _times(_transposed(attitude), np.ascontiguousarray(state[:, 7:10]))
    velocity = velocity - np.cross(turn, body.com)
    origin = state[:, :3] - _times(attitude, body.com) - body.position
    origin = _times(_transposed(body.rotation), origin)
    quaternion = state[:, 3:7]
    if not body.upright:
        turned = np.matmul(_transposed(body.rotation), attitude)
        quaternion = np.array([quaternion_of(matrix) for matrix in turned])
    return np.column_stack([origin, quaternion]), np.column_stack([velocity, turn])


def _matrices(quaternions: Vector) -> Vector:
    """Return the rotation matrices of unit quaternions: see `placements.matrix`."""
    x, y, z, w = quaternions.T
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], axis=1),
            np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], axis=1),
            np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], axis=1),
        ],
        axis=1,
    )
