"""Shapes of models become blocks of memory for kernels: records of `solids`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
import itertools
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.meshes import box_mesh, Mesh, mesh_of
from symcontact_ros.collision.solids import (
    BOX,
    CYLINDER,
    HALF_SPACE,
    HULL,
    Pair,
    PlanarSolid,
    POINT,
    SEGMENT,
    Solid,
    SpatialSolid,
    Triple,
)
from symcontact_ros.kernels.records import Image, layout_of
from symcontact_ros.model.shapes import numbers, Shape

Block = NDArray[np.float64]
Side = tuple[int, int, Pair]  # first and second vertex, outward unit normal

LONGEST_LOOP = 32  # corners of a face that contact points are taken from
NO_MESH = Mesh(np.zeros((0, 3)), np.zeros((0, 4)), [], [])


@lru_cache(maxsize=1024)
def packed(shape: Shape, dimension: int) -> Block:
    """Return the block of a shape whose numbers are known; not to be changed."""
    return (_IN_PLANE if dimension == 2 else _IN_SPACE)[shape.kind](shape)


def kind_of_solid(dimension: int) -> type[PlanarSolid] | type[SpatialSolid]:
    """Return the record that the blocks of a dimension start with."""
    return PlanarSolid if dimension == 2 else SpatialSolid


def place_shrunk(block: Block, dimension: int, start: int) -> None:
    """Say where in a block the shape is that programs of minimum distance look at; 0: itself."""
    field = layout_of(kind_of_solid(dimension)).fields['shrunk']
    block.view(np.int64)[field.offset : field.offset + field.slots] = start, 1


class _Head(NamedTuple):
    """What all shapes have; see `Solid`."""

    core: int
    radius: float = 0.0
    reach: float = math.inf
    size: Triple = (0.0, 0.0, 0.0)
    centre: Triple = (0.0, 0.0, 0.0)
    offset: float = 0.0
    inner: float = math.inf

    def write(self, solid: Solid) -> None:
        """Write it to a record."""
        solid.core = self.core
        solid.radius = self.radius
        solid.reach = self.reach
        solid.size = self.size
        solid.centre = self.centre
        solid.offset = self.offset
        solid.inner = self.inner


# In the plane ------------------------------------------------------------------------------------


def _polygonal(head: _Head, vertices: Sequence[Pair], edges: Sequence[Side]) -> Block:
    image = Image(PlanarSolid, {'vertices': len(vertices), 'edges': len(edges), 'shrunk': 0})
    head.write(image.record)
    for number, position in enumerate(vertices):
        image.record.vertices[number].position = position
    for number, (first, second, normal) in enumerate(edges):
        edge = image.record.edges[number]
        edge.first, edge.second, edge.normal = first, second, normal
    place_shrunk(image.memory, 2, 0)
    return image.memory


def _circle(shape: Any) -> Block:
    head = _Head(POINT, shape.radius, shape.radius, inner=shape.radius)
    return _polygonal(head, [(0.0, 0.0)], [])


def _planar_capsule(shape: Any) -> Block:
    half = shape.half_length
    radius = shape.radius
    head = _Head(SEGMENT, radius, half + radius, (half, 0.0, 0.0), inner=radius)
    edges = [(0, 1, (0.0, -1.0)), (1, 0, (0.0, 1.0)), (1, 1, (1.0, 0.0)), (0, 0, (-1.0, 0.0))]
    return _polygonal(head, [(-half, 0.0), (half, 0.0)], edges)


def _rectangle(shape: Any) -> Block:
    x, y = shape.half_extents
    head = _Head(BOX, reach=math.sqrt(x * x + y * y), size=(x, y, 0.0), inner=min(x, y))
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    edges = [(0, 1, (0.0, -1.0)), (1, 2, (1.0, 0.0)), (2, 3, (0.0, 1.0)), (3, 0, (-1.0, 0.0))]
    return _polygonal(head, corners, edges)


def _polygon(shape: Any) -> Block:
    given = [(float(x), float(y)) for x, y in shape.vertices]
    corners = [b for a, b in zip(given[-1:] + given[:-1], given, strict=True) if a != b]
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, _after(corners), strict=True))
    if area < 0.0:
        corners.reverse()
    # Vertices on a straight side are none: a side is one edge.
    corners = [
        b
        for a, b, c in zip(corners[-1:] + corners[:-1], corners, _after(corners), strict=True)
        if _turn(a, b, c) > 1e-12
    ]
    centre = np.mean(corners, axis=0)
    reach = max(math.dist(corner, centre) for corner in corners)
    edges = []
    for first, (a, b) in enumerate(zip(corners, _after(corners), strict=True)):
        length = math.dist(a, b)
        normal = ((b[1] - a[1]) / length, (a[0] - b[0]) / length)
        edges.append((first, (first + 1) % len(corners), normal))
    inner = min(float(np.dot(normal, corners[first] - centre)) for first, _, normal in edges)
    x, y = centre.tolist()
    head = _Head(HULL, reach=reach, centre=(x, y, 0.0), inner=inner)
    return _polygonal(head, corners, edges)


def _after(corners: list[Pair]) -> list[Pair]:
    return corners[1:] + corners[:1]


def _turn(a: Pair, b: Pair, c: Pair) -> float:
    """Return the sine of the turn at b on the way from a over b to c."""
    lengths = math.dist(a, b) * math.dist(b, c)
    cross = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    return cross / lengths if lengths > 0.0 else 0.0


def _half_plane(shape: Any) -> Block:
    return _polygonal(_Head(HALF_SPACE, size=shape.normal, offset=shape.offset), [], [])


# In space ----------------------------------------------------------------------------------------


def _meshed(head: _Head, mesh: Mesh | None = None) -> Block:
    mesh = mesh or NO_MESH
    loops = [_thinned(loop) for loop in mesh.loops]
    lengths = [len(loop) for loop in loops]
    counts = {
        'vertices': len(mesh.vertices),
        'planes': len(mesh.planes),
        'loops': len(loops),
        'corners': sum(lengths),
        'edges': len(mesh.edges),
        'shrunk': 0,
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


def _half_space(shape: Any) -> Block:
    return _meshed(_Head(HALF_SPACE, size=shape.normal, offset=shape.offset))


def _sphere(shape: Any) -> Block:
    return _meshed(_Head(POINT, shape.radius, shape.radius, inner=shape.radius))


def _capsule(shape: Any) -> Block:
    half = shape.half_length
    radius, size = shape.radius, (0.0, 0.0, half)
    return _meshed(_Head(SEGMENT, radius, half + radius, size, inner=radius))


def _cylinder(shape: Any) -> Block:
    radius, half = shape.radius, shape.half_length
    reach = math.sqrt(radius * radius + half * half)
    size, inner = (radius, radius, half), min(radius, half)
    return _meshed(_Head(CYLINDER, reach=reach, size=size, inner=inner))


def _box(shape: Any) -> Block:
    x, y, z = shape.half_extents
    reach, inner = math.sqrt(x * x + y * y + z * z), min(x, y, z)
    head = _Head(BOX, reach=reach, size=(x, y, z), inner=inner)
    return _meshed(head, box_mesh((x, y, z)))


def _hull(shape: Any) -> Block:
    flat = numbers(shape.vertices)
    mesh = mesh_of(tuple(zip(flat[::3], flat[1::3], flat[2::3], strict=True)))
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    centre = mesh.vertices.mean(axis=0)
    reach = float(np.linalg.norm(mesh.vertices - centre, axis=1).max())
    head = _Head(
        HULL,
        reach=reach,
        size=tuple((0.5 * (high - low)).tolist()),
        centre=tuple(centre.tolist()),
        inner=float((mesh.planes[:, 3] - mesh.planes[:, :3] @ centre).min()),
    )
    return _meshed(head, mesh)


def _thinned(loop: list[int]) -> list[int]:
    """Return the loop of a face with no more corners than contact points can be found among."""
    if len(loop) <= LONGEST_LOOP:
        return loop
    return [loop[len(loop) * i // LONGEST_LOOP] for i in range(LONGEST_LOOP)]


_IN_PLANE: dict[str, Callable[[Any], Block]] = {
    'circle': _circle,
    'capsule': _planar_capsule,
    'rectangle': _rectangle,
    'polygon': _polygon,
    'half_space': _half_plane,
}
_IN_SPACE: dict[str, Callable[[Any], Block]] = {
    'sphere': _sphere,
    'capsule': _capsule,
    'box': _box,
    'cylinder': _cylinder,
    'convex_hull': _hull,
    'half_space': _half_space,
}
