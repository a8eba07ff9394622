"""Placement of a whole model: its bodies on the world are moved, the others follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from symcontact_ros.expressions import evaluate_all, Formula, parse, Scalar
from symcontact_ros.joints.table import FIXED, floating_type, JOINT_TYPES
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.building.shapes import build_placement
from symcontact_ros.model.description import Description, RobotFile
from symcontact_ros.model.parts import WORLD
from symcontact_ros.placements import AT_ORIGIN, Placement, Rotation

Quaternion = tuple[float, float, float, float]  # x, y, z, w


@dataclass(frozen=True)
class Pose:
    """Where a model is put, with the values of the symbols in it."""

    place: Placement
    values: Mapping[str, float]


def read_pose(section: Section) -> Pose:
    """Return ``pose`` of a section: ``position`` and ``rpy`` or ``quaternion``."""
    entry = section.section('pose')
    place = build_placement(entry, 3)
    entry.close()
    return Pose(place, section.values)


def place_bodies(description: Description, pose: Pose) -> str:
    """Move the bodies whose parent is the world; return why it cannot be done, or ''."""
    bodies = description.data.get('bodies')
    if pose.place == AT_ORIGIN or not isinstance(bodies, dict):
        return ''
    dimension = 3 if str(description.data.get('dimension')).strip() in ('3', '3.0') else 2
    if dimension == 2:
        return 'a planar model stays where it is: `pose` is for spatial models'
    faults = [_place(body, pose) for body in bodies.values() if isinstance(body, dict)]
    reason = next(filter(None, faults), '')
    if not reason:
        description.robots = [_moved(robot, pose) for robot in description.robots]
    return reason


def _moved(robot: RobotFile, pose: Pose) -> RobotFile:
    """Return a robot whose root link, if that is the world, is where the pose takes it."""
    inner = robot.world_pose
    if inner is None:
        return robot
    frame: dict[str, Any] = {'position': list(inner.position), 'rpy': list(inner.rotation.rpy)}
    if inner.rotation.quaternion is not None:
        frame['quaternion'] = list(inner.rotation.quaternion)
    _move(frame, 'position', pose)  # what has no answer has none for the bodies either
    x, y, z = map(_scalar, frame['position'])
    if 'quaternion' in frame:
        qx, qy, qz, qw = map(_scalar, frame['quaternion'])
        turn = Rotation(quaternion=(qx, qy, qz, qw))
    else:
        roll, pitch, yaw = map(_scalar, frame['rpy'])
        turn = Rotation((roll, pitch, yaw))
    return replace(robot, world_pose=Placement((x, y, z), turn))


def _scalar(value: Any) -> Scalar:
    return parse(value) if isinstance(value, str) else value


def _place(body: dict[str, Any], pose: Pose) -> str:
    joint = body.get('joint', {})
    if not isinstance(joint, dict) or joint.get('parent', WORLD) != WORLD:
        return ''
    default = FIXED if body.get('fixed') is True else floating_type(3).name
    kind = JOINT_TYPES.get(str(joint.get('type', default)))
    if kind is None:
        return ''  # its fault is reported where the body is read
    initial = body.get('initial')
    if kind.floating_in == 3 or (kind.is_fixed and initial is not None):
        body['initial'] = start = dict(initial) if isinstance(initial, dict) else {}
        reason = _move(start, 'position', pose)
        for key in ('velocity', 'angular_velocity'):
            reason = reason or _turn(start, key, pose)
        return reason
    origin = joint.get('origin')
    joint['origin'] = frame = dict(origin) if isinstance(origin, dict) else {}
    body['joint'] = joint
    return _move(frame, 'xyz', pose)


def _move(frame: dict[str, Any], key: str, pose: Pose) -> str:
    """Compose a frame, whose position has a key, with the pose of its parent, in place."""
    place = pose.place
    inner = frame.get(key, [0.0, 0.0, 0.0])
    turn = frame.get('quaternion', frame.get('rpy', [0.0, 0.0, 0.0]))
    if all(_is_zero(x) for x in (*_list(inner), *_list(frame.get('rpy', [])))) and (
        'quaternion' not in frame
    ):
        frame.pop('rpy', None)
        frame[key] = list(place.position)
        if place.rotation.quaternion is not None:
            frame['quaternion'] = list(place.rotation.quaternion)
        else:
            frame['rpy'] = list(place.rotation.rpy)
        return ''
    if place.rotation == Rotation() and isinstance(inner, list) and len(inner) == 3:
        frame[key] = [_sum(a, b) for a, b in zip(place.position, inner, strict=True)]
        return ''
    numbers = _numbers(inner), _numbers(turn)
    if numbers[0] is None or numbers[1] is None or _has_formulas(place):
        return 'must be plain numbers, and so the place in the included file that it moves'
    quaternion = 'quaternion' in frame
    own = Rotation(quaternion=numbers[1]) if quaternion else Rotation(numbers[1])  # type: ignore[arg-type]
    outer = place.rotation.evaluated(pose.values)
    x, y, z = numbers[0]
    turned = _rotated(outer, (x, y, z))
    position = evaluate_all(place.position, pose.values)
    frame.pop('rpy', None)
    frame[key] = [a + b for a, b in zip(position, turned, strict=True)]
    frame['quaternion'] = list(_product(outer, own.evaluated({})))
    return ''


def _sum(outer: Scalar, inner: Any) -> Any:
    """Return the sum of a number or formula and one as the file has it."""
    number = _numbers([inner])
    if number is not None and not isinstance(outer, Formula):
        return outer + number[0]
    return inner if outer == 0.0 else f'({outer}) + ({inner})'


def _turn(start: dict[str, Any], key: str, pose: Pose) -> str:
    """Turn a velocity, which is in world axes, in place."""
    if key not in start or pose.place.rotation == Rotation():
        return ''
    vector = _numbers(start[key])
    if vector is None or len(vector) != 3 or _has_formulas(pose.place):
        return f'must be plain numbers, and so the {key} in the included file'
    x, y, z = vector
    start[key] = list(_rotated(pose.place.rotation.evaluated(pose.values), (x, y, z)))
    return ''


def _rotated(turn: Quaternion, vector: tuple[float, float, float]) -> tuple[float, float, float]:
    conjugate = (-turn[0], -turn[1], -turn[2], turn[3])
    x, y, z, _ = _product(_product(turn, (*vector, 0.0)), conjugate)
    return x, y, z


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the rotation b followed by a."""
    return (
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    )


def _has_formulas(place: Placement) -> bool:
    scalars = (*place.position, *place.rotation.rpy, *(place.rotation.quaternion or ()))
    return any(isinstance(scalar, Formula) for scalar in scalars)


def _numbers(value: Any) -> tuple[float, ...] | None:
    """Return a list of plain numbers, given as numbers or as texts; None for anything else."""
    try:
        return tuple(float(item) for item in value)
    except (TypeError, ValueError):
        return None


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _is_zero(value: Any) -> bool:
    return not isinstance(value, bool) and str(value).strip() in ('0', '0.0', '-0.0')
