"""Pairs of one robot that overlap at the start never collide, unless the model says so."""

import logging

import pytest

import symcontact_ros as sc
from symcontact_ros.cli.main import main

SPHERES = """
dimension: 3
bodies:
  table: {{fixed: true, shapes: [{{type: box, size: [1, 1, 0.1]}}],
          initial: {{position: [0, 0, -0.1]}}}}
  base: {{robot: r, joint: {{type: fixed}}, shapes: [{{type: sphere, radius: 0.1}}]}}
  one: {{robot: r, mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}},
        joint: {{type: prismatic, parent: base, origin: {{xyz: [0, 0, 0.15]}}}},
        shapes: [{{type: sphere, radius: 0.1}}]}}
  two: {{robot: r, mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}},
        joint: {{type: prismatic, parent: one, origin: {{xyz: [0, 0, {away}]}}}},
        shapes: [{{type: sphere, radius: 0.1}}]}}
"""


@pytest.fixture
def model(write_model):
    return lambda more='', away=0.04: sc.load_model(write_model(SPHERES.format(away=away) + more))


def test_overlapping_pairs_are_left_out_with_one_line_that_names_them(model, caplog):
    with caplog.at_level(logging.WARNING):
        simulation = sc.Simulation(model())
    assert simulation.excluded_pairs == (('base', 'two'),)
    assert ('base', 'two') not in simulation.pairs
    assert ('one', 'table') in simulation.pairs
    (line,) = [r.getMessage() for r in caplog.records if 'will not collide' in r.getMessage()]
    assert 'base - two' in line
    simulation.step(10)
    assert not simulation.contacts()


def test_pairs_that_are_apart_stay(model):
    simulation = sc.Simulation(model(away=0.06))
    assert simulation.excluded_pairs == ()
    assert ('base', 'two') in simulation.pairs


def test_pairs_that_are_left_out_have_a_reason(model, capsys, write_model):
    more = 'exclude: [[two, table]]\nself_collision: none'
    assert sc.Simulation(model(more)).excluded_pairs == (('base', 'two'), ('table', 'two'))
    path = write_model(SPHERES.format(away=0.04) + 'exclude: [[two, table]]')
    assert main(['check', '-v', str(path)]) == 0
    told = capsys.readouterr().out
    assert 'excluded table - two: exclude' in told
    assert 'excluded base - two: overlap at the start' in told


@pytest.mark.parametrize(
    'more', ['self_collision: all', 'collide: [[base, two]]', 'self_collision: {r: all}']
)
def test_overlapping_pairs_collide_where_the_model_says_so(model, more):
    simulation = sc.Simulation(model(more))
    assert ('base', 'two') in simulation.pairs
    assert simulation.contacts()


def test_the_start_pose_decides(model):
    apart = sc.Simulation(model('', 0.04)).model
    moved = apart.contents.data['bodies']['two'] | {'initial': {'position': 0.1}}
    text = apart.contents.data | {'bodies': apart.contents.data['bodies'] | {'two': moved}}
    again = sc.Model()
    again.set(**text)
    assert ('base', 'two') in sc.Simulation(again).pairs
