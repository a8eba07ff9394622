"""Convexity of polygons, and hulls of points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
import math

Point2 = tuple[float, float]
Point3 = tuple[float, float, float]
Facet = tuple[int, int, int]  # numbers of three points
FLATNESS = 1e-6  # thinner than this part of its length, a hull counts as flat


def polygon_fault(vertices: Sequence[Point2]) -> str:
    """Return why vertices make no convex polygon; nothing where they do."""
    if len(vertices) < 3:
        return f'a polygon has 3 vertices or more, got {len(vertices)}'
    if not all(math.isfinite(x) for vertex in vertices for x in vertex):
        return 'vertices must be finite'
    start = vertices[0]
    end = max(vertices, key=lambda vertex: math.dist(start, vertex))
    size = math.dist(start, end)
    if all(abs(_turn(start, end, v)) <= FLATNESS * size * size for v in vertices):
        return 'the vertices lie on one line'
    turns = []  # by how much each vertex stands out from the line between its neighbours [m]
    for i, b in enumerate(vertices):
        a, c = vertices[i - 1], vertices[(i + 1) % len(vertices)]
        turns.append(_turn(a, b, c) / (math.dist(a, c) or math.inf))
    if min(turns) < -FLATNESS * size and max(turns) > FLATNESS * size:
        return f'the polygon is not convex at vertex {_odd_one(turns)}; use several shapes'
    if abs(_total_turn(vertices)) > 1.5:
        return 'the outline winds around more than once'
    return ''


def _turn(a: Point2, b: Point2, c: Point2) -> float:
    """Return twice the area of a triangle, positive where it turns left."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _odd_one(turns: Sequence[float]) -> int:
    """Return the index of a vertex that turns the other way than most."""
    sign = 1.0 if sum(turn > 0.0 for turn in turns) * 2 >= len(turns) else -1.0
    return min(range(len(turns)), key=lambda i: sign * turns[i])


def _total_turn(vertices: Sequence[Point2]) -> float:
    """Return how often the outline winds around, 1 for a simple polygon."""
    headings = []
    for i, b in enumerate(vertices):
        a = vertices[i - 1]
        if a != b:
            headings.append(math.atan2(b[1] - a[1], b[0] - a[0]))
    steps = [math.remainder(h - headings[i - 1], math.tau) for i, h in enumerate(headings)]
    return sum(steps) / math.tau


MOST_STORED = 1000
_stored: dict[tuple[Point3, ...], tuple[Facet, ...]] = {}  # by `remember_facets`


def remember_facets(points: tuple[Point3, ...], facets: tuple[Facet, ...]) -> None:
    """Take the facets of a hull as known: to find them takes 0.2 s, for the import of scipy."""
    if len(_stored) >= MOST_STORED:
        _stored.clear()
    _stored[points] = facets


def hull_facets(points: tuple[Point3, ...]) -> tuple[Facet, ...]:
    """
    Return the triangles of the convex hull, counter-clockwise seen from outside.

    ValueError where points have no hull: too few, not finite, or all in one plane.
    """
    return _stored[points] if points in _stored else _found_facets(points)


@lru_cache(maxsize=256)
def _found_facets(points: tuple[Point3, ...]) -> tuple[Facet, ...]:
    import numpy as np
    from scipy.spatial import ConvexHull, QhullError

    if len(points) < 4:
        raise ValueError(f'a hull in space needs 4 points or more, got {len(points)}')
    array = np.array(points)
    if not np.isfinite(array).all():
        raise ValueError('vertices must be finite')
    extents = np.linalg.svd(array - array.mean(axis=0), compute_uv=False)
    if extents[-1] <= FLATNESS * extents[0]:
        raise ValueError('the points lie in one plane: a hull in space needs a thickness')
    try:
        hull = ConvexHull(array)
    except QhullError as error:
        raise ValueError('the points have no convex hull') from error
    centre = array[hull.vertices].mean(axis=0)
    first, second, third = array[hull.simplices].transpose(1, 0, 2)
    normals = np.cross(second - first, third - first)
    inward = np.einsum('ij,ij->i', normals, first - centre) <= 0.0
    facets = np.where(inward[:, None], hull.simplices[:, [0, 2, 1]], hull.simplices)
    return tuple(sorted((a, b, c) for a, b, c in facets.tolist()))
