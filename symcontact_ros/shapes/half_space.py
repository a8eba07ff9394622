"""Half-spaces: half of the plane or of space."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Any, ClassVar, TYPE_CHECKING

from symcontact_ros.expressions import Formula, is_nonzero, Scalar, Values
from symcontact_ros.placements import Triple
from symcontact_ros.shapes.base import number, numbers, Shape
from symcontact_ros.shapes.cores import PlanarCore, SpatialCore

if TYPE_CHECKING:
    from symcontact_ros.shapes.drawing import MarkerPiece, Points
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.moments import Moments
    from symcontact_ros.shapes.packing import Block

GROUND, SLAB = 20.0, 0.1  # [m] that are drawn of a half-space: wide, and deep
FAR = 1e4  # [m]: beyond any plot


class HalfPlaneCore(PlanarCore):
    """Only its normal, in ``size``, and its ``offset`` count: it has no farthest points."""


class HalfSpaceCore(SpatialCore):
    """Only its normal, in ``size``, and its ``offset`` count: it has no farthest points."""


@dataclass(frozen=True)
class HalfSpace(Shape):
    """The half of the world where ``normal . x < offset`` is solid; the normal is made unit."""

    kind = 'half_space'
    planar_core = HalfPlaneCore
    spatial_core = HalfSpaceCore
    is_bounded = False
    widths: ClassVar[dict[str, int]] = {'normal': 3}
    normal: Triple = (0.0, 0.0, 1.0)
    offset: Scalar = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not any(isinstance(component, Formula) for component in self.normal):
            length = math.hypot(*numbers(self.normal))
            unit = tuple(component / length for component in self.normal)
            object.__setattr__(self, 'normal', unit)

    def fault(self) -> str:
        """Return what is wrong with the normal or the offset; '' where they are valid."""
        length = math.hypot(*numbers(self.normal))
        if not 0.0 < length < math.inf:
            return f'normal must have a length, got {self.normal}'
        return '' if math.isfinite(*numbers(self.offset)) else 'offset must be finite'

    def planar_fault(self) -> str:
        """Return that the normal does not lie in the plane; '' where it does."""
        if self.normal[2] != 0.0:
            return 'in the plane its normal has z = 0'
        return ''

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Any, ...]:
        """Read ``normal`` and ``offset``."""
        up = (0.0, 1.0, 0.0) if dimension == 2 else (0.0, 0.0, 1.0)
        normal = section.triple('normal', up)
        if dimension == 2 and is_nonzero(normal[2]):
            section.fault('normal', 'must lie in the plane: its third number is 0')
        return normal, section.number('offset', 0.0)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Raise ValueError: it has no end."""
        raise ValueError('a half_space has no end, so no inertia follows from it')

    def smallest_extent(self) -> float:
        """Return infinity."""
        return math.inf

    def pack(self, dimension: int) -> Block:
        """Return its block: normal and offset."""
        from symcontact_ros.shapes.packing import Head, planar_block, spatial_block

        x, y, z = numbers(self.normal)
        head = Head(size=(x, y, z), offset=number(self.offset))
        return planar_block(head) if dimension == 2 else spatial_block(head)

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return a slab under the surface: its z axis is the normal; in the plane its y is z."""
        import numpy as np

        from symcontact_ros.shapes.drawing import CUBE, MarkerPiece, THICKNESS

        normal = np.array(numbers(self.normal))
        helper = np.eye(3)[2 if dimension == 2 else int(np.argmin(np.abs(normal)))]
        second = helper - (helper @ normal) * normal
        second /= math.sqrt(second @ second)
        turn = np.stack([np.cross(second, normal), second, normal], axis=1)
        scale = (GROUND, THICKNESS if dimension == 2 else GROUND, SLAB)
        x, y, z = ((number(self.offset) - 0.5 * SLAB) * normal).tolist()
        rows = tuple(map(tuple, turn.tolist()))
        return [MarkerPiece(CUBE, scale, rows, (x, y, z))]  # type: ignore[arg-type]

    def outline(self) -> Points:
        """Return a large rectangle under the surface."""
        import numpy as np

        normal = np.array(numbers(self.normal)[:2])
        along = np.array([-normal[1], normal[0]])
        corners = [(-1, 0), (1, 0), (1, -1), (-1, -1)]
        start = number(self.offset) * normal
        return np.array([start + FAR * (s * along + t * normal) for s, t in corners])

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return its plane."""
        normal = make.unit(make.vector(self.normal))
        return [make.plane('half_space', normal, make.scalar(self.offset))]
