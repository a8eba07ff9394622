"""The joint of a body of a description."""

from __future__ import annotations

import math

from symcontact_ros.expressions import evaluate_all, Formula, is_nonzero, Scalar
from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.table import FIXED, floating_type, JOINT_TYPES, types_in
from symcontact_ros.model.building.joint_drives import read_limits, read_servo
from symcontact_ros.model.building.live_symbols import Symbols
from symcontact_ros.model.building.mimics import read_mimic
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.building.shapes import build_rotation
from symcontact_ros.model.parts import Joint, WORLD
from symcontact_ros.placements import Placement, Rotation, Triple

# Keys of joints with one degree of freedom.
SINGLE_KEYS = (
    'damping',
    'stiffness',
    'rest_position',
    'friction',
    'armature',
    'limits',
    'servo',
    'mimic',
)
NO_AXIS: Triple = (0.0, 0.0, 1.0)  # of joints without one


def build_joint(
    body: str, section: Section, dimension: int, fixed: bool, symbols: Symbols
) -> tuple[Joint, bool]:
    """Return the joint of a body and whether its type is known; if not, it is a fixed joint."""
    entry = section.section('joint')
    default = FIXED if fixed else floating_type(dimension).name
    before = len(entry.description.faults)
    given = entry.text('type', default, types_in(dimension))
    is_known = len(entry.description.faults) == before
    kind = JOINT_TYPES[given if is_known else FIXED]
    if fixed and not kind.is_fixed:
        section.fault('fixed', f'contradicts `joint: {{type: {kind.name}}}`')
    name = entry.name('name', body)

    def live(key: str, unit: str) -> Scalar:
        number = entry.number(key, 0.0, minimum=0.0)
        if not kind.is_single:
            return number
        return symbols.live(f'{name}.{key}', number, unit, f'{key} of joint {name}', 0.0)

    has_open_armature = entry.has_keyword('armature', 'auto')
    joint = Joint(
        name,
        kind.name,
        entry.text('parent', WORLD),
        _axis(entry, kind, dimension),
        _origin(entry, dimension),
        live('damping', f'{kind.effort_unit} s/{kind.unit}'),
        live('stiffness', f'{kind.effort_unit}/{kind.unit}'),
        entry.number('rest_position', 0.0),
        entry.number('friction', 0.0, minimum=0.0),
        0.0 if has_open_armature else entry.number('armature', 0.0, minimum=0.0),
        **read_limits(entry),
        servo=read_servo(entry, name, kind, symbols),
        constants=kind.read_constants(entry),
        mimic=read_mimic(entry, kind.is_single),
        has_open_armature=has_open_armature,
    )
    if is_known:
        _check_keys(entry, kind)
    entry.close()
    return joint, is_known


def _check_keys(entry: Section, kind: JointType) -> None:
    """Gather a fault of every key that the joint's type does not have."""
    types = JOINT_TYPES.values()
    having_axis = [other.name for other in types if other.has_axis]
    single = [other.name for other in types if other.is_single]
    for key, names in (('axis', having_axis), *((key, single) for key in SINGLE_KEYS)):
        if key in entry and kind.name not in names:
            entry.fault(key, f'is for {" and ".join(names)} joints, not for {kind.name}')


def _axis(entry: Section, kind: JointType, dimension: int) -> Triple:
    axis = entry.triple('axis', kind.default_axis or NO_AXIS)
    numbers = evaluate_all(axis, entry.values)
    length = math.hypot(*numbers)
    if length == 0.0:
        entry.fault('axis', 'must have a length')
        return NO_AXIS
    if math.isnan(length):
        return NO_AXIS  # its fault is known
    if reason := kind.axis_fault(numbers, dimension):
        entry.fault('axis', reason)
    if any(isinstance(component, Formula) for component in axis):
        entry.fault('axis', 'must be plain numbers: it decides the structure of the equations')
    x, y, z = (number / length for number in numbers)
    return x, y, z


def _origin(entry: Section, dimension: int) -> Placement:
    origin = entry.section('origin')
    position = origin.triple('xyz')
    rotation = build_rotation(origin, 3)
    origin.close()
    tilted = is_nonzero(position[2], *rotation.rpy[:2])
    if dimension == 2 and (tilted or rotation.quaternion is not None):
        entry.fault('origin', 'a planar model has z = 0 and turns about z only, by rpy')
    check_structural(rotation, entry, 'origin')
    return Placement(position, rotation)


def check_structural(rotation: Rotation, section: Section, key: str) -> None:
    """Report a quaternion of formulas: the equations would depend on their values."""
    if any(isinstance(component, Formula) for component in rotation.quaternion or ()):
        section.fault(key, 'a quaternion here must be plain numbers; rpy may have formulas')
