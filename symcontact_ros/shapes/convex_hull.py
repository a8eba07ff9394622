"""Convex hulls of points in space."""

from __future__ import annotations

from dataclasses import dataclass
import itertools
import math
from typing import Any, ClassVar, TYPE_CHECKING

from symcontact_ros.expressions import Scalar, total, Values
from symcontact_ros.placements import Triple
from symcontact_ros.shapes.base import numbers, Shape
from symcontact_ros.shapes.convexity import hull_facets, Point3
from symcontact_ros.shapes.cores import SpatialCore
from symcontact_ros.shapes.moments import Matrix3, Moments, Vector3

if TYPE_CHECKING:
    from symcontact_ros.shapes.drawing import MarkerPiece
    from symcontact_ros.shapes.interfaces import Feature, FeatureMaker, Section
    from symcontact_ros.shapes.packing import Block

_UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


class HullCore(SpatialCore):
    """Vertices, edges and faces of the record."""


@dataclass(frozen=True)
class ConvexHull(Shape):
    """The smallest convex body around some points in space."""

    kind = 'convex_hull'
    spatial_core = HullCore
    widths: ClassVar[dict[str, int]] = {'vertices': 3}
    vertices: tuple[Triple, ...]

    def fault(self) -> str:
        """Return why the points have no hull; '' where they have."""
        try:
            hull_facets(self.points())
        except ValueError as error:
            return str(error)
        return ''

    def points(self) -> tuple[Point3, ...]:
        """Return its vertices, which must be numbers [m]."""
        flat = numbers(self.vertices)
        return tuple(zip(flat[::3], flat[1::3], flat[2::3], strict=True))

    @classmethod
    def read(cls, section: Section, dimension: int) -> tuple[Any, ...]:
        """Read ``vertices``."""
        return (section.points('vertices', dimension),)

    def moments(self, dimension: int, values: Values) -> Moments:
        """Sum over the tetrahedra from the first point to every facet."""
        x0, y0, z0 = self.vertices[0]
        corners = [(x - x0, y - y0, z - z0) for x, y, z in self.vertices]
        terms: list[list[Scalar]] = []
        for facet in hull_facets(self.evaluated(values).points()):
            a, b, c = (corners[index] for index in facet)
            part: Any = _triple_product(a, b, c) / 6.0
            ends = [a[i] + b[i] + c[i] for i in range(3)]
            terms.append([part, *(part * end / 4.0 for end in ends)])
            for i, j in _UPPER:
                squares = a[i] * a[j] + b[i] * b[j] + c[i] * c[j]
                terms[-1].append(part * (squares + ends[i] * ends[j]) / 20.0)
        volume, *sums = (total(column) for column in zip(*terms, strict=True))
        x, y, z = centroid = (sums[0] / volume, sums[1] / volume, sums[2] / volume)
        spread: Matrix3 = [[0.0] * 3 for _ in range(3)]
        for (i, j), second in zip(_UPPER, sums[3:], strict=True):
            spread[i][j] = spread[j][i] = second / volume - centroid[i] * centroid[j]
        return Moments(volume, (x0 + x, y0 + y, z0 + z), spread)

    def smallest_extent(self) -> float:
        """Return the least extent across a face [m]."""
        from symcontact_ros.shapes.meshes import mesh_of

        mesh = mesh_of(self.points())
        across = mesh.vertices @ mesh.planes[:, :3].T
        return float((across.max(axis=0) - across.min(axis=0)).min())

    def shrunk(self, margin: float) -> tuple[Shape, float]:
        """Return the hull with its faces moved inwards."""
        from symcontact_ros.shapes.convex_body import moved_inwards
        from symcontact_ros.shapes.packing import solid_of

        return ConvexHull(moved_inwards(solid_of(self, 3), margin).tolist()), margin

    def pack(self, dimension: int) -> Block:
        """Return its block: a mesh."""
        import numpy as np

        from symcontact_ros.shapes.meshes import mesh_of
        from symcontact_ros.shapes.packing import Head, spatial_block

        mesh = mesh_of(self.points())
        low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
        centre = mesh.vertices.mean(axis=0)
        head = Head(
            reach=float(np.linalg.norm(mesh.vertices - centre, axis=1).max()),
            size=tuple((0.5 * (high - low)).tolist()),
            centre=tuple(centre.tolist()),
            inner=float((mesh.planes[:, 3] - mesh.planes[:, :3] @ centre).min()),
        )
        return spatial_block(head, mesh)

    def marker_pieces(self, dimension: int) -> list[MarkerPiece]:
        """Return the triangles of its surface."""
        from symcontact_ros.shapes.drawing import MarkerPiece, TRIANGLES

        points = self.points()
        corners = tuple(points[i] for facet in hull_facets(points) for i in facet)
        return [MarkerPiece(TRIANGLES, (1.0, 1.0, 1.0), corners=corners)]

    def features(self, make: FeatureMaker, dimension: int) -> list[Feature]:
        """Return vertices by their numbers in the shape, edges and faces by those in the mesh."""
        from symcontact_ros.shapes.meshes import mesh_of

        numeric = self.evaluated(make.values).points()
        mesh = mesh_of(numeric)
        used = sorted({vertex for facet in hull_facets(numeric) for vertex in facet})
        places = [make.vector(self.vertices[i]) for i in used]
        features = [make.point(f'vertex {i}', p) for i, p in zip(used, places, strict=True)]
        for i, (a, b, _, _) in enumerate(mesh.edges):
            way = make.unit(make.difference(places[b], places[a]))
            features.append(make.line(f'edge {i}', places[a], way))
        corners = mesh.vertices.tolist()
        for i, (plane, loop) in enumerate(zip(mesh.planes.tolist(), mesh.loops, strict=True)):
            outward, offset = [make.number(x) for x in plane[:3]], make.number(plane[3])
            if any(place.free_symbols for k in loop for place in places[k]):
                first, second, third = (places[k] for k in _widest(loop, corners))
                one, other = make.difference(second, first), make.difference(third, first)
                outward = make.unit(make.cross(one, other))
                offset = make.dot(outward, first)
            features.append(make.plane(f'face {i}', outward, offset))
        return features


def _triple_product(a: Vector3, b: Vector3, c: Vector3) -> Scalar:
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


def _widest(loop: list[int], vertices: list[list[float]]) -> tuple[int, int, int]:
    """Return three vertices of a face, in its sense, that span its plane best."""

    def area(corners: tuple[int, int, int]) -> float:
        a, b, c = (vertices[k] for k in corners)
        one, other = [[p - q for p, q in zip(end, a, strict=True)] for end in (b, c)]
        products = [one[i] * other[j] - one[j] * other[i] for i, j in ((1, 2), (2, 0), (0, 1))]
        return math.hypot(*products)

    return max(((loop[0], b, c) for b, c in itertools.pairwise(loop[1:])), key=area)
