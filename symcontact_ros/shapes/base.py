"""Interface of a shape: everything that the package needs of one, in its own frame."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
import math
from typing import Any, ClassVar, TYPE_CHECKING, TypeVar

from symcontact_ros.errors import OptionError, shown_value
from symcontact_ros.expressions import evaluate, Formula, parse, Scalar, Values
from symcontact_ros.shapes.cores import PlanarCore, SpatialCore

if TYPE_CHECKING:
    from symcontact_ros.shapes.drawing import MarkerPiece, Points
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.moments import Moments
    from symcontact_ros.shapes.packing import Block

S = TypeVar('S', bound='Shape')


@dataclass(frozen=True)
class Shape:
    """
    A convex shape. Lengths in metres; any of its numbers may be a formula of live symbols.

    Its fields are numbers, formulas, or nested tuples of them. Methods that need numbers are
    called on `evaluated` shapes only ("numbers only").
    """

    kind: ClassVar[str]  # its name in model files
    widths: ClassVar[dict[str, int]] = {}  # field -> how many numbers, of it or of each row of it
    # Kernels of the shape in the plane and in space, as far as it fits into such models.
    planar_core: ClassVar[type[PlanarCore] | None] = None
    spatial_core: ClassVar[type[SpatialCore] | None] = None
    is_convex: ClassVar[bool] = True  # False: a `Surface`, of bodies that are fixed
    is_bounded: ClassVar[bool] = True  # False: it has no end, so no mass and no bounding box

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = frozen(getattr(self, entry.name))
            object.__setattr__(self, entry.name, value)
            wanted = self.widths.get(entry.name)
            rows = value if entry.name == 'vertices' else (value,)
            if any(_width(row) != wanted for row in rows):
                one = 'a number' if wanted is None else f'{wanted} numbers'
                each = ' each' if entry.name == 'vertices' else ''
                raise ValueError(f'{entry.name} must be {one}{each}')
        if not any(isinstance(scalar, Formula) for scalar in self.scalars()):
            fault = self.fault()
            if fault:
                raise ValueError(fault)

    @classmethod
    def fits(cls, dimension: int) -> bool:
        """Return whether models of a dimension (2 or 3) can have the shape."""
        return (cls.planar_core if dimension == 2 else cls.spatial_core) is not None

    # Parameters ---------------------------------------------------------------------------------

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Any, ...]:
        """Return the fields from a section of a model file; faults are reported to it."""
        raise NotImplementedError

    def scalars(self) -> list[Scalar]:
        """Return every number and formula of the shape."""
        return _flat([getattr(self, entry.name) for entry in fields(self)])

    def evaluated(self: S, values: Values) -> S:
        """Return the shape with its formulas as numbers; ValueError where they make no shape."""
        return replace(
            self, **{e.name: _evaluated(getattr(self, e.name), values) for e in fields(self)}
        )

    def fault(self) -> str:
        """Return what is wrong with the numbers of the shape; '' where they are valid."""
        for entry in fields(self):
            for value in numbers(getattr(self, entry.name)):
                if not 0.0 < value < math.inf:
                    return f'{entry.name} must be > 0, got {value:g}'
        return ''

    def planar_fault(self) -> str:
        """Return why the shape cannot lie in the plane, though its kind can; '' where it can."""
        return ''

    # Size and mass ------------------------------------------------------------------------------

    def moments(self, dimension: int, values: Values) -> Moments:
        """
        Return area [m^2] or volume [m^3], centroid and spread at uniform density.

        Formulas stay formulas. ``values`` of live symbols only determine which points of a hull
        are corners. ValueError for shapes without an end.
        """
        raise NotImplementedError

    def smallest_extent(self) -> float:
        """Return how thin the shape is [m]; numbers only; inf where it has no end."""
        return 2.0 * min(numbers(list(self.scalars())))

    def shrunk(self, margin: float) -> tuple[Shape, float]:
        """
        Return a smaller shape, and the radius that rounds it to this one again; numbers only.

        For programs of minimum distance, if the core is not rounded already: by the margin [m],
        or by nothing, where no smaller shape has the same surface at that distance.
        """
        raise NotImplementedError

    # Kernels ------------------------------------------------------------------------------------

    def pack(self, dimension: int) -> Block:
        """Return the shape as a `PlanarSolid` or `SpatialSolid` record; numbers only."""
        raise NotImplementedError

    # Pictures -----------------------------------------------------------------------------------

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return the bodies that RViz draws for the shape; numbers only."""
        raise NotImplementedError

    def outline(self) -> Points:
        """Return a closed polygon around a planar shape, shape (n, 2) [m]; numbers only."""
        raise NotImplementedError

    # Symbols ------------------------------------------------------------------------------------

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return the points, lines, planes and circles that can be nearest to another shape."""
        raise NotImplementedError


def frozen(value: Any) -> Any:
    """Return nested sequences of numbers as nested tuples of floats and formulas."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, str):
        return parse(value)
    if hasattr(value, '__iter__'):
        return tuple(frozen(item) for item in value)
    try:
        return float(value)
    except OverflowError:
        reason = f'a number of a shape must be finite, got {shown_value(value)}'
        raise OptionError(reason) from None


def numbers(value: Any) -> list[float]:
    """Return the numbers in nested tuples that hold no formulas."""
    return [number(scalar) for scalar in _flat(value)]


def number(scalar: Scalar) -> float:
    """Return a scalar that is no formula."""
    return float(scalar)  # type: ignore[arg-type]


def _width(value: Any) -> int | None:
    """Return how many numbers a row has; None of a single number."""
    return len(value) if isinstance(value, tuple) else None


def _flat(value: Any) -> list[Scalar]:
    if isinstance(value, float | Formula):
        return [value]
    return [scalar for item in value for scalar in _flat(item)]


def _evaluated(value: Any, values: Values) -> Any:
    if isinstance(value, tuple):
        return tuple(_evaluated(item, values) for item in value)
    return evaluate(value, values)
