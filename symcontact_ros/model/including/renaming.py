"""Names of an included model under a prefix: in its tables, its references and its formulas."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace
import re
from typing import Any

from symcontact_ros.contact.custom import TRIAL
from symcontact_ros.expressions import Formula, FUNCTIONS, parse, Scalar
from symcontact_ros.model.building.fault_paths import joined
from symcontact_ros.model.description import Description, RobotFile
from symcontact_ros.model.including.robot_files import renamed
from symcontact_ros.model.parts import WORLD
from symcontact_ros.placements import Placement, Rotation

TABLES = ('bodies', 'materials', 'parameters')
# Keys whose texts are words, whatever the parameters are called.
WORDS = {'type', 'name', 'parent', 'robot', 'material', 'site', 'joint', 'body', 'law'}
WORDS |= {'unit', 'description', 'latex'}
KEYWORDS = frozenset(('auto', 'all', 'none', 'safe', 'start'))
_IDENTIFIER = re.compile(r'(?<![\w.])[A-Za-z_]\w*(?![\w(.])')
_HEAD = re.compile(rf'({"|".join(TABLES)})\.([^.\[]+)')


def add_prefix(description: Description, prefix: str) -> None:
    """Prefix every name of a model without includes, in place; nothing for an empty prefix."""
    if not prefix:
        return
    data = description.data
    own = set(_mapping(data.get('parameters')))
    for key in (*TABLES, 'sensors', 'gravity'):
        if key in data:
            data[key] = _with_formulas(data[key], own, prefix)
    for body in _mapping(data.get('bodies')).values():
        _rename_body(_mapping(body), prefix)
    _rename_pairs(data, prefix)
    for sensor in _mappings(data.get('sensors')):
        for key in ('name', 'site', 'joint', 'body'):
            _prefix(sensor, key, prefix)
    if isinstance(data.get('self_collision'), dict):
        data['self_collision'] = {prefix + k: v for k, v in data['self_collision'].items()}
    for key in TABLES:
        _rename_table(data, key, prefix)
    description.robots = [_renamed_robot(robot, own, prefix) for robot in description.robots]
    for table in (description.lines, description.sources):
        moved = {renamed_path(path, prefix): value for path, value in table.items()}
        table.clear()
        table.update(moved)  # type: ignore[arg-type]


def renamed_path(path: str, prefix: str) -> str:
    """Return the path of a value whose table has been prefixed."""
    found = _HEAD.match(path)
    if found is None or found[0] == 'materials.pairs':
        return path
    return joined(found[1], prefix + found[2]) + path[found.end() :]


def _renamed_robot(robot: RobotFile, own: Set[str], prefix: str) -> RobotFile:
    place = robot.world_pose
    if place is not None:

        def new(scalars: Iterable[Scalar]) -> Any:
            return tuple(
                parse(_with_formulas(x, own, prefix)) if isinstance(x, Formula) else x
                for x in scalars
            )

        turn = place.rotation.quaternion
        rotation = Rotation(new(place.rotation.rpy), None if turn is None else new(turn))
        robot = replace(robot, world_pose=Placement(new(place.position), rotation))
    return renamed(robot, prefix)


def _rename_table(data: dict[str, Any], key: str, prefix: str) -> None:
    if isinstance(data.get(key), dict):
        data[key] = {
            name if (key, name) == ('materials', 'pairs') else prefix + name: value
            for name, value in data[key].items()
        }


def _rename_body(body: dict[str, Any], prefix: str) -> None:
    _prefix(body, 'robot', prefix)
    joint = _mapping(body.get('joint'))
    _prefix(joint, 'name', prefix)
    if joint.get('parent') != WORLD:
        _prefix(joint, 'parent', prefix)
    _prefix(_mapping(joint.get('mimic')), 'joint', prefix)
    if isinstance(body.get('sites'), dict):
        body['sites'] = {prefix + site: place for site, place in body['sites'].items()}


def _rename_pairs(data: dict[str, Any], prefix: str) -> None:
    """Prefix the names and globs of pairs; one that is for any body is so for its own only."""
    for key in ('collide', 'exclude'):
        if isinstance(data.get(key), list | tuple):
            data[key] = [_prefixed_pair(pair, prefix) for pair in data[key]]
    for entry in _mappings(_mapping(data.get('materials')).get('pairs')):
        _prefix(entry, 'material', prefix)
        # `*` is anything that a body touches, also outside of its model.
        pair = entry.get('bodies')
        if isinstance(pair, list | tuple):
            entry['bodies'] = [b if b == '*' else _prefixed(b, prefix) for b in pair]


def _prefixed_pair(pair: Any, prefix: str) -> Any:
    return [_prefixed(b, prefix) for b in pair] if isinstance(pair, list | tuple) else pair


def _prefixed(name: Any, prefix: str) -> Any:
    return prefix + name if isinstance(name, str) else name


def _prefix(table: dict[str, Any], key: str, prefix: str) -> None:
    if isinstance(table.get(key), str):
        table[key] = prefix + table[key]


def _with_formulas(value: Any, own: Set[str], prefix: str) -> Any:
    """Return data with the parameters in its formulas renamed."""
    if isinstance(value, Formula):  # of a pose
        value = str(value)
    if isinstance(value, dict):
        return {
            key: item
            if key in WORDS and isinstance(item, str)
            # The variables of a law hide parameters of the same name.
            else _with_formulas(item, own - TRIAL.keys() if key == 'law' else own, prefix)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_with_formulas(item, own, prefix) for item in value]
    if isinstance(value, str) and value not in KEYWORDS:
        return _IDENTIFIER.sub(
            lambda found: (
                prefix + found[0] if found[0] in own and found[0] not in FUNCTIONS else found[0]
            ),
            value,
        )
    return value


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _mappings(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
