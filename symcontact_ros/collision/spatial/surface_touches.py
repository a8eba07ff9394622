"""
Contact points on a surface while they are gathered: merged, chosen, numbered.

Two triangles that meet give two points where a shape touches both. What is one contact must not
count twice: rules of `add_touch`. All is in the frame of the surface.
"""

from __future__ import annotations

from symcontact_ros.collision.contact_points import ContactPoint, MOST, OwnNormals, write_point
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import embedded, Record, Rows
from symcontact_ros.kernels.vectors.spatial import along, dot, Frame, minus, norm, placed, turned
from symcontact_ros.shapes.records import Triple

ROOM = 48  # points that are gathered
SAME = 1e-6  # of the reach: nearer points of a shape are the same,
PARALLEL = 1.0 - 1e-10  # cosine of equal normals,
SIMILAR = 0.985  # and of normals that differ by less than 10 degrees,
NEARBY = 0.25  # of the inner radius: at nearer points these are one contact
SECTOR = 0.3137  # component of a normal beyond which it counts as being along that axis
SECTORS = 32  # numbers for the 27 directions that a normal can have
AGAIN = 1 << 50  # between points of equal feature
OLD, NEW, BOTH = range(3)  # which of two points counts
FACE, WEDGE, EDGE = range(3)  # where a surface is touched: WEDGE: beyond a concave side


class Touch(Record):
    """A contact point of a shape on a surface."""

    distance: float  # signed, along the normal [m]
    point: Triple  # midway between the surfaces [m]
    normal: Triple  # unit, out of the surface
    shares: float
    feature: int
    place: int  # FACE, WEDGE or EDGE


class Gathering(Record):
    """Work memory of contact points on a surface."""

    touches: Rows[Touch] = embedded(ROOM + 1)
    rows: Rows[ContactPoint] = embedded(MOST)


def own_point(touch: Touch) -> Triple:
    """Return the point of the shape."""
    return along(touch.point, 0.5 * touch.distance, touch.normal)


def write_touch(touch: Touch, row: ContactPoint, normal: Triple, place: int, feature: int) -> None:
    """Write a contact point with a half-space or a segment, whose normal is given."""
    touch.distance = row.distance
    touch.point = row.point
    touch.normal = normal
    touch.shares = row.shares
    touch.feature = feature
    touch.place = place


def copy_touch(source: Touch, target: Touch) -> None:
    """Write a point into another one."""
    target.distance = source.distance
    target.point = source.point
    target.normal = source.normal
    target.shares = source.shares
    target.feature = source.feature
    target.place = source.place


def relation(old: Touch, new: Touch, reach: float, inner: float, is_round: bool) -> int:
    """Return which of two points counts: OLD, NEW or BOTH."""
    cosine = dot(old.normal, new.normal)
    apart = norm(minus(own_point(new), own_point(old)))
    is_same = apart <= SAME * reach
    if is_same and cosine >= PARALLEL:
        return OLD
    if is_same and not is_round and old.place == FACE and new.place == FACE:
        # A corner inside of two triangles leaves through the nearer one.
        return NEW if new.distance > old.distance else OLD
    both_faces = cosine >= PARALLEL and EDGE not in (old.place, new.place)
    if cosine >= SIMILAR and apart <= NEARBY * inner and not both_faces:
        return NEW if new.distance < old.distance else OLD
    return BOTH


@separate
def add_touch(touches: Rows[Touch], count: int, reach: float, inner: float, is_round: bool) -> int:
    """
    Add the point that is behind the others, unless it is one of them; return how many there are.

    Parameters
    ----------
    touches
        Points; the new one is at ``count``.
    reach, inner
        Of the shape: to its farthest point, and of a ball inside it [m].
    is_round
        Whether the shape touches two triangles in different points of its own.
    """
    new = touches[count]
    for i in range(count):
        old = touches[i]
        kept = relation(old, new, reach, inner, is_round)
        if kept == NEW:
            copy_touch(new, old)
        if kept != BOTH:
            return count
    if count < ROOM:
        return count + 1
    shallowest = 0
    for i in range(1, count):
        if touches[i].distance > touches[shallowest].distance:
            shallowest = i
    if new.distance < touches[shallowest].distance:
        copy_touch(new, touches[shallowest])
    return count


def sector(normal: Triple) -> int:
    """Return which of 27 directions a normal has."""
    number = 0
    for component in normal:
        number = 3 * number + (2 if component > SECTOR else (0 if component < -SECTOR else 1))
    return number


@separate
def write_touches(
    touches: Rows[Touch], count: int, frame: Frame, rows: Rows[ContactPoint], work: Floats
) -> int:
    """Write the points and their normals in the world; return how many they are."""
    count = chosen(touches, count)
    normals = OwnNormals.at(work)
    for i in range(count):
        touch = touches[i]
        feature = touch.feature
        for k in range(i):
            if rows[k].feature == feature:
                feature += AGAIN
        write_point(rows[i], touch.distance, placed(frame, touch.point), touch.shares, feature)
        out = turned(frame, touch.normal)
        normals.rows[i].normal = (-out[0], -out[1], -out[2])
    return count


def chosen(touches: Rows[Touch], count: int) -> int:
    """Leave the deepest point and those farthest from each other, as many as a pair may have."""
    if count <= MOST:
        return count
    for place in range(MOST):
        best, most = place, -1e300
        for i in range(place, count):
            worth = -touches[i].distance
            if place > 0:
                worth = 1e300
                for k in range(place):
                    worth = min(worth, norm(minus(touches[i].point, touches[k].point)))
                worth = worth if touches[i].distance < 0.0 else worth - 1e100
            if worth > most:
                best, most = i, worth
        if best != place:
            copy_touch(touches[place], touches[ROOM])
            copy_touch(touches[best], touches[place])
            copy_touch(touches[ROOM], touches[best])
    return MOST
