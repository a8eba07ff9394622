"""
Stops of joints that a model leaves open, and starts beyond them.

A stop is a spring and a damper. How stiff it has to be depends on what it stops: a finger of
10 g and an arm of 30 kg need very different ones at the same step size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
import math
from typing import TYPE_CHECKING

from symcontact_ros.expressions import evaluate, evaluate_all, Formula
from symcontact_ros.model.initial_state import within_limits
from symcontact_ros.model.parts import Body, Joint
from symcontact_ros.model.start_pose import StartPose

if TYPE_CHECKING:
    from symcontact_ros.model.model import Model

FREQUENCY = 200.0  # [rad/s] of a stop with the inertia at the joint: four substeps of rk4 at 1 ms
DAMPING_RATIO = 0.5  # a joint comes back with 30 % of its speed
SAG = {'rad': 0.01, 'm': 0.001}  # the most that the weight on a joint bends its stop


@dataclass(frozen=True)
class Stop:
    """The constants of a stop that were chosen, and why."""

    stiffness: float  # [N m/rad or N/m]
    damping: float  # [N m s/rad or N s/m]
    inertia: float  # that it stops [kg m^2 or kg]
    is_by_weight: bool  # whether the weight on the joint asks for more than FREQUENCY


def with_stops(model: Model) -> tuple[Body, ...]:
    """Return the bodies of a model with all constants of stops that it leaves open."""
    if not any(is_open(body.joint) for body in model.bodies):
        return model.bodies
    pose = StartPose(model)
    bodies = []
    for body in model.bodies:
        limits = body.joint.limits
        if limits is not None and is_open(body.joint):
            stop = stop_of(pose, body.joint)
            limits = replace(limits, stiffness=stop.stiffness, damping=stop.damping)
            body = replace(body, joint=replace(body.joint, limits=limits))
        bodies.append(body)
    return tuple(bodies)


def is_open(joint: Joint) -> bool:
    """Return whether a joint has a stop without a stiffness or a damping."""
    limits = joint.limits
    return limits is not None and not (_is_given(limits.stiffness) and _is_given(limits.damping))


def stop_of(pose: StartPose, joint: Joint) -> Stop:
    """Return the constants of the stop of a joint: those given, and the others chosen."""
    assert joint.limits is not None
    inertia = pose.free_inertia_at(joint.name)
    least = pose.weight_at(joint.name) / SAG[joint.kind.unit]
    stiffness = max(inertia * FREQUENCY**2, least)
    is_by_weight = stiffness > inertia * FREQUENCY**2
    if _is_given(joint.limits.stiffness):
        stiffness, is_by_weight = evaluate(joint.limits.stiffness, pose.values), False
    damping = 2.0 * DAMPING_RATIO * math.sqrt(max(inertia * stiffness, 0.0))
    if _is_given(joint.limits.damping):
        damping = evaluate(joint.limits.damping, pose.values)
    return Stop(stiffness, damping, inertia, is_by_weight)


def moved_starts(model: Model) -> tuple[str, ...]:
    """Return a warning for every joint whose start is beyond a stop."""
    found = []
    for body in model.bodies:
        limits = body.joint.limits
        if limits is None:
            continue
        (given,) = evaluate_all(body.initial.position or (0.0,), model.parameters)
        start = within_limits(body, given, model.parameters)
        if start != given:
            unit = body.joint.kind.unit
            lower, upper = evaluate_all((limits.lower, limits.upper), model.parameters)
            found.append(
                f'bodies.{body.name}.initial.position: {given:g} {unit} is beyond the limits '
                f'[{lower:g}, {upper:g}] of joint {body.joint.name}: it starts at {start:g} {unit}'
            )
    return tuple(found)


def _is_given(scalar: object) -> bool:
    return isinstance(scalar, Formula) or not math.isnan(scalar)  # type: ignore[arg-type]
