"""Height fields: terrain over a rectangle, with two triangles in each cell of its grid."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import ClassVar, TYPE_CHECKING

from symcontact_ros.shapes.number_table import NumberTable
from symcontact_ros.shapes.surface import Surface, surface_head, SurfaceCore, tools_block

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from symcontact_ros.shapes.packing import Block

LARGEST = 1e6  # [m]
DRAWN = 150  # points along x and y that pictures have at most


class HeightFieldCore(SurfaceCore):
    """Heights; ``vertices`` are the first point, the spacing, and the counts along x and y."""


@dataclass(frozen=True)
class HeightField(Surface):
    """
    Terrain that is solid below z = height(x, y), over a rectangle.

    ``heights`` are rows along x, one after the other along y [m]. Points are ``spacing`` apart
    along x and y [m]; the first is at ``origin``, or where the rectangle is centred.
    """

    kind = 'height_field'
    spatial_core = HeightFieldCore
    tables: ClassVar[dict[str, type]] = {'heights': float}
    heights: NumberTable
    spacing: tuple[float, float] = (1.0, 1.0)
    origin: tuple[float, ...] = ()  # x and y of the first point [m]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.origin:
            rows, columns = self.heights.array.shape
            dx, dy = self.spacing
            middle = (-0.5 * dx * (columns - 1), -0.5 * dy * (rows - 1))
            object.__setattr__(self, 'origin', middle)

    def fault(self) -> str:
        """Return what is wrong with the numbers; '' where they are valid."""
        import numpy as np

        heights = self.heights.array
        if heights.ndim != 2 or min(heights.shape) < 2:
            return f'heights must be two rows of two numbers or more, got {self.heights}'
        bad = np.argwhere(~(np.abs(heights) <= LARGEST))
        if len(bad):
            row, column = bad[0].tolist()
            value = heights[row, column]
            return f'heights[{row}][{column}] must be finite and within {LARGEST:g}, got {value:g}'
        if len(self.spacing) != 2 or not all(0.0 < step <= LARGEST for step in self.spacing):
            return f'spacing must be two numbers > 0, got {list(self.spacing)}'
        if len(self.origin) not in (0, 2) or not all(map(math.isfinite, self.origin)):
            return f'origin must be two numbers, got {list(self.origin)}'
        return ''

    def _corners(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the corners of the box around it."""
        import numpy as np

        heights = self.heights.array
        (x, y), (dx, dy) = self.origin, self.spacing
        rows, columns = heights.shape
        lower = np.array([x, y, heights.min()])
        upper = np.array([x + dx * (columns - 1), y + dy * (rows - 1), heights.max()])
        return lower, upper

    def pack(self, dimension: int) -> Block:
        """Return its block: heights, where they are, and tools."""
        from symcontact_ros.kernels.records import Image
        from symcontact_ros.shapes.packing import place_shrunk
        from symcontact_ros.shapes.records import SpatialSolid

        heights, tools = self.heights.array, tools_block()
        counts = {'vertices': 3, 'heights': heights.size, 'tools': len(tools)}
        blank = dict.fromkeys(('planes', 'loops', 'corners', 'edges', 'shrunk'), 0)
        image = Image(SpatialSolid, {**blank, 'triangles': 0, 'tree': 0, **counts})
        surface_head(*self._corners()).write(image.record)
        x, y = self.origin
        dx, dy = self.spacing
        rows, columns = heights.shape
        image['vertices']['position'] = [[x, y, 0.0], [dx, dy, 0.0], [columns, rows, 0.0]]
        image['heights'][:] = heights.ravel()
        image['tools'][:] = tools
        place_shrunk(image.memory, 3, 0)
        return image.memory

    def triangle_corners(self) -> NDArray[np.float64]:
        """Return the corners of all triangles: two in each cell, cut from its first point."""
        import numpy as np

        rows, columns = self.heights.array.shape
        return self._corners_of(np.arange(rows), np.arange(columns))

    def drawn_corners(self) -> NDArray[np.float64]:
        """Return the corners of a coarser grid if it has many points."""
        import numpy as np

        counts = self.heights.array.shape
        rows, columns = (np.linspace(0, n - 1, min(n, DRAWN)).astype(np.int64) for n in counts)
        return self._corners_of(rows, columns)

    def _corners_of(
        self, rows: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        import numpy as np

        x = self.origin[0] + self.spacing[0] * columns
        y = self.origin[1] + self.spacing[1] * rows
        grid = np.stack([*np.meshgrid(x, y), self.heights.array[np.ix_(rows, columns)]], axis=2)
        a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]
        return np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3, 3)
