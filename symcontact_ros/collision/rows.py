"""
Rows of contact points in memory: what kernels write and contact laws read.

The normal is that of the pair and not in the rows.
"""

from __future__ import annotations

from symcontact_ros.kernels.transitional import Memory

DISTANCE = 0  # signed, along the normal [m]
POINT = 1  # 3 numbers: midway between the two surfaces [m]
SHARES = 4  # of the stiffness that the point carries, out of those of the pair
FEATURE = 5  # which vertices and faces meet there: the same as long as they do
ROW = 6  # numbers of a row
MOST = 5  # rows of a pair
EXPLAINED = 0.9  # part of the depth that the deepest contact point must have


def write_row(
    rows: Memory,
    number: int,
    distance: float,
    point: tuple[float, float, float],
    shares: float,
    feature: float,
) -> None:
    """Write a contact point."""
    start = ROW * number
    rows[start + DISTANCE] = distance
    rows[start + POINT] = point[0]
    rows[start + POINT + 1] = point[1]
    rows[start + POINT + 2] = point[2]
    rows[start + SHARES] = shares
    rows[start + FEATURE] = feature


def write_lone_row(
    rows: Memory,
    distance: float,
    point_a: tuple[float, float, float],
    point_b: tuple[float, float, float],
    feature: float,
) -> None:
    """Write the one contact point of a pair, midway between its closest points."""
    middle = (
        0.5 * (point_a[0] + point_b[0]),
        0.5 * (point_a[1] + point_b[1]),
        0.5 * (point_a[2] + point_b[2]),
    )
    write_row(rows, 0, distance, middle, 1.0, feature)


def deepest_row(rows: Memory, count: int) -> int:
    """Return the row with the least distance; of equal ones the first."""
    chosen = 0
    for number in range(1, count):
        if rows[ROW * number + DISTANCE] < rows[ROW * chosen + DISTANCE]:
            chosen = number
    return chosen


def are_as_deep(rows: Memory, count: int, distance: float) -> bool:
    """Return whether contact points are about as deep as their shapes, at this distance < 0."""
    return count > 0 and rows[ROW * deepest_row(rows, count) + DISTANCE] <= EXPLAINED * distance
