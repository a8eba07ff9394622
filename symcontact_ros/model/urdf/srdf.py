"""Pairs of links that never collide, by the SRDF file beside a URDF."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from symcontact_ros.errors import counted, Fault
from symcontact_ros.model.urdf.elements import children, UrdfDescription
from symcontact_ros.model.urdf.robot_tree import Tree
from symcontact_ros.model.urdf.xml_text import parse_xml, read_bytes, RefusedError

FOLDERS = ('srdf', 'config')  # beside that of the URDF


def read_srdf(description: UrdfDescription, tree: Tree, urdf: Path) -> None:
    """
    Add ``exclude`` to the description, of the ``disable_collisions`` beside a URDF (absolute).

    It is the SRDF of the same name, in the same folder or in ``../srdf`` or ``../config``, or the
    only one in one of these; a file of other links is none. A note says which was read.
    """
    for path in _candidates(urdf):
        try:
            pairs = _pairs(path)
        except RefusedError as refused:
            fault = Fault(str(path), refused.line, '', f'left out: {refused}')
            description.warnings.append(str(fault))
            return
        known = [pair for pair in pairs if tree.links.keys() >= set(pair)]
        bodies = description.data['bodies']
        ours = [[tree.links[name].name for name in pair] for pair in known]
        # Links without shapes collide with nothing anyhow.
        listed = [pair for pair in ours if all(bodies.get(n, {}).get('shapes') for n in pair)]
        if listed:
            description.data['exclude'] = listed
            found = f'{counted(len(listed), "pair")} of links left out'
            text = f'{found} by disable_collisions of {path}'
            description.add_note('', text)
        if known:
            return


def _candidates(urdf: Path) -> Iterator[Path]:
    """Yield the files of the same name, then those that are alone in their folder."""
    folders = [urdf.parent, *(urdf.parent.parent / name for name in FOLDERS)]
    name = f'{urdf.name.partition(".")[0]}.srdf'
    named = [folder / name for folder in folders]
    for path in named:
        if path.is_file():
            yield path
    for folder in folders:
        found = sorted(folder.glob('*.srdf')) if folder.is_dir() else []
        if len(found) == 1 and found[0] not in named and found[0].is_file():
            yield found[0]


def _pairs(path: Path) -> list[tuple[str, str]]:
    """Return the pairs of link names of ``disable_collisions``, each once."""
    root = parse_xml(read_bytes(path), lambda line, text: None)
    found = (
        (element.get('link1', '').strip(), element.get('link2', '').strip())
        for element in children(root, 'disable_collisions')
    )
    return list(dict.fromkeys((min(pair), max(pair)) for pair in found if pair[0] != pair[1]))
