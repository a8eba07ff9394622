"""Shapes and placements of a description."""

from __future__ import annotations

from collections.abc import Callable
import math
from typing import Any

from symcontact_ros.expressions import evaluate_all, Scalar
from symcontact_ros.model.building.reader import is_nonzero, Section
from symcontact_ros.model.parts import PlacedShape, Placement, Rotation
from symcontact_ros.model.shapes import (
    Box,
    Capsule,
    Circle,
    ConvexHull,
    Cylinder,
    HalfSpace,
    KINDS,
    Polygon,
    Rectangle,
    Shape,
    Sphere,
)

# Of all types together.
KEYS = ('radius', 'half_length', 'half_extents', 'size', 'vertices', 'normal', 'offset')


def build_shapes(body: Section, dimension: int) -> tuple[PlacedShape, ...]:
    """Return the shapes of a body; those with a fault are left out."""
    shapes = (_placed(section, dimension) for section in body.items('shapes'))
    return tuple(shape for shape in shapes if shape is not None)


def build_placement(section: Section, dimension: int) -> Placement:
    """Return the placement that ``position`` and ``angle``, ``rpy`` or ``quaternion`` tell."""
    position = section.triple('position')
    if dimension == 2 and is_nonzero(position[2]):
        section.fault('position', 'has z = 0 in a planar model')
    return Placement(position, build_rotation(section, dimension))


def build_rotation(section: Section, dimension: int) -> Rotation:
    """Return an attitude: ``angle`` in the plane, ``rpy`` or ``quaternion`` in space."""
    if dimension == 2:
        if 'angle' not in section and 'rpy' in section:
            rpy = section.triple('rpy')
            if is_nonzero(*rpy[:2]):
                section.fault('rpy', 'a planar model turns about z only')
            return Rotation(rpy)
        section.one_of('angle', 'rpy')
        return Rotation((0.0, 0.0, section.number('angle', 0.0)))
    if 'quaternion' not in section:
        section.take('quaternion')
        return Rotation(section.triple('rpy'))
    section.one_of('quaternion', 'rpy')
    x, y, z, w = section.numbers('quaternion', 4)
    if math.hypot(*evaluate_all((x, y, z, w), section.values)) == 0.0:
        section.fault('quaternion', 'must have a length')
        return Rotation()
    return Rotation(quaternion=(x, y, z, w))


def _placed(section: Section, dimension: int) -> PlacedShape | None:
    known = len(section.description.faults)
    fitting = [kind for kind, shape in KINDS.items() if dimension in shape.dimensions]
    kind = section.text('type')
    if kind not in fitting:
        if kind in KINDS:
            other = 'spatial' if dimension == 2 else 'planar'
            section.fault('type', f'{kind} is for {other} models; here: {", ".join(fitting)}')
        elif kind:
            section.text('type', choices=fitting)
        _check_rest(section, dimension)
        return None
    arguments = _READERS[kind](section, dimension)
    pose = section.section('pose')
    placement = build_placement(pose, dimension)
    pose.close()
    section.close()
    if len(section.description.faults) > known or _has_nan(arguments):
        return None
    try:
        shape: Shape = KINDS[kind](*arguments)
        shape.evaluated(section.values)
    except ValueError as error:
        section.fault('', str(error))
        return None
    return PlacedShape(shape, placement)


def _has_nan(value: Any) -> bool:
    """Return whether a number is NaN: one of a parameter whose fault is known."""
    if isinstance(value, tuple):
        return any(map(_has_nan, value))
    return isinstance(value, float) and math.isnan(value)


def _check_rest(section: Section, dimension: int) -> None:
    """Check what does not depend on the type of a shape, which is not known."""
    section.check_numbers(*KEYS)
    pose = section.section('pose')
    build_placement(pose, dimension)
    pose.close()
    section.close()


def _round(section: Section, dimension: int) -> tuple[Scalar, ...]:
    return (section.number('radius', above=0.0),)


def _long(section: Section, dimension: int) -> tuple[Scalar, ...]:
    return (section.number('radius', above=0.0), section.number('half_length', above=0.0))


def _cuboid(section: Section, dimension: int) -> tuple[Any, ...]:
    """Read ``half_extents``, or ``size``: full lengths."""
    if 'size' in section:
        section.one_of('size', 'half_extents')
        lengths = section.numbers('size', dimension)
        return (tuple(0.5 * length for length in lengths),)
    return (section.numbers('half_extents', dimension, None),)


def _points(section: Section, dimension: int) -> tuple[Any, ...]:
    points = section.points('vertices', dimension)
    if dimension == 2 and len(points) > 2:
        numbers = [evaluate_all(point, section.values) for point in points]
        area = sum(
            ax * by - bx * ay
            for (ax, ay), (bx, by) in zip(numbers, numbers[1:] + numbers[:1], strict=True)
        )
        if area < 0.0:
            points = points[::-1]  # counter-clockwise from here on
    return (points,)


def _half_space(section: Section, dimension: int) -> tuple[Any, ...]:
    up = (0.0, 1.0, 0.0) if dimension == 2 else (0.0, 0.0, 1.0)
    normal = section.triple('normal', up)
    if dimension == 2 and is_nonzero(normal[2]):
        section.fault('normal', 'must lie in the plane: its third number is 0')
    return normal, section.number('offset', 0.0)


_READERS: dict[str, Callable[[Section, int], tuple[Any, ...]]] = {
    Circle.kind: _round,
    Sphere.kind: _round,
    Capsule.kind: _long,
    Cylinder.kind: _long,
    Rectangle.kind: _cuboid,
    Box.kind: _cuboid,
    Polygon.kind: _points,
    ConvexHull.kind: _points,
    HalfSpace.kind: _half_space,
}
