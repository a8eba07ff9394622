"""Convex polygons in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import math
from typing import Any, ClassVar, TYPE_CHECKING

from symcontact_ros.expressions import evaluate_all, Scalar, total, Values
from symcontact_ros.shapes.base import numbers, Shape
from symcontact_ros.shapes.convexity import polygon_fault
from symcontact_ros.shapes.cores import PlanarCore
from symcontact_ros.shapes.moments import diagonal, Matrix3, Moments

if TYPE_CHECKING:
    from symcontact_ros.shapes.drawing import MarkerPiece, Points
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.packing import Block

FLAT = 1e-12  # sine of the turn at a vertex below which it lies on a straight side


class PolygonCore(PlanarCore):
    """Vertices and edges of the record."""


@dataclass(frozen=True)
class Polygon(Shape):
    """A convex polygon in the xy plane; vertices in order, either way round."""

    kind = 'polygon'
    planar_core = PolygonCore
    widths: ClassVar[dict[str, int]] = {'vertices': 2}
    vertices: tuple[tuple[Scalar, Scalar], ...]

    def fault(self) -> str:
        """Return why the vertices make no convex polygon; '' where they do."""
        return polygon_fault(self.points())

    def points(self) -> list[tuple[float, float]]:
        """Return its vertices, which must be numbers [m]."""
        flat = numbers(self.vertices)
        return list(zip(flat[::2], flat[1::2], strict=True))

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Any, ...]:
        """Read ``vertices``; they are counter-clockwise from here on."""
        points = section.points('vertices', dimension)
        if len(points) > 2:
            places = [evaluate_all(point, section.values) for point in points]
            area = sum(
                ax * by - bx * ay
                for (ax, ay), (bx, by) in zip(places, places[1:] + places[:1], strict=True)
            )
            if area < 0.0:
                points = points[::-1]
        return (points,)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Sum over the triangles from the first corner to every edge; counter-clockwise."""
        x0, y0 = self.vertices[0]
        corners = [(x - x0, y - y0) for x, y in self.vertices]
        terms: list[tuple[Scalar, ...]] = []
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
            twice: Any = ax * by - bx * ay
            terms.append(
                (
                    twice / 2.0,
                    twice * (ax + bx) / 6.0,
                    twice * (ay + by) / 6.0,
                    twice * (ax * ax + ax * bx + bx * bx) / 12.0,
                    twice * (ay * ay + ay * by + by * by) / 12.0,
                    twice * (ax * by + 2.0 * ax * ay + 2.0 * bx * by + bx * ay) / 24.0,
                )
            )
        area, x, y, xx, yy, xy = (total(column) for column in zip(*terms, strict=True))
        cx, cy = x / area, y / area
        mixed: Scalar = xy / area - cx * cy
        spread: Matrix3 = diagonal(xx / area - cx * cx, yy / area - cy * cy, 0.0)
        spread[0][1] = spread[1][0] = mixed
        return Moments(area, (x0 + cx, y0 + cy, 0.0), spread)

    def smallest_extent(self) -> float:
        """Return the least extent across a side [m]."""
        import numpy as np

        corners = np.array([numbers(vertex) for vertex in self.vertices])
        sides = np.roll(corners, -1, axis=0) - corners
        normals = np.column_stack([-sides[:, 1], sides[:, 0]]) / np.hypot(*sides.T)[:, None]
        across = corners @ normals.T
        return float((across.max(axis=0) - across.min(axis=0)).min())

    def shrunk(self, margin: float) -> tuple[Shape, float]:
        """Return the polygon with its sides moved inwards."""
        import numpy as np

        from symcontact_ros.shapes.convex_body import moved_inwards
        from symcontact_ros.shapes.packing import solid_of

        solid = solid_of(self, 2)
        corners = moved_inwards(solid, margin)
        way = corners - np.array(solid.centre[:2])
        around = corners[np.argsort(np.arctan2(way[:, 1], way[:, 0]))]
        return Polygon(around.tolist()), margin

    def pack(self, dimension: int) -> Block:
        """Return its block: corners and edges, counter-clockwise."""
        import numpy as np

        from symcontact_ros.shapes.packing import Head, planar_block

        given = self.points()
        corners = [given[i] for i in corner_numbers(given)]
        centre = np.mean(corners, axis=0)
        reach = max(math.dist(corner, centre) for corner in corners)
        edges = []
        for first, (a, b) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
            length = math.dist(a, b)
            normal = ((b[1] - a[1]) / length, (a[0] - b[0]) / length)
            edges.append((first, (first + 1) % len(corners), normal))
        inner = min(float(np.dot(normal, corners[first] - centre)) for first, _, normal in edges)
        x, y = centre.tolist()
        return planar_block(Head(reach=reach, centre=(x, y, 0.0), inner=inner), corners, edges)

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return triangles, each from both sides: RViz shows one only."""
        from symcontact_ros.shapes.drawing import MarkerPiece, TRIANGLES

        flat = [(x, y, 0.0) for x, y in self.points()]
        corners = []
        for i in range(1, len(flat) - 1):
            corners += [flat[0], flat[i], flat[i + 1], flat[0], flat[i + 1], flat[i]]
        return [MarkerPiece(TRIANGLES, (1.0, 1.0, 1.0), corners=tuple(corners))]

    def outline(self) -> Points:
        """Return the vertices."""
        import numpy as np

        return np.array(self.points())

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return corners, and edges named after the corner where they begin, counter-clockwise."""
        places = [make.vector(vertex) for vertex in self.vertices]
        around = corner_numbers(self.evaluated(make.values).points())
        vertices = [make.point(f'vertex {i}', places[i]) for i in around]
        edges = []
        for i, j in zip(around, around[1:] + around[:1], strict=True):
            x, y, _ = make.difference(places[j], places[i])
            outward = make.unit([y, -x, make.zero])
            edges.append(make.plane(f'edge {i}', outward, make.dot(outward, places[i])))
        return vertices + edges


def corner_numbers(vertices: Sequence[Sequence[float]]) -> list[int]:
    """
    Return which vertices of a polygon are corners, counter-clockwise.

    Equal neighbours are one corner, and vertices on a straight side are none.
    """
    order = [i for i, vertex in enumerate(vertices) if vertex != vertices[i - 1]]
    ways = zip(order, order[1:] + order[:1], strict=True)
    area = sum(vertices[i][0] * vertices[j][1] - vertices[i][1] * vertices[j][0] for i, j in ways)
    if area < 0.0:
        order.reverse()
    around = zip(order[-1:] + order[:-1], order, order[1:] + order[:1], strict=True)
    return [b for a, b, c in around if _turn(vertices[a], vertices[b], vertices[c]) > FLAT]


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    """Return the sine of the turn at b on the way from a over b to c."""
    lengths = math.dist(a, b) * math.dist(b, c)
    across = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    return across / lengths if lengths > 0.0 else 0.0
