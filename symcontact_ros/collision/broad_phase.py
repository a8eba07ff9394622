"""
Which shapes are near each other: sweep and prune over their boxes.

Every shape has a box along the world axes. Boxes are kept in the order of their lower x; from one
step to the next that order hardly changes, which makes sorting cheap. Half-spaces have no box and
are tried against all others; a huge box merely stays in view for long.

Shapes are numbered, and so are pairs of them: (0, 1), (0, 2), ..., (1, 2), ...; `pair_number`.
"""

from __future__ import annotations

from symcontact_ros.kernels.transitional import Memory, separate

BOX = 6  # numbers of a box: lower x, y, z, upper x, y, z
PLANE = 5  # numbers of a half-space: its shape, unit normal, offset


def pair_number(a: int, b: int, count: int) -> int:
    """Return the number of the pair of shapes a < b out of `count` shapes."""
    return a * (2 * count - a - 1) // 2 + b - a - 1


def sort_by_lower_x(count: int, boxes: Memory, order: Memory) -> None:
    """Put shapes in the order of their lower x, by insertion: nearly sorted takes no time."""
    for i in range(1, count):
        moving = order[i]
        place = i
        while place > 0 and boxes[BOX * order[place - 1]] > boxes[BOX * moving]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = moving


def overlap(boxes: Memory, i: int, j: int, margin: float) -> bool:
    """Return whether two boxes are nearer than a margin along y and z."""
    a, b = BOX * i, BOX * j
    return bool(
        boxes[a + 1] <= boxes[b + 4] + margin
        and boxes[b + 1] <= boxes[a + 4] + margin
        and boxes[a + 2] <= boxes[b + 5] + margin
        and boxes[b + 2] <= boxes[a + 5] + margin
    )


def near_plane(boxes: Memory, i: int, planes: Memory, plane: int, margin: float) -> bool:
    """Return whether a box comes nearer to a half-space than a margin."""
    height = -planes[plane + 4]
    for axis in range(3):
        normal = planes[plane + 1 + axis]
        # The lowest corner of the box along the normal.
        side = axis if normal >= 0.0 else axis + 3
        height += normal * boxes[BOX * i + side]
    return bool(height <= margin)


@separate
def sort_pairs(count: int, pairs: Memory) -> None:
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
    count: int,
    bounded: int,
    boxes: Memory,
    order: Memory,
    plane_count: int,
    planes: Memory,
    margin: float,
    allowed: Memory,
    capacity: int,
    pairs: Memory,
) -> int:
    """
    Write the pairs of shapes that are nearer than a margin, as a * count + b with a < b, sorted.

    Parameters
    ----------
    count, bounded
        How many shapes there are, and how many of them have a box.
    boxes, order
        Six numbers per shape; the shapes with a box in any order, kept for the next time (ints).
    planes
        Half-spaces: shape, unit normal, offset.
    allowed
        Not zero for pairs that may meet, by `pair_number`.
    pairs
        Room for as many pairs (ints) as the capacity says.

    Returns
    -------
    How many there are; more than the capacity: the rest is missing, give more room.
    """
    sort_by_lower_x(bounded, boxes, order)
    number = 0
    for position in range(bounded):
        i = order[position]
        end = boxes[BOX * i + 3] + margin
        further = position + 1
        while further < bounded and boxes[BOX * order[further]] <= end:
            j = order[further]
            further += 1
            if overlap(boxes, i, j, margin):
                a, b = min(i, j), max(i, j)
                if allowed[pair_number(a, b, count)] != 0.0:
                    if number < capacity:
                        pairs[number] = a * count + b
                    number += 1
    for k in range(plane_count):
        plane = PLANE * k
        shape = int(planes[plane])
        for position in range(bounded):
            i = order[position]
            a, b = min(i, shape), max(i, shape)
            if allowed[pair_number(a, b, count)] != 0.0 and near_plane(
                boxes, i, planes, plane, margin
            ):
                if number < capacity:
                    pairs[number] = a * count + b
                number += 1
    sort_pairs(min(number, capacity), pairs)
    return number
