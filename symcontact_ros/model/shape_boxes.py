"""Boxes along the world axes around spatial shapes where a model starts."""

from __future__ import annotations

from typing import Any

import numpy as np

from symcontact_ros.placements import matrix
from symcontact_ros.shapes.base import Shape
from symcontact_ros.types import Pose, Vector


def box_around(shape: Shape, pose: Pose) -> tuple[Vector, Vector]:
    """Return the lowest and the highest corner of the box around a spatial shape [m]."""
    from symcontact_ros.shapes.packing import solid_of
    from symcontact_ros.shapes.spatial_dispatch import bounds

    solid: Any = solid_of(shape, 3)
    x, y, z, w = pose.quaternion.tolist()
    axes = matrix((x, y, z, w)).T.tolist()
    frame: Any = tuple(map(tuple, (*axes, pose.position.tolist())))
    low, high = bounds(solid, frame)
    return np.array(low) - solid.radius, np.array(high) + solid.radius
