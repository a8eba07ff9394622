"""
Numbers in the attributes of a URDF, as files in the wild write them.

What some loaders read and others do not is read where it can mean one thing only, with a
*doubt*: what was made of it. ``1.``, ``+1``, ``.5``, ``1e-3`` and spaces around are plain.
"""

from __future__ import annotations

import math
import re

LARGEST = 1e100  # of any number: products of a few stay finite
LONGEST = 40  # characters of a value that a message repeats

_OPTENV = re.compile(r'\s*\$\(optenv\s+\w+\s+([^()$]*)\)\s*\Z')


def read_number(text: str, infinite: bool = False) -> tuple[float, str]:
    """Return a number and a doubt ('' if there is none); ValueError says what is wrong."""
    text, doubt = _expanded(text)
    value, more = _one(text.strip(), '', infinite)
    return value, doubt or more


def read_numbers(text: str, count: int) -> tuple[list[float], str]:
    """Return so many numbers, separated by spaces, and a doubt; ValueError says what is wrong."""
    text, doubt = _expanded(text)
    words = text.split()
    if ',' in text and len(text.replace(',', ' ').split()) == count:
        words, doubt = text.replace(',', ' ').split(), 'has commas, which are read as spaces'
    pairs = [_one(word, f': {word[:LONGEST]!r} ') for word in words]
    if len(pairs) > count:
        doubt = f'has {len(pairs)} numbers, of which the first {count} are read'
    elif len(pairs) < count:
        raise ValueError(f' needs {count} numbers, got {len(pairs)}')
    doubts = [doubt, *(more for _, more in pairs)]
    return [value for value, _ in pairs[:count]], next(filter(None, doubts), '')


def _expanded(text: str) -> tuple[str, str]:
    """Return the text with the default of an ``$(optenv NAME default)`` in place of it."""
    if found := _OPTENV.match(text):
        return found[1], 'is not expanded: its default is read'
    if '$(' in text or '${' in text:
        raise ValueError(' is an expression of xacro: expand the file, or name it .xacro')
    return text, ''


def _one(word: str, introduction: str, infinite: bool = False) -> tuple[float, str]:
    doubt = ''
    try:
        value = float(word.replace('_', '?'))  # Python reads 1_000, nobody else does
    except ValueError:
        if not re.fullmatch(r'[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[fF.]', word):
            raise ValueError(f'{introduction}is not a number') from None
        value, doubt = float(word[:-1]), f'ends in {word[-1]!r}, which is left out'
    if infinite and abs(value) > LARGEST:
        return math.copysign(math.inf, value), doubt
    if not abs(value) <= LARGEST:
        raise ValueError(f'{introduction}must be finite')
    return value, doubt
