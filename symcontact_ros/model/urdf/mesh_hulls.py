"""Convex hulls of meshes, with few vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
import importlib
import importlib.util
import io
from pathlib import Path
from typing import Any

import numpy as np

from symcontact_ros.model.urdf.mesh_files import MeshLeftOutError
from symcontact_ros.model.urdf.stored_hulls import is_hull
from symcontact_ros.shapes.convexity import hull_facets, remember_facets
from symcontact_ros.shapes.stored_results import stored_result
from symcontact_ros.types import Vector

MAXIMUM_VERTICES = 64  # of a hull: what collision detection is made for
# trimesh reads more, also by starting other programs; these it reads itself.
FORMATS = ('stl', 'obj', 'dae', 'ply', 'off', 'glb')


@dataclass(frozen=True)
class Hull:
    """The corners of a convex hull, each of them a corner of the mesh's own hull."""

    vertices: Vector  # [m], n x 3
    gap: float = 0.0  # how far corners of the mesh that were left out stick out of it [m]


def can_read_meshes() -> bool:
    """Return whether trimesh is installed."""
    return importlib.util.find_spec('trimesh') is not None


def hull_of(path: Path, scale: Sequence[float]) -> Hull:
    """
    Return the convex hull of a mesh file, each axis multiplied by its scale.

    Hulls are stored on disk: reading a mesh takes a tenth of a second, and trimesh half a second.

    Raises
    ------
    MeshLeftOutError
        The file cannot be read, or its points span no volume.
    OSError
        The system denies access.

    """
    kind = path.suffix.lower().encode()
    given = b'\0'.join((kind, repr(tuple(scale)).encode(), path.read_bytes()))
    purpose = f'hull of a mesh 2, {MAXIMUM_VERTICES}'
    found = stored_result(purpose, given, partial(_hull, path, scale), is_hull)
    if found['facets']:
        points = tuple((x, y, z) for x, y, z in found['vertices'])
        remember_facets(points, tuple((a, b, c) for a, b, c in found['facets']))
    return Hull(np.array(found['vertices']), found['gap'])


def _hull(path: Path, scale: Sequence[float]) -> dict[str, Any]:
    """Return the fields of a hull as plain data."""
    from scipy.spatial import QhullError

    status = path.stat()
    with np.errstate(over='ignore'):
        corners = _corners(path, status.st_mtime_ns, status.st_size) * np.asarray(scale)
    if not np.isfinite(corners).all():
        raise MeshLeftOutError('is too large at this scale')
    kept, gap = corners, 0.0
    if len(corners) > MAXIMUM_VERTICES:
        try:
            kept, gap = _inner(corners)
        except QhullError:
            raise MeshLeftOutError('is too thin to be simplified') from None
    vertices = [(x, y, z) for x, y, z in kept.tolist()]
    try:
        facets = hull_facets(tuple(vertices))
    except ValueError:  # too flat for a shape: a fault of the model
        facets = ()
    return {'vertices': vertices, 'facets': facets, 'gap': gap}


@lru_cache(maxsize=256)
def _corners(path: Path, modified: int, size: int) -> Vector:
    """Return the corners of a file's hull; time and size make a changed file a new one."""
    from scipy.spatial import ConvexHull, QhullError

    points = _points(path)
    try:
        corners: Vector = points[ConvexHull(points).vertices]
    except (QhullError, ValueError) as error:
        reason = str(error).strip().partition('\n')[0]
        raise MeshLeftOutError(f'has no convex hull with a volume: {reason}') from None
    corners.setflags(write=False)
    return corners


def _points(path: Path) -> Vector:
    kind = path.suffix[1:].lower()
    if kind not in FORMATS:
        raise MeshLeftOutError(f'has an unknown format; known are {", ".join(FORMATS)}')
    # Without a file name there is no folder either in which a mesh could name further files.
    stream = io.BytesIO(path.read_bytes())
    options = {'skip_materials': True} if kind == 'obj' else {}
    try:
        trimesh: Any = importlib.import_module('trimesh')
        scene = trimesh.load_scene(stream, file_type=kind, process=False, **options)
        if kind == 'dae' and scene.units:
            scene = scene.convert_units('meters')  # COLLADA says what its numbers mean
        points = np.asarray(scene.to_mesh().vertices, dtype=np.float64)
    except ImportError as error:
        hint = 'pip install pycollada' if kind == 'dae' else str(error)
        raise MeshLeftOutError(f'cannot be read: {hint}') from None
    except Exception as error:  # any error of a parser in a damaged file
        text = ' '.join(str(error).split()) or type(error).__name__
        raise MeshLeftOutError(f'cannot be read: {text}') from None
    if not len(points):
        raise MeshLeftOutError('has no points')
    return points


def _inner(corners: Vector) -> tuple[Vector, float]:
    """
    Return at most MAXIMUM_VERTICES of the corners, and how far the others stick out of them [m].

    Greedy: of all corners the one farthest outside a face of the hull of those kept, which is the
    support point in the direction of that face, is kept next. Corners of a hull are corners of
    the hull of any selection of them, and that hull lies inside.
    """
    from scipy.spatial import ConvexHull

    kept = _first_four(corners)
    outside = np.arange(len(corners))
    tolerance = 1e-9 * float(np.ptp(corners, axis=0).max())
    while True:
        faces = ConvexHull(corners[kept]).equations
        excess = (corners[outside] @ faces[:, :3].T + faces[:, 3]).max(axis=1)
        farthest = int(np.argmax(excess))
        gap = float(excess[farthest])
        if gap <= tolerance:
            return corners[sorted(kept)], 0.0
        if len(kept) == MAXIMUM_VERTICES:
            return corners[sorted(kept)], gap
        kept.append(int(outside[farthest]))
        outside = outside[excess > tolerance]  # what the hull holds it will hold when it grows


def _first_four(corners: Vector) -> list[int]:
    """Return four corners not in one plane, each as far as can be from those before."""
    first = int(np.argmax(np.linalg.norm(corners - corners.mean(axis=0), axis=1)))
    kept, rest = [first], corners - corners[first]
    for _ in range(3):
        kept.append(int(np.argmax(np.linalg.norm(rest, axis=1))))
        along = rest[kept[-1]] / np.linalg.norm(rest[kept[-1]])
        rest = rest - np.outer(rest @ along, along)
    return kept
