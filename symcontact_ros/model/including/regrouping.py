"""Models with other bodies: with another model in them, or without some of their bodies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
import re
from typing import Any

from symcontact_ros.errors import no_such, OptionError, shown
from symcontact_ros.model.building.plain_values import plain
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.description import Description
from symcontact_ros.model.including.include import configure_part, PREFIX
from symcontact_ros.model.including.merging import DEFAULT, merge, SETTINGS
from symcontact_ros.model.including.placing import read_pose
from symcontact_ros.model.model import Model
from symcontact_ros.model.option_checks import CheckedOptions

_WORD = re.compile(r'[A-Za-z_]\w*')


def with_part(model: Model, part: Model, pose: object, prefix: str) -> Model:
    """
    Return a model with the bodies, materials, symbols and sensors of another one added.

    Gravity and other settings stay. OptionError with all that does not fit; neither is changed.

    Parameters
    ----------
    model, part
        The model, and what is added to it.
    pose
        Where the part is, as `load_model` takes it; None: where its file puts it.
    prefix
        Of all names of the part in the whole.
    """
    target, added = copied(model.contents), copied(part.contents)
    options = CheckedOptions(Path(added.source))
    place = options.pose(pose)
    faults = options.faults
    if not isinstance(prefix, str) or not PREFIX.match(prefix):
        faults.append(f'prefix: {shown(prefix)} must be letters, digits and _, a letter first')
    if part.dimension != model.dimension:
        kinds = [('planar', 'spatial')[one.dimension - 2] for one in (part, model)]
        faults.append(f'{part.name} is {kinds[0]}, and {model.name} is {kinds[1]}')
    if faults:
        raise OptionError('\n'.join(faults))
    given = Description('', {} if place is None else {'pose': plain(place)})
    section = Section(given, '', given.data, {})
    configure_part(added, section, read_pose(section), prefix)
    section.close()
    faults += [f'{fault.key}: {fault.reason}' for fault in given.faults]
    for key in SETTINGS:
        added.data.pop(key, None)  # those of the running model hold
    # A stiffness that is chosen depends on all pairs of its material: the part has one of its own,
    # so that the contacts of the others stay what they are.
    ours = (target.data.get('materials') or {}).get(DEFAULT, {})
    added.data.setdefault('materials', {}).setdefault(prefix + DEFAULT, plain(ours))
    # What a list `collide` of the one leaves out says nothing about the other: as for a world.
    merge(target, added, lambda key, why: faults.append(f'{key}: {why}'), prefix, is_world=True)
    if faults:
        raise OptionError('\n'.join(faults))
    return Model.from_description(target, complete=False)


def without_bodies(model: Model, names: str | Sequence[str]) -> Model:
    """
    Return a model without some bodies, what hangs on them, and what only they used.

    Each name is that of a body, or a prefix that all names of a part have. OptionError for one
    that is neither.
    """
    given = [names] if isinstance(names, str) else list(names)
    gone = _with_children(model, {body for name in given for body in _named(model, name)})
    description = copied(model.contents)
    data = description.data
    before = [data['bodies'][name] for name in gone if name in data['bodies']]
    for name in gone:
        data['bodies'].pop(name, None)
    left = [name for name in model.body_names if name not in gone]
    _drop_pairs(data, left)
    before += _drop_sensors(model, data, gone)
    _drop_unused(data, before, given)
    description.robots = [
        replace(robot, bodies=tuple(body for body in robot.bodies if body not in gone))
        for robot in description.robots
        if not gone.issuperset(robot.bodies)
    ]
    rules = data.get('self_collision')
    if isinstance(rules, dict):
        robots = {body.get('robot') for body in data['bodies'].values()}
        data['self_collision'] = {name: rule for name, rule in rules.items() if name in robots}
    return Model.from_description(description, complete=False)


def copied(description: Description) -> Description:
    """Return a description that can be changed without the other; what it says is kept."""
    return replace(
        description,
        data=plain(description.data),
        lines=dict(description.lines),
        sources=dict(description.sources),
        faults=[],
        limits=[],
        warnings=list(description.warnings),
        notes=list(description.notes),
        robots=list(description.robots),
    )


def _named(model: Model, name: str) -> list[str]:
    """Return the body of a name, or all bodies whose names have it as a prefix."""
    if name in model.body_names:
        return [name]
    found = [body for body in model.body_names if name and body.startswith(name)]
    if not found:
        raise no_such('body or prefix', name, model.body_names)
    return found


def _with_children(model: Model, names: set[str]) -> frozenset[str]:
    """Return bodies with all that hang on their joints."""
    found = set(names)
    for body in model.bodies:  # parents before children
        if body.joint.parent in found:
            found.add(body.name)
    return frozenset(found)


def _drop_pairs(data: dict[str, Any], left: list[str]) -> None:
    """Drop rules about pairs of which one side is no body any more."""

    def holds(pair: Any) -> bool:
        return all(any(fnmatchcase(body, str(side)) for body in left) for side in pair)

    for key in ('collide', 'exclude'):
        if isinstance(data.get(key), list):
            data[key] = [pair for pair in data[key] if holds(pair)]
    if not data.get('exclude', True):
        del data['exclude']
    table = data.get('materials')
    if isinstance(table, dict) and 'pairs' in table:
        table['pairs'] = [entry for entry in table['pairs'] if holds(entry['bodies'])]


def _drop_sensors(model: Model, data: dict[str, Any], gone: frozenset[str]) -> list[Any]:
    """Drop the sensors of bodies that are gone; return them."""
    places = set(gone)
    for body in model.bodies:
        if body.name in gone:
            places |= {body.joint.name, *body.sites}
    lost = {sensor.name for sensor in model.sensors if sensor.place in places}
    entries = data.get('sensors', [])
    dropped = [entry for entry in entries if entry.get('name') in lost]
    if dropped:
        data['sensors'] = [entry for entry in entries if entry.get('name') not in lost]
        if not data['sensors']:
            del data['sensors']
    return dropped


def _drop_unused(data: dict[str, Any], gone: list[Any], names: list[str]) -> None:
    """
    Drop materials and symbols that only the bodies that are gone used, or that have their prefix.

    Formulas are texts: a symbol is used where its name is a word of one.
    """
    for table in ('materials', 'parameters'):
        entries = data.get(table)
        if not isinstance(entries, dict):
            continue
        used = set(_words([v for k, v in data.items() if k not in (table, 'parameters')]))
        if table == 'materials':
            used |= {word for entry in entries.get('pairs', []) for word in _words(entry)}
        had = set(_words(gone))
        for name in [name for name in entries if name not in used and name != 'pairs']:
            if name in had or any(part and name.startswith(part) for part in names):
                gone.append(entries.pop(name))
        if not entries.get('pairs', True):
            del entries['pairs']
        if not entries:
            del data[table]


def _words(value: Any) -> Iterator[str]:
    """Yield all words of all texts in nested data."""
    if isinstance(value, str):
        yield from _WORD.findall(value)
    elif isinstance(value, dict):
        yield from _all_words(value.values())
    elif isinstance(value, list | tuple):
        yield from _all_words(value)


def _all_words(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        yield from _words(value)
