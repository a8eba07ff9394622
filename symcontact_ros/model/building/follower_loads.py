"""
Loads of followers on the joint that they mimic.

Damping, spring, dry friction and limits of a follower act on its leader: forces by the multiplier,
and what is per unit of motion by its square. Its armature stays its own: the equations of motion
know both links. Where only one of several limits can hold, the values at the start decide which.
"""

from __future__ import annotations

from dataclasses import replace
import math

from symcontact_ros.expressions import evaluate, Formula, Scalar, Values
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.parts import is_given, Joint, Limits, Mimic

TINY = 1e-300  # adds nothing to a stiffness that is not 0
NO_BOND = Mimic('')


def laden(joint: Joint, followers: list[Joint], root: Section) -> Joint:
    """Return a joint with what its followers add to it; add warnings."""
    damping, friction = joint.damping, joint.friction
    stiffness, pull = joint.stiffness, joint.stiffness * joint.rest_position
    for follower in followers:
        mimic = follower.mimic or NO_BOND
        m = mimic.multiplier
        damping = damping + m * m * follower.damping
        friction = friction + _size(m) * follower.friction
        stiffness = stiffness + m * m * follower.stiffness
        pull = pull + m * follower.stiffness * (follower.rest_position - mimic.offset)
    effort_limit, velocity_limit = _common_strength(joint, followers, root.values)
    rest = joint.rest_position if pull == 0.0 else pull / (stiffness + TINY)
    return replace(
        joint,
        damping=damping,
        friction=friction,
        stiffness=stiffness,
        rest_position=rest,
        limits=_common_limits(joint, followers, root),
        effort_limit=effort_limit,
        velocity_limit=velocity_limit,
    )


def _size(number: Scalar) -> Scalar:
    if isinstance(number, Formula):
        return Formula('sqrt', (number * number,))
    return abs(number)


def _common_strength(
    joint: Joint, followers: list[Joint], values: Values
) -> tuple[Scalar, Scalar]:
    """Return the least of the effort limits at a leader, and of the velocity limits."""
    efforts, speeds = [joint.effort_limit], [joint.velocity_limit]
    for follower in followers:
        size = _size((follower.mimic or NO_BOND).multiplier)
        if evaluate(size, values) == 0.0:
            continue
        if follower.effort_limit != math.inf:
            efforts.append(size * follower.effort_limit)
        if follower.velocity_limit != math.inf:
            speeds.append(follower.velocity_limit / size)

    def value(limit: Scalar) -> float:
        return evaluate(limit, values)

    return min(efforts, key=value), min(speeds, key=value)


def _common_limits(joint: Joint, followers: list[Joint], root: Section) -> Limits | None:
    """
    Return the range that a leader and all its followers can reach, with the stops at its ends.

    A joint has the same stop at both ends: where two joints end it, the stiffer one that is given.
    """
    ranges = [] if joint.limits is None else [joint.limits]
    ranges += [limits for follower in followers if (limits := _as_leaders(follower, root.values))]
    if not ranges:
        return None

    def value(end: Scalar) -> float:
        return evaluate(end, root.values)

    lowest = max(ranges, key=lambda limits: value(limits.lower))
    highest = min(ranges, key=lambda limits: value(limits.upper))
    lower, upper = lowest.lower, highest.upper
    if value(lower) >= value(upper) and len(ranges) > 1:
        names = ', '.join(follower.name for follower in followers)
        root.description.warnings.append(
            f'joint {joint.name}: its limits and those of {names}, which mimic it, have nothing '
            'in common: its own hold'
        )
        return joint.limits
    ends = [
        limits for limits, end in ((lowest, lower), (highest, upper)) if math.isfinite(value(end))
    ]
    stiffest = max(ends or ranges[:1], key=lambda limits: _stiffness(limits, root.values))
    return replace(stiffest, lower=lower, upper=upper)


def _stiffness(limits: Limits, values: Values) -> float:
    """Return the stiffness of a stop; one that is not given is less than any."""
    number = evaluate(limits.stiffness, values)
    return -1.0 if math.isnan(number) else number


def _as_leaders(follower: Joint, values: Values) -> Limits | None:
    """Return the limits of a follower as limits of its leader."""
    limits, mimic = follower.limits, follower.mimic or NO_BOND
    m = mimic.multiplier
    if limits is None or evaluate(m, values) == 0.0:
        return None
    ends = [(end - mimic.offset) / m for end in (limits.lower, limits.upper)]
    if evaluate(m, values) < 0.0:
        ends.reverse()
    stiffness, damping = (
        # A formula of what is not given would count as given.
        m * m * constant if is_given(constant) else constant
        for constant in (limits.stiffness, limits.damping)
    )
    return Limits(ends[0], ends[1], stiffness, damping)
