"""
Records of shapes for kernels, with all that a shape needs behind them.

A shape is a *core* (a point, a segment, a polygon, a box, ...) rounded by a *radius*: the distance
of two shapes is that of their cores minus both radii, apart and in overlap alike.
"""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import Record, Rows

Pair: TypeAlias = tuple[float, float]
Triple: TypeAlias = tuple[float, float, float]


class Solid(Record):
    """Head of the record of any shape."""

    core: int  # number of its core in `table.PLANAR_CORES` or `table.SPATIAL_CORES`
    radius: float  # of the rounding [m]
    reach: float  # from the centre to the farthest point, radius included [m]
    size: Triple  # numbers of the core, each shape has its own: mostly half extents [m]
    centre: Triple  # of the core, in the frame of the shape [m]
    offset: float  # of a half-space along its normal [m]
    inner: float  # radius of a ball around the centre that is inside, radius included [m]
    star: float  # radius that a shrunk shape still has [m]; see `convex_programs`


class Vertex2(Record):
    """A corner of a planar shape."""

    position: Pair  # [m]


class Edge2(Record):
    """A side of a planar shape; a segment has four: two sides and two ends of no length."""

    first: int  # vertex
    second: int  # vertex
    normal: Pair  # outwards, unit


class PlanarSolid(Solid):
    """A shape in the plane: its vertices and edges go counter-clockwise."""

    vertices: Rows[Vertex2]
    edges: Rows[Edge2]
    shrunk: Rows[PlanarSolid]  # one: for programs of minimum distance; or itself


class Vertex(Record):
    """A corner of a box or hull."""

    position: Triple  # [m]


class Plane(Record):
    """The plane of a face."""

    normal: Triple  # outwards, unit
    offset: float  # along the normal [m]


class Loop(Record):
    """The corners around a face, counter-clockwise seen from outside."""

    start: int  # of its vertices in `corners`
    count: int


class Edge(Record):
    """An edge of a box or hull."""

    first: int  # vertex
    second: int  # vertex
    left: int  # face
    right: int  # face


class Triangle(Record):
    """A triangle of a surface: its corners go counter-clockwise seen from outside."""

    corners: tuple[int, int, int]  # vertices
    neighbours: tuple[int, int, int]  # triangles across the side that starts there; -1: none


class TreeBox(Record):
    """
    A box around some triangles of a surface, along the axes of the shape.

    Boxes form a binary tree: that of all triangles is number 1, the halves of number n are 2 n and
    2 n + 1. Number 0 is not used.
    """

    lower: Triple  # corner [m]; above the upper one where there are no triangles
    upper: Triple  # corner [m]
    triangle: int  # of a box around one alone


class SpatialSolid(Solid):
    """A shape in space; a box or hull has a mesh, a surface has triangles or heights."""

    vertices: Rows[Vertex]
    planes: Rows[Plane]  # of the faces
    loops: Rows[Loop]  # of the faces
    corners: Ints  # vertices of all loops
    edges: Rows[Edge]
    shrunk: Rows[SpatialSolid]  # one: for programs of minimum distance; or itself
    heights: Floats  # of a height field, along x first [m]
    triangles: Rows[Triangle]  # of a triangle mesh
    tree: Rows[TreeBox]  # around these
    tools: Floats  # of a surface: blocks of a plane, a segment and a triangle, to be copied


class LoopCorner(Record):
    """A corner of a loop around a face, or of what is left of one while it is cut."""

    position: Triple  # in the world [m]
    name: int  # a vertex of the shape, or which twelfth of a cap; see `clipping` for others
