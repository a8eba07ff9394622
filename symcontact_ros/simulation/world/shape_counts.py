"""Numbers of faces and vertices of the shapes in a world, which bound what refers to them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.simulation.world.world_memory import WorldMemory

CORNERS = 8  # numbers of vertices of cores that have them by signs, not in memory


def face_counts(memory: WorldMemory) -> NDArray[np.int64]:
    """Return how many flat faces each shape has, or features a surface; edges in the plane."""
    if memory.layout.is_planar:
        return np.array([len(solid.edges) for solid in _solids(memory)], dtype=np.int64)
    from symcontact_ros.collision.spatial.surface_pairs import MOST_DOUBLINGS
    from symcontact_ros.shapes.spatial_dispatch import face_count

    counts = [
        MOST_DOUBLINGS + 1 if len(solid.tools) else face_count(solid) for solid in _solids(memory)
    ]
    return np.array(counts, dtype=np.int64)


def vertex_counts(memory: WorldMemory) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many vertices each shape has, and each shrunk one."""
    solids = _solids(memory)
    own = [_vertex_count(solid, memory.layout.is_planar) for solid in solids]
    inner = [_vertex_count(solid.shrunk[0], memory.layout.is_planar) for solid in solids]
    return np.array(own, dtype=np.int64), np.array(inner, dtype=np.int64)


def _vertex_count(solid: Any, is_planar: bool) -> int:
    if not is_planar:
        from symcontact_ros.shapes.spatial_dispatch import WITH_VERTEX

        if any(solid.core == number for number, _ in WITH_VERTEX):
            return CORNERS
    return len(solid.vertices)


def _solids(memory: WorldMemory) -> list[Any]:
    solids = memory.image['solids']
    starts = memory.image['shapes']['solid'].tolist()
    return [memory.detection.solid(solids[start:]) for start in starts]
