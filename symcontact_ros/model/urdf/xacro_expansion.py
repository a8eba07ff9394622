"""
Expansion of xacro files in a process of its own; they are programs.

xacro evaluates ``${...}`` as Python expressions, and these can be made to run anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
import importlib
import io
import json
from pathlib import Path
import struct

from symcontact_ros.model.input_limits import XACRO_MEMORY, XACRO_SECONDS, XML_BYTES
from symcontact_ros.model.limited_task import LimitReachedError, Limits, TaskFailedError, too_much

LIMITS = Limits(XACRO_SECONDS, XACRO_MEMORY, XML_BYTES + 2**16)
MOST_SAID = 20  # warnings of xacro that are kept
_HEADER = struct.Struct('<II')  # bytes of the names, and of what xacro said


@dataclass(frozen=True)
class Expanded:
    """A xacro file as XML."""

    text: bytes
    asked: frozenset[str]  # names of the arguments that it has asked for
    said: tuple[str, ...]  # warnings of xacro, a line each


def expand(path: Path, arguments: Mapping[str, str]) -> Expanded:
    """
    Return what xacro makes of a file.

    Raises
    ------
    TaskFailedError
        xacro cannot expand it, or is not installed.
    LimitReachedError
        It takes too long or too much memory, or becomes too long.

    """
    from symcontact_ros.model.limited_child import LimitedChild

    request = json.dumps([str(path), dict(arguments)]).encode()
    with LimitedChild(__name__, LIMITS) as child:
        data = child.ask(request)
    try:
        names, said = _HEADER.unpack_from(data)
    except struct.error:
        raise TaskFailedError('its answer makes no sense') from None
    begin = _HEADER.size
    asked = data[begin : begin + names].decode('utf-8', 'replace')
    lines = data[begin + names : begin + names + said].decode('utf-8', 'replace')
    return Expanded(
        data[begin + names + said :],
        frozenset(asked.splitlines()),
        tuple(line for line in lines.splitlines()[:MOST_SAID] if line.strip()),
    )


def prepare() -> None:
    """Import xacro; in the child."""
    importlib.import_module('xacro')


def answer(request: bytes) -> bytes:
    """Return the asked arguments, what xacro said and the text; in the child."""
    path, given = json.loads(request)
    arguments = _Arguments(given)
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        document = importlib.import_module('xacro').process_file(path, mappings=arguments)
        text: bytes = document.toprettyxml(indent='  ').encode('utf-8')
    if len(text) > XML_BYTES:
        raise LimitReachedError(too_much(XML_BYTES))
    names = '\n'.join(sorted(arguments.asked)).encode('utf-8', 'replace')
    lines = '\n'.join(said.getvalue().splitlines()[:MOST_SAID]).encode('utf-8', 'replace')
    return _HEADER.pack(len(names), len(lines)) + names + lines + text


class _Arguments(dict[str, str]):
    """Arguments of a xacro file, which tell those that it has asked for."""

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self.asked: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.asked.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return super().__getitem__(name)
