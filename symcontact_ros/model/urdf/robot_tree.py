"""Tree of the links and joints of a URDF, with names that are valid in ROS topics."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
import heapq
import itertools
import re

from symcontact_ros.model.urdf.elements import child, children, Element, shown, UrdfDescription

WORLD = 'world'  # our name of the inertial frame, and by convention a root link's


@dataclass(frozen=True)
class Link:
    """A link of the file."""

    element: Element
    name: str  # ours

    @property
    def path(self) -> str:
        """Path of its body in the description."""
        return f'bodies.{self.name}'


@dataclass(frozen=True)
class Joint:
    """A joint of the file."""

    element: Element
    name: str  # ours
    parent: str | None  # URDF name of a link that exists; None with a fault


@dataclass(frozen=True)
class Tree:
    """Everything by URDF name, in the order of the file."""

    links: dict[str, Link]
    joints: dict[str, Joint]  # by child
    roots: list[str]
    order: list[str]  # of the links: parents first, otherwise that of the file

    def is_world(self, name: str) -> bool:
        """Return whether a link is the inertial frame: the root, called world, and no body."""
        return name == WORLD and name in self.roots and not _is_solid(self.links[name].element)


def our_name(text: str) -> str:
    """Return a name with letters, digits and single underscores that begins with a letter."""
    name = re.sub(r'[^A-Za-z0-9]+', '_', text)
    return name if name[:1].isalpha() else f'b{name}'


def read_tree(description: UrdfDescription, robot: Element, prefix: str) -> Tree:
    """Return the tree of a robot; if it is not a tree, its reachable part, and faults."""
    links = {
        name: Link(element, ours)
        for name, (element, ours) in _named(description, robot, 'link', prefix).items()
    }
    if not links:
        description.refuse(robot, 'bodies', '<robot> has no <link>')
    joints = _joints(description, robot, prefix, links)
    roots = [name for name in links if name not in joints]
    if WORLD in roots:
        links[WORLD] = _world(description, links)
    for link in links.values():
        description.mark(link.path, link.element)
    for name in roots[1:]:
        first = links[roots[0]].element.sourceline
        description.refuse(
            links[name].element,
            links[name].path,
            f'link {name!r} has no parent joint, and neither has {roots[0]!r} (line {first}): '
            'a robot has one root link',
        )
    order = _parents_first(links, joints)
    _report_loops(description, links, joints, set(order))
    return Tree(links, joints, roots, order)


def _is_solid(link: Element) -> bool:
    return any(child(link, tag) is not None for tag in ('inertial', 'collision'))


def _world(description: UrdfDescription, links: dict[str, Link]) -> Link:
    """Return the root link called world; with a mass or shapes it is a body of another name."""
    link = links[WORLD]
    if not _is_solid(link.element):
        description.names.pop(WORLD, None)  # it keeps its name, with any prefix
        return link
    if link.name != WORLD:
        return link
    name = _unused(f'{WORLD}_link', {other.name for other in links.values()})
    text = f'the root link {WORLD!r} has a mass or shapes: it is the fixed body {name!r}'
    description.warn(link.element, f'bodies.{name}', text)
    description.names[WORLD] = name
    return Link(link.element, name)


def _unused(name: str, used: Collection[str]) -> str:
    """Return a name, with a number where it is used already."""
    numbers = itertools.count(2)
    unused = name
    while unused in used:
        unused = f'{name}_{next(numbers)}'
    return unused


def _named(
    description: UrdfDescription, robot: Element, kind: str, prefix: str
) -> dict[str, tuple[Element, str]]:
    """Return the links or joints with our names by URDF name; names given twice are faults."""
    found: dict[str, tuple[Element, str]] = {}
    used: set[str] = set()
    for element in children(robot, kind):
        name = element.get('name', '').strip()
        if not name:
            description.refuse(element, 'bodies', f'<{kind}> needs `name`')
            continue
        wanted = our_name(prefix + name)
        mapped = _unused(wanted, used)
        if name in found:
            reason = f'{kind} {name!r} is given twice, first on line {found[name][0].sourceline}'
            description.refuse(element, _path(element, kind, wanted, prefix), reason)
            continue
        if mapped != wanted:
            text = f'{kind} {name!r} is called {mapped!r} here: there is another {wanted!r}'
            description.warn(element, _path(element, kind, mapped, prefix), text)
        found[name] = (element, mapped)
        used.add(mapped)
        if mapped != name:
            description.names[name] = mapped
    return found


def _path(element: Element, kind: str, mapped: str, prefix: str) -> str:
    if kind == 'link':
        return f'bodies.{mapped}'
    below = _end(element, 'child')
    return f'bodies.{our_name(prefix + below)}.joint' if below else 'bodies'


def _end(joint: Element, tag: str) -> str:
    """Return the URDF name of the link at one end of a joint; empty where it is not said."""
    end = child(joint, tag)
    return '' if end is None else str(end.get('link', '')).strip()


def _joints(
    description: UrdfDescription, robot: Element, prefix: str, links: dict[str, Link]
) -> dict[str, Joint]:
    found: dict[str, Joint] = {}
    for name, (element, ours) in _named(description, robot, 'joint', prefix).items():
        below = _end(element, 'child')
        if below not in links:
            path = f'bodies.{our_name(prefix + below)}' if below else 'bodies'
            _refuse_end(description, element, 'child', path, name)
        elif below in found:
            other = found[below].element
            reason = (
                f'joint {name!r} gives link {below!r} a second parent; '
                f'the first is by joint {other.get("name")!r} (line {other.sourceline})'
            )
            description.refuse(element, f'{links[below].path}.joint', reason)
        else:
            path = f'{links[below].path}.joint'
            description.mark(path, element)
            found[below] = Joint(
                element,
                ours,
                _parent(description, element, f'{path}.parent', links),
            )
    return found


def _parent(
    description: UrdfDescription, joint: Element, path: str, links: dict[str, Link]
) -> str | None:
    above = _end(joint, 'parent')
    if above in links:
        description.mark(path, child(joint, 'parent'))
        return above
    _refuse_end(description, joint, 'parent', path, joint.get('name'))
    return None


def _refuse_end(
    description: UrdfDescription, joint: Element, tag: str, path: str, name: str
) -> None:
    end = child(joint, tag)
    if end is None:
        description.refuse(joint, path, f'joint {name!r} has no <{tag} link="...">')
    else:
        reason = f'joint {name!r}: {shown(end, "link")} is not a link of the file'
        description.refuse(end, path, reason)


def _parents_first(links: dict[str, Link], joints: dict[str, Joint]) -> list[str]:
    names = list(links)
    place = {name: index for index, name in enumerate(names)}
    below: dict[str, list[int]] = {name: [] for name in names}
    ready: list[int] = []  # a heap: of the links that may come next, the first of the file does
    for name in names:
        parent = joints[name].parent if name in joints else None
        if parent is None:
            heapq.heappush(ready, place[name])
        else:
            below[parent].append(place[name])
    order = []
    while ready:
        order.append(names[heapq.heappop(ready)])
        for index in below[order[-1]]:
            heapq.heappush(ready, index)
    return order


def _report_loops(
    description: UrdfDescription,
    links: dict[str, Link],
    joints: dict[str, Joint],
    reached: set[str],
) -> None:
    """Report every loop once; links below a loop are not reported."""
    seen = set(reached)
    for start in links:
        way: list[str] = []
        name = start
        while name not in seen:
            seen.add(name)
            way.append(name)
            name = joints[name].parent or ''
        if name in way:  # the walk up met itself, not something known before
            loop = way[way.index(name) :]
            text = ' -> '.join([loop[0], *reversed(loop)])  # from parent to child
            description.refuse(
                joints[name].element,
                f'{links[name].path}.joint',
                f'links form a loop: {text}; a URDF is a tree',
            )
