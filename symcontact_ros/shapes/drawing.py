"""Pictures of shapes without ROS: pieces that RViz can draw, and outlines for plots."""

from __future__ import annotations

from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Vector3 = tuple[float, float, float]

THICKNESS = 0.02  # [m] of planar shapes, which have none
CURVE_POINTS = 24  # of half a circle

# Kinds of pieces: those of visualization_msgs/msg/Marker.
CUBE, SPHERE, CYLINDER, TRIANGLES = 'CUBE', 'SPHERE', 'CYLINDER', 'TRIANGLE_LIST'


@dataclass(frozen=True)
class MarkerPiece:
    """
    A body that RViz draws, in the frame of its shape.

    Attributes
    ----------
    kind
        CUBE, SPHERE, CYLINDER or TRIANGLES.
    scale
        Full lengths along its own axes [m]; a sphere may be an ellipsoid. Ones for triangles.
    turn
        Rows of the rotation matrix of its axes.
    shift
        Its centre [m].
    corners
        Of triangles, three for each, counter-clockwise seen from outside [m].
    """

    kind: str
    scale: Vector3
    turn: tuple[Vector3, Vector3, Vector3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    shift: Vector3 = (0.0, 0.0, 0.0)
    corners: tuple[Vector3, ...] = ()


def disc(radius: float, shift: Vector3 = (0.0, 0.0, 0.0)) -> MarkerPiece:
    """Return the piece of a circle in the xy plane."""
    return MarkerPiece(CYLINDER, (2 * radius, 2 * radius, THICKNESS), shift=shift)


def half_circle() -> Points:
    """Return points of a half circle of radius 1, from -90 to 90 degrees."""
    angles = np.linspace(-0.5 * math.pi, 0.5 * math.pi, CURVE_POINTS)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def circle_with_spoke() -> Points:
    """Return a circle of radius 1 with a spoke along x, so that it is seen to turn."""
    arc = half_circle()
    whole = np.roll(np.concatenate([arc, -arc]), -(CURVE_POINTS // 2), axis=0)
    return np.concatenate([[[0, 0], [1, 0]], whole, [[1, 0]]])
