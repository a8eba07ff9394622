"""
Sources of the pictures of README and docs, and the manifest that tells stale ones.

`docs/images/pictures.json` has, of every picture that a command makes, a digest of the files that
draw it. Comments, docstrings and the layout of the code do not count, nor do the words of a model
file. What is computed or measured is not drawing: it has tests of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
import hashlib
import json
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
MANIFEST = ROOT / 'docs' / 'images' / 'pictures.json'
# Modules of the command line that draw a run, by option: they, and what they import of it.
DRAWING = {'--plot': 'run_figure', '--animate': 'animation'}
COMMAND_LINE = 'symcontact_ros.cli.'
FIGURES = ('figure', 'plot')  # in the names of modules of a script that draw
UNSAID = ('ctx', 'kind', 'type_comment', 'type_ignores', 'type_params')  # fields of code
SPOKEN = ('description', 'latex', 'title', 'topic')  # keys of a model file that no picture shows


def sources_of_run(words: str) -> list[Path]:
    """Return what draws a run of `symcontact simulate`: its arguments begin with the model."""
    model, *_, option = words.split()
    module = _module(COMMAND_LINE + DRAWING[option], ROOT)
    package = [path for path in _reached(module, ROOT) if path.parent == module.parent]
    return [ROOT / 'config' / 'models' / f'{model}.yaml', *package]


def sources_of_commands(commands: Iterable[str], measures: bool) -> list[Path]:
    """
    Return scripts, and their own modules that draw.

    Without a measurement, which takes minutes to repeat, also what these use of the command line.
    """
    found: list[Path] = []
    for command in commands:
        script = ROOT / command.split()[0]
        reached = [path for path in _reached(script, script.parent) if path != script]
        own = [path for path in reached if any(word in path.stem for word in FIGURES)]
        found += [script, *(path for path in own if script.parent in path.parents)]
        folder = ROOT / 'symcontact_ros' / 'cli'
        found += [] if measures else [path for path in reached if path.parent == folder]
    return list(dict.fromkeys(found))


def _reached(path: Path, folder: Path) -> list[Path]:
    """Return a module, and all that it imports of a folder and of the command line."""
    found, waiting = [], [path]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found.append(path)
        waiting += [_module(name, folder) for name in _imports(path)]
    return found


@cache
def _imports(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
        if isinstance(node, ast.ImportFrom):
            found.append(node.module or '')
        elif isinstance(node, ast.Import):
            found += [name.name for name in node.names]
    return found


def _module(name: str, folder: Path) -> Path:
    """Return the file of a module of a folder or of the command line."""
    own = name.startswith(COMMAND_LINE)
    return (ROOT if own else folder) / f'{name.replace(".", "/")}.py'


def digest(paths: Iterable[Path]) -> str:
    """Return a digest of what files say, whatever their layout."""
    whole = hashlib.sha256()
    for path in sorted(paths):
        whole.update(str(path.relative_to(ROOT)).encode())
        whole.update(meaning(path.suffix, path.read_text(encoding='utf-8')).encode())
    return whole.hexdigest()


@cache
def meaning(suffix: str, text: str) -> str:
    """Return what a file says: code without comments, models without words, others as text."""
    if suffix == '.yaml':
        return repr(_plain(yaml.safe_load(text)))
    if suffix != '.py':
        return text
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, 'body', None)
        if isinstance(body, list) and body and _is_text(body[0]):
            del body[0]
        if isinstance(node, ast.JoinedStr):  # Python 3.12 has empty texts in them
            node.values = [own for own in node.values if getattr(own, 'value', None) != '']
    return _said(tree)


def _said(value: Any) -> str:
    """Return a node of code as text that is the same in all versions of Python."""
    if isinstance(value, list):
        return f'[{", ".join(map(_said, value))}]'
    if not isinstance(value, ast.AST):
        return repr(value)
    fields = [
        f'{name}={_said(own)}'
        for name, own in ast.iter_fields(value)
        if name not in UNSAID and own is not None and own != []
    ]
    return f'{type(value).__name__}({", ".join(fields)})'


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(own) for key, own in value.items() if key not in SPOKEN}
    return [_plain(own) for own in value] if isinstance(value, list) else value


def stored() -> dict[str, str]:
    """Return the digests of the pictures as they were drawn."""
    found: dict[str, str] = json.loads(MANIFEST.read_text(encoding='utf-8'))
    return found


def stamp(pictures: dict[str, list[Path]], kept: Iterable[str]) -> None:
    """Store that pictures were drawn by their sources; forget those that are not kept."""
    digests = {name: digest(paths) for name, paths in pictures.items()}
    before = stored() if MANIFEST.exists() else {}
    both = before | digests
    text = json.dumps({name: both[name] for name in sorted(kept) if name in both}, indent=1)
    MANIFEST.write_text(text + '\n', encoding='utf-8')
