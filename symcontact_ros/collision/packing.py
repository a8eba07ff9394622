"""Shapes of models become blocks of numbers for kernels; their layout is in `layout`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision import layout
from symcontact_ros.collision.meshes import box_mesh, Mesh, mesh_of
from symcontact_ros.model.shapes import numbers, Shape

Block = NDArray[np.float64]
Pairs = Sequence[tuple[float, float]]

LONGEST_LOOP = 32  # corners of a face that contact points are taken from


@lru_cache(maxsize=1024)
def packed(shape: Shape, dimension: int) -> Block:
    """Return the block of a shape whose numbers are known; not to be changed."""
    return (_IN_PLANE if dimension == 2 else _IN_SPACE)[shape.kind](shape)


def _head(
    core: int,
    radius: float = 0.0,
    reach: float = math.inf,
    size: Sequence[float] = (0.0, 0.0, 0.0),
    centre: Sequence[float] = (0.0, 0.0, 0.0),
    offset: float = 0.0,
    inner: float = math.inf,
) -> list[float]:
    return [float(core), radius, reach, *size, *centre, offset, inner, 0.0, 0.0]


def _circle(shape: Any) -> Block:
    head = _head(layout.POINT, shape.radius, shape.radius, inner=shape.radius)
    return _polygonal(head, [(0.0, 0.0)], [])


def _planar_capsule(shape: Any) -> Block:
    half = shape.half_length
    radius = shape.radius
    head = _head(layout.SEGMENT, radius, half + radius, (half, 0.0, 0.0), inner=radius)
    edges = [(0, 1, 0.0, -1.0), (1, 0, 0.0, 1.0), (1, 1, 1.0, 0.0), (0, 0, -1.0, 0.0)]
    return _polygonal(head, [(-half, 0.0), (half, 0.0)], edges)


def _rectangle(shape: Any) -> Block:
    x, y = shape.half_extents
    head = _head(layout.BOX, reach=math.sqrt(x * x + y * y), size=(x, y, 0.0), inner=min(x, y))
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    edges = [(0, 1, 0.0, -1.0), (1, 2, 1.0, 0.0), (2, 3, 0.0, 1.0), (3, 0, -1.0, 0.0)]
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
        edges.append((first, (first + 1) % len(corners), *normal))
    inner = min(float(np.dot(edge[2:], corners[edge[0]] - centre)) for edge in edges)
    head = _head(layout.HULL, reach=reach, centre=(*centre.tolist(), 0.0), inner=inner)
    return _polygonal(head, corners, edges)


def _after(corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return corners[1:] + corners[:1]


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    """Return the sine of the turn at b on the way from a over b to c."""
    lengths = math.dist(a, b) * math.dist(b, c)
    cross = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    return cross / lengths if lengths > 0.0 else 0.0


def _polygonal(head: list[float], vertices: Pairs, edges: Sequence[Sequence[float]]) -> Block:
    counts = [len(vertices), len(edges), layout.VERTICES + 2 * len(vertices)]
    return np.array([*head, *counts, *itertools.chain(*vertices), *itertools.chain(*edges)], float)


def _half_space(shape: Any) -> Block:
    return np.array(_head(layout.HALF_SPACE, size=shape.normal, offset=shape.offset))


def _sphere(shape: Any) -> Block:
    return np.array(_head(layout.POINT, shape.radius, shape.radius, inner=shape.radius))


def _capsule(shape: Any) -> Block:
    half = shape.half_length
    radius, size = shape.radius, (0.0, 0.0, half)
    return np.array(_head(layout.SEGMENT, radius, half + radius, size, inner=radius))


def _cylinder(shape: Any) -> Block:
    radius, half = shape.radius, shape.half_length
    reach = math.sqrt(radius * radius + half * half)
    size, inner = (radius, radius, half), min(radius, half)
    return np.array(_head(layout.CYLINDER, reach=reach, size=size, inner=inner))


def _box(shape: Any) -> Block:
    x, y, z = shape.half_extents
    reach, inner = math.sqrt(x * x + y * y + z * z), min(x, y, z)
    head = _head(layout.BOX, reach=reach, size=(x, y, z), inner=inner)
    return _meshed(head, box_mesh((x, y, z)))


def _hull(shape: Any) -> Block:
    flat = numbers(shape.vertices)
    mesh = mesh_of(tuple(zip(flat[::3], flat[1::3], flat[2::3], strict=True)))
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    centre = mesh.vertices.mean(axis=0)
    reach = float(np.linalg.norm(mesh.vertices - centre, axis=1).max())
    head = _head(
        layout.HULL,
        reach=reach,
        size=(0.5 * (high - low)).tolist(),
        centre=centre.tolist(),
        inner=float((mesh.planes[:, 3] - mesh.planes[:, :3] @ centre).min()),
    )
    return _meshed(head, mesh)


def _meshed(head: list[float], mesh: Mesh) -> Block:
    planes = layout.MESH_VERTICES + mesh.vertices.size
    loops = planes + mesh.planes.size
    first = loops + len(mesh.loops) + 1
    around = [_thinned(loop) for loop in mesh.loops]
    starts = list(itertools.accumulate(map(len, around), initial=first))
    counts = [len(mesh.vertices), len(mesh.loops), len(mesh.edges), planes, loops, starts[-1]]
    parts = [
        head,
        counts,
        mesh.vertices.ravel(),
        mesh.planes.ravel(),
        starts,
        list(itertools.chain(*around)),
    ]
    return np.concatenate([*(np.asarray(p, float) for p in parts), np.ravel(mesh.edges)])


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
    'half_space': _half_space,
}
_IN_SPACE: dict[str, Callable[[Any], Block]] = {
    'sphere': _sphere,
    'capsule': _capsule,
    'box': _box,
    'cylinder': _cylinder,
    'convex_hull': _hull,
    'half_space': _half_space,
}
