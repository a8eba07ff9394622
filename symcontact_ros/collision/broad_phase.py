"""
Broad phase: candidate pairs of shapes by sweep and prune over their boxes.

Every shape has a box along the world axes. Boxes are in the order of their lower x; from one
step to the next that order hardly changes, which makes sorting cheap. Half-spaces have no box and
are tried against all others; a huge box merely stays in view for long.

Shapes are numbered, and so are pairs of them: (0, 1), (0, 2), ..., (1, 2), ...; `pair_number`.
"""

from __future__ import annotations

from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Ints
from symcontact_ros.kernels.records import Record, Rows


class Box(Record):
    """A box along the world axes around a shape; that of a planar one has no height."""

    lower: tuple[float, float, float]  # corner [m]
    upper: tuple[float, float, float]  # corner [m]


class HalfSpacePlane(Record):
    """Boundary plane of a half-space."""

    shape: int  # its number
    normal: tuple[float, float, float]  # unit, outwards, in the world
    offset: float  # along the normal, from the origin of the world [m]


def pair_number(a: int, b: int, count: int) -> int:
    """Return the number of the pair of shapes a < b out of `count` shapes."""
    return a * (2 * count - a - 1) // 2 + b - a - 1


def sort_by_lower_x(boxes: Rows[Box], order: Ints) -> None:
    """Put shapes in the order of their lower x, by insertion: nearly sorted takes no time."""
    for i in range(1, len(order)):
        moving = order[i]
        place = i
        while place > 0 and boxes[order[place - 1]].lower[0] > boxes[moving].lower[0]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = moving


def overlap(a: Box, b: Box, margin: float) -> bool:
    """Return whether two boxes are nearer than a margin along y and z."""
    return (
        a.lower[1] <= b.upper[1] + margin
        and b.lower[1] <= a.upper[1] + margin
        and a.lower[2] <= b.upper[2] + margin
        and b.lower[2] <= a.upper[2] + margin
    )


def near_plane(box: Box, plane: HalfSpacePlane, margin: float) -> bool:
    """Return whether a box comes nearer to a half-space than a margin."""
    height = -plane.offset
    for normal, lower, upper in (
        (plane.normal[0], box.lower[0], box.upper[0]),
        (plane.normal[1], box.lower[1], box.upper[1]),
        (plane.normal[2], box.lower[2], box.upper[2]),
    ):
        # The lowest corner of the box along the normal.
        height += normal * (lower if normal >= 0.0 else upper)
    return height <= margin


@separate
def sort_pairs(count: int, pairs: Ints) -> None:
    """Put pairs in ascending order, so that sums over them do not depend on the sweep."""
    step = 1
    while 3 * step + 1 < count:
        step = 3 * step + 1
    while step > 0:
        for i in range(step, count):
            moving = pairs[i]
            place = i
            while place >= step and pairs[place - step] > moving:
                pairs[place] = pairs[place - step]
                place -= step
            pairs[place] = moving
        step //= 3


@separate
def find_pairs(
    boxes: Rows[Box],
    order: Ints,
    planes: Rows[HalfSpacePlane],
    margin: float,
    allowed: Ints,
    pairs: Ints,
) -> int:
    """
    Write the pairs of shapes that are nearer than a margin, as a * count + b with a < b, sorted.

    The count is that of all shapes: each has a box, or is a half-space.

    Parameters
    ----------
    boxes
        Of the shapes, by their numbers; half-spaces need none.
    order
        The shapes with a box in any order; a warm start of the next call.
    planes
        The half-spaces.
    allowed
        1 for pairs that may meet, else 0, by `pair_number`.
    pairs
        Room for as many pairs as it has members.

    Returns
    -------
    How many there are; more than there is room for: the rest is missing, give more.
    """
    sort_by_lower_x(boxes, order)
    bounded = len(order)
    count = bounded + len(planes)
    number = 0
    for position in range(bounded):
        i = order[position]
        end = boxes[i].upper[0] + margin
        further = position + 1
        while further < bounded and boxes[order[further]].lower[0] <= end:
            j = order[further]
            further += 1
            if overlap(boxes[i], boxes[j], margin):
                a, b = min(i, j), max(i, j)
                if allowed[pair_number(a, b, count)] != 0:
                    if number < len(pairs):
                        pairs[number] = a * count + b
                    number += 1
    for k in range(len(planes)):
        plane = planes[k]
        for position in range(bounded):
            i = order[position]
            a, b = min(i, plane.shape), max(i, plane.shape)
            if allowed[pair_number(a, b, count)] != 0 and near_plane(boxes[i], plane, margin):
                if number < len(pairs):
                    pairs[number] = a * count + b
                number += 1
    sort_pairs(min(number, len(pairs)), pairs)
    return number
