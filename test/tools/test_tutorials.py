"""Every tutorial does what it says, from its first command to its last."""

import json
import os
import re
import sys

from helpers.places import page, ROOT
import pytest

sys.path.insert(0, str(ROOT / 'tools'))
from tutorial_blocks import Expect, fits, missing, PICTURE, Save, steps
from tutorials import PAGES, read, Reader, TutorialError

NAMES = sorted(path.name for path in PAGES.glob('*.md') if path.name != 'index.md')
NOTEBOOK = PAGES / 'teaching.ipynb'
LARGEST = 100_000  # [byte] of a picture


@pytest.mark.parametrize('name', NAMES)
def test_a_reader_sees_what_the_page_says(name, ros_environment, tmp_path):
    text = page(f'tutorials/{name}')
    pytest.importorskip('matplotlib')
    for module in ('rclpy', 'mcap_ros2'):
        if module in text:
            pytest.importorskip(module, reason='`make test` brings it')
    folder = tmp_path / 'own'
    folder.mkdir()
    read(PAGES / name, folder, ros_environment)


def test_the_notebook_runs_from_its_first_cell_to_its_last(tmp_path):
    client = pytest.importorskip('nbclient', reason='`make test` brings it')
    pytest.importorskip('ipykernel')
    nbformat = pytest.importorskip('nbformat')
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    resources = {'metadata': {'path': str(tmp_path)}}
    client.NotebookClient(notebook, timeout=300, resources=resources).execute()
    outputs = [output for cell in notebook.cells for output in cell.get('outputs', [])]
    printed = ''.join(output.get('text', '') for output in outputs)
    kinds = [kind for output in outputs for kind in output.get('data', {})]
    assert kinds.count('image/png') == 4
    assert 'text/latex' in kinds
    assert 'mass matrix: Matrix([[0, 0], [0, 0]])' in printed
    assert 'forcing:     Matrix([[0], [0]])' in printed
    assert 'c = 0.5: the closed form gives 0.5000 to 0.5000 s/m' in printed


def test_the_notebook_is_stored_without_outputs():
    notebook = json.loads(NOTEBOOK.read_text(encoding='utf-8'))
    assert set(notebook['metadata']) == {'kernelspec', 'language_info'}
    code = [cell for cell in notebook['cells'] if cell['cell_type'] == 'code']
    assert all(cell['outputs'] == [] and cell['execution_count'] is None for cell in code)
    solutions = [cell for cell in code if 'hide-cell' in cell['metadata'].get('tags', ())]
    exercises = re.findall(r'\*\*\d\. ', NOTEBOOK.read_text(encoding='utf-8'))
    assert len(solutions) == len(exercises) == 4
    assert all(cell['metadata']['jupyter'] == {'source_hidden': True} for cell in solutions)


def test_the_index_lists_every_tutorial():
    index = (PAGES / 'index.md').read_text(encoding='utf-8')
    assert sorted(re.findall(r'\]\((\w+\.\w+)\)', index)) == sorted([*NAMES, NOTEBOOK.name])


@pytest.mark.parametrize('name', [*NAMES, 'index.md'])
def test_all_that_a_page_refers_to_is_there(name):
    text = page(f'tutorials/{name}')
    for link in re.findall(r'\]\((?!https?:)([^)#]+)', text):
        assert (PAGES / link).exists(), link
    for file in re.findall(r'`(symcontact_ros/[\w/]+\.py)`', text):
        assert (ROOT / file).is_file(), file
    for file in re.findall(r'ros2 launch symcontact_ros\s+(\S+)', text):
        assert (ROOT / 'launch' / file).is_file(), file
    targets = re.findall(r'^([a-z-]+):', (ROOT / 'Makefile').read_text(), re.M)
    assert set(re.findall(r'(?:^|`)make ([a-z-]+)', text, re.M)) <= set(targets)
    for picture in PICTURE.findall(text):
        assert (ROOT / 'docs' / 'images' / f'tutorial_{picture}').stat().st_size < LARGEST


@pytest.mark.parametrize('name', NAMES)
def test_a_page_begins_with_what_is_needed_and_ends_with_a_picture(name):
    text = page(f'tutorials/{name}')
    for words in ('**You need**', '**It takes**', '**You end with**'):
        assert words in text.partition('\n## ')[0]
    found = list(steps(text))
    assert any(isinstance(step, Save) for step in found)
    assert isinstance(found[-1], Expect)
    assert PICTURE.search(text)


# The way in which pages are read -----------------------------------------------------------------

WRITE = 'Save as `a.txt`:\n\n```text\none 1.00 m\n```\n\n'
STAYS = 'In the first terminal, and leave it running:\n\n'
CTRL_C = 'Then press Ctrl-C in the first terminal.\n\n'


def reading(text, folder):
    Reader(folder, {**os.environ}).read(text)


def test_files_are_written_and_commands_are_given_in_order(tmp_path):
    reading(f'{WRITE}```sh\ncat a.txt\n```\n\n```text\none 1.01 ...\n```\n', tmp_path)
    assert (tmp_path / 'a.txt').read_text() == 'one 1.00 m\n'


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('```sh\ncat missing.txt\n```\n', 'failed'),
        ('```sh\nfalse\ntrue\n```\n', 'failed'),
        (f'{WRITE}```sh\ncat a.txt\n```\n\n```text\none 1.10 m\n```\n', 'not seen'),
        (f'{WRITE}```sh\ncat a.txt\n```\n\n```text\none 1.00 m\ntwo\n```\n', 'not seen'),
        ('![x](../images/tutorial_none.png)\n', 'no command has made it'),
        (f'{STAYS}```sh\ntrap "exit 3" INT\necho on\nwhile true; do sleep 0.1; done\n```\n\n'
         f'```text\non\n```\n\n{CTRL_C}', 'exit code 3'),
        (f'{STAYS}```sh\ntail -f /dev/null\n```\n\n{STAYS}```sh\ntrue\n```\n', 'still runs'),
        ('```sh\nmake nothing\n```\n', 'nothing'),
    ],
)  # fmt: skip
def test_what_does_not_do_as_the_page_says_is_an_error(text, reason, tmp_path):
    with pytest.raises(TutorialError, match=reason):
        reading(text, tmp_path)


def test_what_runs_on_is_ended_by_ctrl_c_where_the_page_says_so(tmp_path):
    text = f'{STAYS}```sh\ntail -f /dev/null\n```\n\n{CTRL_C}```sh\necho done\n```\n\n'
    reading(f'{text}```text\ndone\n```\n', tmp_path)


def test_a_block_that_nobody_runs_is_an_error():
    with pytest.raises(ValueError, match='nobody runs'):
        list(steps('```python\nx = 1\n```\n'))
    with pytest.raises(ValueError, match='without an end'):
        list(steps('```sh\ntrue\n'))


@pytest.mark.parametrize(
    ('expected', 'found'),
    [
        ('force 10.0 N', 'force 10.2 N'),
        ('  force   10.0 N', 'force 10.0 N'),
        ('t ... s: ready', 't 1.23 s: ready'),
        ('x +0.000 m', 'x -0.001 m'),
        ('k = 1e5', 'k = 1.01e5'),
    ],
)
def test_numbers_may_differ_a_little(expected, found):
    assert fits(expected, found)


@pytest.mark.parametrize(
    ('expected', 'found'),
    [
        ('force 10.0 N', 'force 10.4 N'),
        ('2 bodies', '3 bodies'),
        ('x +0.000 m', 'x +0.003 m'),
        ('ready', 'already'),
    ],
)
def test_more_than_a_little_is_something_else(expected, found):
    assert not fits(expected, found)


def test_lines_are_expected_in_their_order():
    assert missing(('a', '...', 'c'), 'a\nb\nc\n') == ''
    assert missing(('c', 'a'), 'a\nb\nc\n') == 'a'
