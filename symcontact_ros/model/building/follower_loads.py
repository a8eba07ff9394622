"""
Loads of followers on the joint that they mimic.

Damping, spring, dry friction and limits of a follower act on its leader: forces by the multiplier,
and what is per unit of motion by its square. Its armature stays its own: the equations of motion
know both links.
"""

from __future__ import annotations

from dataclasses import replace

from symcontact_ros.expressions import evaluate, Formula, Scalar, Values
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.parts import Joint, Limits, Mimic

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
    rest = joint.rest_position if pull == 0.0 else pull / (stiffness + TINY)
    return replace(
        joint,
        damping=damping,
        friction=friction,
        stiffness=stiffness,
        rest_position=rest,
        limits=_common_limits(joint, followers, root),
    )


def _size(number: Scalar) -> Scalar:
    if isinstance(number, Formula):
        return Formula('sqrt', (number * number,))
    return abs(number)


def _common_limits(joint: Joint, followers: list[Joint], root: Section) -> Limits | None:
    """
    Return the range that a leader and all its followers can reach.

    Which joint ends it is decided by the values at the start.
    """
    ranges = [] if joint.limits is None else [joint.limits]
    ranges += [limits for follower in followers if (limits := _as_leaders(follower, root.values))]
    if not ranges:
        return None

    def value(end: Scalar) -> float:
        return evaluate(end, root.values)

    lower = max((limits.lower for limits in ranges), key=value)
    upper = min((limits.upper for limits in ranges), key=value)
    if value(lower) >= value(upper) and len(ranges) > 1:
        names = ', '.join(follower.name for follower in followers)
        root.description.warnings.append(
            f'joint {joint.name}: its limits and those of {names}, which mimic it, have nothing '
            'in common: its own hold'
        )
        return joint.limits
    return replace(ranges[0], lower=lower, upper=upper)


def _as_leaders(follower: Joint, values: Values) -> Limits | None:
    """Return the limits of a follower as limits of its leader."""
    limits, mimic = follower.limits, follower.mimic or NO_BOND
    m = mimic.multiplier
    if limits is None or evaluate(m, values) == 0.0:
        return None
    ends = [(end - mimic.offset) / m for end in (limits.lower, limits.upper)]
    if evaluate(m, values) < 0.0:
        ends.reverse()
    return Limits(ends[0], ends[1], m * m * limits.stiffness, m * m * limits.damping)
