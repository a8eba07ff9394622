"""Blocks of shapes for programs of minimum distance, which look at shrunk shapes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.packing import Block, kind_of_solid, packed, place_shrunk
from symcontact_ros.collision.programs.options import Options
from symcontact_ros.collision.solids import PlanarSolid, POINT, SEGMENT, SpatialSolid
from symcontact_ros.errors import OptionError
from symcontact_ros.kernels.memory import floats_of
from symcontact_ros.model.shapes import Box, ConvexHull, Cylinder, Polygon, Rectangle, Shape

Array = NDArray[np.float64]

LEAST = 1e-6  # of the half width: what must be left of a flat shape


@lru_cache(maxsize=1024)
def program_block(shape: Shape, dimension: int, options: Options) -> Block:
    """Return the block of a shape, and behind it that of the shrunk one if the program has it."""
    block = packed(shape, dimension)
    if not options.is_shrinking or shape.kind == 'half_space':
        return block
    whole = np.concatenate([block, _shrunk(shape, block, dimension, options)])
    place_shrunk(whole, dimension, len(block))
    return whole


def _shrunk(shape: Shape, block: Block, dimension: int, options: Options) -> Block:
    kind = kind_of_solid(dimension)
    solid = kind.at(floats_of(block))
    if solid.core in (POINT, SEGMENT):
        star = options.core_radius
        if star >= solid.radius:
            raise OptionError(
                f'co.core_radius must be below the radius of every round shape, got {star:g} m '
                f'for a {shape.kind} of {solid.radius:g} m'
            )
        shrunk = block.copy()
        kind.at(floats_of(shrunk)).star = star
        return shrunk
    margin, width = options.margin, solid.inner
    if margin >= (1.0 - LEAST) * width:
        raise OptionError(
            f'co.margin must be below half the width of every flat shape, got {margin:g} m for a '
            f'{shape.kind} with {width:g} m'
        )
    shrunk = packed(_smaller(shape, solid, margin), dimension).copy()
    smaller = kind.at(floats_of(shrunk))
    smaller.radius = margin
    smaller.reach += margin
    return shrunk


def _smaller(shape: Any, solid: PlanarSolid | SpatialSolid, margin: float) -> Shape:
    """Return a shape whose sides are moved inwards."""
    if isinstance(shape, Box | Rectangle):
        half = tuple(extent - margin for extent in shape.half_extents)
        return type(shape)(half)  # type: ignore[arg-type]
    if isinstance(shape, Cylinder):
        return Cylinder(shape.radius - margin, shape.half_length - margin)
    from scipy.spatial import HalfspaceIntersection

    planes = sides(solid)
    planes[:, -1] -= margin
    size = planes.shape[1] - 1
    centre = np.array(solid.centre[:size])
    within = np.column_stack([planes[:, :-1], -planes[:, -1]])
    corners = HalfspaceIntersection(within, centre).intersections
    if size == 3:
        return ConvexHull(corners)
    way = corners - centre
    return Polygon(corners[np.argsort(np.arctan2(way[:, 1], way[:, 0]))])


def sides(solid: PlanarSolid | SpatialSolid) -> Array:
    """Return rows of outward normal and offset of the sides of a polygon or hull."""
    if isinstance(solid, SpatialSolid):
        planes = [solid.planes[face] for face in range(len(solid.planes))]
        return np.array([[*plane.normal, plane.offset] for plane in planes])
    edges = [solid.edges[number] for number in range(len(solid.edges))]
    normals = np.array([edge.normal for edge in edges])
    first = np.array([solid.vertices[edge.first].position for edge in edges])
    return np.column_stack([normals, (normals * first).sum(axis=1)])
