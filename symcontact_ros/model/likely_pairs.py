"""
Pairs of bodies in the order in which they are likely to touch, as far as a model tells.

Links of one robot rarely touch each other, so that all other pairs come before theirs: what it
grasps, what it stands on, and other robots. What ends a limb comes before what has others beyond
it: fingers and feet before arms and thighs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symcontact_ros.model.model import Model
from symcontact_ros.model.pair_rules import NamePair
from symcontact_ros.model.parts import WORLD
from symcontact_ros.model.welds import welds_of


def likely_first(model: Model, pairs: Sequence[NamePair]) -> list[int]:
    """Return the numbers of pairs that bodies of a model make, likely ones first."""
    robots, inner = _robots(model), _inner(model, {name for pair in pairs for name in pair})

    def rank(number: int) -> tuple[bool, int]:
        a, b = pairs[number]
        return robots[a] == robots[b], (a in inner) + (b in inner)

    return sorted(range(len(pairs)), key=rank)


def _robots(model: Model) -> dict[str, object]:
    """Return what each body is part of: a robot file, else the first body that it is joined to."""
    robots: dict[str, object] = {
        name: number for number, robot in enumerate(model.contents.robots) for name in robot.bodies
    }
    for body in model.bodies:  # parents first
        parent = body.joint.parent
        robots.setdefault(body.name, body.name if parent == WORLD else robots[parent])
    return robots


def _inner(model: Model, touching: Collection[str]) -> set[str]:
    """Return the bodies beyond which joints hold others that may touch something."""
    welds = welds_of(model.bodies)
    parents = {welds[body.name]: body.joint.parent for body in reversed(model.bodies)}
    inner: set[str] = set()
    for name in touching:
        weld = welds[name]
        while (parent := parents[weld]) != WORLD and welds[parent] not in inner:
            weld = welds[parent]
            inner.add(weld)
    return {body.name for body in model.bodies if welds[body.name] in inner}
