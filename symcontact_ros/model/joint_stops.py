"""
Stops of joints that a model leaves open, and starts beyond them.

A stop is a spring and a damper. How stiff it has to be depends on what it stops: a finger of
10 g and an arm of 30 kg need very different ones at the same step size.
"""

from __future__ import annotations

from dataclasses import replace
import math
from typing import TYPE_CHECKING

from symcontact_ros.expressions import evaluate, evaluate_all
from symcontact_ros.model.initial_state import within_limits
from symcontact_ros.model.parts import Body, is_given, Joint, Limits
from symcontact_ros.model.start_pose import StartPose

if TYPE_CHECKING:
    from symcontact_ros.model.model import Model

FREQUENCY = 200.0  # [rad/s] of a stop with the inertia at the joint: four substeps of rk4 at 1 ms
DAMPING_RATIO = 0.5  # a joint comes back with 30 % of its speed
SAG = {'rad': 0.01, 'm': 0.001}  # the most that the weight on a joint bends its stop


def with_stops(model: Model) -> tuple[Body, ...]:
    """Return the bodies of a model with all constants of stops that it leaves open."""
    if not any(is_open(body.joint) for body in model.bodies):
        return model.bodies
    pose = StartPose(model)
    bodies = []
    for body in model.bodies:
        limits = body.joint.limits
        if limits is not None and is_open(body.joint):
            body = replace(
                body, joint=replace(body.joint, limits=_chosen(pose, body.joint, limits))
            )
        bodies.append(body)
    return tuple(bodies)


def is_open(joint: Joint) -> bool:
    """Return whether a joint has a stop without a stiffness or a damping."""
    limits = joint.limits
    return limits is not None and not (is_given(limits.stiffness) and is_given(limits.damping))


def _chosen(pose: StartPose, joint: Joint, limits: Limits) -> Limits:
    """Return limits with the constants of stops that are given, and the others chosen."""
    inertia = pose.free_inertia_at(joint.name)
    stiffness, damping = limits.stiffness, limits.damping
    if not is_given(stiffness):
        least = pose.weight_at(joint.name) / SAG[joint.kind.unit]
        stiffness = max(inertia * FREQUENCY**2, least)
    if not is_given(damping):
        product = inertia * evaluate(stiffness, pose.values)
        damping = 2.0 * DAMPING_RATIO * math.sqrt(max(product, 0.0))
    return replace(limits, stiffness=stiffness, damping=damping, is_chosen=True)


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
