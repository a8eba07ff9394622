"""
Reading of a mesh to its convex hull, in a process of its own: a small file can become huge.

Numbers go to and fro as they are in memory; `mesh_hulls` checks them.
"""

from __future__ import annotations

from contextlib import suppress
import hashlib
import importlib
import io
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.errors import shown
from symcontact_ros.model.input_limits import MESH_BYTES, MESH_INSTANCES, MESH_POINTS
from symcontact_ros.model.limited_task import LimitReachedError, shown_bytes, TaskFailedError
from symcontact_ros.optional_packages import SOURCES, way_to
from symcontact_ros.shapes.convexity import hull_facets
from symcontact_ros.types import Vector

MAXIMUM_VERTICES = 64  # of a hull: what collision detection is made for
# trimesh reads more, also by starting other programs; these it reads itself.
FORMATS = ('stl', 'obj', 'dae', 'ply', 'off', 'glb')
REQUEST = struct.Struct('<3d3s')  # scale and format; then the file
MOST_KNOWN = 256  # files whose corners are kept
ANSWER = struct.Struct('<IId')  # vertices, facets and gap; then three numbers of each

_known: dict[tuple[str, bytes], Vector] = {}  # corners by format and SHA-256


def prepare() -> None:
    """Import what reads meshes; in the child."""
    for module in ('trimesh', 'scipy.spatial'):
        with suppress(ImportError):  # is told with the mesh
            importlib.import_module(module)


def answer(request: bytes) -> bytes:
    """Return the hull of a mesh; TaskFailedError says why it has none. In the child."""
    *scale, kind = REQUEST.unpack_from(request)
    with np.errstate(over='ignore'):
        corners = _corners(kind.decode(), request[REQUEST.size :]) * np.asarray(scale)
    return hull_answer(corners)


def hull_answer(corners: Vector) -> bytes:
    """Return a hull as `ANSWER` and its numbers."""
    from scipy.spatial import QhullError

    if not np.isfinite(corners).all():
        raise TaskFailedError('is too large at this scale')
    kept, gap = corners, 0.0
    if len(corners) > MAXIMUM_VERTICES:
        try:
            kept, gap = _inner(corners)
        except QhullError:
            raise TaskFailedError('is too thin to be simplified') from None
    vertices = np.ascontiguousarray(kept, dtype='<f8')
    try:
        facets = hull_facets(tuple((x, y, z) for x, y, z in vertices.tolist()))
    except ValueError:  # too flat for a shape: a fault of the model
        facets = ()
    head = ANSWER.pack(len(vertices), len(facets), gap)
    return head + vertices.tobytes() + np.array(facets, dtype='<u4').tobytes()


def _corners(kind: str, raw: bytes) -> Vector:
    """Return the corners of a file's hull; one file may be there at several scales."""
    key = (kind, hashlib.sha256(raw).digest())
    if key not in _known:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = corners_of(_points(kind, raw))
    return _known[key]


def corners_of(points: Vector) -> Vector:
    """Return the corners of the hull of points; TaskFailedError where it has no volume."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        corners: Vector = points[ConvexHull(points).vertices]
    except (QhullError, ValueError) as error:
        reason = str(error).strip().partition('\n')[0]
        raise TaskFailedError(f'has no convex hull with a volume: {reason}') from None
    return corners


def _points(kind: str, raw: bytes) -> Vector:
    """Return all vertices of a file."""
    return loaded(kind, raw)[0]


def loaded(kind: str, raw: bytes) -> tuple[Vector, NDArray[np.int64]]:
    """Return vertices [m] and triangles of a file; TaskFailedError says why it has none."""
    # Without a file name there is no folder either in which a mesh could name further files.
    stream = io.BytesIO(raw)
    options = {'skip_materials': True} if kind == 'obj' else {}
    try:
        if kind == 'dae':
            _check_collada(raw)
        trimesh: Any = importlib.import_module('trimesh')
        scene = trimesh.load_scene(stream, file_type=kind, process=False, **options)
        if kind == 'dae' and scene.units:
            scene = scene.convert_units('meters')  # COLLADA says what its numbers mean
        mesh = scene.to_mesh()
        points = np.asarray(mesh.vertices, dtype=np.float64)
        triangles = np.asarray(mesh.faces, dtype=np.int64)
    except ImportError as error:
        absent = 'pycollada' if error.name == 'collada' else str(error.name)
        way = way_to(absent) if absent in SOURCES else str(error)
        raise TaskFailedError(f'cannot be read without {absent}: {way}') from None
    except LimitReachedError:
        raise
    except Exception as error:  # any error of a parser in a damaged file
        text = ' '.join(str(error).split()) or type(error).__name__
        raise TaskFailedError(f'cannot be read: {text}') from None
    if not len(points):
        raise TaskFailedError('has no points')
    if len(points) > MESH_POINTS:
        raise LimitReachedError(f'has {len(points)} points, and may have {MESH_POINTS}')
    return points, triangles


def _check_collada(raw: bytes) -> None:
    """Refuse a file that grows when it is unpacked, or when its nodes are put in their places."""
    import zipfile

    texts = [raw]
    if zipfile.is_zipfile(io.BytesIO(raw)):  # pycollada unpacks it, whatever its name
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > MESH_BYTES:
                raise LimitReachedError(
                    f'is {shown_bytes(size)} when unpacked, and may be {shown_bytes(MESH_BYTES)}'
                )
            names = [name for name in archive.namelist() if name.lower().endswith('.dae')]
            texts = [archive.read(name) for name in names]
    for text in texts:
        # Otherwise there are no more of them than in the file; in UTF-16 it has zeros in it.
        if b'instance_node' in text.replace(b'\0', b''):
            _count_instances(text)


def _count_instances(text: bytes) -> None:
    """Count nodes as often as they are instances; LimitReachedError if there are too many."""
    etree = importlib.import_module('lxml.etree')
    root = etree.fromstring(text, etree.XMLParser(resolve_entities=False, recover=True))
    nodes = {} if root is None else {n.get('id'): n for n in root.iter('{*}node')}
    counts: dict[str, int] = {}

    def count(node: Any, above: tuple[str, ...]) -> int:
        total = 1
        for child in node.iterchildren('{*}node', '{*}instance_node'):
            if child.tag.endswith('instance_node'):
                name = (child.get('url') or '').lstrip('#')
                if name in above:
                    raise ValueError(f'node {shown(name)} is in itself')
                if name in nodes and name not in counts:
                    counts[name] = count(nodes[name], (*above, name))
                total += counts.get(name, 0)
            else:
                total += count(child, above)
        return total

    roots = [] if root is None else list(root.iter('{*}visual_scene'))
    total = sum(count(scene, ()) for scene in roots)
    if total > MESH_INSTANCES:
        raise LimitReachedError(f'has {total:.3g} nodes in all, and may have {MESH_INSTANCES}')


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
