"""Blocks of shapes for programs of minimum distance, which look at shrunk shapes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from symcontact_ros.collision import layout
from symcontact_ros.collision.packing import Block, packed
from symcontact_ros.collision.programs.options import Options
from symcontact_ros.errors import OptionError
from symcontact_ros.model.shapes import Box, ConvexHull, Cylinder, Polygon, Rectangle, Shape

LEAST = 1e-6  # of the half width: what must be left of a flat shape


@lru_cache(maxsize=1024)
def program_block(shape: Shape, dimension: int, options: Options) -> Block:
    """Return the block of a shape, and behind it that of the shrunk one if the program has it."""
    block = packed(shape, dimension)
    if not options.is_shrinking or shape.kind == 'half_space':
        return block
    shrunk = _shrunk(shape, block, dimension, options)
    whole = np.concatenate([block, shrunk])
    whole[layout.SHRUNK] = len(block)
    return whole


def _shrunk(shape: Shape, block: Block, dimension: int, options: Options) -> Block:
    if block[layout.CORE] in (layout.POINT, layout.SEGMENT):
        star = options.core_radius
        if star >= block[layout.RADIUS]:
            raise OptionError(
                f'co.core_radius must be below the radius of every round shape, got {star:g} m '
                f'for a {shape.kind} of {block[layout.RADIUS]:g} m'
            )
        shrunk = block.copy()
        shrunk[layout.STAR] = star
        return shrunk
    margin, width = options.margin, float(block[layout.INNER])
    if margin >= (1.0 - LEAST) * width:
        raise OptionError(
            f'co.margin must be below half the width of every flat shape, got {margin:g} m for a '
            f'{shape.kind} with {width:g} m'
        )
    shrunk = packed(_smaller(shape, block, margin), dimension).copy()
    shrunk[layout.RADIUS] = margin
    shrunk[layout.REACH] += margin
    return shrunk


def _smaller(shape: Any, block: Block, margin: float) -> Shape:
    """Return a shape whose sides are moved inwards."""
    if isinstance(shape, Box | Rectangle):
        half = tuple(extent - margin for extent in shape.half_extents)
        return type(shape)(half)  # type: ignore[arg-type]
    if isinstance(shape, Cylinder):
        return Cylinder(shape.radius - margin, shape.half_length - margin)
    from scipy.spatial import HalfspaceIntersection

    planes = sides(block, 2 if isinstance(shape, Polygon) else 3)
    planes[:, -1] -= margin
    size = planes.shape[1] - 1
    centre = block[layout.CENTRE : layout.CENTRE + size]
    within = np.column_stack([planes[:, :-1], -planes[:, -1]])
    corners = HalfspaceIntersection(within, centre).intersections
    if size == 3:
        return ConvexHull(corners)
    way = corners - centre
    return Polygon(corners[np.argsort(np.arctan2(way[:, 1], way[:, 0]))])


def sides(block: Block, dimension: int) -> Block:
    """Return rows of outward normal and offset of the sides of a polygon or hull."""
    if dimension == 3:
        start = int(block[layout.PLANES_START])
        return block[start : start + 4 * int(block[layout.FACE_COUNT])].reshape(-1, 4).copy()
    start, count = int(block[layout.EDGES_START]), int(block[layout.EDGE_COUNT])
    edges = block[start : start + layout.EDGE * count].reshape(-1, layout.EDGE)
    vertices = block[layout.VERTICES :].reshape(-1)[: 2 * int(block[layout.VERTEX_COUNT])]
    first = vertices.reshape(-1, 2)[edges[:, 0].astype(int)]
    return np.column_stack([edges[:, 2:], (edges[:, 2:] * first).sum(axis=1)])
