"""
Reading of a URDF or xacro file as a tree of elements with their lines.

The file may come from anywhere: it is read with a limit on its size, and a DOCTYPE, which is what
entity bombs and external entities need, ends the reading before any parser has acted on it.
"""

from __future__ import annotations

from collections.abc import Mapping
import importlib
import os
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

from symcontact_ros.errors import Fault, MissingPackageError
from symcontact_ros.model.ordinary_files import read_ordinary
from symcontact_ros.model.urdf.elements import Element, local_name, UrdfDescription

MAXIMUM_SIZE = 16 * 2**20  # bytes of one file, and of what xacro makes of it


class _RefusedError(Exception):
    """A fault beyond which nothing can be read."""

    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(reason)
        self.line = line


class _PrologEnd(Exception):  # noqa: N818 - a signal, not an error
    """The first element begins."""


def read_robot(
    description: UrdfDescription, path: Path, mappings: Mapping[str, str] | None
) -> Element | None:
    """
    Return the ``<robot>`` element of a file, or None and a fault.

    A ``.xacro`` file is expanded first. xacro evaluates its ``${...}`` as Python expressions in a
    namespace of its own making: pass only files that you trust. The lines are then those of the
    expanded text, and the description's source says so.
    """
    etree = _needed('lxml.etree')
    try:
        raw = _read(path)
        _check_prolog(raw)
        if path.suffix == '.xacro':
            raw = _expanded(path, mappings)
            description.source = f'{path} (expanded)'
        robot = _parsed(etree, raw)
        if local_name(robot) != 'robot':
            reason = f'the root element is <{local_name(robot)}>; a URDF has <robot>'
            raise _RefusedError(robot.sourceline, reason)
        return robot
    except _RefusedError as refused:
        description.faults.append(Fault(description.source, refused.line, '', str(refused)))
        return None


def robot_text(
    path: Path, names: Mapping[str, str], mappings: Mapping[str, str] | None = None
) -> str:
    """
    Return the text of a file that could be read, expanded if it is xacro.

    Parameters
    ----------
    path
        The file.
    names
        Other names for links and joints, wherever the text mentions them.
    mappings
        Arguments of a xacro file.

    """
    etree = _needed('lxml.etree')
    raw = _expanded(path, mappings) if path.suffix == '.xacro' else _read(path)
    robot = _parsed(etree, raw)
    for element in robot.iter('*'):
        named = local_name(element) in ('link', 'joint')
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


def _needed(module: str) -> Any:
    """Import a package of the ``urdf`` extra."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition('.')[0]
        raise MissingPackageError(
            f'reading URDF files needs {package}: pip install symcontact_ros[urdf]'
        ) from None


def _read(path: Path) -> bytes:
    try:
        return read_ordinary(path, MAXIMUM_SIZE)
    except ValueError as error:
        raise _RefusedError(None, str(error)) from None


def _limited(raw: bytes) -> bytes:
    if len(raw) > MAXIMUM_SIZE:
        raise _RefusedError(None, f'larger than {MAXIMUM_SIZE // 2**20} MiB')
    return raw


def _check_prolog(raw: bytes) -> None:
    """Check what precedes the first element, and nothing after it."""
    parser = expat.ParserCreate()

    def refuse_doctype(*_: object) -> NoReturn:
        reason = 'has a DOCTYPE, which a URDF does not need: remove it, and any entities with it'
        raise _RefusedError(parser.CurrentLineNumber, reason)

    def end(*_: object) -> NoReturn:
        raise _PrologEnd

    parser.StartDoctypeDeclHandler = refuse_doctype
    parser.StartElementHandler = end
    try:
        parser.Parse(raw, True)
    except _PrologEnd:
        return
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, str(error))
        raise _RefusedError(error.lineno, f'not XML: {reason}') from None
    except (LookupError, ValueError) as error:  # an unknown encoding
        raise _RefusedError(1, f'not XML: {error}') from None


def _expanded(path: Path, mappings: Mapping[str, str] | None) -> bytes:
    xacro = _needed('xacro')
    arguments = {name: str(value) for name, value in (mappings or {}).items()}
    try:
        document = xacro.process_file(str(path), mappings=arguments)
        raw = document.toprettyxml(indent='  ').encode('utf-8')
    except Exception as error:  # whatever an expression of the file raises
        text = ' '.join(str(error).split()) or type(error).__name__
        raise _RefusedError(None, f'xacro cannot expand it: {text}') from None
    return _limited(raw)


def _parsed(etree: Any, raw: bytes) -> Element:
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        robot = etree.fromstring(raw, parser)
    except etree.XMLSyntaxError as error:
        reason = str(error.msg).partition(', line ')[0]
        raise _RefusedError(error.lineno, f'not XML: {reason}') from None
    if robot.getroottree().docinfo.internalDTD is not None:
        raise _RefusedError(None, 'has a DOCTYPE')  # the two parsers disagree: trust neither
    return robot
