"""Outlines of planar shapes on their bodies, for plots."""

from __future__ import annotations

import math

import numpy as np

from symcontact_ros.expressions import evaluate_all
from symcontact_ros.model.parts import PlacedShape
from symcontact_ros.types import Vector


def outline_of(placed: PlacedShape, values: dict[str, float]) -> Vector:
    """Return a polygon around a shape of a planar model, in the frame of its body."""
    points = placed.shape.evaluated(values).outline()
    _, _, z, w = placed.placement.rotation.evaluated(values)
    shift = np.array(evaluate_all(placed.placement.position, values)[:2])
    placed_points: Vector = points @ rotation(2.0 * math.atan2(z, w)).T + shift
    return placed_points


def rotation(angle: float) -> Vector:
    """Return the matrix that turns by an angle [rad]."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, -sine], [sine, cosine]])
