"""Boxes along the world axes around shapes, for the broad phase."""

from __future__ import annotations

from symcontact_ros.collision.broad_phase import Box
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors import planar as plane
from symcontact_ros.kernels.vectors import spatial as space
from symcontact_ros.shapes import planar_dispatch, spatial_dispatch
from symcontact_ros.shapes.records import PlanarSolid, SpatialSolid


@separate
def planar_box(shape: PlanarSolid, frame: plane.Frame, box: Box) -> None:
    """Write the box around a planar shape, which has no height."""
    low, high = planar_dispatch.bounds(shape, frame)
    radius = shape.radius
    box.lower = (low[0] - radius, low[1] - radius, 0.0)
    box.upper = (high[0] + radius, high[1] + radius, 0.0)


@separate
def spatial_box(shape: SpatialSolid, frame: space.Frame, box: Box) -> None:
    """Write the box around a spatial shape."""
    low, high = spatial_dispatch.bounds(shape, frame)
    radius = shape.radius
    box.lower = (low[0] - radius, low[1] - radius, low[2] - radius)
    box.upper = (high[0] + radius, high[1] + radius, high[2] + radius)
