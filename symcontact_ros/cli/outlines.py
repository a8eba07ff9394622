"""Outlines of planar shapes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symcontact_ros.expressions import evaluate_all
from symcontact_ros.model.parts import PlacedShape
from symcontact_ros.types import Vector

CURVE_POINTS = 24  # of half a circle


def outline_of(placed: PlacedShape, values: dict[str, float]) -> Vector:
    """Return a polygon around a shape of a planar model, in the frame of its body."""
    shape: Any = placed.shape.evaluated(values)
    half_turn = np.linspace(-0.5 * math.pi, 0.5 * math.pi, CURVE_POINTS)
    arc = np.stack([np.cos(half_turn), np.sin(half_turn)], axis=1)
    if shape.kind == 'circle':  # with a spoke, which shows its angle
        points = shape.radius * np.concatenate([[[0, 0], [1, 0]], _circle(arc), [[1, 0]]])
    elif shape.kind == 'capsule':
        shift = np.array([shape.half_length, 0.0])
        points = np.concatenate([shape.radius * arc + shift, -shape.radius * arc - shift])
    elif shape.kind == 'rectangle':
        points = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * shape.half_extents
    elif shape.kind == 'half_space':
        normal = np.array(shape.normal[:2])
        along = np.array([-normal[1], normal[0]])
        corners = [(-1, 0), (1, 0), (1, -1), (-1, -1)]
        far = 1e4  # [m]: beyond any figure
        points = np.array(
            [(shape.offset * normal) + far * (s * along + t * normal) for s, t in corners]
        )
    else:
        points = np.array(shape.vertices)
    _, _, z, w = placed.placement.rotation.evaluated(values)
    shift = np.array(evaluate_all(placed.placement.position, values)[:2])
    placed_points: Vector = points @ rotation(2.0 * math.atan2(z, w)).T + shift
    return placed_points


def _circle(arc: Vector) -> Vector:
    """Return a circle from (1, 0) round, made of half of one."""
    whole = np.concatenate([arc, -arc])
    return np.roll(whole, -(CURVE_POINTS // 2), axis=0)


def rotation(angle: float) -> Vector:
    """Return the matrix that turns by an angle [rad]."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, -sine], [sine, cosine]])
