"""One body of a description: joint, mass, inertia, shapes, sites and how it starts."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from symcontact_ros.model.expressions import evaluate_all, Formula, Scalar
from symcontact_ros.model.mass_properties import moments
from symcontact_ros.model.parts import (
    Body,
    Initial,
    Joint,
    Limits,
    PlacedShape,
    Placement,
    Rotation,
    Servo,
    SPEEDS,
    WORLD,
)
from symcontact_ros.model.reader import Section
from symcontact_ros.model.shape_builder import build_placement, build_rotation, build_shapes
from symcontact_ros.model.shapes import HalfSpace, Triple
from symcontact_ros.model.symbols import Symbols

JOINTS = {2: ('planar', 'fixed', 'revolute', 'prismatic'), 3: tuple(SPEEDS)}
DEFAULT_JOINT = {2: 'planar', 3: 'free'}
DEFAULT_AXIS: dict[str, Triple] = {'revolute': (0.0, 0.0, 1.0), 'prismatic': (1.0, 0.0, 0.0)}
INERTIA_KEYS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
# Rounded data sheets miss the triangle inequality by this much of the trace.
INERTIA_TOLERANCE = 1e-3
ROUNDING = 1e-12  # [kg m^2]: data sheets write zero as -5e-20
_XYZ = range(3)


def build_body(name: str, section: Section, dimension: int, symbols: Symbols) -> Body:
    """Return a body; faults are noted, and what has one is NaN."""
    fixed = section.flag('fixed', False)
    joint = _joint(name, section, dimension, fixed, symbols)
    shapes = build_shapes(section, dimension)
    if joint.type != 'fixed' and any(isinstance(s.shape, HalfSpace) for s in shapes):
        section.fault('shapes', 'a half_space fills half the world: its body must be fixed')
    mass = _mass(name, section, joint, symbols)
    com, inertia = _com_and_inertia(section, dimension, mass, shapes)
    sites = _sites(section, dimension)
    initial, joint = _initial(section, joint, dimension)
    section.close()
    return Body(name, joint, mass, com, inertia, shapes, sites, initial)


def _sites(section: Section, dimension: int) -> dict[str, Placement]:
    sites = {}
    for name, entry in section.named_sections('sites').items():
        sites[name] = build_placement(entry, dimension)
        entry.close()
    return sites


def _joint(body: str, section: Section, dimension: int, fixed: bool, symbols: Symbols) -> Joint:
    entry = section.section('joint')
    default = 'fixed' if fixed else DEFAULT_JOINT[dimension]
    kind = entry.text('type', default, JOINTS[dimension])
    if kind not in JOINTS[dimension]:
        kind = 'fixed'
    if fixed and kind != 'fixed':
        section.fault('fixed', f'contradicts `joint: {{type: {kind}}}`')
    name = entry.name('name', body)
    single = SPEEDS[kind] == 1

    def live(key: str, unit: str) -> Scalar:
        number = entry.number(key, 0.0, minimum=0.0)
        if not single:
            return number
        return symbols.live(f'{name}.{key}', number, unit, f'{key} of joint {name}', 0.0)

    joint = Joint(
        name,
        kind,
        entry.text('parent', WORLD),
        _axis(entry, kind, dimension),
        _origin(entry, dimension),
        live('damping', 'N m s/rad' if kind == 'revolute' else 'N s/m'),
        live('stiffness', 'N m/rad' if kind == 'revolute' else 'N/m'),
        entry.number('rest_position', 0.0),
        entry.number('friction', 0.0, minimum=0.0),
        entry.number('armature', 0.0, minimum=0.0),
        _limits(entry),
        _servo(entry),
    )
    if not single:
        for key in ('damping', 'stiffness', 'rest_position', 'friction', 'armature', 'limits'):
            if key in entry:
                entry.fault(key, f'is for revolute and prismatic joints, not for {kind}')
    entry.close()
    return joint


def _axis(entry: Section, kind: str, dimension: int) -> Triple:
    axis = entry.triple('axis', DEFAULT_AXIS.get(kind, (0.0, 0.0, 1.0)))
    numbers = evaluate_all(axis, entry.values)
    length = math.hypot(*numbers)
    if length == 0.0:
        entry.fault('axis', 'must have a length')
        return (0.0, 0.0, 1.0)
    if dimension == 2 and kind == 'revolute' and (numbers[0] != 0.0 or numbers[1] != 0.0):
        entry.fault('axis', 'a planar model turns about z: [0, 0, 1]')
    if dimension == 2 and kind == 'prismatic' and numbers[2] != 0.0:
        entry.fault('axis', 'must lie in the plane: its third number is 0 in a planar model')
    if any(isinstance(component, Formula) for component in axis):
        entry.fault('axis', 'must be plain numbers: it decides the structure of the equations')
    x, y, z = (number / length for number in numbers)
    return x, y, z


def _origin(entry: Section, dimension: int) -> Placement:
    origin = entry.section('origin')
    position = origin.triple('xyz')
    rotation = Rotation(origin.triple('rpy'))
    origin.close()
    if dimension == 2:
        flat = (position[2], *rotation.rpy[:2])
        if any(component != 0.0 for component in flat):
            entry.fault('origin', 'a planar model has z = 0 and turns about z only')
    return Placement(position, rotation)


def _limits(entry: Section) -> Limits | None:
    if 'limits' not in entry:
        entry.take('limits')
        return None
    limits = entry.section('limits')
    result = Limits(
        limits.number('lower'),
        limits.number('upper'),
        limits.number('stiffness', 1e4, minimum=0.0),
        limits.number('damping', 1e2, minimum=0.0),
    )
    lower, upper = evaluate_all((result.lower, result.upper), entry.values)
    if lower > upper:
        limits.fault('lower', f'must not be above upper, got {lower:g} > {upper:g}')
    limits.close()
    return result


def _servo(entry: Section) -> Servo | None:
    if 'servo' not in entry:
        entry.take('servo')
        return None
    servo = entry.section('servo')
    result = Servo(servo.number('kp', 0.0, minimum=0.0), servo.number('kd', 0.0, minimum=0.0))
    servo.close()
    return result


def _mass(name: str, section: Section, joint: Joint, symbols: Symbols) -> Scalar:
    if 'mass' not in section:
        section.take('mass')
        if joint.type != 'fixed':
            section.fault('mass', 'is missing: a number is needed')
        return 0.0
    mass = section.number('mass', minimum=0.0)
    if mass == 0.0:
        return 0.0  # structure, not a value: such a body adds nothing to the equations
    if not isinstance(mass, Formula) and not mass > 0.0:
        return mass
    return symbols.live(f'{name}.mass', mass, 'kg', f'mass of {name}', 0.0)


def _com_and_inertia(
    section: Section, dimension: int, mass: Scalar, shapes: tuple[PlacedShape, ...]
) -> tuple[Triple, tuple[Scalar, ...]]:
    """Return com and inertia: given, or those of the shapes at uniform density."""
    automatic = section.says('inertia', 'auto') or 'inertia' not in section
    com = section.triple('com')
    if dimension == 2 and com[2] != 0.0:
        section.fault('com', 'must lie in the plane: its third number is 0 in a planar model')
    if not automatic:
        return com, _given_inertia(section, dimension)
    if mass == 0.0 or any(map(math.isnan, evaluate_all((mass,), section.values))):
        return com, (0.0,) * 6
    solid = [placed for placed in shapes if not isinstance(placed.shape, HalfSpace)]
    if not solid:
        section.fault('inertia', 'is missing: `auto` needs shapes, or give `inertia: {izz: ..}`')
        return com, (0.0,) * 6
    try:
        return _uniform(solid, dimension, mass, com if 'com' in section else None, section)
    except (ValueError, ZeroDivisionError) as error:
        section.fault('inertia', str(error))
        return com, (0.0,) * 6


def _given_inertia(section: Section, dimension: int) -> tuple[Scalar, ...]:
    entry = section.section('inertia')
    keys = ('izz',) if dimension == 2 else INERTIA_KEYS
    needed = ('izz',) if dimension == 2 else ('ixx', 'iyy', 'izz')
    given = {key: entry.number(key, None if key in needed else 0.0) for key in keys}
    entry.close()
    inertia = tuple(given.get(key, 0.0) for key in INERTIA_KEYS)
    fault = _inertia_fault(evaluate_all(inertia, section.values), dimension)
    if fault:
        section.fault('inertia', fault)
    return inertia


def _inertia_fault(inertia: tuple[float, ...], dimension: int) -> str:
    xx, yy, zz, xy, xz, yz = inertia
    if any(map(math.isnan, inertia)):
        return ''  # told already
    if dimension == 2:
        return '' if zz >= 0.0 else f'izz must be >= 0, got {zz:g}'
    principal = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    slack = INERTIA_TOLERANCE * float(np.abs(principal).sum())
    if principal[0] < -(1e-6 * slack + ROUNDING):
        return f'is not positive definite: its smallest principal moment is {principal[0]:g}'
    if principal[2] > principal[0] + principal[1] + slack:
        return (
            'breaks the triangle inequality: no mass distribution has principal moments '
            f'{principal[0]:g}, {principal[1]:g}, {principal[2]:g}'
        )
    return ''


def _uniform(
    shapes: list[PlacedShape], dimension: int, mass: Scalar, com: Triple | None, section: Section
) -> tuple[Triple, tuple[Scalar, ...]]:
    """Return com and inertia of a body of uniform density; a com that is given is kept."""
    parts = []  # weight, centroid and spread of each shape, in body axes
    solids = [moments(placed.shape, dimension, section.values) for placed in shapes]
    total = sum(solid.measure for solid in solids)
    for placed, solid in zip(shapes, solids, strict=True):
        weight = solid.measure / total if len(solids) > 1 else 1.0
        turn = _matrix(placed.placement.rotation, section)
        at = placed.placement.position
        centre = [at[i] + sum(turn[i][k] * solid.centroid[k] for k in _XYZ) for i in _XYZ]
        half = [[sum(turn[i][k] * solid.spread[k][j] for k in _XYZ) for j in _XYZ] for i in _XYZ]
        spread = [[sum(half[i][k] * turn[j][k] for k in _XYZ) for j in _XYZ] for i in _XYZ]
        parts.append((weight, centre, spread))
    if com is None:
        x, y, z = (sum(w * centre[i] for w, centre, _ in parts) for i in _XYZ)
        com = (x, y, z)

    def mean(i: int, j: int) -> Scalar:
        return sum(w * (s[i][j] + (c[i] - com[i]) * (c[j] - com[j])) for w, c, s in parts)

    xx, yy, zz = mean(0, 0), mean(1, 1), mean(2, 2)
    if dimension == 2:
        return com, (0.0, 0.0, mass * (xx + yy), 0.0, 0.0, 0.0)
    moments_about_com = (mass * (yy + zz), mass * (xx + zz), mass * (xx + yy))
    return com, (*moments_about_com, *(-(mass * mean(i, j)) for i, j in ((0, 1), (0, 2), (1, 2))))


def _matrix(rotation: Rotation, section: Section) -> list[list[float]]:
    """Return a rotation as numbers, with the rounding of right angles removed."""
    x, y, z, w = rotation.evaluated(section.values)
    matrix = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return [[round(e) + 0.0 if abs(e - round(e)) < 1e-12 else e for e in row] for row in matrix]


def _initial(section: Section, joint: Joint, dimension: int) -> tuple[Initial, Joint]:
    """Return how a body starts; where a fixed body stands becomes the origin of its joint."""
    entry = section.section('initial')
    if SPEEDS[joint.type] == 1:
        initial = Initial(
            (entry.number('position', 0.0),), Rotation(), (entry.number('velocity', 0.0),)
        )
        entry.close()
        return initial, joint
    position = entry.triple('position') if joint.type != 'spherical' else ()
    rotation = build_rotation(entry, 2 if joint.type == 'planar' else dimension)
    if joint.type == 'fixed':
        entry.close()
        if 'initial' in section and joint.origin == Placement():
            moved = Placement(cast(Triple, position), rotation)
            joint = Joint(joint.name, 'fixed', joint.parent, joint.axis, moved)
        return Initial(), joint
    velocity = entry.triple('velocity') if joint.type != 'spherical' else ()
    if joint.type == 'planar':
        spin: Triple = (0.0, 0.0, entry.number('angular_velocity', 0.0))
        if (position and position[2] != 0.0) or (velocity and velocity[2] != 0.0):
            entry.fault('', 'a planar joint has z = 0 in position and velocity')
    else:
        spin = entry.triple('angular_velocity')
    entry.close()
    return Initial(position, rotation, velocity, spin), joint
