"""docs/architecture.md: its files and functions exist, and its picture has all rooms."""

import ast
import re

from helpers.places import ROOT
from helpers.sources import SOURCES
import pytest

PAGE = (ROOT / 'docs' / 'architecture.md').read_text(encoding='utf-8')
PICTURE = (ROOT / 'docs' / 'images' / 'house.svg').read_text(encoding='utf-8')
CODE = re.compile(r'`([^`]+)`')
FILE = re.compile(r'[\w/]+\.py')
NAME = re.compile(r'[A-Za-z_]\w*(\.\w+)?')


def defined(path):
    """Return functions and classes of a file, methods as `Class.method`."""
    names = set()
    for node in ast.parse(path.read_text(encoding='utf-8')).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            methods = (item for item in node.body if isinstance(item, ast.FunctionDef))
            names |= {f'{node.name}.{method.name}' for method in methods}
    return names


def walk_rows():
    """Return function names and files of the rows of tables that have both."""
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if len(cells) < 3:
            continue
        names, files = CODE.findall(cells[0]), CODE.findall(cells[1])
        if files and all(FILE.fullmatch(file) for file in files):
            yield pytest.param(names, files, id=' '.join(names))


@pytest.mark.parametrize(('names', 'files'), list(walk_rows()))
def test_the_functions_of_the_walk_exist(names, files):
    assert names
    assert all(NAME.fullmatch(name) for name in names)
    known = set().union(*(defined(SOURCES / file) for file in files))
    assert set(names) - known == set()


def test_the_walk_has_not_shrunk_to_nothing():
    assert len(list(walk_rows())) >= 30


def test_names_with_their_file_exist():
    pairs = re.findall(r'`([\w.]+)`(?: in |\s+\()`([\w/]+\.py)`', PAGE)
    assert len(pairs) >= 5
    assert [(n, f) for n, f in pairs if n not in defined(SOURCES / f)] == []


def test_every_file_of_the_page_exists():
    files = {code for code in CODE.findall(PAGE) if FILE.fullmatch(code) and '/' in code}
    roots = (SOURCES, SOURCES / 'simulation', ROOT)
    assert [f for f in files if not any((root / f).is_file() for root in roots)] == []


def test_the_page_and_the_picture_have_every_room():
    rooms = {path.name for path in SOURCES.iterdir() if (path / '__init__.py').is_file()}
    rooms |= {
        path.name
        for path in (SOURCES / 'simulation').iterdir()
        if (path / '__init__.py').is_file()
    }
    assert [room for room in rooms if f'`{room}/`' not in PAGE] == []
    assert [room for room in rooms if f'{room}/' not in PICTURE] == []
