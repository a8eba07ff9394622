"""
Kernels of any shape in space: each finds the core of the shape by its number.

Loops over tuples of cores are unrolled: a kernel is a comparison for each core that differs from a
hull. See `cores.SpatialCore` for what they return.
"""

from __future__ import annotations

from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.records import Rows
from symcontact_ros.kernels.vectors.spatial import Frame, Vector
from symcontact_ros.shapes.cores import Bend, SpatialCore
from symcontact_ros.shapes.records import LoopCorner, SpatialSolid
from symcontact_ros.shapes.table import differing, numbers_differing, SPATIAL_CORES

CURVED = numbers_differing(SPATIAL_CORES, 'is_curved')
POINTS = numbers_differing(SPATIAL_CORES, 'is_point')
WITH_DISCS = numbers_differing(SPATIAL_CORES, 'has_discs')
ROUNDED = numbers_differing(SPATIAL_CORES, 'is_rounded')
POINT_GAPS = numbers_differing(SPATIAL_CORES, 'point_gap')
SIDES = numbers_differing(SPATIAL_CORES, 'is_within_sides')

WITH_SUPPORT = differing(SPATIAL_CORES, 'support')
WITH_VERTEX = differing(SPATIAL_CORES, 'vertex')
WITH_BOUNDS = differing(SPATIAL_CORES, 'bounds')
WITH_POINT_GAP = differing(SPATIAL_CORES, 'point_gap')
WITH_FACES = differing(SPATIAL_CORES, 'face_count')
WITH_SIDES = differing(SPATIAL_CORES, 'is_within_sides')
WITH_LINE = differing(SPATIAL_CORES, 'lowest_line')
WITH_ROUND_PART = differing(SPATIAL_CORES, 'round_part')
WITH_BEND = differing(SPATIAL_CORES, 'bend')
WITH_LINEAR_PART = differing(SPATIAL_CORES, 'linear_part')


def is_rounded(solid: SpatialSolid) -> bool:
    """Return whether a core has no inside: all depth of the shape is its radius."""
    return solid.core in ROUNDED


def support(solid: SpatialSolid, direction: Vector) -> tuple[Vector, int]:
    """Return the point of a core that is farthest along a direction, and its feature."""
    for number, core in WITH_SUPPORT:
        if solid.core == number:
            return core.support(solid, direction)
    return SpatialCore.support(solid, direction)


def vertex(solid: SpatialSolid, feature: int) -> Vector:
    """Return a vertex from the centre of its core, by the number that `support` gives it."""
    for number, core in WITH_VERTEX:
        if solid.core == number:
            return core.vertex(solid, feature)
    return SpatialCore.vertex(solid, feature)


def bounds(solid: SpatialSolid, frame: Frame) -> tuple[Vector, Vector]:
    """Return the lower and the upper corner of the box around a core in the world."""
    for number, core in WITH_BOUNDS:
        if solid.core == number:
            return core.bounds(solid, frame)
    return SpatialCore.bounds(solid, frame)


def is_point(solid: SpatialSolid) -> bool:
    """Return whether a core is its centre alone."""
    return solid.core in POINTS


def has_point_gap(solid: SpatialSolid) -> bool:
    """Return whether the distance of a core from a point has a closed form."""
    return solid.core in POINT_GAPS


def point_gap(solid: SpatialSolid, point: Vector) -> tuple[float, Vector, Vector]:
    """Return signed distance, outward normal and nearest point of a core to a point."""
    for number, core in WITH_POINT_GAP:
        if solid.core == number:
            return core.point_gap(solid, point)
    return SpatialCore.point_gap(solid, point)


# Flat faces --------------------------------------------------------------------------------------


def face_count(solid: SpatialSolid) -> int:
    """Return how many flat faces a core has."""
    for number, core in WITH_FACES:
        if solid.core == number:
            return core.face_count(solid)
    return SpatialCore.face_count(solid)


def face_normal(solid: SpatialSolid, face: int) -> Vector:
    """Return the outward unit normal of a face in the frame of its shape."""
    for number, core in WITH_FACES:
        if solid.core == number:
            return core.face_normal(solid, face)
    return SpatialCore.face_normal(solid, face)


def face_offset(solid: SpatialSolid, face: int) -> float:
    """Return how far a face lies along its normal from the origin of its shape [m]."""
    for number, core in WITH_FACES:
        if solid.core == number:
            return core.face_offset(solid, face)
    return SpatialCore.face_offset(solid, face)


@separate
def write_loop(
    solid: SpatialSolid, frame: Frame, face: int, turn: Vector, loop: Rows[LoopCorner]
) -> int:
    """Write the corners around a face in the world, and return how many there are."""
    for number, core in WITH_FACES:
        if solid.core == number:
            return core.write_loop(solid, frame, face, turn, loop)
    return SpatialCore.write_loop(solid, frame, face, turn, loop)


def has_sides(solid: SpatialSolid) -> bool:
    """Return whether `is_within_sides` knows the planes beside faces."""
    return solid.core in SIDES


def is_within_sides(solid: SpatialSolid, face: int, point: Vector) -> bool:
    """Return whether a point is known to lie between the planes beside a face."""
    for number, core in WITH_SIDES:
        if solid.core == number:
            return core.is_within_sides(solid, face, point)
    return False


def has_discs(solid: SpatialSolid) -> bool:
    """Return whether the faces of a core are discs."""
    return solid.core in WITH_DISCS


def lowest_line(solid: SpatialSolid, down: Vector) -> tuple[float, Vector, Vector]:
    """Return share, start and end of the line that lies on a plane below; share 0: none."""
    for number, core in WITH_LINE:
        if solid.core == number:
            return core.lowest_line(solid, down)
    return SpatialCore.lowest_line(solid, down)


# Curved cores ------------------------------------------------------------------------------------


def is_curved(solid: SpatialSolid) -> bool:
    """Return whether the farthest points of a core move with the direction."""
    return solid.core in CURVED


def linear_part(solid: SpatialSolid, point: Vector, feature: int) -> Vector:
    """Return the end of the linear part of a farthest point, from the centre of the core."""
    for number, core in WITH_LINEAR_PART:
        if solid.core == number:
            return core.linear_part(solid, point, feature)
    return SpatialCore.linear_part(solid, point, feature)


def moved(solid: SpatialSolid, point: Vector, direction: Vector) -> Vector:
    """Return the point of the same feature that is farthest along another direction."""
    for number, core in WITH_BEND:
        if solid.core == number:
            return core.moved(solid, point, direction)
    return SpatialCore.moved(solid, point, direction)


def round_part(solid: SpatialSolid) -> Vector:
    """Return the semi-axes of the ellipsoid that the linear parts of a core are rounded with."""
    for number, core in WITH_ROUND_PART:
        if solid.core == number:
            return core.round_part(solid)
    return SpatialCore.round_part(solid)


def bend(solid: SpatialSolid, frame: Frame, normal: Vector, side: Vector, across: Vector) -> Bend:
    """Return the smooth part of how far a core reaches along a unit normal."""
    for number, core in WITH_BEND:
        if solid.core == number:
            return core.bend(solid, frame, normal, side, across)
    return SpatialCore.bend(solid, frame, normal, side, across)
