"""Types of option values: text from the command line, as numbers within their limits."""

from __future__ import annotations

from argparse import ArgumentTypeError
import math

from symcontact_ros.errors import shown

LARGEST = 2**63  # of whole numbers


def seconds(text: str) -> float:
    """Return a time > 0 [s]; `inf` is one."""
    return _positive(text, 'number of seconds')


def frequency(text: str) -> float:
    """Return a frequency > 0 [Hz]."""
    value = _positive(text, 'frequency in Hz')
    return value if math.isfinite(value) else _refuse('frequency in Hz that is finite', text)


def length(text: str) -> float:
    """Return a number [m]; the simulation checks its limits."""
    return _number(text, 'length in metres')


def ratio(text: str) -> float:
    """Return a finite number >= 0."""
    value = _number(text, 'number')
    return value if 0.0 <= value < math.inf else _refuse('number, 0 or more', text)


def whole_number(text: str) -> int:
    """Return a whole number."""
    return _whole(text, 'whole number')


def count(text: str) -> int:
    """Return a whole number >= 1."""
    value = _whole(text, 'whole number')
    return value if value >= 1 else _refuse('whole number, 1 or more', text)


def setting(text: str) -> tuple[str, float]:
    """Return name and value of `NAME=NUMBER`."""
    name, equals, value = text.partition('=')
    if not name or not equals:
        raise ArgumentTypeError(f'must be NAME=NUMBER, got {text!r}')
    try:
        return name, float(value)
    except ValueError:
        raise ArgumentTypeError(f'{name} must be a number, got {value!r}') from None


def named_text(text: str) -> tuple[str, str]:
    """Return name and text of `NAME=TEXT`."""
    name, equals, value = text.partition('=')
    if not name or not equals or not value:
        raise ArgumentTypeError(f'must be NAME=VALUES, got {text!r}')
    return name, value


def _positive(text: str, what: str) -> float:
    value = _number(text, what)
    return value if value > 0.0 else _refuse(f'{what} > 0', text)


def _number(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return _refuse(what, text)
    if math.isinf(value) and 'inf' not in text.lower():  # more than a float can be
        return _refuse(what, text)
    return value


def _whole(text: str, what: str) -> int:
    try:
        value = int(text)
    except ValueError:
        return _refuse(what, text)
    return value if abs(value) < LARGEST else _refuse(what, text)


def _refuse(what: str, text: str) -> int:
    raise ArgumentTypeError(f'must be a {what}, got {shown(text)}')
