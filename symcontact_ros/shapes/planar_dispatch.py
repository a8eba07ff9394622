"""
Kernels of any shape in the plane: each finds the core of the shape by its number.

See `spatial_dispatch`, and `cores.PlanarCore` for what they return.
"""

from __future__ import annotations

from symcontact_ros.kernels.vectors.planar import Frame, Vector
from symcontact_ros.shapes.cores import PlanarCore
from symcontact_ros.shapes.records import PlanarSolid
from symcontact_ros.shapes.table import differing, numbers_differing, PLANAR_CORES

ROUNDED = numbers_differing(PLANAR_CORES, 'is_rounded')
WITH_SUPPORT = differing(PLANAR_CORES, 'support')
WITH_VERTEX = differing(PLANAR_CORES, 'vertex')
WITH_BOUNDS = differing(PLANAR_CORES, 'bounds')


def is_rounded(solid: PlanarSolid) -> bool:
    """Return whether a core has no inside: all depth of the shape is its radius."""
    return solid.core in ROUNDED


def support(solid: PlanarSolid, direction: Vector) -> tuple[Vector, int]:
    """Return the point of a core that is farthest along a direction, and its vertex."""
    for number, core in WITH_SUPPORT:
        if solid.core == number:
            return core.support(solid, direction)
    return PlanarCore.support(solid, direction)


def vertex(solid: PlanarSolid, feature: int) -> Vector:
    """Return a vertex of a core by the number that `support` gives it."""
    for number, core in WITH_VERTEX:
        if solid.core == number:
            return core.vertex(solid, feature)
    return PlanarCore.vertex(solid, feature)


def bounds(solid: PlanarSolid, frame: Frame) -> tuple[Vector, Vector]:
    """Return the lower and the upper corner of the box around a core in the world."""
    for number, core in WITH_BOUNDS:
        if solid.core == number:
            return core.bounds(solid, frame)
    return PlanarCore.bounds(solid, frame)
