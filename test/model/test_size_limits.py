"""Models that are too large: refused soon, with what was found, the limit and a way out."""

import time

from helpers.model_faults import faults
from helpers.places import ROOT
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.model import input_limits as limits
from symcontact_ros.model import pair_rules
from symcontact_ros.model.building import size_checks
from symcontact_ros.model.input_limits import BODIES, FREEDOMS, PAIRS, seconds_to_derive
from symcontact_ros.model.pair_rules import PairList
from symcontact_ros.model.progress import tell, told_to, with_time
from symcontact_ros.model.urdf.loader import read_urdf

HEAD = 'dimension: 3\nbodies:\n'
BALL = '  b{}: {{mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}, joint: {{type: free}}{}}}\n'
SHAPE = ', shapes: [{type: sphere, radius: 0.1}]'
LINK = (
    '  b{}: {{mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}, '
    'joint: {{type: revolute, axis: [0, 1, 0], parent: {}}}}}\n'
)


def balls(count, shape=SHAPE):
    return HEAD + ''.join(BALL.format(i, shape) for i in range(count))


def chain(count):
    return HEAD + ''.join(LINK.format(i, f'b{i - 1}' if i else 'world') for i in range(count))


def told(path):
    """Return the only fault of a model, which must come soon."""
    began = time.process_time()
    [fault] = faults(path)
    assert time.process_time() - began < 10.0  # some seconds, and not minutes
    return fault


def test_too_many_bodies_are_refused(write_model):
    path = write_model('bodies:\n' + ''.join(f'  b{i}: {{mass: 1}}\n' for i in range(8000)))
    fault = told(path)
    assert fault.startswith(f'{path}:1: bodies: 8000 bodies are too many, {BODIES} are the most: ')
    assert 'several shapes' in fault


def test_too_many_links_are_refused_before_they_are_read(tmp_path):
    pytest.importorskip('lxml', reason='the urdf extra is not installed')
    path = tmp_path / 'robot.urdf'
    links = '<link name="a"/>' * (BODIES + 1)  # whose names would be faults each
    path.write_text(f'<robot name="r">{links}</robot>')
    [fault] = read_urdf(path).faults
    assert f'{BODIES + 1} links are too many, {BODIES} are the most' in fault.reason


def test_too_many_bodies_of_several_files_are_refused(write_model):
    write_model(balls(BODIES // 2 + 1, ''), 'part.yaml')
    entries = ', '.join(f'{{yaml: part.yaml, prefix: p{i}_}}' for i in range(20))
    assert f'{BODIES + 2} bodies are too many' in told(
        write_model(f'dimension: 3\ninclude: [{entries}]')
    )


def test_too_many_pairs_are_refused_and_a_list_is_the_way_out(write_model, monkeypatch):
    for module in (pair_rules, size_checks):
        monkeypatch.setattr(module, 'PAIRS', 10_000)  # those of 141 bodies
    fault = told(write_model(balls(150)))
    assert '150 bodies with 150 shapes make more than 10000 pairs that may touch' in fault
    assert 'under `collide`' in fault
    model = sc.load_model(write_model(balls(150) + 'collide: [[b7, b6], [b0, b1]]\n'))
    assert model.pairs == (('b0', 'b1'), ('b6', 'b7'))


def test_pairs_of_shapes_count_not_those_of_bodies(write_model):
    many = f', shapes: [{", ".join(["{type: sphere, radius: 0.1}"] * 1100)}]'
    fault = told(write_model(balls(2, many)))
    assert f'2 bodies with 2200 shapes make more than {PAIRS} pairs' in fault


def test_too_many_joints_in_a_row_are_refused(write_model):
    path = write_model(chain(200))
    fault = told(path)
    assert fault.startswith(f'{path}:3: bodies.b0: the tree of joints that begins here has 200 ')
    assert f'{FREEDOMS} are the most: its equations would take about 11 minutes' in fault
    assert 'make joints `fixed`' in fault
    assert len(sc.load_model(write_model(chain(FREEDOMS))).joint_names) == FREEDOMS


def test_a_model_built_in_python_has_the_same_limits():
    model = sc.Model(dimension=3)
    bodies = {f'b{i}': {'mass': 1.0} for i in range(BODIES + 1)}
    with pytest.raises(sc.ModelError, match=f'{BODIES + 1} bodies are too many'):
        model.set(bodies=bodies)
    assert model.body_names == ()


def test_what_takes_long_is_told_with_its_time(write_model):
    said = []
    path = write_model(balls(500))
    sc.load_model(path, progress=said.append)
    assert said == ['choosing contacts of 124750 pairs']
    sc.load_model(write_model(balls(5)), progress=said.append)
    assert len(said) == 1
    assert with_time('deriving', seconds_to_derive(20)) == 'deriving'
    assert with_time('deriving', seconds_to_derive(100)) == 'deriving, about 65 s'
    assert with_time('deriving', seconds_to_derive(128)) == 'deriving, about 2 minutes'


def test_the_page_of_models_has_the_limits():
    page = (ROOT / 'docs' / 'models.md').read_text().partition('## Limits')[2]
    for words in (
        f'{limits.XML_BYTES // 2**20} MiB |',
        f'{limits.XACRO_SECONDS:g} s, {limits.XACRO_MEMORY // 2**30} GiB of memory',
        f'{limits.MESH_BYTES // 2**20} MiB, {limits.MESH_POINTS // 10**6} million points',
        f'| {limits.MESH_INSTANCES:,}, with',
        f'{limits.MESH_SECONDS:g} s, {limits.MESH_MEMORY // 2**30} GiB of memory',
        f'| {BODIES:,} |',
        f'| {PAIRS:,} (',
        f'| {FREEDOMS} |',
    ):
        assert words in page, words


def test_progress_is_told_to_the_one_who_asked_last():
    outer, inner = [], []
    with told_to(outer.append):
        with told_to(inner.append):
            tell('a')
        tell('b')
        tell('c', seconds=0.1)
    assert (outer, inner) == (['b'], ['a'])


def test_patterns_match_the_pairs_that_they_name():
    """By brute force, over random patterns."""
    random = np.random.default_rng(3)
    names = [f'n{i}' for i in range(12)]
    for _ in range(50):
        sides = [
            tuple(frozenset(random.choice(names, size, replace=False)) for size in (3, 4))
            for _ in range(random.integers(0, 4))
        ]
        pairs = PairList(frozenset({('n0', 'n1')}), tuple(sides))
        expected = [
            (a, b)
            for a in sorted(names)
            for b in sorted(names)
            if a < b
            and (
                (a, b) == ('n0', 'n1')
                or any((a in x and b in y) or (b in x and a in y) for x, y in sides)
            )
        ]
        assert list(pairs.among(sorted(names))) == expected
