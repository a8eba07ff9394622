"""
Reading of a mesh to its surface or to convex pieces, in a process of its own.

The surface is what the file has, with vertices at one place joined and triangles without area left
out. Pieces come from coacd, a convex decomposition; each becomes a hull as in `mesh_reading`.
"""

from __future__ import annotations

from contextlib import suppress
import importlib
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.model.input_limits import PIECES, TRIANGLES
from symcontact_ros.model.limited_task import LimitReachedError, TaskFailedError
from symcontact_ros.model.urdf import mesh_reading
from symcontact_ros.optional_packages import way_to
from symcontact_ros.shapes.triangle_mesh import flat_triangles
from symcontact_ros.types import Vector

SURFACE, CONVEX = b'S', b'D'
REQUEST = struct.Struct('<3d3sc')  # scale, format, and what is wanted; then the file
SURFACE_ANSWER = struct.Struct('<III')  # vertices, triangles, and those left out; then numbers
PIECES_ANSWER = struct.Struct('<I')  # how many; then each as a length and an answer of a hull
LENGTH = struct.Struct('<I')
THRESHOLD = 0.05  # of coacd: how concave a piece may be, of its size
SAME_PLACE = 1e-9  # of the size: vertices that are nearer are one


def prepare() -> None:
    """Import what reads meshes; in the child."""
    mesh_reading.prepare()
    with suppress(ImportError):  # is told with the mesh
        importlib.import_module('coacd')


def answer(request: bytes) -> bytes:
    """Return a surface or pieces; TaskFailedError says why there are none. In the child."""
    *scale, kind, wanted = REQUEST.unpack_from(request)
    vertices, triangles = mesh_reading.loaded(kind.decode(), request[REQUEST.size :])
    with np.errstate(over='ignore'):
        vertices = vertices * np.asarray(scale)
    if not np.isfinite(vertices).all():
        raise TaskFailedError('is too large at this scale')
    if not len(triangles):
        raise TaskFailedError('has no triangles')
    if len(triangles) > TRIANGLES:
        raise LimitReachedError(f'has {len(triangles)} triangles, and may have {TRIANGLES}')
    if np.prod(np.sign(scale)) < 0.0:  # a mirror image: outside stays outside
        triangles = triangles[:, ::-1]
    return _pieces(vertices, triangles) if wanted == CONVEX else _surface(vertices, triangles)


def _surface(vertices: Vector, triangles: NDArray[np.int64]) -> bytes:
    joined, faces = _joined(vertices, triangles)
    kept = faces[~flat_triangles(joined, faces)]
    if not len(kept):
        raise TaskFailedError('has no triangle with an area')
    head = SURFACE_ANSWER.pack(len(joined), len(kept), len(triangles) - len(kept))
    return head + joined.astype('<f8').tobytes() + kept.astype('<i8').tobytes()


def _joined(vertices: Vector, triangles: NDArray[np.int64]) -> tuple[Vector, NDArray[np.int64]]:
    """Return vertices without repetition, and the triangles of these."""
    grid = SAME_PLACE * max(float(np.ptp(vertices, axis=0).max()), 1e-12)
    cells = np.round((vertices - vertices.min(axis=0)) / grid).astype(np.int64)
    _, first, place = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)  # in the order of the file
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return vertices[first[order]], rank[place.reshape(-1)][triangles]


def _pieces(vertices: Vector, triangles: NDArray[np.int64]) -> bytes:
    try:
        coacd: Any = importlib.import_module('coacd')
    except ImportError:
        way = way_to('coacd')
        raise TaskFailedError(f'cannot be decomposed without coacd: {way}') from None
    joined, faces = _joined(vertices, triangles)
    coacd.set_log_level('error')
    found = coacd.run_coacd(
        coacd.Mesh(joined, faces[~flat_triangles(joined, faces)]),
        threshold=THRESHOLD,
        max_convex_hull=PIECES,
        seed=0,
    )
    if not found:
        raise TaskFailedError('has no convex pieces')
    answers = []
    for points, _ in found:
        corners = mesh_reading.corners_of(np.asarray(points, dtype=np.float64))
        answers.append(mesh_reading.hull_answer(corners))
    parts = [LENGTH.pack(len(data)) + data for data in answers]
    return PIECES_ANSWER.pack(len(parts)) + b''.join(parts)
