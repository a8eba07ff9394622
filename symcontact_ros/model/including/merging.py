"""Merging of one model into another: its bodies, materials, parameters, sensors and rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase
import itertools
from pathlib import Path
import re
from typing import Any

from symcontact_ros.model.description import Description
from symcontact_ros.model.parts import WORLD

DEFAULT = 'default'  # the material of pairs that have no other
# Keys of a whole model, which an included one does not decide.
SETTINGS = ('gravity', 'duration', 'integrator', 'detector', 'step_size', 'initial_overlap')

EVERYTHING = ['*', '*']  # in a list `collide` whose other entries only name pairs

_ITEM = re.compile(r'(collide|exclude|sensors|materials\.pairs)\[(\d+)\]')
_IN_TABLE = re.compile(r'(bodies|materials|parameters)\.')

Refuse = Callable[[str, str], None]  # a key of the entry, and the reason


def merge(
    target: Description,
    part: Description,
    refuse: Refuse,
    prefix: str = '',
    is_world: bool = False,
) -> None:
    """
    Add a model to another one, in place.

    Parameters
    ----------
    target
        The model that includes.
    part
        The model that is included; its names have their prefix.
    refuse
        Takes faults, such as names that both have.
    prefix
        The prefix of the part's names.
    is_world
        Whether the part is the world around the target, and not a part of it: its settings count
        where the target has none, and a list ``collide`` of one does not decide about the other.

    """
    own = _keep_default(part, prefix)
    _separate_robots(target, part)
    _merge_self_collision(target, part)
    collide = len(_list(target.data, 'collide'))
    _merge_collide(target, part, prefix, is_world)
    for key, what in (('parameters', 'parameter'), ('bodies', 'body'), ('materials', 'material')):
        _merge_table(target, part, key, what, refuse)
    shifts = {
        'collide': collide,
        'exclude': len(_list(target.data, 'exclude')),
        'sensors': len(_list(target.data, 'sensors')),
        'materials.pairs': len(_list(target.data.get('materials', {}), 'pairs')),
    }
    for key in ('sensors', 'exclude'):
        if key in part.data:
            target.data[key] = [*_list(target.data, key), *_list(part.data, key)]
    pairs = [*_list(part.data.get('materials', {}), 'pairs'), *own]
    table = target.data.setdefault('materials', {}) if pairs else None
    if isinstance(table, dict):  # otherwise reported where it is read
        table['pairs'] = [*_list(table, 'pairs'), *pairs]
    _merge_lines(target, part, shifts)
    _merge_settings(target, part, is_world)
    target.faults += part.faults
    target.warnings += [text for text in part.warnings if text not in target.warnings]
    target.notes += [text for text in part.notes if text not in target.notes]
    target.robots = [*target.robots, *part.robots]


def put_pairs_first(description: Description, chosen: list[dict[str, Any]]) -> None:
    """Add pairs of materials that win over the patterns of all others."""
    table = description.data.setdefault('materials', {}) if chosen else None
    if not isinstance(table, dict):
        return
    table['pairs'] = [*chosen, *_list(table, 'pairs')]
    pairs = [path for path in description.lines if path.startswith('materials.pairs[')]
    lines = {path: description.lines.pop(path) for path in pairs}
    sources = {path: description.sources.pop(path, description.source) for path in pairs}
    for path, line in lines.items():
        number, _, rest = path.removeprefix('materials.pairs[').partition(']')
        moved = f'materials.pairs[{int(number) + len(chosen)}]{rest}'
        description.lines[moved], description.sources[moved] = line, sources[path]


def _merge_table(
    target: Description, part: Description, key: str, what: str, refuse: Refuse
) -> None:
    added = part.data.get(key)
    if not added:
        return
    table = target.data.setdefault(key, {})
    if not isinstance(added, dict) or not isinstance(table, dict):
        if isinstance(table, dict):
            target.data[key] = added  # reported where it is read
        return
    for name, value in added.items():
        if (key, name) == ('materials', 'pairs'):
            continue
        if name in table:
            refuse('prefix', f'{what} {name!r} already exists: choose another prefix')
        table[name] = value


def _keep_default(part: Description, prefix: str) -> list[dict[str, Any]]:
    """Rename the default material of a part; return the pairs that have it."""
    table = part.data.get('materials')
    if not isinstance(table, dict) or prefix + DEFAULT not in table:
        return []
    name = prefix + DEFAULT if prefix else f'{part.data.get("name", "included")}_{DEFAULT}'
    table[name] = table.pop(prefix + DEFAULT)
    for path in [path for path in part.lines if f'{path}.'.startswith(f'materials.{DEFAULT}.')]:
        part.lines[path.replace(DEFAULT, name, 1)] = part.lines[path]
    return [{'bodies': [body, '*'], 'material': name} for body in _shaped(part)]


def _separate_robots(target: Description, part: Description) -> None:
    """Rename the robots of a part whose names others have already."""
    taken = {str(body.get('robot')) for body in _bodies(target).values()}
    names = {str(body['robot']) for body in _bodies(part).values() if 'robot' in body}
    for name in sorted(names & taken):
        new = next(f'{name}_{i}' for i in itertools.count(2) if f'{name}_{i}' not in taken | names)
        for body in _bodies(part).values():
            if body.get('robot') == name:
                body['robot'] = new
        part.robots = [replace(r, name=new) if r.name == name else r for r in part.robots]
        rules = part.data.get('self_collision')
        if isinstance(rules, dict) and name in rules:
            rules[new] = rules.pop(name)


def _merge_self_collision(target: Description, part: Description) -> None:
    """Keep the rules of both, each for the robots of its own model."""
    rules = {**_by_robot(target), **_by_robot(part)}
    if rules:
        target.data['self_collision'] = rules


def _by_robot(description: Description) -> dict[str, Any]:
    rule = description.data.get('self_collision', 'safe')
    if isinstance(rule, dict):
        return rule
    if rule == 'safe':
        return {}
    bodies = _bodies(description)
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


def _merge_collide(target: Description, part: Description, prefix: str, is_world: bool) -> None:
    """
    Keep the listed pairs of both.

    The list of an including model decides about all bodies. Any other does so among its own: what
    it leaves out is excluded, and its entries stay, because the pairs that they name win over
    other rules.
    """
    outer, inner = _list(target.data, 'collide'), _list(part.data, 'collide')
    if _is_list(target) and EVERYTHING not in outer and not is_world:
        # What collides by default in the part is not listed here.
        default = [f'{prefix}*'] * 2
        target.data['collide'] = [*outer, *(pair for pair in inner if pair != default)]
        if _shaped(part):
            text = f'{Path(part.source).name}: touches only in pairs that `collide` lists'
            target.notes.append(text)
        return
    if not _is_list(target) and not _is_list(part):
        return
    for side, pairs in ((target, outer), (part, inner)):
        if _is_list(side):
            excluded = [
                [a, b]
                for a, b in itertools.combinations(_shaped(side), 2)
                if not any(_fits(pair, a, b) for pair in pairs)
            ]
            side.data['exclude'] = [*_list(side.data, 'exclude'), *excluded]
    listed = [*outer, *inner]
    if not listed:
        target.data.pop('collide', None)
    else:
        target.data['collide'] = listed if EVERYTHING in listed else [*listed, list(EVERYTHING)]


def _is_list(description: Description) -> bool:
    return isinstance(description.data.get('collide', 'all'), list | tuple)


def _fits(pair: Any, a: str, b: str) -> bool:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        return False
    first, second = map(str, pair)
    return (fnmatchcase(a, first) and fnmatchcase(b, second)) or (
        fnmatchcase(b, first) and fnmatchcase(a, second)
    )


def _merge_lines(target: Description, part: Description, shifts: dict[str, int]) -> None:
    for path, line in part.lines.items():
        merged = path
        if found := _ITEM.match(path):
            merged = f'{found[1]}[{int(found[2]) + shifts[found[1]]}]{path[found.end() :]}'
        elif not _IN_TABLE.match(path):
            continue
        target.lines.setdefault(merged, line)
        target.sources.setdefault(merged, part.sources.get(path, part.source))


def _merge_settings(target: Description, part: Description, is_world: bool) -> None:
    for key in SETTINGS:
        if key not in part.data or target.data.get(key) == part.data[key]:
            continue
        if is_world and key not in target.data:
            target.data[key] = part.data[key]
        elif key != 'gravity' or _differs(target.data.get(key), part.data[key]):
            name = Path(part.source).name
            target.notes.append(f'{name}: its `{key}` is ignored: the including model decides')


def _differs(ours: Any, theirs: Any) -> bool:
    """Return whether two gravities differ; none given is that of the Earth."""
    standard = [0.0, 0.0, -9.81]
    try:
        return [float(x) for x in ours or standard] != [float(x) for x in theirs]
    except (TypeError, ValueError):
        return True


def _bodies(description: Description) -> dict[str, Any]:
    bodies = description.data.get('bodies')
    if not isinstance(bodies, dict):
        return {}
    return {name: body for name, body in bodies.items() if isinstance(body, dict)}


def _shaped(description: Description) -> list[str]:
    return [name for name, body in _bodies(description).items() if body.get('shapes')]


def _list(table: Any, key: str) -> list[Any]:
    value = table.get(key, []) if isinstance(table, dict) else []
    return list(value) if isinstance(value, list | tuple) else []
