"""Joints that mimic another one and have no coordinate: q = multiplier * q_leader + offset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
import math

import numpy as np

from symcontact_ros.errors import shown, suggestion
from symcontact_ros.expressions import evaluate, evaluate_all, Formula, Scalar
from symcontact_ros.joints.initial import AT_REST
from symcontact_ros.joints.table import FIXED
from symcontact_ros.model.building.fault_paths import joined
from symcontact_ros.model.building.follower_loads import laden
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.parts import Body, Joint, Mimic
from symcontact_ros.placements import matrix, Placement, quaternion_of, Rotation


def read_mimic(entry: Section, is_single: bool) -> Mimic | None:
    """Read the key ``mimic`` of a joint; the leader may itself follow another joint."""
    if 'mimic' not in entry:
        entry.take('mimic')
        return None
    section = entry.section('mimic')
    mimic = Mimic(
        section.text('joint'), section.number('multiplier', 1.0), section.number('offset', 0.0)
    )
    section.close()
    if section.take('joint') == '':
        section.fault('joint', 'the name of a joint is needed')
    return mimic if is_single else None


def bind(bodies: Sequence[Body], root: Section) -> list[Body]:
    """Return the bodies, with followers bound to the last of their leaders; add faults."""
    if not any(body.joint.mimic for body in bodies):
        return list(bodies)
    # Names of fixed joints need not be unique: those that move win.
    joints = {body.joint.name: body.joint for body in bodies if body.joint.kind.is_fixed}
    joints |= {body.joint.name: body.joint for body in bodies if not body.joint.kind.is_fixed}
    bound = [_bound(body, joints, root) if body.joint.mimic else body for body in bodies]
    followers: dict[str, list[Joint]] = {}
    for body in bound:
        if body.joint.mimic is not None:
            followers.setdefault(body.joint.mimic.joint, []).append(body.joint)
    return [replace(body, joint=_coupled(body.joint, followers, root)) for body in bound]


def _coupled(joint: Joint, followers: dict[str, list[Joint]], root: Section) -> Joint:
    """Return a leader with the loads of its followers, and a follower without them."""
    if joint.mimic is not None:
        return replace(
            joint,
            damping=0.0,
            stiffness=0.0,
            friction=0.0,
            limits=None,
            effort_limit=math.inf,
            velocity_limit=math.inf,
        )
    return laden(joint, followers[joint.name], root) if joint.name in followers else joint


def _bound(body: Body, joints: dict[str, Joint], root: Section) -> Body:
    """Return a follower, bound to the last of its leaders; one that never moves is fixed."""
    mimic = _resolved(body, joints, root)
    if mimic is None:
        return replace(body, joint=replace(body.joint, mimic=None))
    warnings = root.description.warnings
    where = f'joint {body.joint.name} mimics {mimic.joint}'
    if mimic.multiplier == 0.0:
        at = evaluate(mimic.offset, root.values)
        warnings.append(f'{where}, which cannot move it: it stays at {at:g}')
        if _is_plain(body.joint, mimic):
            return replace(body, joint=_stopped(body.joint, at), initial=AT_REST)
    elif any(evaluate_all((*body.initial.position, *body.initial.velocity), root.values)):
        warnings.append(f'{where} and starts where that puts it: its `initial` is ignored')
    if body.joint.servo is not None and not body.joint.servo.is_auto:
        warnings.append(f'{where}, whose servo moves both: its own is ignored')
    return replace(body, joint=replace(body.joint, mimic=mimic, servo=None))


def _resolved(body: Body, joints: dict[str, Joint], root: Section) -> Mimic | None:
    """Return the bond of a joint to the last of its leaders; None, and a fault, without one."""
    multiplier: Scalar = 1.0
    offset: Scalar = 0.0
    at, way = body.joint, [body.joint.name]
    while at.mimic is not None:
        name, path = at.mimic.joint, f'{joined("bodies", body.name)}.joint.mimic.joint'
        offset = multiplier * at.mimic.offset + offset
        multiplier = multiplier * at.mimic.multiplier
        if name in way:
            if body.joint.name == min(way):  # every loop once
                chain = ' -> '.join([*way, name])
                root.add_fault(path, f'joints mimic each other in a loop: {chain}')
            return None
        leader = joints.get(name)
        is_fixed = leader is not None and leader.kind.is_fixed
        if is_fixed and _is_plain(body.joint, Mimic(name, 0.0, offset)):
            return Mimic(name, 0.0, offset)
        if leader is None or not leader.kind.is_single:
            if (len(way) == 1 or is_fixed) and name:  # '' and those further back have their faults
                add = root.add_unknown if leader is None else root.add_fault
                add(path, _reason(name, leader, joints))
            return None
        way.append(name)
        at = leader
    return Mimic(at.name, multiplier, offset)


def _reason(name: str, leader: Joint | None, joints: dict[str, Joint]) -> str:
    if leader is None:
        single = [other for other, joint in joints.items() if joint.kind.is_single]
        return f'unknown joint {shown(name)}; {suggestion(name, single, "joints are")}'
    if leader.kind.is_fixed:
        return (
            f'{name} is fixed, so that this joint never moves: make it fixed too, or give its '
            'place in plain numbers instead of formulas'
        )
    return f'{name} is {leader.kind.name}: a joint with one degree of freedom is needed'


def _is_plain(joint: Joint, mimic: Mimic) -> bool:
    """Return whether where a joint stays is a matter of plain numbers."""
    rotation = joint.origin.rotation
    numbers = (*rotation.rpy, *(rotation.quaternion or ()), *joint.constants, mimic.offset)
    return not any(isinstance(number, Formula) for number in numbers)


def _stopped(joint: Joint, position: float) -> Joint:
    """Return the fixed joint that stays where this one is at a position."""
    axis, constants = evaluate_all(joint.axis, {}), evaluate_all(joint.constants, {})
    turn, shift = joint.kind.pose([position], axis, constants)
    axes = matrix(joint.origin.rotation.evaluated({}))
    x, y, z = (
        at + by for at, by in zip(joint.origin.position, (axes @ shift).tolist(), strict=True)
    )
    rotation = joint.origin.rotation
    if (turn != np.eye(3)).any():
        qx, qy, qz, qw = quaternion_of(axes @ turn).tolist()
        rotation = Rotation(quaternion=(qx, qy, qz, qw))
    return Joint(joint.name, FIXED, joint.parent, origin=Placement((x, y, z), rotation))
