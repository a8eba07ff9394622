"""
Triangles of surfaces: found by a box, and their corners, sides and neighbours.

A source is a class of static kernels for one kind of surface. Triangles near a box are visited by
a cursor: `first`, then `after` until it is END. All is in the frame of the surface.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from symcontact_ros.kernels.vectors.scalars import SHORTEST
from symcontact_ros.kernels.vectors.spatial import cross, dot, minus, norm, times, Vector
from symcontact_ros.shapes.records import SpatialSolid

END = -1  # of a visit
FLAT = 1e-7  # sine of the angle between two triangles that are taken to lie in one plane
SLIVER = 1e-9  # of a cell
GROUND = 1e-9  # [m] by which a point may be above the ground and count as below
CONVEX, EVEN, CONCAVE, OPEN = range(4)  # kinds of sides


class Near(NamedTuple):
    """A box in which triangles are looked for."""

    lower: Vector  # corner [m]
    upper: Vector  # corner [m]


class Facet(NamedTuple):
    """A triangle, with its plane."""

    number: int
    a: Vector
    b: Vector
    c: Vector
    normal: Vector  # unit, outwards
    offset: float  # of the plane along the normal [m]

    def corner(self, side: int) -> Vector:
        """Return the corner that a side starts at."""
        return (self.a, self.b, self.c)[side]


class Side(NamedTuple):
    """A side of a triangle, and how its neighbour continues there."""

    kind: int  # CONVEX, EVEN, CONCAVE or OPEN
    neighbour: int  # triangle; -1: none
    inward: Vector  # unit, in the plane of the neighbour, across the side and away from it


def facet_of(number: int, a: Vector, b: Vector, c: Vector) -> Facet:
    """Return a triangle with its plane."""
    across = cross(minus(b, a), minus(c, a))
    normal = times(1.0 / max(norm(across), SHORTEST), across)
    return Facet(number, a, b, c, normal, dot(normal, a))


def side_of(facet: Facet, side: int, neighbour: int, opposite: Vector) -> Side:
    """Return a side, from the corner of the neighbour that is not on it."""
    start = facet.corner(side)
    if neighbour < 0:
        return Side(OPEN, neighbour, (0.0, 0.0, 0.0))
    way = minus(facet.corner((side + 1) % 3), start)
    out = minus(opposite, start)
    out = minus(out, times(dot(out, way) / max(dot(way, way), SHORTEST), way))
    inward = times(1.0 / max(norm(out), SHORTEST), out)
    rise = dot(inward, facet.normal)
    # A neighbour that is folded back over the triangle is no continuation of it.
    if abs(rise) <= FLAT and dot(inward, minus(centre_of(facet), start)) < 0.0:
        return Side(EVEN, neighbour, inward)
    return Side(CONCAVE if rise > 0.0 else CONVEX, neighbour, inward)


def centre_of(facet: Facet) -> Vector:
    """Return the middle of a triangle."""
    a, b, c = facet.a, facet.b, facet.c
    third = 1.0 / 3.0
    return (
        third * (a[0] + b[0] + c[0]),
        third * (a[1] + b[1] + c[1]),
        third * (a[2] + b[2] + c[2]),
    )


def meet(near: Near, lower: Vector, upper: Vector) -> bool:
    """Return whether two boxes have a point in common."""
    return (
        near.lower[0] <= upper[0]
        and lower[0] <= near.upper[0]
        and near.lower[1] <= upper[1]
        and lower[1] <= near.upper[1]
        and near.lower[2] <= upper[2]
        and lower[2] <= near.upper[2]
    )


class HeightFieldTriangles:
    """Two triangles in each cell: below and above the diagonal from its first corner."""

    is_solid: bool = True  # all below it is inside

    @staticmethod
    def point(solid: SpatialSolid, column: int, row: int) -> Vector:
        """Return a point of the grid."""
        origin, spacing = solid.vertices[0].position, solid.vertices[1].position
        columns = int(solid.vertices[2].position[0])
        height = solid.heights[row * columns + column]
        return (
            origin[0] + spacing[0] * float(column),
            origin[1] + spacing[1] * float(row),
            height,
        )

    @staticmethod
    def cells(solid: SpatialSolid, near: Near) -> tuple[int, int, int, int]:
        """Return the first column and row of the cells in a box, and how many they are."""
        origin, spacing = solid.vertices[0].position, solid.vertices[1].position
        count = solid.vertices[2].position
        last_column, last_row = int(count[0]) - 2, int(count[1]) - 2
        # A box that ends at a line of the grid may miss the cell before it by rounding.
        left = max(0, math.floor((near.lower[0] - origin[0]) / spacing[0] - SLIVER))
        right = min(last_column, math.floor((near.upper[0] - origin[0]) / spacing[0] + SLIVER))
        down = max(0, math.floor((near.lower[1] - origin[1]) / spacing[1] - SLIVER))
        up = min(last_row, math.floor((near.upper[1] - origin[1]) / spacing[1] + SLIVER))
        return left, down, max(0, right - left + 1), max(0, up - down + 1)

    @staticmethod
    def first(solid: SpatialSolid, near: Near) -> int:
        """Return the cursor of the first triangle that meets a box; END: none does."""
        return HeightFieldTriangles.found(solid, near, 0)

    @staticmethod
    def after(solid: SpatialSolid, near: Near, cursor: int) -> int:
        """Return the next cursor."""
        return HeightFieldTriangles.found(solid, near, cursor + 1)

    @staticmethod
    def found(solid: SpatialSolid, near: Near, cursor: int) -> int:
        """Return the first cursor from here on of a triangle that meets a box."""
        left, down, width, height = HeightFieldTriangles.cells(solid, near)
        end = 2 * width * height
        columns = int(solid.vertices[2].position[0])
        while cursor < end:
            column = left + cursor // 2 % width
            row = down + cursor // 2 // width
            at = row * columns + column
            heights = solid.heights
            one, two = heights[at], heights[at + columns + 1]
            three = heights[at + 1] if cursor % 2 == 0 else heights[at + columns]
            low, high = min(one, two, three), max(one, two, three)
            if low <= near.upper[2] and near.lower[2] <= high:
                return cursor
            cursor += 1
        return END

    @staticmethod
    def triangle(solid: SpatialSolid, near: Near, cursor: int) -> int:
        """Return the number of the triangle at a cursor."""
        left, down, width, _ = HeightFieldTriangles.cells(solid, near)
        columns = int(solid.vertices[2].position[0]) - 1
        column, row = left + cursor // 2 % width, down + cursor // 2 // width
        return 2 * (row * columns + column) + cursor % 2

    @staticmethod
    def facet(solid: SpatialSolid, number: int) -> Facet:
        """Return a triangle."""
        columns = int(solid.vertices[2].position[0]) - 1
        column, row = number // 2 % columns, number // 2 // columns
        a = HeightFieldTriangles.point(solid, column, row)
        c = HeightFieldTriangles.point(solid, column + 1, row + 1)
        if number % 2 == 0:
            return facet_of(number, a, HeightFieldTriangles.point(solid, column + 1, row), c)
        return facet_of(number, a, c, HeightFieldTriangles.point(solid, column, row + 1))

    @staticmethod
    def vertices(solid: SpatialSolid, number: int) -> tuple[int, int, int]:
        """Return the numbers of the corners of a triangle."""
        columns = int(solid.vertices[2].position[0])
        cell = number // 2
        first = cell // (columns - 1) * columns + cell % (columns - 1)
        if number % 2 == 0:
            return first, first + 1, first + columns + 1
        return first, first + columns + 1, first + columns

    @staticmethod
    def side(solid: SpatialSolid, facet: Facet, side: int) -> Side:
        """Return a side of a triangle."""
        count = solid.vertices[2].position
        columns, rows = int(count[0]) - 1, int(count[1]) - 1
        column, row = facet.number // 2 % columns, facet.number // 2 // columns
        neighbour, x, y = facet.number ^ 1, column, row  # across the diagonal
        if facet.number % 2 == 0:
            if side == 0:
                neighbour, x, y = facet.number + 1 - 2 * columns, column, row - 1
            elif side == 1:
                neighbour, x, y = facet.number + 3, column + 2, row + 1
            else:
                y = row + 1
        elif side == 0:
            x = column + 1
        elif side == 1:
            neighbour, x, y = facet.number - 1 + 2 * columns, column + 1, row + 2
        else:
            neighbour, x, y = facet.number - 3, column - 1, row
        if x < 0 or y < 0 or x > columns or y > rows:
            return side_of(facet, side, -1, facet.a)
        return side_of(facet, side, neighbour, HeightFieldTriangles.point(solid, x, y))

    @staticmethod
    def holds(solid: SpatialSolid, point: Vector, depth: float, inner: float) -> bool:
        """Return whether a point is below the ground; beside the field, it may be."""
        origin, spacing = solid.vertices[0].position, solid.vertices[1].position
        count = solid.vertices[2].position
        x, y = (point[0] - origin[0]) / spacing[0], (point[1] - origin[1]) / spacing[1]
        column, row = math.floor(x), math.floor(y)
        if column < 0 or row < 0 or column > int(count[0]) - 2 or row > int(count[1]) - 2:
            return True
        x -= float(column)
        y -= float(row)
        columns = int(count[0])
        at = row * columns + column
        heights = solid.heights
        first, last = heights[at], heights[at + columns + 1]
        if x >= y:
            beside = heights[at + 1]
            ground = first + x * (beside - first) + y * (last - beside)
        else:
            beside = heights[at + columns]
            ground = first + y * (beside - first) + x * (last - beside)
        return point[2] <= ground + GROUND


class MeshTriangles:
    """Triangles in memory, in a tree of boxes; a cursor is the number of a box around one."""

    is_solid: bool = False

    @staticmethod
    def first(solid: SpatialSolid, near: Near) -> int:
        """Return the cursor of the first triangle that meets a box; END: none does."""
        return MeshTriangles.found(solid, near, 1)

    @staticmethod
    def after(solid: SpatialSolid, near: Near, cursor: int) -> int:
        """Return the next cursor."""
        return MeshTriangles.found(solid, near, MeshTriangles.beside(cursor))

    @staticmethod
    def beside(node: int) -> int:
        """Return the box that is next where nothing in a box is of interest; 0: none."""
        while node % 2 == 1:
            node //= 2
        return 0 if node == 0 else node + 1

    @staticmethod
    def found(solid: SpatialSolid, near: Near, node: int) -> int:
        """Return the first box from here on that is around one triangle and meets a box."""
        leaves = len(solid.tree) // 2
        while node != 0:
            box = solid.tree[node]
            if not meet(near, box.lower, box.upper):
                node = MeshTriangles.beside(node)
            elif node >= leaves:
                return node
            else:
                node = 2 * node
        return END

    @staticmethod
    def triangle(solid: SpatialSolid, near: Near, cursor: int) -> int:
        """Return the number of the triangle at a cursor."""
        return solid.tree[cursor].triangle

    @staticmethod
    def facet(solid: SpatialSolid, number: int) -> Facet:
        """Return a triangle."""
        a, b, c = solid.triangles[number].corners
        vertices = solid.vertices
        return facet_of(number, vertices[a].position, vertices[b].position, vertices[c].position)

    @staticmethod
    def vertices(solid: SpatialSolid, number: int) -> tuple[int, int, int]:
        """Return the numbers of the corners of a triangle."""
        return solid.triangles[number].corners

    @staticmethod
    def side(solid: SpatialSolid, facet: Facet, side: int) -> Side:
        """Return a side of a triangle."""
        triangle = solid.triangles[facet.number]
        neighbour = triangle.neighbours[side]
        if neighbour < 0:
            return side_of(facet, side, neighbour, facet.a)
        start, end = triangle.corners[side], triangle.corners[(side + 1) % 3]
        first, second, third = solid.triangles[neighbour].corners
        other = third
        if first not in (start, end):
            other = first
        elif second not in (start, end):
            other = second
        return side_of(facet, side, neighbour, solid.vertices[other].position)

    @staticmethod
    def holds(solid: SpatialSolid, point: Vector, depth: float, inner: float) -> bool:
        """
        Return whether a point that is behind a triangle can be inside.

        What is deeper than the shape is thick has come there another way.
        """
        return depth <= inner
