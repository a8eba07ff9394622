"""Convex hulls of meshes, with few vertices: from the cache, or from a process that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import importlib.util
from pathlib import Path
import struct
from types import TracebackType
from typing import Any, TYPE_CHECKING

import numpy as np

from symcontact_ros.model.input_limits import (
    DECOMPOSITION_SECONDS,
    MESH_MEMORY,
    MESH_SECONDS,
    SURFACE_BYTES,
)
from symcontact_ros.model.limited_task import (
    ChildEndedError,
    LimitReachedError,
    Limits,
    TaskFailedError,
)
from symcontact_ros.model.progress import tell
from symcontact_ros.model.urdf import mesh_reading, mesh_shapes, stored_shapes
from symcontact_ros.model.urdf.mesh_files import MeshLeftOutError, MeshRefusedError
from symcontact_ros.model.urdf.mesh_reading import FORMATS, MAXIMUM_VERTICES
from symcontact_ros.model.urdf.stored_hulls import is_hull
from symcontact_ros.model.urdf.stored_shapes import SurfaceMesh
from symcontact_ros.shapes.convexity import remember_facets
from symcontact_ros.shapes.stored_results import stored_result
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.model.limited_child import LimitedChild

LIMITS = Limits(MESH_SECONDS, MESH_MEMORY, answer=2**16)
SHAPE_LIMITS = Limits(DECOMPOSITION_SECONDS, MESH_MEMORY, answer=SURFACE_BYTES)


@dataclass(frozen=True)
class Hull:
    """The corners of a convex hull, each of them a corner of the mesh's own hull."""

    vertices: Vector  # [m], n x 3
    gap: float = 0.0  # how far corners of the mesh that were left out stick out of it [m]


def can_read_meshes() -> bool:
    """Return whether trimesh is installed."""
    return importlib.util.find_spec('trimesh') is not None


class MeshReader:
    """
    Reader of the meshes of one file, by one child process that the first unknown mesh starts.

    Hulls are stored on disk: reading a mesh takes a tenth of a second, and trimesh half a second.
    """

    def __init__(self) -> None:
        self._children: dict[str, LimitedChild] = {}
        self._is_over = False  # whether a limit was reached

    def __enter__(self) -> MeshReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for child in self._children.values():
            child.close()

    def hull_of(self, path: Path, scale: Sequence[float]) -> Hull:
        """
        Return the convex hull of a mesh file, each axis multiplied by its scale.

        Raises
        ------
        MeshLeftOutError
            The file cannot be read, or its points span no volume.
        MeshRefusedError
            A limit of time, memory or size was reached.
        OSError
            The system denies access.

        """
        kind = path.suffix.lower()
        raw = path.read_bytes()
        given = b'\0'.join((kind.encode(), repr(tuple(scale)).encode(), raw))
        purpose = f'hull of a mesh 2, {MAXIMUM_VERTICES}'
        found = stored_result(purpose, given, lambda: self._read(kind[1:], scale, raw), is_hull)
        if found['facets']:
            points = tuple((x, y, z) for x, y, z in found['vertices'])
            remember_facets(points, tuple((a, b, c) for a, b, c in found['facets']))
        return Hull(np.array(found['vertices']), found['gap'])

    def surface_of(self, path: Path, scale: Sequence[float]) -> SurfaceMesh:
        """Return the triangles of a mesh file, each axis multiplied by its scale; as `hull_of`."""
        found = self._shape_of(path, scale, mesh_shapes.SURFACE, 'surface of a mesh 1')
        return stored_shapes.surface_of(found)

    def pieces_of(self, path: Path, scale: Sequence[float]) -> list[Vector]:
        """Return the corners of convex pieces of a mesh file, scaled alike; as `hull_of`."""
        purpose = f'pieces of a mesh 1, {MAXIMUM_VERTICES}, {mesh_shapes.THRESHOLD}'
        found = self._shape_of(path, scale, mesh_shapes.CONVEX, purpose)
        return [np.array(piece['vertices']) for piece in found['pieces']]

    def _shape_of(
        self, path: Path, scale: Sequence[float], wanted: bytes, purpose: str
    ) -> dict[str, Any]:
        kind = path.suffix.lower()
        raw = path.read_bytes()
        given = b'\0'.join((kind.encode(), repr(tuple(scale)).encode(), raw))
        is_surface = wanted == mesh_shapes.SURFACE

        def read() -> dict[str, Any]:
            head = mesh_shapes.REQUEST.pack(*scale, kind[1:].encode(), wanted)
            data = self._asked(kind[1:], head + raw, mesh_shapes.__name__, SHAPE_LIMITS)
            if is_surface:
                return stored_shapes.surface_fields(data)
            return {'pieces': [_fields(part) for part in stored_shapes.parts_of(data)]}

        is_valid = stored_shapes.is_surface if is_surface else stored_shapes.are_pieces
        found: dict[str, Any] = stored_result(purpose, given, read, is_valid)
        return found

    def _read(self, kind: str, scale: Sequence[float], raw: bytes) -> dict[str, Any]:
        """Return the fields of a hull as plain data."""
        request = mesh_reading.REQUEST.pack(*scale, kind.encode()) + raw
        return _fields(self._asked(kind, request, mesh_reading.__name__, LIMITS))

    def _asked(self, kind: str, request: bytes, task: str, limits: Limits) -> bytes:
        """Return the answer of a child."""
        if kind not in FORMATS:
            raise MeshLeftOutError(f'has an unknown format; known are {", ".join(FORMATS)}')
        if self._is_over:  # the file is refused already: a hundred more would take a hundred times
            raise MeshLeftOutError('is not read after one that reached a limit')
        try:
            return self._started(task, limits).ask(request)
        except ChildEndedError as error:
            raise MeshLeftOutError(f'cannot be read: {error}') from None
        except TaskFailedError as error:
            raise MeshLeftOutError(str(error)) from None
        except LimitReachedError as error:
            self._is_over = True
            way_out = "simplify it, or load the model with meshes='none'"
            raise MeshRefusedError(f'{error}: {way_out}') from None

    def _started(self, task: str, limits: Limits) -> LimitedChild:
        from symcontact_ros.model.limited_child import LimitedChild  # not where all is stored

        if task not in self._children:
            tell('reading meshes')
            self._children[task] = LimitedChild(task, limits)
        return self._children[task]


def _fields(data: bytes) -> dict[str, Any]:
    """Return the fields of an answer, which must be a hull."""
    head = mesh_reading.ANSWER
    try:
        count, facet_count, gap = head.unpack_from(data)
        vertices = np.frombuffer(data, '<f8', 3 * count, head.size).reshape(-1, 3)
        facets = np.frombuffer(data, '<u4', 3 * facet_count, head.size + vertices.nbytes)
        is_whole = (
            len(data) == head.size + vertices.nbytes + facets.nbytes
            and 0 < count <= MAXIMUM_VERTICES
            and bool((facets < count).all())
            and bool(np.isfinite(vertices).all() and gap >= 0.0)
        )
    except (struct.error, ValueError):
        is_whole = False
    if not is_whole:
        raise MeshLeftOutError('cannot be read: its reader gave no hull')
    return {
        'vertices': vertices.tolist(),
        'facets': facets.reshape(-1, 3).tolist(),
        'gap': gap,
    }
