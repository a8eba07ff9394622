"""The joint of a body of a description."""

from __future__ import annotations

import math

from symcontact_ros.expressions import evaluate_all, Formula, Scalar
from symcontact_ros.model.building.live_symbols import Symbols
from symcontact_ros.model.building.reader import is_nonzero, Section
from symcontact_ros.model.building.shapes import build_rotation
from symcontact_ros.model.parts import (
    Joint,
    Limits,
    Placement,
    Rotation,
    Servo,
    SPEEDS,
    WORLD,
)
from symcontact_ros.model.shapes import Triple

JOINTS = {2: ('planar', 'fixed', 'revolute', 'prismatic'), 3: tuple(SPEEDS)}
DEFAULT_JOINT = {2: 'planar', 3: 'free'}
# What only joints with one degree of freedom have.
SINGLE_KEYS = ('axis', 'damping', 'stiffness', 'rest_position', 'friction', 'armature', 'limits')
DEFAULT_AXIS: dict[str, Triple] = {'revolute': (0.0, 0.0, 1.0), 'prismatic': (1.0, 0.0, 0.0)}


def build_joint(
    body: str, section: Section, dimension: int, fixed: bool, symbols: Symbols
) -> tuple[Joint, bool]:
    """Return the joint of a body and whether its type is known; if not, it is a fixed joint."""
    entry = section.section('joint')
    default = 'fixed' if fixed else DEFAULT_JOINT[dimension]
    before = len(entry.description.faults)
    kind = entry.text('type', default, JOINTS[dimension])
    is_known = len(entry.description.faults) == before
    if not is_known:
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
    if not single and is_known:
        for key in SINGLE_KEYS:
            if key in entry:
                entry.fault(key, f'is for revolute and prismatic joints, not for {kind}')
    entry.close()
    return joint, is_known


def _axis(entry: Section, kind: str, dimension: int) -> Triple:
    axis = entry.triple('axis', DEFAULT_AXIS.get(kind, (0.0, 0.0, 1.0)))
    numbers = evaluate_all(axis, entry.values)
    length = math.hypot(*numbers)
    if length == 0.0:
        entry.fault('axis', 'must have a length')
        return (0.0, 0.0, 1.0)
    if dimension == 2 and kind == 'revolute' and is_nonzero(*numbers[:2]):
        entry.fault('axis', 'a planar model turns about z: [0, 0, 1]')
    if dimension == 2 and kind == 'prismatic' and is_nonzero(numbers[2]):
        entry.fault('axis', 'must lie in the plane: its third number is 0 in a planar model')
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
    """Note a quaternion of formulas: where a joint is, those would decide the equations."""
    if any(isinstance(component, Formula) for component in rotation.quaternion or ()):
        section.fault(key, 'a quaternion here must be plain numbers; rpy may have formulas')


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
