"""Checks of the size of a model, before it takes the memory or the patience of its user."""

from __future__ import annotations

from collections.abc import Sequence

from symcontact_ros.errors import ModelError
from symcontact_ros.model.building.fault_paths import by_line
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.description import Description
from symcontact_ros.model.input_limits import (
    BODIES,
    FREEDOMS,
    PAIRS,
    seconds_for_pairs,
    seconds_to_derive,
)
from symcontact_ros.model.pair_rules import PairRules, TooManyPairsError
from symcontact_ros.model.parts import Body
from symcontact_ros.model.progress import about, tell
from symcontact_ros.model.welds import trees_of


def check_body_count(description: Description) -> None:
    """Raise ModelError if there are more bodies than a model may have."""
    bodies = description.data.get('bodies')
    if isinstance(bodies, dict) and len(bodies) > BODIES:
        description.fault('bodies', too_many_bodies(len(bodies), 'bodies'))
        raise ModelError(by_line(description.faults))


def too_many_bodies(count: int, what: str) -> str:
    """Return why a model is refused that has so many bodies, or links."""
    return (
        f'{count} {what} are too many, {BODIES} are the most: give one body several shapes where '
        f'nothing moves between them, or split the model'
    )


def check_freedoms(root: Section, bodies: Sequence[Body]) -> None:
    """Add a fault for a tree whose equations would take too long to derive."""
    trees = trees_of(bodies)
    counts: dict[str, int] = {}
    for body in bodies:
        if body.name in trees:
            first = trees[body.name]
            counts[first] = counts.get(first, 0) + body.joint.speeds
    for first, count in counts.items():
        if count > FREEDOMS:
            time = about(seconds_to_derive(count))
            root.add_fault(
                f'bodies.{first}',
                f'the tree of joints that begins here has {count} degrees of freedom, {FREEDOMS} '
                f'are the most: its equations would take {time}; make joints `fixed` that need '
                'not move, or split the tree',
            )


def find_pairs(root: Section, rules: PairRules, bodies: Sequence[Body]) -> None:
    """Find the pairs of a model, and say how long it takes; ModelError if there are too many."""
    try:
        tell(f'choosing contacts of {len(rules.pairs)} pairs', seconds_for_pairs(len(rules.pairs)))
    except TooManyPairsError:
        shaped = [body for body in bodies if body.shapes]
        shapes = sum(len(body.shapes) for body in shaped)
        root.fault(
            'bodies',
            f'{len(shaped)} bodies with {shapes} shapes make more than {PAIRS} pairs that may '
            'touch, which are the most: list those that matter under `collide`, fix bodies that '
            'need not move, or use fewer shapes',
        )
        raise ModelError(by_line(root.description.faults)) from None
