"""Merging of one model into another: its bodies, materials, parameters, sensors and rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
import itertools
from pathlib import Path
import re
from typing import Any

from symcontact_ros.model.description import Description
from symcontact_ros.model.including.merging_rules import (
    bodies_of,
    extend,
    list_in,
    merge_collide,
    merge_self_collision,
    shaped_bodies,
)

DEFAULT = 'default'  # the material of pairs that have no other
# Keys of a whole model, which an included one does not decide.
SETTINGS = ('gravity', 'duration', 'integrator', 'detector', 'step_size', 'initial_overlap')

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
    merge_self_collision(target, part)
    collide = len(list_in(target.data, 'collide'))
    merge_collide(target, part, prefix, is_world)
    for key, what in (('parameters', 'parameter'), ('bodies', 'body'), ('materials', 'material')):
        _merge_table(target, part, key, what, refuse)
    shifts = {
        'collide': collide,
        'exclude': len(list_in(target.data, 'exclude')),
        'sensors': len(list_in(target.data, 'sensors')),
        'materials.pairs': len(list_in(target.data.get('materials', {}), 'pairs')),
    }
    for key in ('sensors', 'exclude'):
        if key in part.data:
            extend(target.data, key, part.data[key])
    pairs = [*list_in(part.data.get('materials', {}), 'pairs'), *own]
    table = target.data.setdefault('materials', {}) if pairs else None
    if isinstance(table, dict):  # otherwise reported where it is read
        table['pairs'] = [*list_in(table, 'pairs'), *pairs]
    _merge_lines(target, part, shifts)
    _merge_settings(target, part, is_world)
    target.faults += part.faults
    target.is_incomplete |= part.is_incomplete
    target.warnings += [text for text in part.warnings if text not in target.warnings]
    target.notes += [text for text in part.notes if text not in target.notes]
    target.robots = [*target.robots, *part.robots]


def put_pairs_first(description: Description, chosen: list[dict[str, Any]]) -> None:
    """Add pairs of materials that win over the patterns of all others."""
    table = description.data.setdefault('materials', {}) if chosen else None
    if not isinstance(table, dict):
        return
    table['pairs'] = [*chosen, *list_in(table, 'pairs')]
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
    return [{'bodies': [body, '*'], 'material': name} for body in shaped_bodies(part)]


def _separate_robots(target: Description, part: Description) -> None:
    """Rename the robots of a part whose names others have already."""
    taken = {str(body.get('robot')) for body in bodies_of(target).values()}
    names = {str(body['robot']) for body in bodies_of(part).values() if 'robot' in body}
    for name in sorted(names & taken):
        new = next(f'{name}_{i}' for i in itertools.count(2) if f'{name}_{i}' not in taken | names)
        for body in bodies_of(part).values():
            if body.get('robot') == name:
                body['robot'] = new
        part.robots = [replace(r, name=new) if r.name == name else r for r in part.robots]
        rules = part.data.get('self_collision')
        if isinstance(rules, dict) and name in rules:
            rules[new] = rules.pop(name)


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
            _take_lines(target, part, key)
        elif key != 'gravity' or _differs(target.data.get(key), part.data[key]):
            name = Path(part.source).name
            target.notes.append(f'{name}: its `{key}` is ignored: the including model decides')


def _take_lines(target: Description, part: Description, key: str) -> None:
    """Let faults of a key, and of what is in it, name the file that it comes from."""
    for lines in (target.lines, target.sources):
        for path in [path for path in lines if path.partition('[')[0] == key]:
            del lines[path]
    for path in (path for path in part.lines if path.partition('[')[0] == key):
        target.lines[path] = part.lines[path]
        target.sources[path] = part.sources.get(path, part.source)


def _differs(ours: Any, theirs: Any) -> bool:
    """Return whether two gravities differ; none given is that of the Earth."""
    standard = [0.0, 0.0, -9.81]
    try:
        return [float(x) for x in ours or standard] != [float(x) for x in theirs]
    except (TypeError, ValueError):
        return True
