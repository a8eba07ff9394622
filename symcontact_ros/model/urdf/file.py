"""Reading of a URDF or xacro file as a tree of elements with their lines."""

from __future__ import annotations

from collections.abc import Collection, Mapping
import os
from pathlib import Path
import re

from symcontact_ros.errors import Fault, shown, suggestion
from symcontact_ros.joints.table import urdf_types
from symcontact_ros.model.building.size_checks import too_many_bodies
from symcontact_ros.model.file_kinds import is_xacro
from symcontact_ros.model.input_limits import BODIES
from symcontact_ros.model.limited_task import LimitReachedError, TaskFailedError
from symcontact_ros.model.progress import tell
from symcontact_ros.model.urdf.elements import children, Element, local_name, UrdfDescription
from symcontact_ros.model.urdf.xacro_expansion import expand, Expanded
from symcontact_ros.model.urdf.xml_text import (
    need_xacro,
    needed,
    parse_xml,
    read_bytes,
    RefusedError,
)

# What xacro says, and a way out.
_WAYS_OUT = (
    (r'[Uu]ndefined substitution argument', 'give it a value by `arguments`'),
    (r"missing attribute 'default'", 'an argument without default is given by `arguments`'),
    (r'AMENT_PREFIX_PATH|[Pp]ackage .*not found', 'source the workspace that has the package'),
    (r'No such file or directory', 'paths in a xacro are relative to its folder'),
)

_NO_END = 'look for an endless recursion or loop in it, or expand it by `xacro` and load the URDF'

# Types that robot_state_publisher would take for fixed ones; floating ones it leaves to others.
_OF_SEVERAL_FREEDOMS = tuple(name for name, kind in urdf_types().items() if kind.speeds > 1)


def read_robot(
    description: UrdfDescription, path: Path, mappings: Mapping[str, str] | None
) -> Element | None:
    """
    Return the ``<robot>`` element of a file, or None and a fault.

    A ``.xacro`` file is a program, which is run first, in a process of its own: pass only files
    that you trust. The lines are then those of the expanded text, and the description's source
    says so.
    """
    needed('lxml.etree')

    def warn(line: int, text: str) -> None:
        description.warnings.append(str(Fault(description.source, line, '', text)))

    try:
        raw = read_bytes(path)
        if is_xacro(path):
            given = {str(name): str(value) for name, value in (mappings or {}).items()}
            description.expanded = _expanded(path, given)
            raw = description.expanded.text
            _report(description, path, given)
            description.source = f'{path} (expanded)'
        robot = parse_xml(raw, warn)
        if local_name(robot) != 'robot':
            reason = f'the root element is <{local_name(robot)}>; a URDF has <robot>'
            raise RefusedError(robot.sourceline, reason)
        if (count := len(children(robot, 'link'))) > BODIES:
            raise RefusedError(robot.sourceline, too_many_bodies(count, 'links'))
        return robot
    except RefusedError as refused:
        description.faults.append(Fault(description.source, refused.line, '', str(refused)))
        return None


def robot_text(
    path: Path,
    names: Mapping[str, str],
    expanded: bytes | None = None,
    freed: Collection[str] = (),
) -> str:
    """
    Return the text of a file that could be read, or of what xacro made of it.

    Parameters
    ----------
    path
        The file.
    names
        Other names for links and joints, wherever the text mentions them.
    expanded
        What xacro made of the file, which is not run again.
    freed
        Joints by the names of the file that are free here though the file says fixed.

    """
    etree = needed('lxml.etree')
    robot = parse_xml(expanded or read_bytes(path), lambda line, text: None)
    for element in robot.iter('*'):
        named = local_name(element) in ('link', 'joint')
        if local_name(element) == 'joint' and (
            element.get('name') in freed or element.get('type') in _OF_SEVERAL_FREEDOMS
        ):
            element.set('type', 'floating')
        for key in ('link', 'joint', 'reference', *(['name'] if named else [])):
            if element.get(key) in names:
                element.set(key, names[element.get(key)])
        if local_name(element) in ('mesh', 'texture'):
            _make_absolute(element, path)
    return str(etree.tostring(robot, encoding='unicode'))


def _make_absolute(element: Element, path: Path) -> None:
    """Give the reference to a file a scheme: others do not know the folder of the URDF."""
    reference = element.get('filename', '').strip()
    if reference and '://' not in reference:
        file = Path(os.path.abspath(path)).parent / reference
        element.set('filename', f'file://{os.path.normpath(file)}')


def _expanded(path: Path, arguments: Mapping[str, str]) -> Expanded:
    """Return what xacro makes of a file; RefusedError if it cannot."""
    need_xacro()
    tell(f'running {path.name}')
    try:
        return expand(path, arguments)
    except TaskFailedError as error:
        reason = f'xacro cannot expand it: {error}{_way_out(str(error))}'
    except LimitReachedError as error:
        reason = f'xacro was ended, since it {error}: {_NO_END}'
    raise RefusedError(None, reason)


def _report(description: UrdfDescription, path: Path, given: Mapping[str, str]) -> None:
    """Say that a file was run, and what xacro says."""
    assert description.expanded is not None
    known = description.expanded.asked
    for name in given.keys() - known:
        text = f'{path}: the xacro file has no argument {shown(name)}'
        description.warnings.append(f'{text}; {suggestion(name, known, "there are")}')
    for line in description.expanded.said:
        description.warnings.append(f'{path}: xacro says: {shown(line)}')
    description.notes.append(f'{path}: was run: a xacro file is a program')


def _way_out(text: str) -> str:
    return next((f'; {hint}' for said, hint in _WAYS_OUT if re.search(said, text)), '')
