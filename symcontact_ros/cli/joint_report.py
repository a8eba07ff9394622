"""Lines of `symcontact check` about joints: limits, stops and servos, and what was chosen."""

from __future__ import annotations

from collections.abc import Iterator
import math

from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Joint, Limits, Servo
from symcontact_ros.model.servo_gains import auto_frequency, servo_gains
from symcontact_ros.model.start_pose import StartPose


def joint_lines(model: Model) -> Iterator[str]:
    """Yield a line for every joint that has limits or a servo."""
    pose = StartPose(model)
    step_size = model.run_settings().step_size
    gains = servo_gains(model, step_size)
    for joint in (body.joint for body in model.moving):
        parts = list(_limits(model, joint))
        if joint.limits is not None:
            parts.append(_stop(model, pose, joint, joint.limits))
        if joint.servo is not None:
            kp, kd = (model.number(gain) for gain in gains[joint.name])
            shown = _gains(joint, kp, kd, step_size)
            parts.append(', '.join((shown, *_servo(model, joint.servo, joint))))
        if parts:
            yield f'{joint.name}: {"; ".join(parts)}'


def _limits(model: Model, joint: Joint) -> Iterator[str]:
    kind = joint.kind
    if joint.limits is not None:
        lower, upper = model.number(joint.limits.lower), model.number(joint.limits.upper)
        yield f'{lower:g} to {upper:g} {kind.unit}'
    effort, speed = model.number(joint.effort_limit), model.number(joint.velocity_limit)
    if effort < math.inf:
        yield f'effort at most {effort:g} {kind.effort_unit}'
    if speed < math.inf:
        yield f'speed at most {speed:g} {kind.unit}/s'


def _stop(model: Model, pose: StartPose, joint: Joint, limits: Limits) -> str:
    kind = joint.kind
    stiffness, damping = model.number(limits.stiffness), model.number(limits.damping)
    stop = (
        f'stop {stiffness:.4g} {kind.effort_unit}/{kind.unit}, '
        f'{damping:.4g} {kind.effort_unit} s/{kind.unit}'
    )
    inertia = pose.free_inertia_at(joint.name)
    if not limits.is_chosen or inertia <= 0.0:
        return stop
    frequency = math.sqrt(stiffness / inertia)
    return f'{stop} (chosen: {frequency:.0f} rad/s with the {_inertia(inertia, joint)} it stops)'


def _gains(joint: Joint, kp: float, kd: float, step_size: float) -> str:
    kind = joint.kind
    gains = (
        f'servo kp {kp:.4g} {kind.effort_unit}/{kind.unit}, '
        f'kd {kd:.4g} {kind.effort_unit} s/{kind.unit}'
    )
    if joint.servo is None or not joint.servo.is_auto:
        return gains
    frequency = auto_frequency(step_size)
    inertia = _inertia(kp / frequency**2, joint)
    size = f'steps of {1e3 * step_size:g} ms'
    return f'{gains} (auto: {frequency:g} rad/s with {inertia}, at {size})'


def _servo(model: Model, servo: Servo, joint: Joint) -> Iterator[str]:
    if model.number(servo.max_effort) < math.inf:
        yield f'at most {model.number(servo.max_effort):g} {joint.kind.effort_unit}'
    if servo.gravity_compensation:
        yield 'gravity compensated'
    if servo.holds_start:
        yield 'holds its start'
    elif servo.target is not None:
        yield f'holds {model.number(servo.target):g} {joint.kind.unit}'


def _inertia(inertia: float, joint: Joint) -> str:
    return f'{inertia:.3g} {"kg m^2" if joint.kind.unit == "rad" else "kg"}'
