"""Choice of the corners of a loop that become contact points: few, deep, well spread."""

from __future__ import annotations

from symcontact_ros.collision.contact_points import ContactPoint, write_point
from symcontact_ros.collision.spatial.faces import write_corner
from symcontact_ros.kernels.records import Rows
from symcontact_ros.kernels.vectors.spatial import along, cross, dot, minus, Vector
from symcontact_ros.shapes.records import LoopCorner

NEARLY = 1e-9  # by which part one must beat another
ASIDE = 1e-9  # of the span of a loop


def deepest_corners(
    loop: Rows[LoopCorner],
    count: int,
    normal: Vector,
    height: float,
    name: int,
    rows: Rows[ContactPoint],
) -> int:
    """
    Write up to four corners of a loop that lie below a face, well spread.

    They are the deepest, the farthest from it, and those that span the largest triangles with
    these two, one on either side. If none lies below, the lowest one is written.
    """
    deep = lower_first(loop, count, normal, height)
    chosen = (0, 1, 2, 3)
    if deep > 4:
        chosen = spread(loop, deep, normal)
        deep = 4
    number = 0
    for i in range(deep):
        if chosen[i] < 0:
            continue
        corner = loop[chosen[i]]
        position = corner.position
        distance = dot(normal, position) - height
        middle = along(position, -0.5 * distance, normal)
        write_point(rows[number], distance, middle, 1.0, name + corner.name)
        number += 1
    return number


def lower_first(loop: Rows[LoopCorner], count: int, normal: Vector, height: float) -> int:
    """Put the corners below a face first, or the lowest one; return how many they are."""
    deep = 0
    lowest, least = 0, 1e300
    for i in range(count):
        above = dot(normal, loop[i].position) - height
        if above < least:
            lowest, least = i, above
        if above < 0.0:
            swap(loop, i, deep)
            deep += 1
    if deep == 0 and count > 0:
        swap(loop, 0, lowest)
        deep = 1
    return deep


def swap(loop: Rows[LoopCorner], i: int, j: int) -> None:
    """Exchange two corners of a loop."""
    first, second = loop[i], loop[j]
    position, name = first.position, first.name
    write_corner(first, second.position, second.name)
    write_corner(second, position, name)


def spread(loop: Rows[LoopCorner], count: int, normal: Vector) -> tuple[int, int, int, int]:
    """
    Return four corners: the deepest, the farthest from it, and one far out on either side.

    Among nearly equal ones the deeper wins, and then the first: rounding does not choose, nor does
    the way round. -1 stands for a side on which there is none.
    """
    deepest, farthest, left, right = 0, 0, -1, -1
    for i in range(1, count):
        if is_deeper(loop, i, deepest, normal):
            deepest = i
    start = loop[deepest].position
    best = 0.0
    for i in range(count):
        way = minus(loop[i].position, start)
        if is_better(loop, dot(way, way), i, best, farthest, normal):
            best = dot(way, way)
            farthest = i
    across = cross(normal, minus(loop[farthest].position, start))
    # What is less than this aside is on the line between the two.
    most_left, most_right = ASIDE * best, ASIDE * best
    for i in range(count):
        aside = dot(across, minus(loop[i].position, start))
        if is_better(loop, aside, i, most_left, left, normal):
            most_left = aside
            left = i
        if is_better(loop, -aside, i, most_right, right, normal):
            most_right = -aside
            right = i
    return deepest, farthest, left, right


def is_better(
    loop: Rows[LoopCorner], value: float, i: int, best: float, chosen: int, normal: Vector
) -> bool:
    """Return whether a corner is farther out than the one chosen so far (-1: none yet)."""
    if value > best * (1.0 + NEARLY):
        return True
    return chosen >= 0 and value > best * (1.0 - NEARLY) and is_deeper(loop, i, chosen, normal)


def is_deeper(loop: Rows[LoopCorner], i: int, j: int, normal: Vector) -> bool:
    """Return whether a corner is clearly deeper than another one."""
    below = minus(loop[i].position, loop[j].position)
    return dot(normal, below) < -1e-12
