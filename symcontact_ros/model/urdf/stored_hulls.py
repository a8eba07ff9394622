"""Check of hulls that are read from the cache: numbers of a file never become addresses unseen."""

from __future__ import annotations

import math


def is_hull(found: object) -> bool:
    """Return whether plain data has the fields of a hull, with facets of vertices that exist."""
    if not isinstance(found, dict) or set(found) != {'vertices', 'facets', 'gap'}:
        return False
    vertices, facets, gap = found['vertices'], found['facets'], found['gap']
    return (
        _is_number(gap)
        and gap >= 0.0
        and _is_triples(vertices)
        and len(vertices) > 0
        and all(_is_number(number) for vertex in vertices for number in vertex)
        and _is_triples(facets)
        and all(_is_index(index, len(vertices)) for facet in facets for index in facet)
    )


def _is_triples(items: object) -> bool:
    return isinstance(items, list) and all(isinstance(i, list) and len(i) == 3 for i in items)


def _is_number(item: object) -> bool:
    return type(item) in (int, float) and math.isfinite(item)  # type: ignore[arg-type]


def _is_index(item: object, count: int) -> bool:
    return type(item) is int and 0 <= item < count
