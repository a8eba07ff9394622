"""
Contact points on a reference face: the facing part of the other shape, cut to its sides.

That part is a face, or a line: the segment of a capsule, the lowest line of a cylinder that
lies on its side. See `contact_points` for what is written.
"""

from __future__ import annotations

from symcontact_ros.collision.contact_points import ContactPoint, write_point
from symcontact_ros.collision.spatial.deepest_corners import deepest_corners
from symcontact_ros.collision.spatial.faces import facing_at, write_corner
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.records import embedded, Record, Rows
from symcontact_ros.kernels.vectors.spatial import (
    along,
    cross,
    direction_in,
    dot,
    Frame,
    minus,
    opposite,
    placed,
    turned,
    Vector,
)
from symcontact_ros.shapes.cores import DISC_CORNERS
from symcontact_ros.shapes.records import LoopCorner, SpatialSolid
from symcontact_ros.shapes.spatial_dispatch import (
    face_normal,
    face_offset,
    has_discs,
    lowest_line,
    support,
    write_loop,
)

CORNERS = 96  # the most that a loop can have while it is cut
NEW_CORNER = 1000  # a corner made by side s of the face on edge e is called 1000 (s + 1) + e
FACE_NAMES = 1000000  # and names on face f start at a million f
POINTLIKE = 1e-9  # part of a line that has one end instead of two


class Clipping(Record):
    """Work memory of contact points on a face."""

    sides: Rows[LoopCorner] = embedded(CORNERS)  # of the reference face, counter-clockwise
    loop: Rows[LoopCorner] = embedded(CORNERS)  # of the face that is cut to these sides,
    spare: Rows[LoopCorner] = embedded(CORNERS)  # and what a side leaves of it


@separate
def contacts_on_face(
    a: SpatialSolid,
    frame_a: Frame,
    b: SpatialSolid,
    frame_b: Frame,
    face: int,
    rows: Rows[ContactPoint],
    work: Clipping,
) -> tuple[int, Vector]:
    """Write the contact points of B on a face of A; return their number and its normal."""
    normal = turned(frame_a, face_normal(a, face))
    height = dot(normal, frame_a[3]) + face_offset(a, face)
    towards = minus(frame_b[3], frame_a[3])  # a cap has a corner there: mirrored, it is the same
    side_count = write_loop(a, frame_a, face, towards, work.sides)
    name = FACE_NAMES * face
    return contacts_above(b, frame_b, normal, height, side_count, name, rows, work), normal


@separate
def contacts_above(
    shape: SpatialSolid,
    frame: Frame,
    normal: Vector,
    height: float,
    side_count: int,
    name: int,
    rows: Rows[ContactPoint],
    work: Clipping,
) -> int:
    """
    Write the contact points of a shape on a plane, and return their number.

    The plane has an upward normal and a height along it. If there are sides, the work memory has
    their corners; points are then cut to them.
    """
    down = direction_in(frame, opposite(normal))
    shares, start, end = lowest_line(shape, down)
    if shares > 0.0:
        start, end = placed(frame, start), placed(frame, end)
        low, high, start, end = clip_segment(start, end, work.sides, side_count, normal)
        if low > high:
            return 0
        ends = 2 if high - low > POINTLIKE else 1
        for number in range(ends):
            core = along(start, low if number == 0 else high, minus(end, start))
            distance = dot(normal, core) - height - shape.radius
            middle = along(core, -shape.radius - 0.5 * distance, normal)
            write_point(rows[number], distance, middle, shares, name + number)
        return ends
    lowest, _ = support(shape, down)
    facing = facing_at(shape, down, lowest)
    count = write_loop(shape, frame, facing, opposite(normal), work.loop)
    count, left, cut = clip(work, count, side_count, normal)
    if has_discs(shape) and not cut:
        count = quarters(left)
    return deepest_corners(left, count, normal, height, name, rows)


def clip_segment(
    start: Vector, end: Vector, sides: Rows[LoopCorner], side_count: int, normal: Vector
) -> tuple[float, float, Vector, Vector]:
    """
    Return which part of the way from start to end lies above a face, and start and end.

    There is none if its start is above its end. A line beside the face, as of a log on the edge of
    a table, is first moved to the side that it is beyond.
    """
    low, high = 0.0, 1.0
    for side in range(side_count):
        outward, limit = side_plane(sides, side, side_count, normal)
        first, last = dot(outward, start) - limit, dot(outward, end) - limit
        beside = min(first, last)
        if beside > 0.0:
            back = -beside / dot(outward, outward)
            start, end = along(start, back, outward), along(end, back, outward)
            first -= beside
            last -= beside
        if first > 0.0:
            low = max(low, first / (first - last))
        elif last > 0.0:
            high = min(high, first / (first - last))
    return low, high, start, end


def side_plane(
    sides: Rows[LoopCorner], side: int, side_count: int, normal: Vector
) -> tuple[Vector, float]:
    """Return the plane through a side of a face at right angles to it: outward, and its offset."""
    first = sides[side].position
    after = side + 1 if side + 1 < side_count else 0
    outward = cross(minus(sides[after].position, first), normal)
    return outward, dot(outward, first)


def clip(
    work: Clipping, count: int, side_count: int, normal: Vector
) -> tuple[int, Rows[LoopCorner], bool]:
    """Cut a loop of corners to the sides of a face; return how many are left, where, if cut."""
    here, there, sides = work.loop, work.spare, work.sides
    cut = False
    for side in range(side_count):
        outward, limit = side_plane(sides, side, side_count, normal)
        if not lies_inside(here, count, outward, limit):
            count = clip_side(here, count, outward, limit, NEW_CORNER * (side + 1), there)
            here, there = there, here
            cut = True
    return count, here, cut


def quarters(loop: Rows[LoopCorner]) -> int:
    """Keep the corners of a whole disc at its lowest point and at quarter turns from there."""
    for i in range(1, 4):
        corner = loop[DISC_CORNERS // 4 * i]
        write_corner(loop[i], corner.position, corner.name)
    return 4


def lies_inside(loop: Rows[LoopCorner], count: int, outward: Vector, limit: float) -> bool:
    """Return whether all corners of a loop lie inside a plane."""
    inside = True
    for i in range(count):
        inside = inside and dot(outward, loop[i].position) <= limit
    return inside


def clip_side(
    loop: Rows[LoopCorner],
    count: int,
    outward: Vector,
    limit: float,
    name: int,
    result: Rows[LoopCorner],
) -> int:
    """Write the corners of a loop that lie inside a plane, and those where it crosses it."""
    number = 0
    for i in range(count):
        after = i + 1 if i + 1 < count else 0
        here, there = loop[i].position, loop[after].position
        height, next_height = dot(outward, here) - limit, dot(outward, there) - limit
        if height <= 0.0 and number < CORNERS:
            write_corner(result[number], here, loop[i].name)
            number += 1
        if ((height < 0.0 < next_height) or (next_height < 0.0 < height)) and number < CORNERS:
            crossing = along(here, height / (height - next_height), minus(there, here))
            write_corner(result[number], crossing, name + i)
            number += 1
    return number
