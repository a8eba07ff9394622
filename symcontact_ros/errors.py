"""Errors that a user can correct, and the faults of an input, reported all at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

LONGEST = 60  # characters of a key or word that a message repeats
LONGEST_LINE = 1000  # characters of a line in a log
MOST_NAMES = 20  # in a message


@dataclass(frozen=True)
class Fault:
    """One thing wrong with an input: its place, and what is needed instead."""

    source: str  # the file, or what stands for it
    line: int | None  # 1-based; None where a line means nothing
    key: str  # dotted path, e.g. `bodies.ball.mass`; empty for the whole file
    reason: str

    def __str__(self) -> str:
        place = self.source if self.line is None else f'{self.source}:{self.line}'
        return ': '.join(part for part in (place, self.key, self.reason) if part)


class SymcontactError(Exception):
    """Base of every error that a user can correct; its text is the message to show."""


class ModelError(SymcontactError, ValueError):
    """A model that cannot be simulated; ``faults`` lists everything wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__('\n'.join(map(str, self.faults)))


class OptionError(SymcontactError, ValueError):
    """An option, argument or name that is not valid."""


class DivergenceError(SymcontactError, ArithmeticError):
    """
    The state became NaN or infinite in a step, and is that before it; or it is finite but wrong.

    The latter is what ``max_residual``, ``max_depth_ratio`` and ``max_exceeded_steps`` of a
    simulation limit; the state is that in which it was seen.
    """


class BusyError(SymcontactError, RuntimeError):
    """A simulation is in use by another thread."""


class MissingPackageError(SymcontactError, ImportError):
    """An optional package is not installed; the text says how to install it."""


def counted(count: int, what: str) -> str:
    """Return a number of things: `1 pair`, `2 pairs`."""
    return f'{count} {what}' if count == 1 else f'{count} {what}s'


def no_such(what: str, name: object, known: Collection[str]) -> OptionError:
    """Return the error for an unknown name, with the nearest known one or with all of them."""
    return OptionError(f'no {what} {shown(name)}; {suggestion(name, known, "there are")}')


def not_one_of(what: str, choices: Collection[str], value: object) -> str:
    """Return the reason why a value is refused that is none of some words."""
    close = f'; {hint}' if (hint := _nearest(value, choices)) else ''
    return f'{what} must be one of {_listed(choices)}, got {shown(value)}{close}'


def shown(word: Any) -> str:
    """Return a word as a message repeats it: quoted, on one line, and not too long."""
    whole = word if isinstance(word, str) else printed(word)
    text = ascii(whole[: LONGEST + 1])
    return text if len(whole) <= LONGEST else f'{text[:LONGEST]}...'


def shown_value(value: Any) -> str:
    """Return a value of any type as a message repeats it: numbers and lists without quotes."""
    if isinstance(value, str):
        return shown(value)
    text = printed(value, ascii)
    return text if len(text) <= LONGEST else f'{text[:LONGEST]}...'


def printed(value: Any, way: Callable[[Any], str] = str) -> str:
    """Return a value as a text, also one with more digits than Python prints."""
    try:
        return way(value)
    except ValueError:
        return 'thousands of digits'


def one_line(text: Any) -> str:
    """
    Return a text as a line of a log: control characters escaped, and cut if it is too long.

    Whatever came from a file or a message stays visible, and can neither pass for another line
    nor colour, move or clear a terminal.
    """
    line = str(text)
    cut = f'{line[:LONGEST_LINE]}...' if len(line) > LONGEST_LINE else line
    return cut if cut.isprintable() else ''.join(map(_visible, cut))


def many_lines(text: Any) -> str:
    """Return a text of several lines, each as `one_line` has it."""
    return '\n'.join(map(one_line, str(text).split('\n')))


def suggestion(word: Any, known: Collection[str], introduction: str) -> str:
    """Return `did you mean ...?` if a known word is close, otherwise the known words."""
    if close := _nearest(word, known):
        return close
    return f'{introduction}: {_listed(sorted(known))}'


def key_hint(key: Any, known: Collection[str]) -> str:
    """Return all known keys, after `did you mean ...?` where one of them is close."""
    close = f'{hint} ' if (hint := _nearest(key, known)) else ''
    return f'{close}known here: {", ".join(sorted(known)) or "none"}'


def _visible(character: str) -> str:
    return character if character.isprintable() else ascii(character)[1:-1]


def _listed(names: Collection[str]) -> str:
    """Return the first names as a message lists them, on one line."""
    shown_names = [ascii(name)[1:-1] for name in list(names)[:MOST_NAMES]]
    return ', '.join([*shown_names, *(['...'] if len(names) > MOST_NAMES else [])]) or 'none'


def _nearest(word: Any, known: Collection[str]) -> str:
    """Return `did you mean ...?` if a known word is close, otherwise nothing."""
    if not isinstance(word, str) or len(word) > LONGEST or len(known) > 10 * MOST_NAMES:
        return ''
    import difflib  # only where something is wrong

    close = [name for name in known if name.casefold() == word.casefold()]
    close = close or difflib.get_close_matches(word, known, 1)
    close = close or [name for name in known if len(word) > 2 and name.startswith(word)]
    return f'did you mean {close[0]!a}?' if close else ''
