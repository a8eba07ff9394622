"""Markers of a scene without ROS: pieces of shapes, and arrows of contact forces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.placements import matrix, quaternion_of
from symcontact_ros.shapes.drawing import MarkerPiece
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.types import Vector

ARROW_LENGTH = 0.5  # [m] of the largest force seen so far
POINT_SIZE = 0.02  # [m]
PALETTE = ((0.22, 0.49, 0.72), (0.89, 0.45, 0.16), (0.30, 0.63, 0.33), (0.60, 0.40, 0.70))
GREY, RED, YELLOW = (0.6, 0.6, 0.6), (0.85, 0.1, 0.1), (0.95, 0.8, 0.1)
OPACITY = 0.9


@dataclass(frozen=True)
class ScenePiece:
    """A piece of a shape of a body, and the colour of the body."""

    body: str
    number: int  # among the pieces of the body
    piece: MarkerPiece
    colour: tuple[float, float, float]


class ScenePieces:
    """All pieces of the shapes of a model, with values of the live symbols."""

    def __init__(self, model: Model, values: Values) -> None:
        self.pieces: list[ScenePiece] = []
        places = []
        moving = 0
        for row, body in enumerate(model.bodies):
            fixed = body.name in model.grounded
            colour = GREY if fixed else PALETTE[moving % len(PALETTE)]
            moving += not fixed
            pieces = [
                (placed, piece)
                for placed in body.shapes
                for piece in placed.shape.evaluated(values).marker_pieces(model.dimension)
            ]
            for i, (placed, piece) in enumerate(pieces):
                self.pieces.append(ScenePiece(body.name, i, piece, colour))
                rotation = matrix(placed.placement.rotation.evaluated(values))
                offset = np.array(evaluate_all(placed.placement.position, values))
                turned = quaternion_of(rotation @ np.array(piece.turn))
                places.append((row, turned, offset + rotation @ np.array(piece.shift)))
        self._rows = np.array([row for row, _, _ in places], dtype=np.int64)
        self._turns = np.array([turn for _, turn, _ in places]).reshape(-1, 4)
        self._shifts = np.array([shift for _, _, shift in places]).reshape(-1, 3)

    def poses(self, instant: Instant) -> tuple[Vector, Vector]:
        """Return positions [m], (n, 3), and quaternions x, y, z, w, (n, 4), of all pieces."""
        attitude = instant.rotation[self._rows]
        places = instant.position[self._rows] + np.einsum('nij,nj->ni', attitude, self._shifts)
        return places, quaternion_product(instant.quaternion[self._rows], self._turns)


class ForceArrows:
    """Arrows of the forces on B, as long as the largest seen so far allows."""

    def __init__(self) -> None:
        self._largest = 0.0  # [N]

    def ends(self, points: Vector, forces: Vector) -> list[Vector | None]:
        """Return the head of the arrow that begins at each point [m]; None: there is none."""
        sizes = np.sqrt((forces**2).sum(axis=1))
        self._largest = max([self._largest, *sizes.tolist()])
        scale = ARROW_LENGTH / self._largest if self._largest > 0.0 else 0.0
        heads = points + scale * forces
        return [head if size > 0.0 else None for head, size in zip(heads, sizes, strict=True)]


def quaternion_product(first: Vector, second: Vector) -> Vector:
    """Return the products first * second of quaternions x, y, z, w, (n, 4)."""
    (a, b, c, d), (x, y, z, w) = first.T, second.T
    return np.stack(
        [
            d * x + a * w + b * z - c * y,
            d * y - a * z + b * w + c * x,
            d * z + a * y - b * x + c * w,
            d * w - a * x - b * y - c * z,
        ],
        axis=1,
    )
