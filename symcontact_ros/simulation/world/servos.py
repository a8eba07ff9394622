"""Servos of joints: their gains, and the limits of their efforts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symcontact_ros.expressions import evaluate, evaluate_all, Scalar, Values
from symcontact_ros.model.parts import Joint

Gains = Mapping[str, tuple[Scalar, Scalar]]  # kp and kd, by joint


def write_servo_gains(row: Any, joint: Joint, gains: Gains, values: Values) -> None:
    """Write the gains of a servo that has a target; without one it is off, and they are zero."""
    if joint.servo is not None:
        kp, kd = evaluate_all(gains[joint.name], values)
        row['kp'] = kp if row['holds'] else 0.0
        row['kd'] = kd if row['follows'] else 0.0
        row['compensates'] = row['follows'] and joint.servo.gravity_compensation


def effort_limit(joint: Joint, values: Values) -> float:
    """Return the most effort that the actuator of a joint has [N m or N]."""
    own = evaluate(joint.effort_limit, values)
    return own if joint.servo is None else min(own, evaluate(joint.servo.max_effort, values))
