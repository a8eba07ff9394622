"""
Signed distance and normal of two features, as closed forms.

Each takes two features in the world and returns a `Gap`. What is missing has no closed form: a
circle beside a line, or beside another circle, leads to polynomials of degree four and eight, an
ellipsoid beside a point to one of degree six.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import sympy as sm

from symcontact_ros.symbolic.contact.feature_kinds import (
    ELLIPSOID,
    Feature,
    LINE,
    PLANE,
    POINT,
    RIM,
)
from symcontact_ros.symbolic.recorder import (
    minus,
    negative,
    ONE,
    product,
    Recorder,
    total,
    Vector,
)


class Gap(NamedTuple):
    """Gap between two features, without their margins."""

    distance: sm.Expr  # [m]
    normal: Vector  # from the first to the second
    place: Vector  # the point of the first that is nearest to the second [m]
    beyond: Vector  # any point of the line from there along the normal, simple for the second


def point_point(r: Recorder, a: Feature, b: Feature) -> Gap:
    """Return the gap of two points."""
    distance, normal = _length_and_direction(r, _way(r, a.point, b.point))
    return Gap(distance, normal, a.point, b.point)


def point_line(r: Recorder, a: Feature, b: Feature) -> Gap:
    """Return the gap of a point and a line."""
    offset = _way(r, a.point, b.point)
    along = r.scale(r.dot(b.direction, offset), b.direction)
    distance, normal = _length_and_direction(r, r.add(offset, negative(along)))
    return Gap(distance, normal, a.point, a.point)


def point_plane(r: Recorder, a: Feature, b: Feature) -> Gap:
    """Return the gap of a point and a plane: negative behind it."""
    height = r.dot(b.direction, _way(r, b.point, a.point))
    return Gap(height, negative(b.direction), a.point, a.point)


def line_line(r: Recorder, a: Feature, b: Feature) -> Gap:
    """Return the gap of two lines along the product of their directions: negative against it."""
    common = r.cross(a.direction, b.direction)
    square = r.dot(common, common)
    normal = r.scale(_inverse(r, _root(r, square)), common)
    offset = _way(r, a.point, b.point)
    ahead = r.name(product(r.dot(r.cross(offset, b.direction), common), _inverse(r, square)))
    place = r.add(a.point, r.scale(ahead, a.direction))
    return Gap(r.dot(normal, offset), normal, place, place)


def point_rim(r: Recorder, a: Feature, b: Feature) -> Gap:
    """Return the gap of a point and a circle."""
    offset = _way(r, b.point, a.point)
    along = r.scale(r.dot(b.direction, offset), b.direction)
    _, radial = _length_and_direction(r, r.add(offset, negative(along)))
    way = r.add(r.scale(b.radius, radial), negative(offset))
    distance, normal = _length_and_direction(r, way)
    return Gap(distance, normal, a.point, a.point)


def rim_plane(r: Recorder, a: Feature, b: Feature) -> Gap:
    """Return the gap of a circle and a plane: that of its lowest point."""
    tilt = r.dot(a.direction, b.direction)
    down = r.add(r.scale(tilt, a.direction), negative(b.direction))
    slope = _root(r, r.dot(down, down))
    lowest = r.add(a.point, r.scale(r.name(product(a.radius, _inverse(r, slope))), down))
    height = r.dot(b.direction, _way(r, b.point, a.point))
    distance = r.name(total([height, minus(product(a.radius, slope))]))
    return Gap(distance, negative(b.direction), lowest, lowest)


def ellipsoid_plane(r: Recorder, a: Feature, b: Feature) -> Gap:
    """Return the gap of an ellipsoid and a plane: that of its lowest point."""
    heights = [r.dot(axis, b.direction) for axis in a.semi_axes]
    reach = _root(r, total([product(height, height) for height in heights]))
    lowest = a.point
    for axis, height in zip(a.semi_axes, heights, strict=True):
        lowest = r.add(lowest, r.scale(r.name(minus(product(height, _inverse(r, reach)))), axis))
    height = r.dot(b.direction, _way(r, b.point, a.point))
    distance = r.name(total([height, minus(reach)]))
    return Gap(distance, negative(b.direction), lowest, lowest)


CLOSED_FORMS: dict[tuple[str, str], Callable[[Recorder, Feature, Feature], Gap]] = {
    (POINT, POINT): point_point,
    (POINT, LINE): point_line,
    (POINT, PLANE): point_plane,
    (LINE, LINE): line_line,
    (POINT, RIM): point_rim,
    (RIM, PLANE): rim_plane,
    (ELLIPSOID, PLANE): ellipsoid_plane,
}


class Meeting(NamedTuple):
    """Two features, margins included: what a contact of them is."""

    distance: sm.Expr  # [m], negative in overlap
    normal: Vector  # from A to B
    places: tuple[Vector, Vector]  # both on the line through the nearest points: for A, for B
    point: Vector  # midway between both surfaces [m]


def has_closed_form(a: Feature, b: Feature) -> bool:
    """Return whether the distance of two features has a closed form."""
    return (a.form, b.form) in CLOSED_FORMS or (b.form, a.form) in CLOSED_FORMS


def meeting(r: Recorder, a: Feature, b: Feature) -> Meeting:
    """Return distance, normal and point of contact of two features in the world."""
    swapped = (a.form, b.form) not in CLOSED_FORMS
    first, second = (b, a) if swapped else (a, b)
    gap = CLOSED_FORMS[first.form, second.form](r, first, second)
    distance = r.name(gap.distance - a.margin - b.margin)
    to_middle = r.name(first.margin + distance / 2)
    point = r.add(gap.place, r.scale(to_middle, gap.normal))
    if swapped:
        return Meeting(distance, negative(gap.normal), (gap.beyond, gap.place), point)
    return Meeting(distance, gap.normal, (gap.place, gap.beyond), point)


def _way(r: Recorder, start: Vector, end: Vector) -> Vector:
    return r.add(end, negative(start))


def _root(r: Recorder, square: sm.Expr) -> sm.Expr:
    return r.name(sm.sqrt(square))


def _inverse(r: Recorder, value: sm.Expr) -> sm.Expr:
    return r.name(ONE / value)


def _length_and_direction(r: Recorder, way: Vector) -> tuple[sm.Expr, Vector]:
    length = _root(r, r.dot(way, way))
    return length, r.scale(_inverse(r, length), way)
