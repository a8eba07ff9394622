"""How faults are told: short, on one line, with what is known in place of what was given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
import difflib
import re
from typing import Any

from symcontact_ros.errors import Fault

LONGEST = 60  # characters of a key or word that a message repeats
MOST_NAMES = 20  # in a message


def joined(path: str, key: str) -> str:
    """Return the path of a key; what would confuse a path or a terminal is shown as `?`."""
    word = re.sub(r'[^ -~]|[.\[\]]', '?', key[:LONGEST]) or '?'
    return f'{path}.{word}' if path else word


def shown(word: Any) -> str:
    """Return a word as a message repeats it: quoted, on one line, and not too long."""
    text = ascii(str(word)[: LONGEST + 1])
    return text if len(str(word)) <= LONGEST else f'{text[:LONGEST]}...'


def suggestion(word: Any, known: Collection[str], introduction: str) -> str:
    """Return `did you mean ...?` where a known word is close, otherwise what is known."""
    few = len(known) <= 10 * MOST_NAMES and isinstance(word, str) and len(word) <= LONGEST
    close = difflib.get_close_matches(word, known, 1) if few else []
    if close:
        return f'did you mean {close[0]!r}?'
    listed = ', '.join(sorted(known)[:MOST_NAMES]) or 'none'
    return f'{introduction}: {listed}' + (', ...' if len(known) > MOST_NAMES else '')


def by_line(faults: Sequence[Fault]) -> list[Fault]:
    """Return faults in the order of the file."""
    return sorted(faults, key=lambda fault: fault.line or 0)
