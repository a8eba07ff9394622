"""
Script of a page: its modules as one, since pages from disk may not load modules from files.

Every module becomes a function of its own that returns what it exports, after those that it
imports. Only the forms of import and export that the modules use are known; others are refused.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path, PurePosixPath
import posixpath
import re

PAGE = Path(__file__).parent / 'page'
FIRST = 'main.js'

_IMPORT = re.compile(r"^import \{([^}]*)\} from '(\.[\w./]+)';$", re.M)
_EXPORT = re.compile(r'^export ((?:async )?function|class|const|let)(\*? )([\w$]+)', re.M)
_LEFT_OVER = re.compile(r'^\s*(import|export)\b.*$', re.M)


@cache
def page_script(first: str = FIRST) -> str:
    """Return the script of the page that starts with a module."""
    order: list[str] = []
    _visit(first, order, ())
    return '\n'.join(['"use strict";', *(_as_function(name) for name in order)])


def _visit(name: str, order: list[str], above: tuple[str, ...]) -> None:
    """Append a module to an order, after those that it imports."""
    if name in above:
        raise ValueError(f'modules import each other: {" -> ".join([*above, name])}')
    if name in order:
        return
    for _, other in _IMPORT.findall(_text(name)):
        _visit(_resolved(name, other), order, (*above, name))
    order.append(name)


def _text(name: str) -> str:
    return (PAGE / name).read_text(encoding='utf-8')


def _resolved(name: str, other: str) -> str:
    """Return the name of a module that another one imports by a relative path."""
    return posixpath.normpath(str(PurePosixPath(name).parent / other))


def _variable(name: str) -> str:
    return re.sub(r'\W', '_', name)


def _as_function(name: str) -> str:
    """Return a module as a constant with what it exports."""
    text = _text(name)
    exported = [found[2] for found in _EXPORT.findall(text)]

    def imported(found: re.Match[str]) -> str:
        names = found[1].replace(' as ', ': ').strip().rstrip(',')
        return f'const {{ {names} }} = {_variable(_resolved(name, found[2]))};'

    text = _EXPORT.sub(r'\1\2\3', _IMPORT.sub(imported, text))
    if odd := _LEFT_OVER.search(text):
        raise ValueError(f'{name}: cannot join {odd[0].strip()!r}')
    return (
        f'// {name}\nconst {_variable(name)} = (() => {{\n{text}\n'
        f'return {{ {", ".join(exported)} }};\n}})();'
    )
