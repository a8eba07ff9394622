"""
Depth of overlaps that expansion cannot prove: nearly symmetric ones of curved cores.

Around an axis of symmetry, a boundary that is curved and everywhere about equally near takes
more faces than there is room for. There the least depth is along a direction that can be named,
or near it: shooting a ray along a direction finds the plane of the boundary that it hits, and
that is not deeper than the direction was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from symcontact_ros.collision.spatial.differences import (
    copy_corner,
    difference_support,
    HUGE,
    set_weights,
)
from symcontact_ros.collision.spatial.gjk import TOLERANCE
from symcontact_ros.collision.spatial.query_memory import Corner, NO_FEATURE, QueryMemory
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import (
    along,
    cross,
    dot,
    minus,
    norm,
    opposite,
    perpendicular,
    times,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid

Depth: TypeAlias = tuple[float, Vector]  # [m], and along which unit direction, outwards

# The farthest point of a difference along a direction, also stored in a corner; see
# `supports.difference_support`.
Farthest: TypeAlias = Callable[[SpatialSolid, SpatialSolid, QueryMemory, Vector, Corner], Vector]

SHOTS = 30
STEPS = 80
NEW = 3  # corner of the simplex that is to replace one of the triangle
EXACT = 1e-12


@separate
def least_depth(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, best: Depth, lower: float
) -> tuple[Depth, int]:
    """
    Lower the bound of a depth along named directions, then by rays.

    Parameters
    ----------
    a, b, query
        The shapes and the memory of the query.
    best
        The least depth so far [m], and its unit direction, outwards.
    lower
        What the depth is at least [m].

    Returns
    -------
    best
        The least depth that was found.
    count
        Corners of the simplex, weighed, that lie on the plane there.
    """
    best = _along_axes(a, b, query, best)
    if lower > 0.0:
        for _ in range(SHOTS):
            first_triangle(query, best[1], 0.999 * lower)
            reach, normal, _ = shoot(difference_support, a, b, query, best[1], EXACT)
            gain = best[0] - reach
            if gain > 0.0:
                best = (reach, normal)
            if gain <= 0.1 * TOLERANCE * query.scale:
                break
        if _all_on_boundary(query):
            return best, 3
    difference_support(a, b, query, best[1], query.simplex[0])
    set_weights(query, (1.0, 0.0, 0.0))
    return best, 1


def _all_on_boundary(query: QueryMemory) -> bool:
    """Return whether only farthest points carry weight; put such ones in place of the others."""
    simplex, weights = query.simplex, query.weights
    heaviest = 0
    for i in range(3):
        if weights[i] > weights[heaviest]:
            heaviest = i
    for i in range(3):
        if simplex[i].feature_a == NO_FEATURE:
            if weights[i] > 1e-9:
                return False
            copy_corner(simplex[heaviest], simplex[i])
            weights[i] = 0.0
    return True


def _along_axes(a: SpatialSolid, b: SpatialSolid, query: QueryMemory, best: Depth) -> Depth:
    """Try the axes of both shapes, away from each, and at right angles to both."""
    axis_a = (0.0, 0.0, 1.0)
    axis_b = query.pose[2]
    both = cross(axis_a, axis_b)
    if norm(both) < 1e-9:
        both = perpendicular(axis_a)
    for axis in (axis_a, axis_b, both):
        best = _tried(a, b, query, axis, best)
        best = _tried(a, b, query, opposite(axis), best)
    best = _tried(a, b, query, _radial(query, axis_a), best)
    return _tried(a, b, query, _radial(query, axis_b), best)


def _radial(query: QueryMemory, axis: Vector) -> Vector:
    """Return the direction from B to A at right angles to an axis."""
    offset = query.pose[3]
    away = along(times(dot(offset, axis), axis), -1.0, offset)
    length = norm(away)
    if length <= 1e-12 * query.scale or length <= 0.0:
        return perpendicular(axis)
    away = times(1.0 / length, away)
    away = along(away, -dot(away, axis), axis)  # after a difference of nearly equal vectors
    return away if norm(away) > 0.5 else perpendicular(axis)


@separate
def _tried(
    a: SpatialSolid, b: SpatialSolid, query: QueryMemory, direction: Vector, best: Depth
) -> Depth:
    """Return the lesser of a depth and that along a direction."""
    direction = times(1.0 / norm(direction), direction)
    reach = dot(direction, difference_support(a, b, query, direction, query.spare))
    return (reach, direction) if reach < best[0] else best


@separate
def shoot(
    farthest_point: Farthest,
    a: SpatialSolid,
    b: SpatialSolid,
    query: QueryMemory,
    ray: Vector,
    tolerance: float,
) -> tuple[float, Vector, float]:
    """
    Find where a ray from the origin leaves a difference, by the simplex method.

    The ray runs through a triangle of points of the difference, the first corners of the simplex;
    the farthest point along the triangle's normal replaces the corner that keeps it so.

    Parameters
    ----------
    farthest_point
        Of the difference: that of cores, or that of rounded shapes.
    a, b, query
        The shapes and the memory of the query.
    ray
        Unit direction.
    tolerance
        How far the bounds of where the ray leaves may be apart, as a part of it.

    Returns
    -------
    reach
        How far the difference reaches along the normal [m].
    normal
        Unit normal of the plane that the ray hits, outwards. The triangle and its weights at
        the ray are left in the simplex.
    slack
        How far the bounds of where the ray leaves are apart, as a part of it.
    """
    best, reach, normal = 0.0, HUGE, ray
    progress = 0.0
    for _ in range(STEPS):
        x, y, z = _triangle(query)
        slope = cross(minus(y, x), minus(z, x))
        height = dot(slope, x)
        if height == 0.0:
            break
        slope = times(1.0 / height, slope)  # now it is 1 on the triangle
        progress = dot(slope, ray)
        farthest = dot(slope, farthest_point(a, b, query, slope, query.simplex[NEW]))
        if farthest <= 0.0:
            break
        if progress / farthest > best:
            best = progress / farthest
            length = norm(slope)
            normal = times(1.0 / length, slope)
            reach = farthest / length
        if progress - best <= tolerance * progress or farthest <= 1.0 + 4e-16:
            break
        leaving = _leaving(query, ray)
        if leaving < 0:
            break
        copy_corner(query.simplex[NEW], query.simplex[leaving])
    shares = _shares(query, ray)
    total = shares[0] + shares[1] + shares[2]
    set_weights(query, times(1.0 / total, shares) if total > 0.0 else (1.0, 0.0, 0.0))
    slack = (progress - best) / progress if progress > 0.0 else HUGE
    return reach, normal, slack


def _triangle(query: QueryMemory) -> tuple[Vector, Vector, Vector]:
    """Return the corners that the ray runs between."""
    return query.simplex[0].point, query.simplex[1].point, query.simplex[2].point


def first_triangle(query: QueryMemory, ray: Vector, inside: float) -> None:
    """Put a triangle around the ray, within a ball around the origin that has a radius [m]."""
    side = perpendicular(ray)
    side = times(1.0 / norm(side), side)
    across = cross(ray, side)
    middle = times(0.6 * inside, ray)
    for i in range(3):
        x = 0.8 * inside if i == 0 else -0.4 * inside
        y = 0.0 if i == 0 else 0.6928203230275509 * inside
        y = -y if i == 2 else y
        corner = query.simplex[i]
        corner.point = along(along(middle, x, side), y, across)
        corner.point_a = opposite(corner.point)
        corner.point_b = (0.0, 0.0, 0.0)
        corner.feature_a = NO_FEATURE
        corner.feature_b = NO_FEATURE


def combination(query: QueryMemory, target: Vector) -> Vector:
    """Return how the corners add up to a vector; nothing if a plane holds them all."""
    x, y, z = _triangle(query)
    volume = dot(x, cross(y, z))
    if volume == 0.0:
        return 0.0, 0.0, 0.0
    return (
        dot(target, cross(y, z)) / volume,
        dot(target, cross(z, x)) / volume,
        dot(target, cross(x, y)) / volume,
    )


def _shares(query: QueryMemory, ray: Vector) -> Vector:
    """Return how the corners add up to the ray, none of them against it."""
    x, y, z = combination(query, ray)
    return max(x, 0.0), max(y, 0.0), max(z, 0.0)


def _leaving(query: QueryMemory, ray: Vector) -> int:
    """Return the corner that the new one replaces so that the ray stays within, -1 if none."""
    shares = _shares(query, ray)
    entering = combination(query, query.simplex[NEW].point)
    leaving, least = -1, HUGE
    for corner in range(3):
        if entering[corner] > 1e-14 and shares[corner] / entering[corner] < least:
            leaving, least = corner, shares[corner] / entering[corner]
    return leaving
