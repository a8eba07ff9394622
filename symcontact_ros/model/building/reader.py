"""A description read key by key, with every fault gathered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import difflib
import math
from numbers import Real
import re
from typing import Any

from symcontact_ros.errors import Fault, ModelError
from symcontact_ros.expressions import evaluate, Formula, parse, Scalar
from symcontact_ros.model.building.messages import by_line, joined, LONGEST, shown, suggestion
from symcontact_ros.model.description import Description
from symcontact_ros.model.parts import Limit
from symcontact_ros.placements import Triple

NAME = re.compile(r'(?!.*__)[A-Za-z][A-Za-z0-9_]*\Z')
NOT_A_NAME = 'is no name: it starts with a letter and has letters, digits and single _'
ZERO: Triple = (0.0, 0.0, 0.0)
LARGEST = 1e30  # of any number: fifth powers, and products of a few, stay finite
MOST_FAULTS = 500
_MISSING = object()


class Section:
    """
    A mapping of the description. Reading a key marks it as known; ``close`` reports the rest.

    ``values`` are those of the symbols that formulas may name.
    """

    def __init__(
        self, description: Description, path: str, data: Any, values: dict[str, float]
    ) -> None:
        self.description = description
        self.path = path
        self.values = values
        self._known: list[str] = []
        self._data: dict[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.note(path, 'a mapping (`key: value`) is needed')

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def names(self) -> Iterator[str]:
        """Return the keys, in the order of the file."""
        return iter(self._data)

    def at(self, key: str) -> str:
        """Return the path of a key."""
        return joined(self.path, key) if key else self.path

    def fault(self, key: str, reason: str) -> None:
        """Note what is wrong with the value of a key, or with the section ('')."""
        self.note(self.at(key), reason)

    def note(self, path: str, reason: str) -> None:
        """Note what is wrong with the value at a path; ModelError where it gets too much."""
        description = self.description
        description.fault(path, reason)
        if len(description.faults) >= MOST_FAULTS:
            end = Fault(description.source, None, '', f'stopped after {MOST_FAULTS} faults')
            raise ModelError([*by_line(description.faults), end])

    def take(self, key: str, default: Any = None) -> Any:
        """Return the raw value of a key."""
        self._known.append(key)
        return self._data.get(key, default)

    def says(self, key: str, word: str) -> bool:
        """Tell whether the value of a key is just this word, such as ``auto`` or ``all``."""
        return bool(self.take(key) == word)

    def one_of(self, key: str, other: str) -> None:
        """Note a fault where a key is given beside one that tells the same."""
        if key in self and other in self:
            self.take(other)
            self.fault(other, f'give {key} or {other}, not both')

    def is_section(self, key: str) -> bool:
        """Tell whether the value of a key is a mapping."""
        return isinstance(self._data.get(key), dict)

    def number(
        self,
        key: str,
        default: Scalar | None = None,
        above: float = -math.inf,
        minimum: float = -math.inf,
    ) -> Scalar:
        """Return a number or formula > above and >= minimum; NaN, with a fault, if it is none."""
        limit = self._limited(key, default, above, minimum)
        if isinstance(limit.scalar, Formula) and max(above, minimum) > -math.inf:
            self.description.limits.append(limit)
        return limit.scalar

    def value(
        self,
        key: str,
        default: float,
        above: float = -math.inf,
        minimum: float = -math.inf,
    ) -> float:
        """Return a number as it is now, for what cannot change while simulating."""
        return evaluate(self._limited(key, default, above, minimum).scalar, self.values)

    def _limited(self, key: str, default: Scalar | None, above: float, minimum: float) -> Limit:
        value = self.take(key, _MISSING)
        if value is _MISSING:
            if default is None:
                self.fault(key, 'is missing: a number is needed')
            return Limit(self.at(key), math.nan if default is None else default)
        limit = Limit(self.at(key), self.scalar(value, self.at(key)), above, minimum)
        if reason := limit.broken(self.values):
            self.fault(key, reason)
        return limit

    def numbers(
        self, key: str, count: int, default: Sequence[Scalar] | None = ZERO
    ) -> tuple[Scalar, ...]:
        """Return a list of count numbers or formulas."""
        items = self.take(key, _MISSING)
        if items is _MISSING and default is not None:
            return tuple(default)
        if not isinstance(items, list | tuple) or len(items) != count:
            self.fault(key, f'a list of {count} numbers is needed')
            return (math.nan,) * count
        return tuple(self.scalar(x, f'{self.at(key)}[{i}]') for i, x in enumerate(items))

    def triple(self, key: str, default: Triple = ZERO) -> Triple:
        """Return a list of three numbers or formulas."""
        x, y, z = self.numbers(key, 3, default)
        return x, y, z

    def points(self, key: str, count: int) -> tuple[tuple[Scalar, ...], ...]:
        """Return a list of points of count numbers each."""
        items = self.take(key)
        if not isinstance(items, list | tuple) or not items:
            self.fault(key, f'a list of points of {count} numbers is needed')
            return ()
        points = []
        for i, item in enumerate(items):
            path = f'{self.at(key)}[{i}]'
            if not isinstance(item, list | tuple) or len(item) != count:
                self.note(path, f'a list of {count} numbers is needed')
            else:
                points.append(tuple(self.scalar(x, f'{path}[{j}]') for j, x in enumerate(item)))
        return tuple(points)

    def text(self, key: str, default: str | None = None, choices: Sequence[str] = ()) -> str:
        """Return a word, one of choices where they are given."""
        value = self.take(key, default)
        if value is None:
            what = f'one of {", ".join(choices)}' if choices else 'a word'
            self.fault(key, f'is missing: {what} is needed')
            return ''
        if not isinstance(value, str):
            self.fault(key, 'a word is needed')
            return default or ''
        if choices and value not in choices:
            close = difflib.get_close_matches(value[:LONGEST], choices, 1)
            hint = f'; did you mean {close[0]!r}?' if close else ''
            self.fault(key, f'must be one of {", ".join(choices)}, got {shown(value)}{hint}')
        return value

    def name(self, key: str, default: str) -> str:
        """Return a word that can be part of a topic."""
        word = self.text(key, default)
        if key in self and not NAME.match(word):
            self.fault(key, f'{shown(word)} {NOT_A_NAME}')
        return word

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self.take(key, default)
        if not isinstance(value, bool):
            self.fault(key, 'must be true or false')
            return default
        return value

    def section(self, key: str) -> Section:
        """Return the mapping under a key; an empty one where there is none."""
        return Section(self.description, self.at(key), self.take(key, {}), self.values)

    def named_sections(self, key: str) -> dict[str, Section]:
        """Return the mappings under a key by their names, which must be names for ROS topics."""
        parent = self.section(key)
        for name in parent.names():
            if not NAME.match(name):
                parent.fault(name, f'{shown(name)} {NOT_A_NAME}')
        return {name: parent.section(name) for name in parent.names()}

    def items(self, key: str) -> list[Section]:
        """Return the list of mappings under a key."""
        items = self.take(key, [])
        if not isinstance(items, list | tuple):
            self.fault(key, 'a list is needed')
            return []
        sections = []
        for i, item in enumerate(items):
            path = f'{self.at(key)}[{i}]'
            if isinstance(item, dict):
                sections.append(Section(self.description, path, item, self.values))
            else:
                self.note(path, 'a mapping (`key: value`) is needed')
        return sections

    def close(self) -> None:
        """Report the keys that nobody asked for."""
        for key in self._data:
            if key not in self._known:
                hint = suggestion(key, set(self._known), 'known here')
                self.fault(key, f'unknown key; {hint}')

    def scalar(self, value: Any, path: str) -> Scalar:
        """Return a value as a number or a formula of known symbols; NaN, with a fault, if not."""
        try:
            scalar = self._scalar(value)
            number = evaluate(scalar, self.values)
            if not math.isfinite(number):
                raise ValueError(f'must be finite, got {number}')
            if abs(number) > LARGEST:
                raise ValueError(f'must be at most {LARGEST:g}, got {number:g}')
        except ValueError as error:
            self.note(path, str(error))
            return math.nan
        return scalar

    def _scalar(self, value: Any) -> Scalar:
        if isinstance(value, Formula):
            return value
        if isinstance(value, str) and value.strip():
            return parse(value)
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValueError('a number is needed')
        try:
            return float(value)
        except OverflowError:
            raise ValueError('must be finite') from None
