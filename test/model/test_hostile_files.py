"""Files that mean harm or make no sense: refused soon, and nothing of them is run."""

import itertools
import math
import os
import socket
import subprocess
import sys

from helpers.model_faults import assert_told, faults, text_of
import pytest

import symcontact_ros as sc


def laughs(levels):
    """Return aliases that stand for ten others each."""
    names = 'abcdefghij'[:levels]
    lines = [f'{a}: &{a} [{", ".join([f"*{b}"] * 10)}]' for b, a in itertools.pairwise(names)]
    return '\n'.join(['a: &a [1, 1]', *lines])


CHAIN = ''.join(
    f'  b{i}: {{mass: 1, inertia: {{izz: 1}}, joint: {{parent: b{(i + 1) % 2000}}}}}\n'
    for i in range(2000)
)


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('a: ' + '[' * 100_000, 'nested more than'),
        ('{' * 100_000, 'a key must be a word'),
        ('- ' * 100_000, 'nested more than'),
        ('? ' * 100_000, 'a key must be a word'),
        ('[' * 13 + ']' * 13, 'nested more than'),
        (laughs(9), 'more than 200000 values'),
        ('a: &a [*a]', "alias 'a' is not defined above"),
        ('a: *b', "alias 'b' is not defined above"),
        ('a: ' + '1' * (5 * 2**20), 'larger than 4 MiB'),
        ('a: [' + '1,' * 300_000 + ']', 'more than 200000 values'),
        ('? ' + 'k' * 10**6 + '\n: [' + '1,' * 100_000 + ']', 'unknown key'),
        (''.join(f'k{i}: 1\n' for i in range(50_000)), 'stopped after 500 faults'),
        ('bodies:\n' + CHAIN, 'bodies form a loop: b0 -> b1'),
        ('bodies:\n' + CHAIN.replace('parent: b', 'parent: c'), 'stopped after 500 faults'),
        ('!!python/object/apply:os.system ["touch MARKER"]', 'tags are not read'),
        ('a: !!python/object/new:os.system [touch MARKER]', 'tags are not read'),
        ('a: !own 1', 'tags are not read'),
        ('? [a, b]\n: 1', 'a key must be a word'),
        ('? {a: b}\n: 1', 'a key must be a word'),
        ('1: 2\ntrue: 3\n~: 4', 'unknown key'),
        ('a: 1\na: 2', 'is given twice'),
        ('a: 1\n---\nb: 1', 'one document'),
        ('<<: {a: 1}', 'unknown key'),
        ('a: "\\ud800"', 'not valid YAML'),
        ('a: \x07', 'not valid YAML'),
        ('\t- a', 'not valid YAML'),
        ('%YAML 9.9\n---\na: 1', 'not valid YAML'),
    ],
    ids=lambda value: value[:12].strip().replace('\n', ' ') if isinstance(value, str) else None,
)  # fmt: skip
def test_clever_yaml_is_refused(text, reason, write_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = faults(write_model(text))
    assert any(reason in fault for fault in told), told[0][:500]
    assert not (tmp_path / 'MARKER').exists()


@pytest.mark.parametrize('expression', ['__import__("os").mkdir("MARKER")', 'open("MARKER", "w")'])
def test_code_is_told_and_not_run(expression, write_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write_model(text_of(f"mass: '{expression}', inertia: {{izz: 1}}"))
    assert_told(path, 5, 'bodies.a.mass', 'is not allowed in a formula')
    assert not (tmp_path / 'MARKER').exists()


def test_a_loop_of_several_bodies_is_told_once_and_what_hangs_on_it_is_not(write_model):
    body = 'mass: 1, inertia: {{izz: 1}}, joint: {{parent: {}}}'
    tree = {'x': 'y', 'y': 'z', 'z': 'y', 'w': 'z'}
    lines = [f'  {name}: {{{body.format(parent)}}}' for name, parent in tree.items()]
    path = write_model('bodies:\n' + '\n'.join(lines))
    assert faults(path) == [f'{path}:3: bodies.y.joint.parent: bodies form a loop: y -> z -> y']


def test_a_body_that_is_given_twice_is_told(write_model):
    path = write_model(text_of(tail='  a: {mass: 2}\n'))
    assert faults(path) == [f'{path}:7: bodies.a: is given twice']


def test_files_that_are_no_files_are_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / 'pipe.yaml')
    (tmp_path / 'folder.yaml').mkdir()
    (tmp_path / 'zero.yaml').symlink_to('/dev/zero')
    (tmp_path / 'loop.yaml').symlink_to('loop.yaml')
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / 'socket.yaml'))
        for name in ('pipe', 'folder', 'zero', 'loop', 'socket', 'x' * 1000, 'nul\0'):
            path = tmp_path / f'{name}.yaml'
            told = faults(path)
            assert len(told) == 1 and told[0].startswith(f'{path}: cannot be read: '), told


def test_an_include_reaches_no_pipe_and_no_file_outside(tmp_path, write_model):
    outside = tmp_path / 'outside.urdf'
    outside.write_text('<robot name="r"/>')
    inside = tmp_path / 'inside'
    inside.mkdir()
    (inside / 'link.urdf').symlink_to(outside)
    os.mkfifo(inside / 'pipe.urdf')
    for name, reason in (('link', 'leads out'), ('pipe', 'not an ordinary'), ('no', 'cannot be')):
        text = text_of(dimension=3, tail=f'include: [{{urdf: {name}.urdf}}]')
        told = faults(write_model(text, 'inside/model.yaml'))
        assert reason in told[0], told


@pytest.mark.parametrize(
    'keys',
    [
        {'mass': math.nan}, {'mass': math.inf}, {'mass': True}, {'mass': None}, {'mass': 1j},
        {'mass': 10**400}, {'mass': object()}, {'mass': b'1'}, {'mass': {1}}, {'mass': [1]},
        {'com': 'abc'}, {'com': [0, 0, math.nan]}, {'com': range(3)}, {'shapes': 3},
        {'shapes': [None]}, {'shapes': sc.Circle(1.0)}, {'shapes': [{3: 4}]}, {'a.': 1}, {'': 1},
        {'joint': 'revolute'}, {'joint': {'parent': 5}}, {'joint': {'type': []}},
        {'sites': {5: {}}}, {'initial': {'position': [[0], 0, 0]}}, {'fixed': 'yes'},
    ],
)  # fmt: skip
def test_abuse_in_python_gives_model_errors(keys):
    model = sc.Model()
    with pytest.raises(sc.ModelError):
        model.add_body('a', **{'mass': 1, 'inertia': {'izz': 1}, **keys})
    assert model.body_names == ()


def test_more_abuse_in_python_gives_model_errors():
    endless = []
    endless.append(endless)
    attempts = [
        lambda: sc.Model('a b'),
        lambda: sc.Model(3),
        lambda: sc.Model(dimension='x'),
        lambda: sc.Model(gravity=9.81),
        lambda: sc.Model().add_body('a.', mass=1),
        lambda: sc.Model().add_body(None, mass=1),
        lambda: sc.Model().add_body('a', mass=1, shapes=endless),
        lambda: sc.Model().add_parameter('__import__', 1),
        lambda: sc.Model().add_parameter('p', 'nan'),
        lambda: sc.Model().add_material('m', law=object()),
        lambda: sc.Model().set(bodies=[1]),
        lambda: sc.Model().set(nonsense=1),
    ]
    for attempt in attempts:
        with pytest.raises(sc.ModelError):
            attempt()


@pytest.mark.parametrize(
    ('text', 'words'),
    [
        (text_of('mass: -1, inertia: {izz: 1}'), ':5: bodies.a.mass: must be >= 0, got -1'),
        (laughs(9), 'more than 200000 values'),
        ('\0\1\2', 'not valid YAML'),
    ],
)
def test_the_command_ends_with_2_and_no_traceback(text, words, write_model):
    path = write_model(text)
    command = [sys.executable, '-m', 'symcontact_ros', 'check', str(path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 2
    assert result.stderr.startswith(str(path)) and words in result.stderr
    assert 'Traceback' not in result.stderr and not result.stdout
