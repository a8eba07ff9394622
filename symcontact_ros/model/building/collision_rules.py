"""Reading of the keys that decide which bodies may touch: collide, exclude, self_collision."""

from __future__ import annotations

from collections.abc import Collection
from fnmatch import fnmatchcase
from typing import Any

from symcontact_ros.errors import not_one_of, shown, suggestion
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.pair_rules import NamePair, PairList, PairRules
from symcontact_ros.model.parts import Body
from symcontact_ros.model.self_collision import MODES, SAFE

Sides = tuple[frozenset[str], frozenset[str]]  # the bodies that two patterns match


def build_pair_rules(root: Section, bodies: tuple[Body, ...]) -> PairRules:
    """Return the rules of ``collide``, ``exclude`` and ``self_collision``."""
    names = frozenset(body.name for body in bodies)
    collide = None
    if root.take('collide', 'all') != 'all':
        collide = _pair_list(root, 'collide', names, '`all` or ')
    exclude = _pair_list(root, 'exclude', names, '')
    return PairRules(bodies, collide, exclude, _self_collision(root, bodies))


def read_pair(
    section: Section, path: str, item: Any, names: Collection[str]
) -> NamePair | Sides | None:
    """Return a pair of names, or the bodies that its patterns match; None: it has a fault."""
    if not isinstance(item, list | tuple) or len(item) != 2:
        section.add_fault(path, 'a pair [a, b] of body names is needed')
        return None
    first, second = item
    sides = [_matching(section, path, word, names) for word in item]
    if not all(sides):
        return None
    has_pattern = is_pattern(first) or is_pattern(second)
    if len(sides[0] | sides[1]) < 2 and not (has_pattern and len(names) == 1):
        section.add_fault(path, 'two different bodies are needed')
        return None
    if has_pattern:  # of a single body it has no pair yet: others may be added
        return sides[0], sides[1]
    return min(first, second), max(first, second)


def is_pattern(word: Any) -> bool:
    """Return whether a word has wildcards: ``*``, ``?``, ``[..]``."""
    return isinstance(word, str) and any(sign in word for sign in '*?[')


def _matching(section: Section, path: str, word: Any, names: Collection[str]) -> frozenset[str]:
    """Return the bodies of a name or a pattern; none of them is a fault."""
    if is_pattern(word):
        found = frozenset(name for name in names if fnmatchcase(name, word))
        what = 'no body matches'
    else:
        found = frozenset((word,) if isinstance(word, str) and word in names else ())
        what = 'unknown body'
    if not found:
        hint = suggestion(word, set(names), 'bodies are')
        section.add_unknown(path, f'{what} {shown(word)}; {hint}')
    return found


def _pair_list(root: Section, key: str, names: Collection[str], other: str) -> PairList:
    items = root.take(key, [])
    if not isinstance(items, list | tuple):
        root.fault(key, f'must be {other}a list of pairs [a, b] of body names')
        return PairList()
    entries = [read_pair(root, f'{key}[{i}]', item, names) for i, item in enumerate(items)]
    named, matched = set(), []
    for entry in entries:
        if entry is None:
            continue
        a, b = entry
        if isinstance(a, str) and isinstance(b, str):
            named.add((a, b))
        elif isinstance(a, frozenset) and isinstance(b, frozenset):
            matched.append((a, b))
    return PairList(frozenset(named), tuple(matched))


def _self_collision(root: Section, bodies: tuple[Body, ...]) -> dict[str, str]:
    """Return the modes by robot; that of '' is for all others."""
    if not root.is_section('self_collision'):
        return {'': root.text('self_collision', SAFE, MODES)}
    section = root.section('self_collision')
    robots = {body.robot for body in bodies if body.robot}
    modes = {}
    for robot in section.names():
        mode = section.take(robot)
        if robot not in robots:
            hint = suggestion(robot, robots, 'robots are')
            section.add_unknown(section.at(robot), f'no body has `robot: {robot}`; {hint}')
        elif mode not in MODES:
            section.fault(robot, not_one_of('', MODES, mode).lstrip())
        else:
            modes[robot] = mode
    return modes
