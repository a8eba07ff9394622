"""Gains of servos: given, or chosen from the inertia at the joint and the step size."""

from __future__ import annotations

from symcontact_ros.expressions import Scalar
from symcontact_ros.model.model import Model
from symcontact_ros.model.start_pose import StartPose

FASTEST = 30.0  # [rad/s]
PER_STEP = 0.2  # the most that the frequency of a servo times the step size may be


def auto_frequency(step_size: float) -> float:
    """Return the angular frequency of a servo with gains of its own choice [rad/s]."""
    return min(FASTEST, PER_STEP / step_size)


def servo_gains(model: Model, step_size: float) -> dict[str, tuple[Scalar, Scalar]]:
    """
    Return kp and kd of every joint with a servo.

    Where they are ``auto``: kp = I omega^2 and kd = 2 I omega, with I the inertia at the joint
    where the model starts, all other joints held: critical damping at omega.
    """
    servos = {b.joint.name: b.joint.servo for b in model.bodies if b.joint.servo is not None}
    omega = auto_frequency(step_size)
    pose = StartPose(model) if any(servo.is_auto for servo in servos.values()) else None
    gains: dict[str, tuple[Scalar, Scalar]] = {}
    for name, servo in servos.items():
        gains[name] = servo.kp, servo.kd
        if pose is not None and servo.is_auto:
            inertia = pose.inertia_at(name)
            gains[name] = inertia * omega**2, 2.0 * inertia * omega
    return gains
