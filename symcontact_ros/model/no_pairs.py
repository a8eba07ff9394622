"""Reasons why no two bodies of a model can touch."""

from __future__ import annotations

from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import WORLD


def is_alone(model: Model) -> bool:
    """Return whether nothing is there to touch: one thing that moves, such as a satellite."""
    things = [body.name for body in model.bodies if body.joint.parent == WORLD]
    return len(things) == 1 and len(model.grounded) < len(model.bodies)


def reason_for_no_pairs(model: Model) -> str:
    """Return why a model has no pairs of bodies that may touch."""
    shaped = [body.name for body in model.bodies if body.shapes]
    if not shaped:
        return 'no body has a shape'
    if len(shaped) == 1:
        return f'only {shaped[0]} has shapes'
    if model.grounded.issuperset(shaped):
        return 'all bodies with shapes are fixed'
    if model.collide is None or model.pairs:
        return (
            'all bodies with shapes are neighbours, joined by a joint, fixed, in `exclude`, or '
            'overlap at the start (`self_collision`)'
        )
    if not model.collide:
        return 'the list `collide` is empty'
    return 'of each pair in `collide`, a body has no shape or both are fixed'
