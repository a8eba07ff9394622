"""Gains of the servos of joints."""

from __future__ import annotations

from typing import Any

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.parts import Joint


def write_servo_gains(row: Any, joint: Joint, values: Values) -> None:
    """Write the gains of a servo that has a target; without one they are zero."""
    if joint.servo is not None:
        kp, kd = evaluate_all((joint.servo.kp, joint.servo.kd), values)
        row['kp'] = kp if row['holds'] else 0.0
        row['kd'] = kd if row['follows'] else 0.0
