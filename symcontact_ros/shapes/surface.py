"""Interface of surfaces: shapes of fixed bodies that need not be convex, made of triangles."""

from __future__ import annotations

from dataclasses import dataclass, fields
import math
from typing import Any, ClassVar, TYPE_CHECKING, TypeVar

from symcontact_ros.errors import OptionError
from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.kernels.vectors.spatial import Frame, minus, placed, plus, Vector
from symcontact_ros.shapes.base import Shape
from symcontact_ros.shapes.cores import SpatialCore
from symcontact_ros.shapes.number_table import NumberTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from symcontact_ros.shapes.drawing import MarkerPiece
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker
    from symcontact_ros.shapes.moments import Moments
    from symcontact_ros.shapes.packing import Block, Head
    from symcontact_ros.shapes.records import SpatialSolid

S = TypeVar('S', bound='Surface')


class SurfaceCore(SpatialCore):
    """Triangles; ``size`` is half of the box around them, about the centre."""

    @staticmethod
    def bounds(solid: SpatialSolid, frame: Frame) -> tuple[Vector, Vector]:
        """Return the box around the box of the surface."""
        x, y, z, _ = frame
        half = solid.size
        extent = (
            half[0] * abs(x[0]) + half[1] * abs(y[0]) + half[2] * abs(z[0]),
            half[0] * abs(x[1]) + half[1] * abs(y[1]) + half[2] * abs(z[1]),
            half[0] * abs(x[2]) + half[1] * abs(y[2]) + half[2] * abs(z[2]),
        )
        centre = placed(frame, solid.centre)
        return minus(centre, extent), plus(centre, extent)


@dataclass(frozen=True)
class Surface(Shape):
    """
    A surface of triangles, of a body that is fixed; lengths in metres, numbers only.

    Bodies are pushed out along the outward normals of its triangles, and along those between two
    triangles where these meet in a convex edge or corner.
    """

    is_convex: ClassVar[bool] = False
    tables: ClassVar[dict[str, type]] = {}  # field -> type of the numbers in its table

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.name in self.tables and not isinstance(value, NumberTable):
                value = self._table(entry.name, value)
            elif entry.name not in self.tables:
                value = tuple(float(number) for number in value)
            object.__setattr__(self, entry.name, value)
        fault = self.fault()
        if fault:
            raise ValueError(fault)

    def _table(self, name: str, value: Any) -> NumberTable:
        try:
            return NumberTable(value, self.tables[name])
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f'{name} must be rows of numbers of equal length') from None

    def scalars(self) -> list[Scalar]:
        """Return nothing: it has no formulas, and its numbers are too many."""
        return []

    def evaluated(self: S, values: Values) -> S:
        """Return itself."""
        return self

    def moments(self, dimension: int, values: Values) -> Moments:
        """Raise ValueError: it has no inside."""
        raise ValueError(f'a {self.kind} is a surface, so no inertia follows from it')

    def smallest_extent(self) -> float:
        """Return infinity: as thick as a half-space."""
        return math.inf

    def triangle_corners(self) -> NDArray[np.float64]:
        """Return the corners of all triangles, shape (n, 3, 3) [m]."""
        raise NotImplementedError

    def drawn_corners(self) -> NDArray[np.float64]:
        """Return the corners of the triangles that pictures have: fewer of a large surface."""
        return self.triangle_corners()

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return its triangles."""
        from symcontact_ros.shapes.drawing import MarkerPiece, TRIANGLES

        points = self.drawn_corners().reshape(-1, 3).tolist()
        corners = tuple((x, y, z) for x, y, z in points)
        return [MarkerPiece(TRIANGLES, (1.0, 1.0, 1.0), corners=corners)]

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Raise OptionError: there are too many."""
        raise OptionError(f'contacts with a {self.kind} are not written as equations')


def tools_block() -> Block:
    """Return the blocks of a plane, a segment and a triangle, one after the other."""
    import numpy as np

    from symcontact_ros.kernels.memory import floats_of
    from symcontact_ros.shapes.capsule import SpatialCapsuleCore
    from symcontact_ros.shapes.convex_hull import HullCore
    from symcontact_ros.shapes.half_space import HalfSpaceCore
    from symcontact_ros.shapes.meshes import Mesh
    from symcontact_ros.shapes.packing import Head, spatial_block
    from symcontact_ros.shapes.records import SpatialSolid
    from symcontact_ros.shapes.table import SPATIAL_CORES

    triangle = Mesh(np.zeros((3, 3)), np.zeros((0, 4)), [], [])
    blocks = []
    for core, mesh in ((HalfSpaceCore, None), (SpatialCapsuleCore, None), (HullCore, triangle)):
        head = Head(0.0, 1.0, inner=0.0)
        block = spatial_block(head) if mesh is None else spatial_block(head, mesh)
        SpatialSolid.at(floats_of(block)).core = SPATIAL_CORES.index(core)
        blocks.append(block)
    return np.concatenate(blocks)


def surface_head(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> Head:
    """Return the head of a record from the corners of the box around a surface."""
    import numpy as np

    from symcontact_ros.shapes.packing import Head

    half, centre = 0.5 * (upper - lower), 0.5 * (upper + lower)
    x, y, z = half.tolist()
    return Head(0.0, float(np.sqrt(x * x + y * y + z * z)), (x, y, z), tuple(centre.tolist()))
