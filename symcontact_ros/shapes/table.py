"""
Table of all shapes.

The order is that of suggestions in messages. Kernels number cores by their places in the tables of
cores, which follow from it.
"""

from __future__ import annotations

from typing import TypeVar

from symcontact_ros.shapes.base import Shape
from symcontact_ros.shapes.box import Box
from symcontact_ros.shapes.capsule import Capsule
from symcontact_ros.shapes.circle import Circle
from symcontact_ros.shapes.convex_hull import ConvexHull
from symcontact_ros.shapes.cores import Core, PlanarCore, SpatialCore
from symcontact_ros.shapes.cylinder import Cylinder
from symcontact_ros.shapes.ellipse import Ellipse
from symcontact_ros.shapes.ellipsoid import Ellipsoid
from symcontact_ros.shapes.half_space import HalfSpace
from symcontact_ros.shapes.height_field import HeightField
from symcontact_ros.shapes.polygon import Polygon
from symcontact_ros.shapes.rectangle import Rectangle
from symcontact_ros.shapes.sphere import Sphere
from symcontact_ros.shapes.triangle_mesh import TriangleMesh

SHAPES: tuple[type[Shape], ...] = (
    Circle,
    Rectangle,
    Polygon,
    Sphere,
    Box,
    Cylinder,
    Capsule,
    ConvexHull,
    HalfSpace,
    Ellipse,
    Ellipsoid,
    HeightField,
    TriangleMesh,
)

KINDS: dict[str, type[Shape]] = {shape.kind: shape for shape in SHAPES}
PLANAR_CORES = tuple(shape.planar_core for shape in SHAPES if shape.planar_core)
SPATIAL_CORES = tuple(shape.spatial_core for shape in SHAPES if shape.spatial_core)

C = TypeVar('C', bound=Core)


def core_of(shape: Shape, dimension: int) -> type[Core]:
    """Return the core of a shape in a dimension that it fits."""
    core = shape.planar_core if dimension == 2 else shape.spatial_core
    assert core is not None, f'{shape.kind} has no core in dimension {dimension}'
    return core


def core_number(shape: Shape, dimension: int) -> int:
    """Return the number of the core of a shape in the records of a dimension."""
    cores: tuple[type[Core], ...] = PLANAR_CORES if dimension == 2 else SPATIAL_CORES
    return cores.index(core_of(shape, dimension))


def differing(cores: tuple[type[C], ...], name: str) -> tuple[tuple[int, type[C]], ...]:
    """
    Return the cores whose kernel or constant of a name is not that of polygons and hulls.

    With their numbers, for kernels that choose among them: a loop over such a tuple is unrolled.
    """
    default = getattr(PlanarCore if issubclass(cores[0], PlanarCore) else SpatialCore, name)
    return tuple((i, core) for i, core in enumerate(cores) if getattr(core, name) is not default)


def numbers_differing(cores: tuple[type[Core], ...], name: str) -> tuple[int, ...]:
    """Return the numbers of these cores, for kernels that need no more."""
    return tuple(number for number, _ in differing(cores, name))
