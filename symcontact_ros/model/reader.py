"""
A YAML document read key by key, with every fault gathered and every line known.

The document is composed into nodes (which know their lines), never into objects: numbers are read
by what the model needs, so ``1e5``, a string to PyYAML, is a number and ``yes`` is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
import difflib
import math
from pathlib import Path
import re
from typing import NoReturn

import yaml

from symcontact_ros.errors import Fault, ModelError
from symcontact_ros.model.expressions import evaluate, parse

NAME = re.compile(r'(?!.*__)[A-Za-z][A-Za-z0-9_]*\Z')
MAXIMUM_SIZE = 4 * 2**20  # bytes of one file


class Document:
    """One file: its root section, the parameter values in force, and the faults found so far."""

    def __init__(self, path: Path) -> None:
        self.source = str(path)
        self.faults: list[Fault] = []
        self.values: dict[str, float] = {}  # what formulas may name

    def root(self) -> Section:
        """Compose the file into its top section; ModelError where that cannot be done."""
        node = self._compose(self._text())
        if not isinstance(node, yaml.MappingNode):
            self.stop(1, '', 'a model file is a mapping of keys such as `name:` and `bodies:`')
        return Section(self, '', node)

    def fault(self, node: yaml.Node | None, key: str, reason: str) -> None:
        """Note a fault at the line of node and go on reading."""
        line = None if node is None else node.start_mark.line + 1
        self.faults.append(Fault(self.source, line, key, reason))

    def stop(self, line: int | None, key: str, reason: str) -> NoReturn:
        """Raise at once: nothing sensible can be read beyond this fault."""
        raise ModelError([*self.faults, Fault(self.source, line, key, reason)])

    def _text(self) -> str:
        try:
            with open(self.source, 'rb') as stream:
                raw = stream.read(MAXIMUM_SIZE + 1)
            if len(raw) > MAXIMUM_SIZE:
                self.stop(None, '', f'larger than {MAXIMUM_SIZE // 2**20} MiB: not a model file')
            return raw.decode('utf-8')
        except OSError as error:
            self.stop(None, '', f'cannot be read: {error.strerror}')
        except UnicodeDecodeError as error:
            line = raw.count(b'\n', 0, error.start) + 1
            self.stop(line, '', 'not a text file (UTF-8)')

    def _compose(self, text: str) -> yaml.Node | None:
        try:
            node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
            return node
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            reason = ' '.join(filter(None, (error.context, error.problem)))
            self.stop(mark.line + 1 if mark else None, '', f'not valid YAML: {reason}')
        except (yaml.YAMLError, RecursionError) as error:
            self.stop(None, '', f'not valid YAML: {str(error).splitlines()[0]}')


class Section:
    """A mapping of the document. Reading a key marks it as known; ``close`` reports the rest."""

    def __init__(self, document: Document, path: str, node: yaml.MappingNode) -> None:
        self.document = document
        self.path = path
        self.node = node
        self._known: list[str] = []
        self._items: dict[str, yaml.Node] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                document.fault(key, path, 'keys are plain words')
            elif key.value in self._items:
                document.fault(key, self._at(key.value), 'is given twice')
            else:
                self._items[key.value] = value

    def __contains__(self, key: str) -> bool:
        return key in self._items

    def names(self) -> Iterator[str]:
        """Return the keys, in the order of the file."""
        return iter(self._items)

    def says(self, key: str, word: str) -> bool:
        """Tell whether the value of key is just this word, such as ``auto`` or ``all``."""
        self._known.append(key)
        node = self._items.get(key)
        return isinstance(node, yaml.ScalarNode) and node.value == word

    def has_section(self, key: str) -> bool:
        """Tell whether the value of key is a mapping."""
        return isinstance(self._items.get(key), yaml.MappingNode)

    def fault(self, key: str, reason: str) -> None:
        """Note a fault of the value of key, or of the section where it is missing."""
        self.document.fault(self._items.get(key, self.node), self._at(key), reason)

    def number(
        self,
        key: str,
        default: float | None = None,
        above: float = -math.inf,
        minimum: float = -math.inf,
    ) -> float:
        """Return a finite number > above and >= minimum; NaN, with a fault, where it is none."""
        node = self._take(key)
        if node is None:
            if default is None:
                self.fault(key, 'is missing: a number is needed')
            return math.nan if default is None else default
        value = self._number(node, self._at(key))
        if not value > above and not math.isnan(value):
            self.fault(key, f'must be > {above:g}, got {value:g}')
        elif value < minimum:
            self.fault(key, f'must be >= {minimum:g}, got {value:g}')
        return value

    def numbers(self, key: str, count: int, default: Sequence[float]) -> tuple[float, ...]:
        """Return a list of count finite numbers."""
        node = self._take(key)
        if node is None:
            return tuple(default)
        if not isinstance(node, yaml.SequenceNode) or len(node.value) != count:
            self.fault(key, f'a list of {count} numbers is needed')
            return (math.nan,) * count
        return tuple(
            self._number(item, f'{self._at(key)}[{index}]')
            for index, item in enumerate(node.value)
        )

    def text(self, key: str, default: str | None = None, choices: Sequence[str] = ()) -> str:
        """Return a word, one of choices where they are given."""
        node = self._take(key)
        if node is None:
            if default is None:
                self.fault(key, f'is missing: one of {", ".join(choices)} is needed')
            return default or ''
        if not isinstance(node, yaml.ScalarNode):
            self.fault(key, 'a word is needed')
            return default or ''
        if choices and node.value not in choices:
            self.fault(key, f'must be one of {", ".join(choices)}, got {node.value!r}')
        return str(node.value)

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        node = self._take(key)
        if node is None:
            return default
        words = {'true': True, 'false': False}
        if not isinstance(node, yaml.ScalarNode) or node.value.lower() not in words:
            self.fault(key, 'must be true or false')
            return default
        return words[node.value.lower()]

    def section(self, key: str) -> Section:
        """Return the mapping under key; an empty one where there is none."""
        node = self._take(key)
        if node is None or isinstance(node, yaml.MappingNode):
            return Section(self.document, self._at(key), node or self._nothing())
        self.fault(key, 'a mapping (`key: value`) is needed')
        return Section(self.document, self._at(key), self._nothing())

    def named_sections(self, key: str) -> dict[str, Section]:
        """Return the mappings under key by their names, which must be names for ROS topics."""
        parent = self.section(key)
        for name in parent.names():
            if not NAME.match(name):
                parent.fault(name, f'{name!r} is no name: letters, digits and single _ are')
        return {name: parent.section(name) for name in parent.names()}

    def items(self, key: str) -> list[Section]:
        """Return the list of mappings under key."""
        node = self._take(key)
        if node is None:
            return []
        if not isinstance(node, yaml.SequenceNode):
            self.fault(key, 'a list is needed')
            return []
        return [
            Section(
                self.document,
                f'{self._at(key)}[{index}]',
                item if isinstance(item, yaml.MappingNode) else self._refuse(key, item),
            )
            for index, item in enumerate(node.value)
        ]

    def name_pairs(self, key: str) -> list[tuple[str, str]]:
        """Return a list of pairs of names."""
        node = self._take(key)
        items = node.value if isinstance(node, yaml.SequenceNode) else [None]
        pairs = []
        for item in items:
            words = item.value if isinstance(item, yaml.SequenceNode) else []
            if len(words) != 2 or not all(isinstance(word, yaml.ScalarNode) for word in words):
                self.fault(key, 'must be `all` or a list of pairs [a, b] of body names')
            else:
                pairs.append((words[0].value, words[1].value))
        return pairs

    def close(self) -> None:
        """Report the keys that nobody asked for."""
        for key in self._items:
            if key not in self._known:
                close = difflib.get_close_matches(key, self._known, 1)
                hint = (
                    f'did you mean {close[0]!r}?'
                    if close
                    else 'known here: ' + ', '.join(sorted(self._known))
                )
                self.fault(key, f'unknown key; {hint}')

    def _at(self, key: str) -> str:
        return f'{self.path}.{key}' if self.path and key else self.path or key

    def _take(self, key: str) -> yaml.Node | None:
        self._known.append(key)
        return self._items.get(key)

    def _number(self, node: yaml.Node, path: str) -> float:
        if not isinstance(node, yaml.ScalarNode) or node.value.lower() in ('true', 'false', ''):
            self.document.fault(node, path, 'a number is needed')
            return math.nan
        try:
            value = evaluate(parse(node.value), self.document.values)
        except ValueError as error:
            self.document.fault(node, path, str(error))
            return math.nan
        if not math.isfinite(value):
            self.document.fault(node, path, f'must be finite, got {value}')
        return value

    def _refuse(self, key: str, item: yaml.Node) -> yaml.MappingNode:
        self.document.fault(item, self._at(key), 'a mapping (`key: value`) is needed')
        return self._nothing()

    def _nothing(self) -> yaml.MappingNode:
        return yaml.MappingNode('tag:yaml.org,2002:map', [], self.node.start_mark)


def parameter_values(section: Section, overrides: Mapping[str, float]) -> dict[str, float]:
    """Read ``parameters:``, each a number or ``{value:, min:, max:, ...}``; apply overrides."""
    values: dict[str, float] = {}
    for name in section.names():
        if not NAME.match(name):
            section.fault(name, f'{name!r} is no name: letters, digits and single _ are')
        elif section.has_section(name):
            entry = section.section(name)
            values[name] = entry.number('value')
            low, high = entry.number('min', -math.inf), entry.number('max', math.inf)
            for key in ('unit', 'description', 'latex'):
                entry.text(key, '')
            entry.close()
            value = overrides.get(name, values[name])
            if not low <= value <= high and not math.isnan(value):
                section.fault(name, f'value {value:g} is outside [{low:g}, {high:g}]')
        else:
            values[name] = section.number(name)
    for name in set(overrides) - set(values):
        section.document.fault(None, f'parameters.{name}', 'no such parameter to override')
    return {**values, **overrides}
