"""Blocks of shapes for programs of minimum distance, which use shrunk shapes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from symcontact_ros.collision.convex_programs.options import Options
from symcontact_ros.errors import OptionError
from symcontact_ros.kernels.memory import floats_of
from symcontact_ros.shapes.base import Shape
from symcontact_ros.shapes.packing import Block, packed, place_shrunk, solid_type
from symcontact_ros.shapes.table import core_of

LEAST = 1e-6  # of the half width: what must be left of a flat shape


@lru_cache(maxsize=1024)
def program_block(shape: Shape, dimension: int, options: Options) -> Block:
    """Return the block of a shape, and behind it that of the shrunk one if the program has it."""
    block = packed(shape, dimension)
    if not options.is_shrinking or not shape.is_bounded or not shape.is_convex:
        return block
    whole = np.concatenate([block, _shrunk(shape, block, dimension, options)])
    place_shrunk(whole, dimension, len(block))
    return whole


def _shrunk(shape: Shape, block: Block, dimension: int, options: Options) -> Block:
    kind = solid_type(dimension)
    solid = kind.at(floats_of(block))
    if core_of(shape, dimension).is_rounded:
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
    smaller, radius = shape.shrunk(margin)
    shrunk = packed(smaller, dimension).copy()
    inside = kind.at(floats_of(shrunk))
    inside.radius = radius
    inside.reach += radius
    return shrunk
