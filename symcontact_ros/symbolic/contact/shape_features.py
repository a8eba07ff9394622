"""The features of every kind of shape, numbered as collision detection numbers them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import itertools
import math
from typing import Any

import sympy as sm

from symcontact_ros.collision.meshes import box_mesh, mesh_of
from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.model.hulls import hull_facets
from symcontact_ros.model.shapes import Shape
from symcontact_ros.symbolic.contact.features import Feature, LINE, PLANE, POINT, RIM
from symcontact_ros.symbolic.contact.vectors import axis, cross, difference, dot, unit
from symcontact_ros.symbolic.naming import expression, number
from symcontact_ros.symbolic.recorder import Vector, ZERO, zeros

Symbols = dict[str, sm.Symbol]  # live symbol -> SymPy symbol
FLAT = 1e-12  # sine of the turn at a vertex below which it lies on a straight side


def features_of(
    shape: Shape, dimension: int, symbols: Symbols, values: Values
) -> tuple[Feature, ...]:
    """
    Return the features of a shape in its own frame.

    ``values`` of the live symbols say which vertices of polygons and hulls are corners, and which
    of them share a face.
    """
    kind = 'planar_capsule' if shape.kind == 'capsule' and dimension == 2 else shape.kind
    return tuple(_FEATURES[kind](_Reader(symbols, values), shape))


class _Reader:
    """Numbers and formulas of shapes, as SymPy expressions."""

    def __init__(self, symbols: Symbols, values: Values) -> None:
        self.symbols = symbols
        self.values = values

    def scalar(self, scalar: Scalar) -> sm.Expr:
        return expression(scalar, self.symbols)

    def vector(self, scalars: Sequence[Scalar]) -> Vector:
        """Return three components; the third of a planar vector is zero."""
        return [*(self.scalar(s) for s in scalars), ZERO, ZERO][:3]


def _point(name: str, place: Vector, margin: sm.Expr = ZERO) -> Feature:
    return Feature(POINT, name, place, zeros(), margin)


def _plane(name: str, outward: Vector, offset: sm.Expr) -> Feature:
    return Feature(PLANE, name, zeros(), outward, offset)


def _ball(reader: _Reader, shape: Any) -> list[Feature]:
    return [_point(shape.kind, zeros(), reader.scalar(shape.radius))]


def _half_space(reader: _Reader, shape: Any) -> list[Feature]:
    normal = unit(reader.vector(shape.normal))
    return [_plane('half_space', normal, reader.scalar(shape.offset))]


def _capsule(reader: _Reader, shape: Any) -> list[Feature]:
    radius, half = reader.scalar(shape.radius), reader.scalar(shape.half_length)
    ends = [_point(f'end {i}', [ZERO, ZERO, z], radius) for i, z in enumerate((-half, half))]
    return [*ends, Feature(LINE, 'segment', zeros(), axis(2), radius)]


def _planar_capsule(reader: _Reader, shape: Any) -> list[Feature]:
    radius, half = reader.scalar(shape.radius), reader.scalar(shape.half_length)
    ends = [_point(f'end {i}', [x, ZERO, ZERO], radius) for i, x in enumerate((-half, half))]
    sides = [_plane(f'side {i}', axis(1, sign), radius) for i, sign in enumerate((-1, 1))]
    return ends + sides


def _cylinder(reader: _Reader, shape: Any) -> list[Feature]:
    radius, half = reader.scalar(shape.radius), reader.scalar(shape.half_length)
    features = [Feature(LINE, 'side', zeros(), axis(2), radius)]
    for i, sign in enumerate((-1, 1)):
        features.append(_plane(f'cap {i}', axis(2, sign), half))
        centre = [ZERO, ZERO, sign * half]
        features.append(Feature(RIM, f'rim {i}', centre, axis(2), ZERO, radius))
    return features


def _rectangle(reader: _Reader, shape: Any) -> list[Feature]:
    x, y = (reader.scalar(half) for half in shape.half_extents)
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    vertices = [_point(f'vertex {i}', [*corner, ZERO]) for i, corner in enumerate(corners)]
    outward = [(axis(1, -1), y), (axis(0, 1), x), (axis(1, 1), y), (axis(0, -1), x)]
    return vertices + [_plane(f'edge {i}', *edge) for i, edge in enumerate(outward)]


def _polygon(reader: _Reader, shape: Any) -> list[Feature]:
    """Return corners, and edges named after the corner where they begin, counter-clockwise."""
    places = [reader.vector(vertex) for vertex in shape.vertices]
    around = _corners(shape.evaluated(reader.values).vertices)
    vertices = [_point(f'vertex {i}', places[i]) for i in around]
    edges = []
    for i, j in zip(around, around[1:] + around[:1], strict=True):
        x, y, _ = difference(places[j], places[i])
        outward = unit([y, -x, ZERO])
        edges.append(_plane(f'edge {i}', outward, dot(outward, places[i])))
    return vertices + edges


def _box(reader: _Reader, shape: Any) -> list[Feature]:
    half = [reader.scalar(extent) for extent in shape.half_extents]
    unit_mesh = box_mesh((1.0, 1.0, 1.0))
    signs = unit_mesh.vertices.astype(int).tolist()
    places = [[sign * h for sign, h in zip(row, half, strict=True)] for row in signs]
    vertices = [_point(f'vertex {i}', place) for i, place in enumerate(places)]
    edges = []
    for i, (a, b, _, _) in enumerate(unit_mesh.edges):
        way = [sm.Integer((to - start) // 2) for start, to in zip(signs[a], signs[b], strict=True)]
        middle = [ZERO if step else entry for step, entry in zip(way, places[a], strict=True)]
        edges.append(Feature(LINE, f'edge {i}', middle, way, ZERO))
    ways = itertools.product(range(3), (1, -1))  # +x, -x, +y, -y, +z, -z
    faces = [_plane(f'face {i}', axis(k, side), half[k]) for i, (k, side) in enumerate(ways)]
    return vertices + edges + faces


def _hull(reader: _Reader, shape: Any) -> list[Feature]:
    """Return vertices by their numbers in the shape, edges and faces as they are found."""
    numeric = shape.evaluated(reader.values).vertices
    mesh = mesh_of(numeric)
    used = sorted({vertex for facet in hull_facets(numeric) for vertex in facet})
    places = [reader.vector(shape.vertices[i]) for i in used]
    features = [_point(f'vertex {i}', place) for i, place in zip(used, places, strict=True)]
    for i, (a, b, _, _) in enumerate(mesh.edges):
        way = unit(difference(places[b], places[a]))
        features.append(Feature(LINE, f'edge {i}', places[a], way, ZERO))
    for i, (plane, loop) in enumerate(zip(mesh.planes.tolist(), mesh.loops, strict=True)):
        outward, offset = [number(x) for x in plane[:3]], number(plane[3])
        if any(place.free_symbols for k in loop for place in places[k]):
            first, second, third = (places[k] for k in _widest(loop, mesh.vertices.tolist()))
            outward = unit(cross(difference(second, first), difference(third, first)))
            offset = dot(outward, first)
        features.append(_plane(f'face {i}', outward, offset))
    return features


def _corners(vertices: Sequence[Sequence[float]]) -> list[int]:
    """Return which vertices of a polygon are corners, counter-clockwise."""
    order = [i for i, vertex in enumerate(vertices) if vertex != vertices[i - 1]]
    ways = zip(order, order[1:] + order[:1], strict=True)
    area = sum(vertices[i][0] * vertices[j][1] - vertices[i][1] * vertices[j][0] for i, j in ways)
    if area < 0.0:
        order.reverse()
    around = zip(order[-1:] + order[:-1], order, order[1:] + order[:1], strict=True)
    return [b for a, b, c in around if _turn(vertices[a], vertices[b], vertices[c]) > FLAT]


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    """Return the sine of the turn at b on the way from a over b to c."""
    across = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    return across / (math.dist(a, b) * math.dist(b, c))


def _widest(loop: list[int], vertices: list[list[float]]) -> tuple[int, int, int]:
    """Return three vertices of a face, in its sense, that span its plane best."""

    def area(corners: tuple[int, int, int]) -> float:
        a, b, c = (vertices[k] for k in corners)
        return math.hypot(*(float(x) for x in cross(difference(b, a), difference(c, a))))

    return max(((loop[0], b, c) for b, c in itertools.pairwise(loop[1:])), key=area)


_FEATURES: dict[str, Callable[[_Reader, Any], list[Feature]]] = {
    'circle': _ball,
    'sphere': _ball,
    'half_space': _half_space,
    'capsule': _capsule,
    'planar_capsule': _planar_capsule,
    'cylinder': _cylinder,
    'rectangle': _rectangle,
    'polygon': _polygon,
    'box': _box,
    'convex_hull': _hull,
}
