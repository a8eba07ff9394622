"""
Choice of the kernels that find collisions: exact ones, or those of convex programs.

A run needs one dimension and one detector: the kernels of the others are not imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

from symcontact_ros.collision.convex_programs.options import Options, options_of
from symcontact_ros.collision.shape_pair import NOT_CONVEX, Pair
from symcontact_ros.errors import not_one_of, OptionError
from symcontact_ros.kernels.memory import floats_of
from symcontact_ros.shapes.base import Shape
from symcontact_ros.shapes.packing import Block, packed
from symcontact_ros.shapes.records import PlanarSolid, Solid, SpatialSolid, Triple
from symcontact_ros.shapes.table import KINDS

AnyPair: TypeAlias = Pair[Any, Any, Any]  # of either dimension

DETECTORS = ('sat', 'co')


class Table(Protocol):
    """The pairs of a dimension: a module."""

    @property
    def PAIRS(self) -> Mapping[tuple[str, str], AnyPair]:  # noqa: N802
        """By the kinds of their shapes."""

    @property
    def WORK(self) -> int:  # noqa: N802
        """How many floats of memory their kernels may need."""

    def in_space(self, point: Any, /) -> Triple:
        """Return a vector of the dimension as three numbers."""


@dataclass(frozen=True)
class Detection:
    """
    Kernels that find collisions in a dimension.

    Attributes
    ----------
    dimension
        2 or 3.
    detector
        ``'sat'``: separating axes, closed forms, GJK and EPA: exact. ``'co'``: convex programs.
    options
        Of the convex programs.
    """

    dimension: int
    detector: str = 'sat'
    options: Options = field(default_factory=Options)

    @property
    def table(self) -> Table:
        """Every pair of shapes of the dimension, exact."""
        if self.dimension == 2:
            from symcontact_ros.collision.planar import table as planar_table

            return planar_table
        from symcontact_ros.collision.spatial import table as spatial_table

        return spatial_table

    @property
    def is_compiled(self) -> bool:
        """Whether its kernels can be compiled: solvers of other packages cannot."""
        return self.detector == 'sat' or self.options.solver == 'builtin'

    @property
    def keeps_warm_starts(self) -> bool:
        """Whether each pair is to have a warm start of its own."""
        return self.detector == 'co' and self.is_compiled

    def pair(self, exact: AnyPair) -> AnyPair:
        """Return the kernels of a shape pair for this detector, from its exact ones."""
        return exact if self.detector == 'sat' else _program_pair(exact, self)

    def solid(self, block: Block) -> Solid:
        """Return a block as a record."""
        return (PlanarSolid if self.dimension == 2 else SpatialSolid).at(floats_of(block))

    def block(self, shape: Shape) -> Block:
        """Return the memory block of a shape without formulas."""
        if self.detector == 'sat':
            return packed(shape, self.dimension)
        from symcontact_ros.collision.convex_programs.shrinking import program_block

        return program_block(shape, self.dimension, self.options)


def detection_of(
    dimension: int, detector: str, co: Mapping[str, object] | Options | None = None
) -> Detection:
    """Return a detection; OptionError for options that are not valid."""
    check_detector(detector)
    options = options_of(co)
    return Detection(dimension) if detector == 'sat' else Detection(dimension, detector, options)


def check_detector(detector: str) -> None:
    """Raise OptionError unless there is a detector of this name."""
    if detector not in DETECTORS:
        raise OptionError(not_one_of('detector', DETECTORS, detector))


def _program_pair(exact: AnyPair, detection: Detection) -> AnyPair:
    kinds = [kinds for kinds, pair in detection.table.PAIRS.items() if pair is exact]
    if not all(KINDS[kind].is_bounded for both in kinds for kind in both):
        return exact  # a half-space is a program that one farthest point solves
    if not all(KINDS[kind].is_convex for both in kinds for kind in both):
        return replace(exact, status=NOT_CONVEX)  # type: ignore[type-var]
    from symcontact_ros.collision.convex_programs.program_pair import program_pair

    dimension: Any  # of either kind, and its programs by name
    programs: Any
    if detection.dimension == 2:
        from symcontact_ros.collision.convex_programs import planar_programs

        dimension, programs = planar_programs.DIMENSION, planar_programs.PROGRAMS
    else:
        from symcontact_ros.collision.convex_programs import spatial_programs

        dimension, programs = spatial_programs.DIMENSION, spatial_programs.PROGRAMS
    if not detection.is_compiled:
        from symcontact_ros.collision.convex_programs.external_programs import external_programs

        programs = external_programs(detection.options.solver)
    return program_pair(exact, programs[detection.options.program], dimension)
