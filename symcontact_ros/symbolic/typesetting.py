"""
Names of symbols as they are typeset: one letter or one word, with indices.

A product of names has no sign between them: a name of two letters set as two letters reads as
their product, and its square as that of the second one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
import re
import unicodedata

_LOWER = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma'
_LOWER += ' tau upsilon phi chi psi omega'
_UPPER = 'Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega'
GREEK = {
    name: unicodedata.lookup(f'GREEK {size} LETTER {name.upper().replace("LAMBDA", "LAMDA")}')
    for size, names in (('SMALL', _LOWER), ('CAPITAL', _UPPER))
    for name in names.split()
}
_SIGNS = {**GREEK, 'ell': '\N{SCRIPT SMALL L}', 'prime': '\N{PRIME}'}
_LETTER = r'[A-Za-z]|\\math(?:rm|bf|it|sf)\{(?:[^{}\\]|\\_)+\}|\\(?!math)[A-Za-z]+'
_PART = rf'(?:{_LETTER}|\d+|\*)'
_INDEX = rf'(?:{_PART}|\{{{_PART}(?:[ ,]*{_PART})*\}})'
_ATOM = re.compile(rf'({_LETTER})(?:_({_INDEX}))?(?:\^({_INDEX}))?')


@dataclass(frozen=True)
class Atom:
    """A letter, Greek letter or word, and its indices below and above."""

    head: str
    below: tuple[str, ...] = ()
    above: tuple[str, ...] = ()

    def latex(self) -> str:
        """Return the atom in LaTeX."""
        rows = ((sign, ','.join(map(_tex, row))) for sign, row in self._rows())
        return _tex(self.head) + ''.join(f'{sign}{{{row}}}' for sign, row in rows)

    def with_index(self, index: str) -> Atom:
        """Return the atom with another index below."""
        return Atom(self.head, (*self.below, index), self.above)

    def _rows(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        yield from ((sign, row) for sign, row in (('_', self.below), ('^', self.above)) if row)


def atom(name: str, owner: Iterable[str] = ()) -> Atom:
    """
    Return a name as people write it, with indices of what it belongs to.

    The first letter, Greek letter or word is the head: ``m1``, ``hx``, ``k_buffer``, ``theta_2``
    have the indices 1, x, buffer and 2. A longer word stays one, set upright.
    """
    first, *rest = (part for part in name.split('_') if part)
    head, index = first, []
    if first not in GREEK:
        greek = re.fullmatch(rf'({"|".join(GREEK)})(\d+)', first)
        letters = re.fullmatch(r'([A-Za-z])([a-zA-Z]?)(\d*)', first)
        word = re.fullmatch(r'([A-Za-z]+)(\d+)', first)
        if found := greek or letters or word:
            head, *index = (part for part in found.groups() if part)
    return Atom(head, (*index, *rest, *owner))


def atom_of(latex: str) -> Atom | None:
    """Return the atom that LaTeX typesets; None where that is more than one, or anything else."""
    found = _ATOM.fullmatch(latex.strip())
    if found is None:
        return None
    head, below, above = found.groups()
    return Atom(_plain(head), _indices(below), _indices(above))


def sign_of(part: str) -> str:
    """Return a part of an atom as one or more characters: Greek letters as such."""
    return _SIGNS.get(part, part)


def _indices(row: str | None) -> tuple[str, ...]:
    return tuple(map(_plain, re.findall(_PART, row or '')))


def _plain(latex: str) -> str:
    """Return a part without its commands."""
    word = re.fullmatch(r'\\math\w\w\{(.*)\}', latex)
    return (word[1] if word else latex.removeprefix('\\')).replace(r'\_', '_')


def _tex(part: str) -> str:
    if part in _SIGNS:
        return f'\\{part}'
    if len(part) == 1 or part.isdecimal():
        return part
    return rf'\mathrm{{{_escaped(part)}}}'


def _escaped(part: str) -> str:
    return re.sub(r'([_#$%&{}])', r'\\\1', part)
