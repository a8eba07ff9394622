"""Linters, agreement of the package files, and rules on names and docstrings."""

import ast
import subprocess
import sys
from xml.etree import ElementTree

from helpers.places import ROOT
from helpers.sources import imports, modules, SOURCES
import pytest

NOT_A_NOUN_PHRASE = ('What ', 'Which ', 'How ', 'Where ', 'Whether ', 'All that ')


@pytest.mark.parametrize(
    'command',
    [
        ['ruff', 'check', '--quiet', '.'],
        ['ruff', 'format', '--check', '.'],
        ['mypy', '--no-error-summary'],
    ],
    ids=['ruff', 'format', 'mypy'],
)
def test_linters_are_content(command):
    pytest.importorskip(command[0], reason=f'{command[0]} is not installed; `make test` brings it')
    result = subprocess.run(
        [sys.executable, '-m', *command], cwd=ROOT, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_package_xml_and_setup_agree():
    package = ElementTree.parse(ROOT / 'package.xml').getroot()
    setup = (ROOT / 'setup.py').read_text()
    assert package.get('format') == '3'
    assert f"version='{package.findtext('version')}'" in setup
    assert package.findtext('license') == 'Apache-2.0'
    assert (
        f"__version__ = '{package.findtext('version')}'"
        in (ROOT / 'symcontact_ros' / '__init__.py').read_text()
    )


def test_every_ros_package_that_is_imported_is_declared():

    declared = {e.text for e in ElementTree.parse(ROOT / 'package.xml').iter('exec_depend')}
    imported = {module.split('.')[0] for path in modules() for module, _ in imports(path)}
    ros = {name for name in imported if name.endswith(('_msgs', '_interfaces')) or name == 'rclpy'}
    assert ros <= declared


def test_the_changelog_has_a_forthcoming_section():
    text = (ROOT / 'CHANGELOG.rst').read_text()
    assert '\nForthcoming\n-----------\n' in text


def documented_modules():
    """Return the modules of the package, the tools and the benchmarks."""
    return [
        *modules(),
        *(p for folder in ('tools', 'benchmarks') for p in (ROOT / folder).rglob('*.py')),
    ]


@pytest.mark.parametrize(
    'path', documented_modules(), ids=lambda path: str(path.relative_to(ROOT))
)
def test_a_module_docstring_opens_with_a_noun_phrase(path):
    text = ast.get_docstring(ast.parse(path.read_text(encoding='utf-8'))) or ''
    assert text, 'the module has no docstring'
    assert not text.startswith(NOT_A_NOUN_PHRASE), text.splitlines()[0]


def test_bench_and_benchmarks_share_no_module_name():
    names = [
        {path.stem for path in folder.rglob('*.py')} - {'__init__'}
        for folder in (SOURCES / 'bench', ROOT / 'benchmarks')
    ]
    assert names[0].isdisjoint(names[1]), names[0] & names[1]
