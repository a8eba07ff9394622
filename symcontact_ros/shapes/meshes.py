"""Faces and edges of convex bodies, found once when a shape is packed."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.shapes.convexity import hull_facets

Array = NDArray[np.float64]
Points = tuple[tuple[float, float, float], ...]

SAME_PLANE = 1e-10  # of the size: triangles that differ less are one face


class Mesh(NamedTuple):
    """The surface of a convex body."""

    vertices: Array  # (n, 3) [m]
    planes: Array  # (f, 4): outward unit normal, offset [m]
    loops: list[list[int]]  # per face its vertices, counter-clockwise seen from outside
    edges: list[tuple[int, int, int, int]]  # two vertices; the faces left and right of the way


@lru_cache(maxsize=256)
def mesh_of(points: Points) -> Mesh:
    """Return the mesh of a hull; triangles in one plane are one face."""
    facets = hull_facets(points)
    used = sorted({vertex for facet in facets for vertex in facet})
    number = {vertex: index for index, vertex in enumerate(used)}
    vertices = np.array(points)[used]
    triangles = [(number[a], number[b], number[c]) for a, b, c in facets]
    owner = {(t[k], t[(k + 1) % 3]): i for i, t in enumerate(triangles) for k in range(3)}
    face_of = _merged(vertices, triangles, owner)
    boundary = {
        way: face_of[i] for way, i in owner.items() if face_of[i] != face_of[owner[way[::-1]]]
    }
    faces = sorted(set(face_of))
    loops = [_loop([way for way, face in boundary.items() if face == f]) for f in faces]
    planes = np.array([_fitted(vertices, loop) for loop in loops])
    return Mesh(vertices, planes, loops, _edges(loops))


def box_mesh(half_extents: tuple[float, float, float]) -> Mesh:
    """Return the mesh of a box; faces +x, -x, +y, -y, +z, -z."""
    signs = np.array([[1 - 2 * (i >> k & 1) for k in range(3)] for i in range(8)])
    planes, loops = [], []
    for axis in range(3):
        for side in (1, -1):
            # Around the axis: along the next axis, then along the one after.
            around = [(-1, -1), (1, -1), (1, 1), (-1, 1)][::side]
            corner = np.zeros(3, int)
            corner[axis] = side
            loop = []
            for corner[(axis + 1) % 3], corner[(axis + 2) % 3] in around:
                loop.append(int(np.flatnonzero((signs == corner).all(axis=1))[0]))
            loops.append(loop)
            planes.append([*(side * np.eye(3)[axis]).tolist(), half_extents[axis]])
    return Mesh(signs * np.array(half_extents), np.array(planes), loops, _edges(loops))


def _edges(loops: list[list[int]]) -> list[tuple[int, int, int, int]]:
    left = {
        (a, b): face
        for face, loop in enumerate(loops)
        for a, b in zip(loop, loop[1:] + loop[:1], strict=True)
    }
    return sorted((a, b, face, left[b, a]) for (a, b), face in left.items() if a < b)


def _merged(
    vertices: Array, triangles: list[tuple[int, int, int]], owner: dict[tuple[int, int], int]
) -> list[int]:
    """Return for each triangle the number of the face that it belongs to."""
    first, second, third = vertices[np.array(triangles)].transpose(1, 0, 2)
    normals = np.cross(second - first, third - first)
    areas = np.linalg.norm(normals, axis=1)
    normals /= np.maximum(areas, np.finfo(float).tiny)[:, None]
    offsets = np.einsum('ij,ij->i', normals, first)
    tolerance = SAME_PLANE * float(np.ptp(vertices, axis=0).max())
    face_of = [-1] * len(triangles)
    for seed in np.argsort(-areas, kind='stable').tolist():  # the largest has the best plane
        if face_of[seed] >= 0:
            continue
        face_of[seed] = seed
        pending = [seed]
        while pending:
            triangle = triangles[pending.pop()]
            for k in range(3):
                beside = owner[triangle[(k + 1) % 3], triangle[k]]
                heights = vertices[list(triangles[beside])] @ normals[seed] - offsets[seed]
                if face_of[beside] < 0 and np.abs(heights).max() <= tolerance:
                    face_of[beside] = seed
                    pending.append(beside)
    return face_of


def _loop(ways: list[tuple[int, int]]) -> list[int]:
    """Return the vertices around a face, from its directed edges."""
    after = dict(ways)
    start = min(after)
    loop = [start]
    while after[loop[-1]] != start:
        loop.append(after[loop[-1]])
    return loop


def _fitted(vertices: Array, loop: list[int]) -> list[float]:
    """Return normal and offset of a face; its plane touches the farthest of its vertices."""
    corners = vertices[loop]
    centred = corners - corners.mean(axis=0)
    normal = np.cross(centred, np.roll(centred, -1, axis=0)).sum(axis=0)  # Newell's
    normal /= np.linalg.norm(normal)
    return [*normal.tolist(), float((vertices @ normal).max())]
