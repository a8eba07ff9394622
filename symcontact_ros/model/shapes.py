"""Shapes in their own frame. Lengths in metres; any length may be a formula of live symbols."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
import math
from typing import Any, ClassVar, TypeVar

from symcontact_ros.expressions import evaluate, Formula, parse, Scalar, Values
from symcontact_ros.model.hulls import hull_facets, polygon_fault

Triple = tuple[Scalar, Scalar, Scalar]
S = TypeVar('S', bound='Base')


@dataclass(frozen=True)
class Base:
    """What all shapes share: fields that are numbers, formulas, or nested tuples of them."""

    kind: ClassVar[str]  # as in model files
    dimensions: ClassVar[tuple[int, ...]]  # of the models it fits
    widths: ClassVar[dict[str, int]] = {}  # field -> how many numbers, of it or of each row of it

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

    def scalars(self) -> list[Scalar]:
        """Return every number of the shape."""
        return _flat([getattr(self, entry.name) for entry in fields(self)])

    def evaluated(self: S, values: Values) -> S:
        """Return the shape with its formulas as numbers; ValueError where they make no shape."""
        return replace(
            self, **{e.name: _evaluated(getattr(self, e.name), values) for e in fields(self)}
        )

    def fault(self) -> str:
        """Return what is wrong with the numbers of the shape; nothing where they are right."""
        for entry in fields(self):
            for value in numbers(getattr(self, entry.name)):
                if not 0.0 < value < math.inf:
                    return f'{entry.name} must be > 0, got {value:g}'
        return ''


@dataclass(frozen=True)
class Circle(Base):
    """A disc in the xy plane."""

    kind = 'circle'
    dimensions = (2,)
    radius: Scalar


@dataclass(frozen=True)
class Rectangle(Base):
    """A rectangle in the xy plane, sides along x and y."""

    kind = 'rectangle'
    dimensions = (2,)
    widths: ClassVar[dict[str, int]] = {'half_extents': 2}
    half_extents: tuple[Scalar, Scalar]


@dataclass(frozen=True)
class Polygon(Base):
    """A convex polygon in the xy plane; vertices in order, either way round."""

    kind = 'polygon'
    dimensions = (2,)
    widths: ClassVar[dict[str, int]] = {'vertices': 2}
    vertices: tuple[tuple[Scalar, Scalar], ...]

    def fault(self) -> str:
        """Return why the vertices make no convex polygon; nothing where they do."""
        flat = numbers(self.vertices)
        return polygon_fault(list(zip(flat[::2], flat[1::2], strict=True)))


@dataclass(frozen=True)
class Sphere(Base):
    """A ball."""

    kind = 'sphere'
    dimensions = (3,)
    radius: Scalar


@dataclass(frozen=True)
class Box(Base):
    """A cuboid with faces along the axes."""

    kind = 'box'
    dimensions = (3,)
    widths: ClassVar[dict[str, int]] = {'half_extents': 3}
    half_extents: Triple


@dataclass(frozen=True)
class Cylinder(Base):
    """A cylinder about the z axis."""

    kind = 'cylinder'
    dimensions = (3,)
    radius: Scalar
    half_length: Scalar


@dataclass(frozen=True)
class Capsule(Base):
    """All points within a radius of a segment along z; in planar models along x."""

    kind = 'capsule'
    dimensions = (2, 3)
    radius: Scalar
    half_length: Scalar  # of the segment


@dataclass(frozen=True)
class ConvexHull(Base):
    """The smallest convex body around some points in space."""

    kind = 'convex_hull'
    dimensions = (3,)
    widths: ClassVar[dict[str, int]] = {'vertices': 3}
    vertices: tuple[Triple, ...]

    def fault(self) -> str:
        """Return why the points have no hull; nothing where they have."""
        flat = numbers(self.vertices)
        try:
            hull_facets(tuple(zip(flat[::3], flat[1::3], flat[2::3], strict=True)))
        except ValueError as error:
            return str(error)
        return ''


@dataclass(frozen=True)
class HalfSpace(Base):
    """The half of the world where ``normal . x < offset`` is solid; the normal is made unit."""

    kind = 'half_space'
    dimensions = (2, 3)
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
        """Return what is wrong with the normal or the offset; nothing where they are right."""
        length = math.hypot(*numbers(self.normal))
        if not 0.0 < length < math.inf:
            return f'normal must have a length, got {self.normal}'
        return '' if math.isfinite(*numbers(self.offset)) else 'offset must be finite'


Shape = Circle | Rectangle | Polygon | Sphere | Box | Cylinder | Capsule | ConvexHull | HalfSpace
KINDS: dict[str, type[Any]] = {
    shape.kind: shape
    for shape in (
        Circle,
        Rectangle,
        Polygon,
        Sphere,
        Box,
        Cylinder,
        Capsule,
        ConvexHull,
        HalfSpace,
    )
}


def frozen(value: Any) -> Any:
    """Return nested sequences of numbers as nested tuples of floats and formulas."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, str):
        return parse(value)
    if hasattr(value, '__iter__'):
        return tuple(frozen(item) for item in value)
    return float(value)


def numbers(value: Any) -> list[float]:
    """Return the numbers in nested tuples that hold no formulas."""
    return [float(scalar) for scalar in _flat(value)]  # type: ignore[arg-type]


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
