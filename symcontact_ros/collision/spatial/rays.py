"""
Depth of overlaps that expansion cannot prove: nearly symmetric ones of curved cores.

Around an axis of symmetry, a boundary that is curved and everywhere about equally near takes
more faces than there is room for. There the least depth is along a direction that can be named,
or near it: shooting a ray along a direction finds the plane of the boundary that it hits, and
that is not deeper than the direction was.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from symcontact_ros.collision.spatial.gjk import TOLERANCE
from symcontact_ros.collision.spatial.supports import (
    copy_row,
    difference_support,
    FEATURE_A,
    HUGE,
    NO_FEATURE,
    POINT_A,
    POINT_B,
    POSE,
    ROW,
    SCALE,
    SIMPLEX,
    SPARE,
    WEIGHTS,
)
from symcontact_ros.collision.spatial.vectors import (
    along,
    cross,
    dot,
    keep,
    minus,
    norm,
    opposite,
    perpendicular,
    times,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import Memory, separate

Depth: TypeAlias = tuple[float, Vector]  # [m], and along which unit direction, outwards

SHOTS = 30
STEPS = 80
NEW = SIMPLEX + 3 * ROW
EXACT = 1e-12

# Stands for the farthest point of the difference of cores, or of that of rounded shapes.
farthest_point: Any = difference_support


@separate
def least_depth(
    a: Memory, b: Memory, work: Memory, best: Depth, lower: float
) -> tuple[Depth, int]:
    """
    Lower the bound of a depth along named directions, then by rays.

    Parameters
    ----------
    a, b, work
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
        Rows of the simplex, weighed, that lie on the plane there.
    """
    best = _along_axes(a, b, work, best)
    if lower > 0.0:
        for _ in range(SHOTS):
            first_triangle(work, best[1], 0.999 * lower)
            reach, normal, _ = shoot(a, b, work, best[1], EXACT)
            gain = best[0] - reach
            if gain > 0.0:
                best = (reach, normal)
            if gain <= 0.1 * TOLERANCE * work[SCALE]:
                break
        if _all_on_boundary(work):
            return best, 3
    difference_support(a, b, work, best[1], SIMPLEX)
    work[WEIGHTS] = 1.0
    return best, 1


def _all_on_boundary(work: Memory) -> bool:
    """Return whether only farthest points carry weight; put such ones in place of the others."""
    heaviest = 0
    for row in range(3):
        if work[WEIGHTS + row] > work[WEIGHTS + heaviest]:
            heaviest = row
    for row in range(3):
        if work[SIMPLEX + ROW * row + FEATURE_A] == NO_FEATURE:
            if work[WEIGHTS + row] > 1e-9:
                return False
            copy_row(work, SIMPLEX + ROW * heaviest, SIMPLEX + ROW * row)
            work[WEIGHTS + row] = 0.0
    return True


def _along_axes(a: Memory, b: Memory, work: Memory, best: Depth) -> Depth:
    """Try the axes of both shapes, away from each, and at right angles to both."""
    axis_a = (0.0, 0.0, 1.0)
    axis_b = vector_at(work, POSE + 6)
    both = cross(axis_a, axis_b)
    if norm(both) < 1e-9:
        both = perpendicular(axis_a)
    best = _tried(a, b, work, axis_a, best)
    best = _tried(a, b, work, opposite(axis_a), best)
    best = _tried(a, b, work, axis_b, best)
    best = _tried(a, b, work, opposite(axis_b), best)
    best = _tried(a, b, work, both, best)
    best = _tried(a, b, work, opposite(both), best)
    best = _tried(a, b, work, _radial(work, axis_a), best)
    return _tried(a, b, work, _radial(work, axis_b), best)


def _radial(work: Memory, axis: Vector) -> Vector:
    """Return the direction from B to A at right angles to an axis."""
    offset = vector_at(work, POSE + 9)
    away = along(times(dot(offset, axis), axis), -1.0, offset)
    length = norm(away)
    if length <= 1e-12 * work[SCALE] or length <= 0.0:
        return perpendicular(axis)
    away = times(1.0 / length, away)
    away = along(away, -dot(away, axis), axis)  # after a difference of nearly equal vectors
    return away if norm(away) > 0.5 else perpendicular(axis)


@separate
def _tried(a: Memory, b: Memory, work: Memory, direction: Vector, best: Depth) -> Depth:
    """Return the lesser of a depth and that along a direction."""
    direction = times(1.0 / norm(direction), direction)
    reach = dot(direction, difference_support(a, b, work, direction, SPARE))
    return (reach, direction) if reach < best[0] else best


@separate
def shoot(
    a: Memory, b: Memory, work: Memory, ray: Vector, tolerance: float
) -> tuple[float, Vector, float]:
    """
    Find where a ray from the origin leaves the difference of two cores, by the simplex method.

    The ray runs through a triangle of points of the difference, the first rows of the simplex;
    the farthest point along the triangle's normal replaces the corner that keeps it so.

    Parameters
    ----------
    a, b, work
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
        x, y, z = _triangle(work)
        slope = cross(minus(y, x), minus(z, x))
        height = dot(slope, x)
        if height == 0.0:
            break
        slope = times(1.0 / height, slope)  # now it is 1 on the triangle
        progress = dot(slope, ray)
        farthest = dot(slope, farthest_point(a, b, work, slope, NEW))
        if farthest <= 0.0:
            break
        if progress / farthest > best:
            best = progress / farthest
            length = norm(slope)
            normal = times(1.0 / length, slope)
            reach = farthest / length
        if progress - best <= tolerance * progress or farthest <= 1.0 + 4e-16:
            break
        leaving = _leaving(work, ray)
        if leaving < 0:
            break
        copy_row(work, NEW, SIMPLEX + ROW * leaving)
    shares = _shares(work, ray)
    total = shares[0] + shares[1] + shares[2]
    keep(work, WEIGHTS, times(1.0 / total, shares) if total > 0.0 else (1.0, 0.0, 0.0))
    slack = (progress - best) / progress if progress > 0.0 else HUGE
    return reach, normal, slack


def _triangle(work: Memory) -> tuple[Vector, Vector, Vector]:
    """Return the corners that the ray runs between."""
    return (
        vector_at(work, SIMPLEX),
        vector_at(work, SIMPLEX + ROW),
        vector_at(work, SIMPLEX + 2 * ROW),
    )


def first_triangle(work: Memory, ray: Vector, inside: float) -> None:
    """Put a triangle around the ray, within a ball around the origin that has a radius [m]."""
    side = perpendicular(ray)
    side = times(1.0 / norm(side), side)
    across = cross(ray, side)
    middle = times(0.6 * inside, ray)
    for corner in range(3):
        x = 0.8 * inside if corner == 0 else -0.4 * inside
        y = 0.0 if corner == 0 else 0.6928203230275509 * inside
        y = -y if corner == 2 else y
        place = SIMPLEX + ROW * corner
        point = along(along(middle, x, side), y, across)
        keep(work, place, point)
        keep(work, place + POINT_A, opposite(point))
        keep(work, place + POINT_B, (0.0, 0.0, 0.0))
        work[place + FEATURE_A] = NO_FEATURE


def combination(work: Memory, target: Vector) -> Vector:
    """Return how the corners add up to a vector; nothing if a plane holds them all."""
    x, y, z = _triangle(work)
    volume = dot(x, cross(y, z))
    if volume == 0.0:
        return 0.0, 0.0, 0.0
    return (
        dot(target, cross(y, z)) / volume,
        dot(target, cross(z, x)) / volume,
        dot(target, cross(x, y)) / volume,
    )


def _shares(work: Memory, ray: Vector) -> Vector:
    """Return how the corners add up to the ray, none of them against it."""
    x, y, z = combination(work, ray)
    return max(x, 0.0), max(y, 0.0), max(z, 0.0)


def _leaving(work: Memory, ray: Vector) -> int:
    """Return the corner that the new one replaces so that the ray stays within, -1 if none."""
    shares = _shares(work, ray)
    entering = combination(work, vector_at(work, NEW))
    leaving, least = -1, HUGE
    for corner in range(3):
        if entering[corner] > 1e-14 and shares[corner] / entering[corner] < least:
            leaving, least = corner, shares[corner] / entering[corner]
    return leaving
