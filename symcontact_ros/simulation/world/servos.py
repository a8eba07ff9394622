"""Servos of joints: their gains, and the limits of their efforts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symcontact_ros.expressions import evaluate, evaluate_all, Scalar, Values
from symcontact_ros.model.parts import Joint

Gains = Mapping[str, tuple[Scalar, Scalar]]  # kp and kd, by joint


def write_actuator(row: Any, joint: Joint, gains: Gains, values: Values) -> None:
    """
    Write gains and effort limit of a joint, as it is now.

    A servo without a target is off: its gains are zero, and its ``max_effort`` limits nothing.
    """
    row['effort_limit'] = evaluate(joint.effort_limit, values)
    if joint.servo is None:
        return
    kp, kd = evaluate_all(gains[joint.name], values)
    row['kp'] = kp if row['holds'] else 0.0
    row['kd'] = kd if row['follows'] else 0.0
    row['compensates'] = row['follows'] and joint.servo.gravity_compensation
    if row['follows']:
        row['effort_limit'] = min(row['effort_limit'], evaluate(joint.servo.max_effort, values))
