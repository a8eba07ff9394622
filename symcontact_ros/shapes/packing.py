"""Blocks of memory for kernels: the records of shapes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.kernels.memory import floats_of
from symcontact_ros.kernels.records import Image, layout_of
from symcontact_ros.shapes.base import Shape
from symcontact_ros.shapes.meshes import Mesh
from symcontact_ros.shapes.records import Pair, PlanarSolid, Solid, SpatialSolid, Triple
from symcontact_ros.shapes.table import core_number

Block = NDArray[np.float64]
Side = tuple[int, int, Pair]  # first and second vertex, outward unit normal

SURFACE_BLOCKS = ('heights', 'triangles', 'tree', 'tools')  # of what is not convex
LONGEST_LOOP = 32  # corners of a face that contact points are taken from
NO_MESH = Mesh(np.zeros((0, 3)), np.zeros((0, 4)), [], [])


@lru_cache(maxsize=1024)
def packed(shape: Shape, dimension: int) -> Block:
    """Return the block of a shape whose numbers are known; not to be changed."""
    block = shape.pack(dimension)
    solid_type(dimension).at(floats_of(block)).core = core_number(shape, dimension)
    return block


def solid_of(shape: Shape, dimension: int) -> PlanarSolid | SpatialSolid:
    """Return the record of a shape; not to be changed."""
    return solid_type(dimension).at(floats_of(packed(shape, dimension)))


def solid_type(dimension: int) -> type[PlanarSolid] | type[SpatialSolid]:
    """Return the record that the blocks of a dimension start with."""
    return PlanarSolid if dimension == 2 else SpatialSolid


def place_shrunk(block: Block, dimension: int, start: int) -> None:
    """Set where in a block the shape for programs of minimum distance is; 0: itself."""
    field = layout_of(solid_type(dimension)).fields['shrunk']
    block.view(np.int64)[field.offset : field.offset + field.slots] = start, 1


class Head(NamedTuple):
    """Numbers that the records of all shapes have; see `Solid`."""

    radius: float = 0.0
    reach: float = math.inf
    size: Triple = (0.0, 0.0, 0.0)
    centre: Triple = (0.0, 0.0, 0.0)
    offset: float = 0.0
    inner: float = math.inf

    def write(self, solid: Solid) -> None:
        """Write the numbers to a record."""
        solid.radius = self.radius
        solid.reach = self.reach
        solid.size = self.size
        solid.centre = self.centre
        solid.offset = self.offset
        solid.inner = self.inner


def planar_block(head: Head, vertices: Sequence[Pair] = (), edges: Sequence[Side] = ()) -> Block:
    """Return the block of a planar shape; vertices and edges go counter-clockwise."""
    image = Image(PlanarSolid, {'vertices': len(vertices), 'edges': len(edges), 'shrunk': 0})
    head.write(image.record)
    for number, position in enumerate(vertices):
        image.record.vertices[number].position = position
    for number, (first, second, normal) in enumerate(edges):
        edge = image.record.edges[number]
        edge.first, edge.second, edge.normal = first, second, normal
    place_shrunk(image.memory, 2, 0)
    return image.memory


def spatial_block(head: Head, mesh: Mesh = NO_MESH) -> Block:
    """Return the block of a spatial shape, with the mesh of a polytope."""
    loops = [_thinned(loop) for loop in mesh.loops]
    lengths = [len(loop) for loop in loops]
    counts = {
        'vertices': len(mesh.vertices),
        'planes': len(mesh.planes),
        'loops': len(loops),
        'corners': sum(lengths),
        'edges': len(mesh.edges),
        'shrunk': 0,
        **dict.fromkeys(SURFACE_BLOCKS, 0),
    }
    image = Image(SpatialSolid, counts)
    head.write(image.record)
    image['vertices']['position'] = mesh.vertices
    image['planes']['normal'] = mesh.planes[:, :3]
    image['planes']['offset'] = mesh.planes[:, 3]
    image['loops']['start'] = list(itertools.accumulate(lengths, initial=0))[:-1]
    image['loops']['count'] = lengths
    image['corners'][:] = list(itertools.chain(*loops))
    for number, name in enumerate(('first', 'second', 'left', 'right')):
        image['edges'][name] = [edge[number] for edge in mesh.edges]
    place_shrunk(image.memory, 3, 0)
    return image.memory


def _thinned(loop: list[int]) -> list[int]:
    """Return the loop of a face with no more corners than contact points can be found among."""
    if len(loop) <= LONGEST_LOOP:
        return loop
    return [loop[len(loop) * i // LONGEST_LOOP] for i in range(LONGEST_LOOP)]
