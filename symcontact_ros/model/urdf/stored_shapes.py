"""Surfaces and pieces of meshes, from a child or the cache: checked before they are used."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.model.input_limits import PIECES, TRIANGLES
from symcontact_ros.model.urdf.mesh_files import MeshLeftOutError
from symcontact_ros.model.urdf.mesh_shapes import LENGTH, PIECES_ANSWER, SURFACE_ANSWER
from symcontact_ros.model.urdf.stored_hulls import is_hull
from symcontact_ros.shapes.number_table import packed_text, unpacked
from symcontact_ros.types import Vector

NO_SHAPE = 'cannot be read: its reader gave no surface'
MOST_VERTICES = 3 * TRIANGLES  # of a surface


class SurfaceMesh(NamedTuple):
    """The triangles of a mesh file."""

    vertices: Vector  # [m], n x 3
    triangles: NDArray[np.int64]  # n x 3, counter-clockwise seen from outside
    dropped: int  # triangles without area that were left out


def surface_fields(data: bytes) -> dict[str, Any]:
    """Return the answer of a child as plain data; MeshLeftOutError if it is no surface."""
    try:
        count, triangle_count, dropped = SURFACE_ANSWER.unpack_from(data)
        vertices = np.frombuffer(data, '<f8', 3 * count, SURFACE_ANSWER.size).reshape(-1, 3)
        start = SURFACE_ANSWER.size + vertices.nbytes
        triangles = np.frombuffer(data, '<i8', 3 * triangle_count, start).reshape(-1, 3)
        fields = {
            'vertices': packed_text(vertices),
            'triangles': packed_text(triangles),
            'dropped': dropped,
        }
    except (struct.error, ValueError):
        raise MeshLeftOutError(NO_SHAPE) from None
    if not is_surface(fields):
        raise MeshLeftOutError(NO_SHAPE)
    return fields


def surface_of(fields: dict[str, Any]) -> SurfaceMesh:
    """Return a surface from plain data; ValueError if it is none."""
    vertices = unpacked(fields['vertices'], 'f', 3 * MOST_VERTICES)
    triangles = unpacked(fields['triangles'], 'i', 3 * TRIANGLES)
    return SurfaceMesh(vertices, triangles, int(fields['dropped']))


def is_surface(found: object) -> bool:
    """Return whether plain data is a surface, with triangles of vertices that exist."""
    if not isinstance(found, dict) or set(found) != {'vertices', 'triangles', 'dropped'}:
        return False
    if not isinstance(found['vertices'], str) or not isinstance(found['triangles'], str):
        return False
    try:
        vertices, triangles, dropped = surface_of(found)
    except (TypeError, ValueError):
        return False
    return (
        vertices.ndim == triangles.ndim == 2
        and vertices.shape[1] == triangles.shape[1] == 3
        and len(triangles) > 0
        and bool(np.isfinite(vertices).all())
        and bool(((triangles >= 0) & (triangles < len(vertices))).all())
        and dropped >= 0
    )


def parts_of(data: bytes) -> list[bytes]:
    """Return the answers of the pieces in that of a child; MeshLeftOutError if it is damaged."""
    parts, at = [], PIECES_ANSWER.size
    try:
        (count,) = PIECES_ANSWER.unpack_from(data)
        for _ in range(min(count, PIECES)):
            (length,) = LENGTH.unpack_from(data, at)
            parts.append(data[at + LENGTH.size : at + LENGTH.size + length])
            at += LENGTH.size + length
    except struct.error:
        raise MeshLeftOutError('cannot be read: its reader gave no pieces') from None
    if not parts or at != len(data):
        raise MeshLeftOutError('cannot be read: its reader gave no pieces')
    return parts


def are_pieces(found: object) -> bool:
    """Return whether plain data is a list of hulls."""
    if not isinstance(found, dict) or set(found) != {'pieces'}:
        return False
    pieces = found['pieces']
    return isinstance(pieces, list) and 0 < len(pieces) <= PIECES and all(map(is_hull, pieces))
