"""
Contact points in memory, written by kernels of pairs and read by contact laws.

The normal is that of the pair and not in the points, or they have their own: `OwnNormals`.
"""

from __future__ import annotations

from symcontact_ros.kernels.records import embedded, Record, Rows

MOST = 8  # contact points of a pair: five of two convex shapes, more on a surface
EXPLAINED = 0.9  # part of the depth that the deepest contact point must have


class ContactPoint(Record):
    """Contact point of two shapes."""

    distance: float  # signed, along the normal [m]
    point: tuple[float, float, float]  # midway between the two surfaces [m]
    shares: float  # of the stiffness that the point carries, out of those of the pair
    feature: int  # which vertices and faces meet there: the same as long as they do


class OwnNormal(Record):
    """Normal of a contact point."""

    normal: tuple[float, float, float]  # unit, from A to B, in the world


class OwnNormals(Record):
    """Normals of contact points that have their own, at the start of the work memory."""

    rows: Rows[OwnNormal] = embedded(MOST)


def write_point(
    row: ContactPoint,
    distance: float,
    point: tuple[float, float, float],
    shares: float,
    feature: int,
) -> None:
    """Write a contact point."""
    row.distance = distance
    row.point = point
    row.shares = shares
    row.feature = feature


def write_lone_point(
    rows: Rows[ContactPoint],
    distance: float,
    point_a: tuple[float, float, float],
    point_b: tuple[float, float, float],
    feature: int,
) -> None:
    """Write the one contact point of a pair, midway between its closest points."""
    middle = (
        0.5 * (point_a[0] + point_b[0]),
        0.5 * (point_a[1] + point_b[1]),
        0.5 * (point_a[2] + point_b[2]),
    )
    write_point(rows[0], distance, middle, 1.0, feature)


def deepest(rows: Rows[ContactPoint], count: int) -> int:
    """Return the contact point with the least distance; of equal ones the first."""
    chosen = 0
    for number in range(1, count):
        if rows[number].distance < rows[chosen].distance:
            chosen = number
    return chosen


def are_as_deep(rows: Rows[ContactPoint], count: int, distance: float) -> bool:
    """Return whether contact points are about as deep as their shapes, at this distance < 0."""
    return count > 0 and rows[deepest(rows, count)].distance <= EXPLAINED * distance
