"""Merging of the rules of two models that decide which bodies may touch."""

from __future__ import annotations

from fnmatch import fnmatchcase
import itertools
from pathlib import Path
from typing import Any

from symcontact_ros.model.description import Description
from symcontact_ros.model.parts import WORLD
from symcontact_ros.model.self_collision import SAFE

EVERYTHING = ['*', '*']  # in a list `collide` whose other entries only name pairs


def merge_self_collision(target: Description, part: Description) -> None:
    """Keep the rules of both, each for the robots of its own model."""
    rules = {**_by_robot(target), **_by_robot(part)}
    if rules:
        target.data['self_collision'] = rules


def _by_robot(description: Description) -> dict[str, Any]:
    rule = description.data.get('self_collision', SAFE)
    if isinstance(rule, dict):
        return rule
    if rule == SAFE:
        return {}
    bodies = bodies_of(description)
    for name, body in bodies.items():
        if 'robot' not in body and not body.get('fixed'):
            body['robot'] = _root(name, bodies)
    return {str(body['robot']): rule for body in bodies.values() if 'robot' in body}


def _root(name: str, bodies: dict[str, Any]) -> str:
    """Return the first body of the tree that a body is part of."""
    for _ in bodies:
        joint = bodies[name].get('joint')
        parent = joint.get('parent', WORLD) if isinstance(joint, dict) else WORLD
        if parent not in bodies:
            break
        name = parent
    return name


def merge_collide(target: Description, part: Description, prefix: str, is_world: bool) -> None:
    """
    Keep the listed pairs of both.

    The list of an including model decides about all bodies. Any other does so among its own: what
    it leaves out is excluded, and its entries stay, because the pairs that they name win over
    other rules.
    """
    wrong = [side.data['collide'] for side in (target, part) if not _is_rule(side)]
    if wrong:
        target.data['collide'] = wrong[0]  # reported where it is read
    if wrong or not (_is_list(target) or _is_list(part)):
        return
    outer, inner = list_in(target.data, 'collide'), list_in(part.data, 'collide')
    if _is_list(target) and EVERYTHING not in outer and not is_world:
        # What collides by default in the part is not listed here.
        default = [f'{prefix}*'] * 2
        target.data['collide'] = [*outer, *(pair for pair in inner if pair != default)]
        if shaped_bodies(part):
            text = f'{Path(part.source).name}: touches only in pairs that `collide` lists'
            target.notes.append(text)
        return
    for side, pairs in ((target, outer), (part, inner)):
        if _is_list(side):
            excluded = [
                [a, b]
                for a, b in itertools.combinations(shaped_bodies(side), 2)
                if not any(_fits(pair, a, b) for pair in pairs)
            ]
            extend(side.data, 'exclude', excluded)
    listed = [*outer, *inner]
    if not listed:
        target.data.pop('collide', None)
    else:
        target.data['collide'] = listed if EVERYTHING in listed else [*listed, list(EVERYTHING)]


def _is_list(description: Description) -> bool:
    return isinstance(description.data.get('collide', 'all'), list | tuple)


def _is_rule(description: Description) -> bool:
    return _is_list(description) or description.data.get('collide', 'all') == 'all'


def _fits(pair: Any, a: str, b: str) -> bool:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        return False
    first, second = map(str, pair)
    return (fnmatchcase(a, first) and fnmatchcase(b, second)) or (
        fnmatchcase(b, first) and fnmatchcase(a, second)
    )


def bodies_of(description: Description) -> dict[str, Any]:
    """Return the bodies of a description as far as they are good."""
    bodies = description.data.get('bodies')
    if not isinstance(bodies, dict):
        return {}
    return {name: body for name, body in bodies.items() if isinstance(body, dict)}


def shaped_bodies(description: Description) -> list[str]:
    """Return the names of bodies that have shapes."""
    return [name for name, body in bodies_of(description).items() if body.get('shapes')]


def list_in(table: Any, key: str) -> list[Any]:
    """Return the list under a key of a table; an empty one where there is none."""
    value = table.get(key, []) if isinstance(table, dict) else []
    return list(value) if isinstance(value, list | tuple) else []


def extend(table: dict[str, Any], key: str, more: Any) -> None:
    """Extend the list under a key; what is no list stays, and is reported where it is read."""
    value = table.get(key, [])
    if isinstance(value, list | tuple):
        is_list = isinstance(more, list | tuple)
        table[key] = [*value, *more] if is_list else more
