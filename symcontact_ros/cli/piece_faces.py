"""Faces of the pieces that shapes are drawn with, counter-clockwise seen from outside."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from symcontact_ros.shapes.drawing import CUBE, CYLINDER, MarkerPiece, SPHERE
from symcontact_ros.types import Vector

AROUND = 28  # faces around a sphere or a cylinder
DOWN = 14  # from pole to pole


def faces_of(piece: MarkerPiece) -> list[Vector]:
    """Return the polygons, (corners, 3), of a piece in the frame of its shape [m]."""
    if piece.kind == CUBE:
        unit = _cube()
    elif piece.kind == SPHERE:
        unit = _sphere()
    elif piece.kind == CYLINDER:
        unit = _cylinder()
    else:
        unit = list(np.reshape(np.array(piece.corners), (-1, 3, 3)))
    turn, shift, scale = np.array(piece.turn), np.array(piece.shift), np.array(piece.scale)
    return [(face * scale) @ turn.T + shift for face in unit]


def _cube() -> list[Vector]:
    faces = []
    for axis in range(3):
        for sign in (-0.5, 0.5):
            square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
            face = np.empty((4, 3))
            face[:, axis] = sign
            face[:, [(axis + 1) % 3, (axis + 2) % 3]] = square if sign > 0.0 else square[::-1]
            faces.append(face)
    return faces


def _circle() -> Vector:
    angles = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    return 0.5 * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _cylinder() -> list[Vector]:
    ring = _circle()
    low = np.column_stack([ring, np.full(AROUND, -0.5)])
    high = np.column_stack([ring, np.full(AROUND, 0.5)])
    sides = [np.array([low[i - 1], low[i], high[i], high[i - 1]]) for i in range(AROUND)]
    return [*sides, high, low[::-1]]


def _sphere() -> list[Vector]:
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, DOWN + 1)
    ring = _circle()
    rows = [np.column_stack([np.cos(a) * ring, np.full(AROUND, 0.5 * np.sin(a))]) for a in angles]
    faces = []
    for low, high in pairwise(rows):
        for i in range(AROUND):
            corners = np.array([low[i - 1], low[i], high[i], high[i - 1]])
            keep = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) > 1e-12
            faces.append(corners[keep])  # triangles at the poles
    return faces
