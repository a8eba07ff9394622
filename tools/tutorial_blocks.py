"""
Steps of a tutorial page, in the order in which a reader takes them.

A page is plain Markdown with conventions that readers see:

- `Save as `NAME`:` and a fenced block: a file;
- a block of `sh`: commands, which end before the reader goes on, unless the paragraph before it
  says *leave it running*; it may also say in which terminal: *in a second terminal*;
- a block of `text`: lines that those commands, or those in the terminal that the paragraph before
  it names, have printed, in this order and maybe with others in between. `...` stands for
  anything; other numbers are right to 2 %, or to one in their last decimal place;
- a paragraph with *press Ctrl-C in the second terminal*: does so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
import re

FENCE = '```'
SAVE = re.compile(r'Save (?:it |this )?as `([\w.]+)`:$')
STAYS = 'leave it running'
INTERRUPT = re.compile(r'press Ctrl-C in the (\w+) terminal', re.IGNORECASE)
TERMINAL = re.compile(r'\b(first|second|third) terminal\b')
PICTURE = re.compile(r'\]\(\.\./images/tutorial_(\w+\.png)\)')
# What sets a machine up, or leads to a folder, is not done again.
SETTING_UP = ('git clone ', 'cd ', 'mkdir ', 'make setup', '. .venv/', 'pip install ')
NUMBER = re.compile(r'(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)')
PART = 0.02  # relative tolerance of numbers


@dataclass(frozen=True)
class Save:
    """A file that the reader writes."""

    name: str
    text: str


@dataclass(frozen=True)
class Run:
    """Commands that the reader gives."""

    commands: tuple[str, ...]
    terminal: str
    stays: bool  # whether they go on while the reader does other things


@dataclass(frozen=True)
class Expect:
    """Lines that the reader sees in a terminal; by default in that of the last command."""

    lines: tuple[str, ...]
    terminal: str


@dataclass(frozen=True)
class Interrupt:
    """Ctrl-C in a terminal."""

    terminal: str


Step = Save | Run | Expect | Interrupt


def steps(page: str) -> Iterator[Step]:
    """Yield the steps of a page; ValueError at a block that is none of them."""
    before = ''  # the paragraph before
    for language, text in _pieces(page):
        if language is None:
            before = ' '.join(text.split())
            for terminal in INTERRUPT.findall(before):
                yield Interrupt(terminal)
            continue
        terminals = TERMINAL.findall(before)
        terminal = terminals[-1] if terminals else ''
        saved, introduced = SAVE.search(before), before
        before = ''  # it is about this block alone
        if saved:
            yield Save(saved.group(1), text)
        elif language == 'sh':
            commands = [line for line in text.splitlines() if not line.startswith(SETTING_UP)]
            if commands:
                yield Run(tuple(commands), terminal, STAYS in introduced)
        elif language == 'text':
            yield Expect(tuple(text.splitlines()), terminal)
        else:
            raise ValueError(f'a block of {language!r} that nobody runs: {text[:60]!r}')


def _pieces(page: str) -> Iterator[tuple[str | None, str]]:
    """Yield paragraphs, without a language, and fenced blocks."""
    language, lines = None, []
    for line in page.splitlines():
        if line.startswith(FENCE):
            if lines:
                yield language, ''.join(f'{line}\n' for line in lines)
            language, lines = (line.removeprefix(FENCE) if language is None else None), []
        elif language is None and not line.strip():
            if lines:
                yield None, '\n'.join(lines)
            lines = []
        else:
            lines.append(line)
    if language is not None:
        raise ValueError(f'a block of {language!r} without an end')
    if lines:
        yield None, '\n'.join(lines)


def missing(expected: tuple[str, ...], output: str) -> str:
    """Return the first expected line that the output does not have after the one before; or ''."""
    left = iter(output.replace('\r', '\n').splitlines())
    for line in expected:
        if line.strip() != '...' and not any(fits(line, found) for found in left):
            return line
    return ''


def fits(expected: str, found: str) -> bool:
    """Return whether a line is the expected one, but for blanks and small errors of numbers."""
    numbers = NUMBER.findall(expected)
    texts = [re.escape(' '.join(text.split())) for text in NUMBER.split(expected)]
    pattern = r'\s*([-+]?\d[-+.e\d]*)\s*'.join(text.replace(r'\.\.\.', '.*') for text in texts)
    match = re.fullmatch(pattern.replace(r'\ ', r'\s+'), found.strip())
    return match is not None and all(map(_is_near, numbers, match.groups()))


def _is_near(expected: str, found: str) -> bool:
    value = float(expected)
    decimals = len(expected.partition('e')[0].partition('.')[2])
    last = 10.0**-decimals if decimals and 'e' not in expected else 0.0
    try:
        return abs(float(found) - value) <= PART * abs(value) + 1.01 * last
    except ValueError:
        return False
