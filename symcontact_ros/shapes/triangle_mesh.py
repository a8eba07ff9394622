"""Triangle meshes as they are: surfaces of fixed bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TYPE_CHECKING

from symcontact_ros.shapes.number_table import NumberTable
from symcontact_ros.shapes.surface import Surface, surface_head, SurfaceCore, tools_block

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from symcontact_ros.shapes.packing import Block

LARGEST = 1e6  # [m]
DRAWN = 200_000  # triangles that pictures have at most, about
FLAT = 1e-12  # area of a triangle, of the square of its longest side: below, it has no normal


class TriangleMeshCore(SurfaceCore):
    """Vertices, triangles, and a tree of boxes around these."""


@dataclass(frozen=True)
class TriangleMesh(Surface):
    """
    A surface of triangles.

    ``vertices`` are rows of three numbers [m], ``triangles`` rows of three numbers of vertices,
    counter-clockwise seen from outside: bodies are kept on that side.
    """

    kind = 'mesh'
    spatial_core = TriangleMeshCore
    tables: ClassVar[dict[str, type]] = {'vertices': float, 'triangles': int}
    vertices: NumberTable
    triangles: NumberTable

    def fault(self) -> str:
        """Return what is wrong with the numbers; '' where they are valid."""
        import numpy as np

        vertices, triangles = self.vertices.array, self.triangles.array
        for name, table in (('vertices', vertices), ('triangles', triangles)):
            if table.ndim != 2 or table.shape[1] != 3 or not len(table):
                return f'{name} must be rows of three numbers, got {getattr(self, name)}'
        bad = np.argwhere(~(np.abs(vertices) <= LARGEST).all(axis=1))
        if len(bad):
            i = int(bad[0, 0])
            return f'vertices[{i}] must be finite and within {LARGEST:g}'
        bad = np.argwhere(((triangles < 0) | (triangles >= len(vertices))).any(axis=1))
        if len(bad):
            i = int(bad[0, 0])
            return f'triangles[{i}] names a vertex that is not there: {triangles[i].tolist()}'
        flat = np.flatnonzero(flat_triangles(vertices, triangles))
        if len(flat):
            i = int(flat[0])
            more = f', and {len(flat) - 1} more' if len(flat) > 1 else ''
            return f'triangles[{i}] has no area{more}: leave it out'
        return ''

    def pack(self, dimension: int) -> Block:
        """Return its block: vertices, triangles with their neighbours, boxes, and tools."""
        from symcontact_ros.kernels.records import Image
        from symcontact_ros.shapes.packing import place_shrunk
        from symcontact_ros.shapes.records import SpatialSolid

        vertices, triangles, tools = self.vertices.array, self.triangles.array, tools_block()
        lower, upper, leaves = tree_of(vertices[triangles])
        blank = dict.fromkeys(('planes', 'loops', 'corners', 'edges', 'shrunk', 'heights'), 0)
        counts = {'vertices': len(vertices), 'triangles': len(triangles), 'tree': len(lower)}
        image = Image(SpatialSolid, {**blank, **counts, 'tools': len(tools)})
        used = vertices[triangles].reshape(-1, 3)
        surface_head(used.min(axis=0), used.max(axis=0)).write(image.record)
        image['vertices']['position'] = vertices
        image['triangles']['corners'] = triangles
        image['triangles']['neighbours'] = neighbours_of(triangles)
        image['tree']['lower'], image['tree']['upper'] = lower, upper
        image['tree']['triangle'] = leaves
        image['tools'][:] = tools
        place_shrunk(image.memory, 3, 0)
        return image.memory

    def triangle_corners(self) -> NDArray[np.float64]:
        """Return the corners of all triangles."""
        corners: NDArray[np.float64] = self.vertices.array[self.triangles.array]
        return corners

    def drawn_corners(self) -> NDArray[np.float64]:
        """Return every n-th triangle of very many."""
        corners = self.triangle_corners()
        return corners[:: 1 + len(corners) // DRAWN]


def flat_triangles(
    vertices: NDArray[np.float64], triangles: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which triangles have no area to speak of."""
    import numpy as np

    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    sides = [((p - q) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a))]
    flat: NDArray[np.bool_] = area <= FLAT * np.max(sides, axis=0)
    return flat


def neighbours_of(triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """
    Return the triangle across each side, shape (n, 3); -1 where there is none.

    An edge of more than two triangles, or of two that face opposite ways, is an open edge of each.
    """
    import numpy as np

    count = len(triangles)
    starts, ends = triangles, np.roll(triangles, -1, axis=1)
    span = int(triangles.max()) + 1
    own, other = (starts * span + ends).ravel(), (ends * span + starts).ravel()
    order = np.argsort(own, kind='stable')
    keys, first, counts = np.unique(own[order], return_index=True, return_counts=True)
    place = np.minimum(np.searchsorted(keys, other), len(keys) - 1)
    is_one = (keys[place] == other) & (counts[place] == 1)
    is_one &= counts[np.searchsorted(keys, own)] == 1
    found = np.where(is_one, order[first[place]] // 3, -1)
    return found.reshape(count, 3)


def tree_of(
    corners: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Return lower and upper corners of the boxes of a tree, and the triangles of its leaves."""
    import numpy as np

    count = len(corners)
    depth = max(0, (count - 1).bit_length())
    size = 1 << depth
    lower, upper = np.full((2 * size, 3), np.inf), np.full((2 * size, 3), -np.inf)
    leaves = np.zeros(2 * size, dtype=np.int64)
    order = np.argsort(_places_on_curve(corners.mean(axis=1)), kind='stable')
    lower[size : size + count] = corners.min(axis=1)[order]
    upper[size : size + count] = corners.max(axis=1)[order]
    leaves[size : size + count] = order
    while size > 1:
        size //= 2
        level = slice(size, 2 * size)
        halves = slice(2 * size, 4 * size)
        lower[level] = lower[halves].reshape(-1, 2, 3).min(axis=1)
        upper[level] = upper[halves].reshape(-1, 2, 3).max(axis=1)
    lower[0], upper[0] = np.inf, -np.inf
    return lower, upper, leaves


def _places_on_curve(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return where points are on a curve that visits near ones soon after each other (Morton)."""
    import numpy as np

    low, high = points.min(axis=0), points.max(axis=0)
    scale = float((high - low).max()) or 1.0
    cells = ((points - low) / scale * (2**20 - 1)).astype(np.int64)
    places = np.zeros(len(points), dtype=np.int64)
    for bit in range(20):
        for axis in range(3):
            places |= (cells[:, axis] >> bit & 1) << (3 * bit + axis)
    return places
