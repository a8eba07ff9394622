"""No picture of the pages is older than what draws it."""

import sys

from helpers.places import ROOT

sys.path.insert(0, str(ROOT / 'tools'))

import picture_sources
import pictures


def test_no_picture_is_older_than_what_draws_it():
    old = [f'docs/images/{name}: {command}' for name, command in pictures.stale().items()]
    assert old == [], 'older than what draws them; draw them again, or all of them: --stale'


def test_a_picture_is_older_when_what_draws_it_says_something_else(tmp_path, monkeypatch):
    monkeypatch.setattr(picture_sources, 'ROOT', tmp_path)
    code, model = tmp_path / 'draw.py', tmp_path / 'model.yaml'
    code.write_text('def draw(x):\n    """Draw."""\n    return 1 + x\n')
    model.write_text('parameters: {m: {value: 1.0, description: mass}}\n')

    def now():
        return picture_sources.digest([code, model])

    before = now()
    code.write_text('def draw(\n    x\n):\n    # One more.\n    return (1 + x)\n')
    model.write_text('# A ball.\nparameters:\n  m: {value: 1.0, latex: m_1}\n')
    assert now() == before
    code.write_text('def draw(x):\n    return 2 + x\n')
    assert now() != before
    code.write_text('def draw(x):\n    return 1 + x\n')
    assert now() == before
    model.write_text('parameters: {m: {value: 2.0}}\n')
    assert now() != before


def test_what_draws_a_picture_is_followed_through_imports():
    every = pictures.sources()

    def names(picture):
        return {str(path.relative_to(ROOT)) for path in every[picture]}

    assert {'config/models/rectangle_circle.yaml', 'symcontact_ros/cli/plane_panel.py'} <= names(
        'run_plane.png'
    )
    assert 'symcontact_ros/cli/animation.py' in names('run_plane.gif') - names('run_plane.png')
    assert {'tools/paper_figures.py', 'docs/paper.json'} <= names('paper_table.png')
    # A study takes minutes: only what draws it makes it again.
    assert names('co_edges.png') == {'benchmarks/co_vs_sat.py', 'benchmarks/co_study/plots.py'}
