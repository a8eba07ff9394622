"""Limits and servo of a joint of a description."""

from __future__ import annotations

import math
from typing import TypedDict

from symcontact_ros.expressions import evaluate_all, Scalar
from symcontact_ros.joints.base import JointType
from symcontact_ros.model.building.live_symbols import Symbols
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.parts import Limits, NOT_GIVEN, Servo

AUTO, START = 'auto', 'start'


class JointLimits(TypedDict):
    """Fields of `parts.Joint` that ``limits`` gives."""

    limits: Limits | None
    effort_limit: Scalar
    velocity_limit: Scalar


def read_limits(entry: Section) -> JointLimits:
    """Return the range of a joint with its stops, and the limits of its effort and speed."""
    limits = entry.section('limits')
    lower, upper = limits.number('lower', -math.inf), limits.number('upper', math.inf)
    stops = Limits(
        lower,
        upper,
        limits.number('stiffness', NOT_GIVEN, minimum=0.0),
        limits.number('damping', NOT_GIVEN, minimum=0.0),
    )
    least, most = evaluate_all((lower, upper), entry.values)
    if least > most:
        limits.fault('lower', f'must not be above upper, got {least:g} > {most:g}')
    has_stops = 'lower' in limits or 'upper' in limits
    for key in ('stiffness', 'damping'):
        if key in limits and not has_stops:
            limits.fault(key, 'is that of stops: give lower, upper or both')
    found: JointLimits = {
        'limits': stops if has_stops else None,
        'effort_limit': limits.number('effort', math.inf, minimum=0.0),
        'velocity_limit': limits.number('velocity', math.inf, minimum=0.0),
    }
    limits.close()
    return found


def read_servo(entry: Section, joint: str, kind: JointType, symbols: Symbols) -> Servo | None:
    """Return the servo of a joint; given gains become live symbols, ``auto`` ones stay open."""
    if 'servo' not in entry:
        entry.take('servo')
        return None
    if entry.has_keyword('servo', AUTO):
        return Servo(holds_start=True, gravity_compensation=True, is_auto=True)
    if not entry.is_section('servo'):
        entry.fault('servo', 'must be `auto` or a mapping such as `{kp: 100, kd: 10}`')
        return None
    servo = entry.section('servo')
    is_auto = 'kp' not in servo and 'kd' not in servo

    def gain(key: str, per: str) -> Scalar:
        number = servo.number(key, 0.0, minimum=0.0)
        if is_auto or not kind.is_single:
            return number
        unit = f'{kind.effort_unit}{per}/{kind.unit}'
        return symbols.live(f'{joint}.{key}', number, unit, f'{key} of the servo of {joint}', 0.0)

    holds_start = servo.has_keyword('target', START) or (is_auto and 'target' not in servo)
    result = Servo(
        gain('kp', ''),
        gain('kd', ' s'),
        servo.number('max_effort', math.inf, minimum=0.0),
        None if holds_start or 'target' not in servo else servo.number('target'),
        holds_start,
        servo.flag('gravity_compensation', is_auto),
        is_auto,
    )
    servo.close()
    return result
