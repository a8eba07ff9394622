"""Centre of mass and inertia of a body: given, or those of its shapes at uniform density."""

from __future__ import annotations

from collections.abc import Iterable
import math

import numpy as np

from symcontact_ros.expressions import evaluate_all, Formula, is_nonzero, Scalar, total, Values
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.parts import Body, PlacedShape
from symcontact_ros.placements import Rotation, Triple

Inertia = tuple[Scalar, ...]  # in the order of INERTIA_KEYS [kg m^2]
INERTIA_KEYS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
# Rounded data sheets miss the triangle inequality by this much of the trace.
INERTIA_TOLERANCE = 1e-3
ROUNDING = 1e-18  # [kg m^2]: data sheets write zero as -5e-20
NEGLIGIBLE = 1e-6  # [kg m^2]: of an antenna
NONE: Inertia = (0.0,) * 6
_XYZ = range(3)


def build_com_and_inertia(
    section: Section, dimension: int, mass: Scalar, shapes: tuple[PlacedShape, ...]
) -> tuple[Triple, Inertia]:
    """Return com and inertia: given, or those of the shapes at uniform density."""
    automatic = section.has_keyword('inertia', 'auto') or 'inertia' not in section
    com = section.triple('com')
    if dimension == 2 and is_nonzero(com[2]):
        section.fault('com', 'must lie in the plane: its third number is 0 in a planar model')
    if not automatic:
        return com, _given(section, dimension)
    if mass == 0.0 or any(map(math.isnan, evaluate_all((mass, *com), section.values))):
        return com, NONE  # the fault of what is NaN is known
    if not shapes and section.take('shapes'):
        return com, NONE  # their faults are known
    solid = [p for p in shapes if p.shape.is_bounded and p.shape.is_convex]
    if not solid:
        section.fault('inertia', 'is missing: `auto` needs shapes, or give `inertia: {izz: ..}`')
        return com, NONE
    try:
        result = _uniform(solid, dimension, mass, com if 'com' in section else None, section)
        finite = all(map(math.isfinite, evaluate_all((*result[0], *result[1]), section.values)))
    except (ValueError, ArithmeticError):
        finite = False
    if not finite:
        section.fault('inertia', 'cannot be computed: the shapes are too large or too small')
        return com, NONE
    return result


def _given(section: Section, dimension: int) -> Inertia:
    keys = ('izz',) if dimension == 2 else INERTIA_KEYS
    if not section.is_section('inertia'):
        section.fault('inertia', f'must be `auto`, or moments: {{{", ".join(keys)}}}')
        return NONE
    entry = section.section('inertia')
    needed = ('izz',) if dimension == 2 else ('ixx', 'iyy', 'izz')
    given = {key: entry.number(key, None if key in needed else 0.0) for key in keys}
    is_as_given = entry.flag('as_given', False)
    entry.close()
    inertia = tuple(given.get(key, 0.0) for key in INERTIA_KEYS)
    numbers = evaluate_all(inertia, section.values)
    if any(map(math.isnan, numbers)):
        return inertia  # those have faults already
    if dimension == 2:
        if numbers[2] < 0.0:
            section.fault('inertia', f'izz must be >= 0, got {numbers[2]:g}')
        return inertia
    reason, is_grave = unphysical(numbers)
    if reason and is_as_given and not is_grave:
        section.description.add_warning(section.at('inertia'), reason)
    elif reason:
        section.fault('inertia', reason)
    return inertia


def unphysical(inertia: Iterable[float]) -> tuple[str, bool]:
    """
    Return why no body has these moments ('' if one may), and whether the fault is grave.

    Equations fail with a grave one; others are common in URDF files of real robots.
    """
    xx, yy, zz, xy, xz, yz = inertia
    low, middle, high = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    slack = INERTIA_TOLERANCE * float(abs(low) + abs(middle) + abs(high))
    if low < -(1e-6 * slack + ROUNDING):
        reason = f'is not positive definite: {low:g} is its smallest moment'
        return reason, bool(low < -NEGLIGIBLE)
    if high > low + middle + slack + ROUNDING:
        reason = 'breaks the triangle inequality: no mass distribution has principal moments'
        return f'{reason} {low:g}, {middle:g}, {high:g}', False
    return '', False


def smallest_resistance(body: Body, values: Values) -> float:
    """Return the inertia [kg m^2] with which a body that carries no other resists turning."""
    mass, armature, *com = evaluate_all((body.mass, body.joint.armature, *body.com), values)
    xx, yy, zz, xy, xz, yz = evaluate_all(body.inertia, values)
    about_com = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    about_origin = about_com + mass * (np.dot(com, com) * np.eye(3) - np.outer(com, com))
    axis = np.array(body.joint.axis, dtype=float)
    return body.joint.kind.least_inertia(about_com, about_origin, axis, armature)


def _uniform(
    shapes: list[PlacedShape], dimension: int, mass: Scalar, com: Triple | None, section: Section
) -> tuple[Triple, Inertia]:
    """Return com and inertia of a body of uniform density; a given com is used."""
    parts = []  # weight, centroid and spread of each shape, in body axes
    solids = [placed.shape.moments(dimension, section.values) for placed in shapes]
    whole = total([solid.measure for solid in solids])
    for placed, solid in zip(shapes, solids, strict=True):
        weight = solid.measure / whole if len(solids) > 1 else 1.0
        turn = _matrix(placed.placement.rotation, section)
        at = placed.placement.position
        centre = [at[i] + sum(turn[i][k] * solid.centroid[k] for k in _XYZ) for i in _XYZ]
        half = [[sum(turn[i][k] * solid.spread[k][j] for k in _XYZ) for j in _XYZ] for i in _XYZ]
        spread = [[sum(half[i][k] * turn[j][k] for k in _XYZ) for j in _XYZ] for i in _XYZ]
        parts.append((weight, centre, spread))
    if com is None:
        x, y, z = (total([w * centre[i] for w, centre, _ in parts]) for i in _XYZ)
        com = (x, y, z)

    def mean(i: int, j: int) -> Scalar:
        return total([w * (s[i][j] + (c[i] - com[i]) * (c[j] - com[j])) for w, c, s in parts])

    xx, yy, zz = mean(0, 0), mean(1, 1), mean(2, 2)
    if dimension == 2:
        return com, (0.0, 0.0, mass * (xx + yy), 0.0, 0.0, 0.0)
    moments_about_com = (mass * (yy + zz), mass * (xx + zz), mass * (xx + yy))
    return com, (*moments_about_com, *(-(mass * mean(i, j)) for i, j in ((0, 1), (0, 2), (1, 2))))


def _matrix(rotation: Rotation, section: Section) -> list[list[Scalar]]:
    """Return a rotation as a matrix; angles that are formulas stay formulas."""
    if rotation.quaternion is None and any(isinstance(a, Formula) for a in rotation.rpy):
        roll, pitch, yaw = ((_wave('cos', a), _wave('sin', a)) for a in rotation.rpy)
        (a, b), (c, d), (e, f) = roll, pitch, yaw
        return [
            [e * c, e * d * b - f * a, e * d * a + f * b],
            [f * c, f * d * b + e * a, f * d * a - e * b],
            [-d, c * b, c * a],
        ]
    x, y, z, w = rotation.evaluated(section.values)
    matrix = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    # Right angles come out as 1e-17 instead of 0.
    return [[round(e) + 0.0 if abs(e - round(e)) < 1e-12 else e for e in row] for row in matrix]


def _wave(function: str, angle: Scalar) -> Scalar:
    """Return the cosine or sine of an angle."""
    if isinstance(angle, Formula):
        return Formula(function, (angle,))
    return math.cos(angle) if function == 'cos' else math.sin(angle)
