"""Reading of a description key by key; faults are collected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import math
from numbers import Real
import re
from typing import Any

from symcontact_ros.errors import Fault, key_hint, ModelError, not_one_of, shown
from symcontact_ros.expressions import evaluate, Formula, parse, Scalar, UnknownParameterError
from symcontact_ros.model.building.fault_paths import by_line, joined
from symcontact_ros.model.description import Description
from symcontact_ros.model.parts import Limit
from symcontact_ros.placements import Triple

NAME = re.compile(r'(?!.*__)[A-Za-z][A-Za-z0-9_]*\Z')
NOT_A_NAME = 'is not a valid name: use letters, digits and single _, and a letter first'
ZERO: Triple = (0.0, 0.0, 0.0)
LARGEST = 1e30  # of any number: fifth powers, and products of a few, stay finite
MOST_FAULTS = 500
_MISSING = object()


class Section:
    """
    A mapping of the description. Reading a key marks it as known; ``close`` reports the rest.

    Where a key is unknown, those are named that were read or asked for (``'key' in section``).
    ``values`` are those of the symbols that formulas may name.
    """

    def __init__(
        self, description: Description, path: str, data: Any, values: dict[str, float]
    ) -> None:
        self.description = description
        self.path = path
        self.values = values
        self._known: list[str] = []
        self._offered: set[str] = set()  # that could be here, and need not
        self._data: dict[str, Any] = data if isinstance(data, dict) else {}
        self._is_mapping = isinstance(data, dict)
        if not self._is_mapping:
            self.add_fault(path, 'a mapping (`key: value`) is needed')

    def __contains__(self, key: str) -> bool:
        self._offered.add(key)
        return key in self._data

    def offer(self, *keys: str) -> None:
        """Name keys that could be here, and that something else reads."""
        self._offered.update(keys)

    def names(self) -> Iterator[str]:
        """Return the keys, in the order of the file."""
        return iter(self._data)

    def at(self, key: str) -> str:
        """Return the path of a key."""
        return joined(self.path, key) if key else self.path

    def fault(self, key: str, reason: str) -> None:
        """Add a fault of the value of a key, or of the section ('')."""
        self.add_fault(self.at(key), reason)

    def add_fault(self, path: str, reason: str) -> None:
        """Add a fault of the value at a path; ModelError if there are too many."""
        description = self.description
        description.fault(path, reason)
        if len(description.faults) >= MOST_FAULTS:
            end = Fault(description.source, None, '', f'stopped after {MOST_FAULTS} faults')
            raise ModelError([*by_line(description.faults), end])

    def add_unknown(self, path: str, reason: str) -> None:
        """Add the fault of an unknown name, unless an include that may have it was not read."""
        if not self.description.is_incomplete:
            self.add_fault(path, reason)

    def take(self, key: str, default: Any = None) -> Any:
        """Return the raw value of a key."""
        self._known.append(key)
        return self._data.get(key, default)

    def settle(self, **values: Any) -> None:
        """Put values in the place of what they were read from; None: the key goes."""
        for key, value in values.items():
            self._known.append(key)
            self._data.pop(key, None)
            if value is not None:
                self._data[key] = value

    def has_keyword(self, key: str, word: str) -> bool:
        """Return whether the value of a key is a word such as ``auto`` or ``all``."""
        return bool(self.take(key) == word)

    def one_of(self, key: str, other: str) -> None:
        """Add a fault if two keys with the same meaning are given."""
        if key in self and other in self:
            self.take(other)
            self.fault(other, f'give {key} or {other}, not both')

    def is_section(self, key: str) -> bool:
        """Return whether the value of a key is a mapping."""
        return isinstance(self._data.get(key), dict)

    def number(
        self,
        key: str,
        default: Scalar | None = None,
        above: float = -math.inf,
        minimum: float = -math.inf,
    ) -> Scalar:
        """Return a number or formula > above and >= minimum; NaN and a fault otherwise."""
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
        """Return the present value of a number that cannot change while simulating."""
        return evaluate(self._limited(key, default, above, minimum).scalar, self.values)

    def _limited(self, key: str, default: Scalar | None, above: float, minimum: float) -> Limit:
        value = self.take(key, _MISSING)
        if value is _MISSING:
            if default is None and self._is_mapping:
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
            got = f', got {len(items)}' if isinstance(items, list | tuple) else ''
            self.fault(key, f'a list of {count} numbers is needed{got}')
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
                got = f', got {len(item)}' if isinstance(item, list | tuple) else ''
                self.add_fault(path, f'a list of {count} numbers is needed{got}')
            else:
                points.append(tuple(self.scalar(x, f'{path}[{j}]') for j, x in enumerate(item)))
        return tuple(points)

    def text(self, key: str, default: str | None = None, choices: Sequence[str] = ()) -> str:
        """Return a word, one of choices where they are given."""
        value = self.take(key, default)
        if value is None:
            what = f'one of {", ".join(choices)}' if choices else 'a word'
            if self._is_mapping:
                self.fault(key, f'is missing: {what} is needed')
            return ''
        if not isinstance(value, str):
            self.fault(key, 'a word is needed')
            return default or ''
        if choices and value not in choices:
            self.fault(key, not_one_of('', choices, value).lstrip())
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
                self.add_fault(path, 'a mapping (`key: value`) is needed')
        return sections

    def check_numbers(self, *keys: str) -> None:
        """Report wrong formulas under keys whose type is not known."""
        for key in keys:
            self._check_leaves(self.take(key), self.at(key))

    def _check_leaves(self, value: Any, path: str) -> None:
        if isinstance(value, list | tuple):
            for i, item in enumerate(value):
                self._check_leaves(item, f'{path}[{i}]')
        elif isinstance(value, str):
            self.scalar(value, path)

    def close(self) -> None:
        """Report the keys that were not read."""
        for key in self._data:
            if key not in self._known:
                self.fault(key, f'unknown key; {key_hint(key, self._offered.union(self._known))}')

    def scalar(self, value: Any, path: str) -> Scalar:
        """Return a value as a number or a formula of known symbols; NaN and a fault otherwise."""
        try:
            scalar = self._scalar(value)
            number = evaluate(scalar, self.values)
            names = scalar.names() if isinstance(scalar, Formula) else ()
            if any(math.isnan(self.values[name]) for name in names):
                return math.nan  # the fault of that parameter is known
            if not math.isfinite(number):
                raise ValueError(f'must be finite, got {number}')
            if abs(number) > LARGEST:
                raise ValueError(f'must be at most {LARGEST:g}, got {number:g}')
        except UnknownParameterError as error:
            self.add_unknown(path, str(error))
            return math.nan
        except ValueError as error:
            self.add_fault(path, str(error))
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
