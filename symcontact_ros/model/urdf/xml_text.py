"""
Reading of XML that may come from anywhere, as a tree of elements with their lines.

The file is read with a limit on its size, and a DOCTYPE, which is what entity bombs and external
entities need, ends the reading before any parser has acted on it. What other readers of URDF
accept although it is no XML is accepted where it can mean one thing only.
"""

from __future__ import annotations

from collections.abc import Callable
import importlib
import importlib.util
from pathlib import Path
import re
from typing import Any, NoReturn
from xml.parsers import expat

from symcontact_ros.model.input_limits import XML_BYTES
from symcontact_ros.model.ordinary_files import read_ordinary
from symcontact_ros.model.urdf.elements import Element
from symcontact_ros.optional_packages import missing

_BOM = b'\xef\xbb\xbf'
_NO_SPACE = re.compile(rb'\S')
_ENCODING = re.compile(rb'encoding\s*=\s*["\']([A-Za-z][A-Za-z0-9._-]*)["\']')
# Errors of libxml2 that leave no doubt about the elements, and what to say of them.
_HARMLESS = {
    'ERR_HYPHEN_IN_COMMENT': '',  # <!-- -- -->
    'NS_ERR_UNDEFINED_NAMESPACE': '',  # <xacro:...> without xmlns:xacro
    'ERR_DOCUMENT_END': 'what follows the first element is left out',
}


class RefusedError(Exception):
    """A fault beyond which nothing can be read."""

    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(reason)
        self.line = line


class _PrologEnd(Exception):  # noqa: N818 - a signal, not an error
    """The first element begins."""


def needed(module: str) -> Any:
    """Import a package of the ``urdf`` extra."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise missing('reading URDF files', module.partition('.')[0]) from None


def need_xacro() -> None:
    """Raise if xacro, which another process will import, is not installed."""
    if importlib.util.find_spec('xacro') is None:
        raise missing('reading xacro files', 'xacro')


def read_bytes(path: Path) -> bytes:
    """Return the bytes of an XML file, with a DOCTYPE refused and its prologue put right."""
    try:
        raw = _with_proper_prologue(read_ordinary(path, XML_BYTES))
    except ValueError as error:
        raise RefusedError(None, str(error)) from None
    _check_prologue(raw)
    return raw


def parse_xml(raw: bytes, warn: Callable[[int, str], None]) -> Element:
    """Return the root element; ``warn`` is given the line and text of what was left out."""
    etree = needed('lxml.etree')
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=True,  # its errors are looked at below
    )
    try:
        root = etree.fromstring(raw, parser)
    except etree.XMLSyntaxError as error:
        reason = str(error.msg).partition(', line ')[0]
        raise RefusedError(error.lineno, f'not XML: {reason}') from None
    for entry in parser.error_log:
        if entry.type_name not in _HARMLESS or root is None:
            raise RefusedError(entry.line, f'not XML: {entry.message}')
        if text := _HARMLESS[entry.type_name]:
            warn(entry.line, text)
    if root is None:
        raise RefusedError(1, 'not XML: no element found')
    if root.getroottree().docinfo.internalDTD is not None:
        raise RefusedError(None, 'has a DOCTYPE')  # the two parsers disagree: trust neither
    return root


def _with_proper_prologue(raw: bytes) -> bytes:
    """
    Return XML that begins with a declaration of version 1.0, or with none; lines stay the same.

    Files of other simulators have ``version="0.0"``, or comments and empty lines before it.
    Comments around it are left out, as are those with ``--`` in them, which XML has not.
    """
    start = _after_comments(raw, len(_BOM) if raw.startswith(_BOM) else 0)
    declaration, end = b'', raw.find(b'?>', start) + 2
    if re.match(rb'<\?xml\s', raw[start : start + 6]) and end > start:
        encoding = _ENCODING.search(raw, start, end)
        stated = b' encoding="' + encoding[1] + b'"' if encoding else b''
        declaration = b'<?xml version="1.0"' + stated + b'?>'
        start = _after_comments(raw, end)
    return declaration + b'\n' * raw.count(b'\n', 0, start) + raw[start:]


def _after_comments(raw: bytes, start: int) -> int:
    """Return where what is no space and no comment begins."""
    while True:
        found = _NO_SPACE.search(raw, start)
        start = found.start() if found else len(raw)
        end = raw.find(b'-->', start) if raw.startswith(b'<!--', start) else -1
        if end < 0:
            return start
        start = end + 3


def _check_prologue(raw: bytes) -> None:
    """Check what precedes the first element, and nothing after it."""
    parser = expat.ParserCreate()

    def refuse_doctype(*_: object) -> NoReturn:
        reason = 'has a DOCTYPE, which a URDF does not need: remove it, and any entities with it'
        raise RefusedError(parser.CurrentLineNumber, reason)

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
        raise RefusedError(error.lineno, f'not XML: {reason}') from None
    except (LookupError, ValueError) as error:  # an unknown encoding
        raise RefusedError(1, f'not XML: {error}') from None
