"""
Reading of YAML files: plain data, with the line of every key.

The file is read as a stream of events, without recursion and with limits, so that no file
can exhaust memory or the stack. Plain words remain texts: numbers are recognised where
the model wants one, so that ``1e5``, a string to PyYAML, is a number and ``yes`` is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from symcontact_ros.errors import Fault, ModelError, shown
from symcontact_ros.expressions import NOT_ALLOWED, parse
from symcontact_ros.model.building.fault_paths import joined
from symcontact_ros.model.description import Description
from symcontact_ros.model.ordinary_files import read_ordinary

MAXIMUM_SIZE = 4 * 2**20  # bytes
MAXIMUM_DEPTH = 12  # vertices of shapes of bodies are 7 deep
MAXIMUM_VALUES = 200_000  # with every alias counted as its value
_WORDS = {'true': True, 'True': True, 'false': False, 'False': False}
# The C parser is ten times faster; both give the same events.
_LOADER = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)


def read_yaml(path: Path) -> Description:
    """Return the contents of a file; ModelError if it cannot be read at all."""
    description = Description(str(path), {})
    try:
        text = _text(path)
        data = _Composer(description).compose(yaml.parse(text, Loader=_LOADER))
    except _StopError as stop:
        raise ModelError(
            [*description.faults, Fault(str(path), stop.line, stop.key, stop.reason)]
        ) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = ' '.join(filter(None, (error.context, error.problem)))
        reason += _hint(reason, text.splitlines()[mark.line : mark.line + 1] if mark else [])
        # The end of the file may count as a line of its own.
        line = min(mark.line, text.rstrip().count('\n')) + 1 if mark else None
        raise ModelError([Fault(str(path), line, '', f'not valid YAML: {reason}')]) from None
    except yaml.YAMLError as error:
        reason = str(error).splitlines()[0]
        raise ModelError([Fault(str(path), None, '', f'not valid YAML: {reason}')]) from None
    if not isinstance(data, dict):
        empty = 'the file is empty: ' if not text.strip() else ''
        reason = f'{empty}a model file is a mapping of keys such as `name:` and `bodies:`'
        raise ModelError([Fault(str(path), 1, '', reason)])
    description.data = data
    return description


def _hint(reason: str, line: list[str]) -> str:
    """Return what the author of a line that is no YAML has probably done."""
    if any('\t' in text for text in line):
        return ' (there is a tab in this line: use spaces)'
    if 'mapping values are not allowed' in reason or 'expected <block end>' in reason:
        return ' (is the line indented like its neighbours, with a space after every colon?)'
    return ''


class _StopError(Exception):
    """A fault beyond which nothing can be read."""

    def __init__(self, line: int | None, reason: str, key: str = '') -> None:
        self.line = line
        self.reason = reason
        self.key = key


def _text(path: Path) -> str:
    try:
        raw = read_ordinary(path, MAXIMUM_SIZE)
    except ValueError as error:
        raise _StopError(None, str(error)) from error
    try:
        return raw.decode('utf-8')
    except UnicodeDecodeError as error:
        line = raw.count(b'\n', 0, error.start) + 1
        raise _StopError(line, 'not a text file (UTF-8)') from error


class _Composer:
    """Conversion of events to data, with a stack of open mappings and lists."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._open: list[_Open] = []
        # By anchor: the value, and how many values are in it.
        self._anchors: dict[str | None, tuple[Any, int]] = {}
        self._count = 0
        self._cut: _Cut | None = None  # a formula that a comma may have cut in two

    def compose(self, events: Iterator[Any]) -> Any:
        """Return the value of the first document."""
        result: list[Any] = []
        for event in events:
            line = int(event.start_mark.line) + 1
            anchor = getattr(event, 'anchor', None)
            self._look_for_cuts(event, line)
            if isinstance(event, yaml.DocumentStartEvent) and result:
                raise _StopError(line, 'a file must have one document: remove `---`')
            if getattr(event, 'tag', None):
                raise _StopError(line, f'tag {shown(event.tag)}: tags are not read, remove it')
            if isinstance(event, yaml.ScalarEvent):
                value: Any = event.value
                if event.implicit[0]:  # not quoted
                    value = _WORDS.get(event.value, event.value)
                self._value(value, line, result)
                self._anchors[anchor] = (value, 1)
            elif isinstance(event, yaml.AliasEvent):
                value = self._alias(anchor, line)
                self._value(value, line, result)
            elif isinstance(event, yaml.CollectionStartEvent):
                if len(self._open) >= MAXIMUM_DEPTH:
                    raise _StopError(line, f'nested more than {MAXIMUM_DEPTH} deep')
                empty: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
                path = self._path()
                self._value(empty, line, result)
                self._open.append(_Open(empty, path, anchor, self._count, bool(event.flow_style)))
            elif isinstance(event, yaml.CollectionEndEvent):
                closed = self._open.pop()
                self._anchors[closed.anchor] = (closed.value, self._count - closed.start)
        return result[0] if result else None

    def _look_for_cuts(self, event: Any, line: int) -> None:
        """Tell of a formula such as ``max(a, b)``, whose comma ends a value in {} and []."""
        if not (isinstance(event, yaml.ScalarEvent) and event.implicit[0]):
            self._cut = None
        elif self._cut is not None:
            if event.value:  # what follows as a key has an empty value
                self._cut.parts.append(event.value)
            if _is_closed(text := ', '.join(self._cut.parts)):
                raise _StopError(self._cut.line, _quote_it(text), self._cut.path)
        elif self._open and self._open[-1].is_flow and not _is_closed(event.value):
            self._cut = _Cut(line, self._path(), [event.value])

    def _alias(self, anchor: str | None, line: int) -> Any:
        if anchor not in self._anchors:
            raise _StopError(line, f'alias {shown(anchor)} is not defined above')
        value, size = self._anchors[anchor]
        self._count += size
        return value

    def _value(self, value: Any, line: int, result: list[Any]) -> None:
        self._count += 1
        if self._count > MAXIMUM_VALUES:
            raise _StopError(line, f'more than {MAXIMUM_VALUES} values: not a model file')
        if not self._open:
            result.append(value)
            return
        parent = self._open[-1]
        if isinstance(parent.value, list):
            self._description.lines[self._path()] = line
            parent.value.append(value)
        elif parent.key is None:
            if isinstance(value, dict | list):
                raise _StopError(line, 'a key must be a word, not a list or a mapping')
            parent.key = str(value)
            self._description.lines.setdefault(self._path(), line)
            if parent.key in parent.value:
                self._description.faults.append(
                    Fault(self._description.source, line, self._path(), 'is given twice')
                )
        else:
            parent.value.setdefault(parent.key, value)
            parent.key = None

    def _path(self) -> str:
        """Return the dotted path of the value to come."""
        if not self._open:
            return ''
        parent = self._open[-1]
        if isinstance(parent.value, list):
            return f'{parent.path}[{len(parent.value)}]'
        return parent.path if parent.key is None else joined(parent.path, parent.key)


class _Cut(NamedTuple):
    """The parts so far of a formula that commas have cut."""

    line: int
    path: str
    parts: list[str]


def _is_closed(text: str) -> bool:
    return text.count('(') <= text.count(')')


def _quote_it(text: str) -> str:
    reason = f'a comma ends a value in {{}} and []: quote it, {shown(text)}'
    try:
        parse(text)
    except ValueError as error:
        if NOT_ALLOWED in str(error):
            return f'{reason}; but {error}'
    return reason


class _Open:
    """A mapping or list that is not closed yet."""

    def __init__(
        self, value: Any, path: str, anchor: str | None, start: int, is_flow: bool
    ) -> None:
        self.value = value
        self.is_flow = is_flow  # whether it is written in {} or []
        self.path = path
        self.anchor = anchor
        self.start = start
        self.key: str | None = None  # of a mapping, while its value is to come
