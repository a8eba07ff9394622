"""Shapes and placements of a description."""

from __future__ import annotations

from dataclasses import fields
import math
from typing import Any

from symcontact_ros.expressions import evaluate_all, is_nonzero
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.building.surfaces import READERS, SURFACE_KEYS
from symcontact_ros.model.parts import PlacedShape
from symcontact_ros.placements import Placement, Rotation
from symcontact_ros.shapes.table import KINDS

# Of all shapes together: their fields, and full lengths instead of half of them.
KEYS = {f.name for shape in KINDS.values() if shape.is_convex for f in fields(shape)} | {'size'}


def build_shapes(body: Section, dimension: int) -> tuple[PlacedShape, ...]:
    """Return the shapes of a body; those with a fault are left out."""
    shapes = (_placed(section, dimension) for section in body.items('shapes'))
    return tuple(shape for shape in shapes if shape is not None)


def build_placement(section: Section, dimension: int) -> Placement:
    """Return the placement of ``position`` and ``angle``, ``rpy`` or ``quaternion``."""
    position = section.triple('position')
    if dimension == 2 and is_nonzero(position[2]):
        section.fault('position', 'z must be 0 in a planar model')
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
    fitting = [kind for kind, shape in KINDS.items() if shape.fits(dimension)]
    kind = section.text('type')
    if kind not in fitting:
        if kind in KINDS:
            other = 'spatial' if dimension == 2 else 'planar'
            section.fault('type', f'{kind} is for {other} models; here: {", ".join(fitting)}')
        elif kind:
            section.text('type', choices=fitting)
        _check_rest(section, dimension)
        return None
    read = READERS.get(kind, KINDS[kind].read)
    arguments = read(section, dimension)
    pose = section.section('pose')
    placement = build_placement(pose, dimension)
    pose.close()
    section.close()
    if len(section.description.faults) > known or _has_nan(arguments):
        return None
    try:
        shape = KINDS[kind](*arguments)
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
    for key in SURFACE_KEYS:
        section.take(key)
    section.check_numbers(*KEYS)
    pose = section.section('pose')
    build_placement(pose, dimension)
    pose.close()
    section.close()
