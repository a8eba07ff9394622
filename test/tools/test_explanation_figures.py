"""Figures of docs/explanation: registered, small, drawn by the code, and true."""

import re

from helpers.places import page, ROOT, script
import pytest

pytest.importorskip('matplotlib')

figures = script('tools/explanation_figures.py')
PAGES = sorted((ROOT / 'docs' / 'explanation').glob('*.md'))


def test_every_figure_is_shown_registered_and_small():
    shown = {
        name
        for path in PAGES
        for name in re.findall(r'!\[.+?\]\(\.\./images/(explain_\S+)\)', path.read_text('utf-8'))
    }
    assert shown == figures.FIGURES.keys()
    registered = script('tools/pictures.py').STUDIES[('tools/explanation_figures.py',)]
    assert set(registered) == shown
    for name in shown:
        assert (ROOT / 'docs' / 'images' / name).stat().st_size < 60_000


def test_figures_have_no_background_and_no_black_that_a_dark_page_would_hide():
    for name in figures.FIGURES:
        if name.endswith('.svg'):
            text = (ROOT / 'docs' / 'images' / name).read_text(encoding='utf-8')
            assert 'fill: #ffffff' not in text
            assert not re.search(r'stroke: #000000|fill: #000000', text), name


def test_numbers_in_figures_are_those_of_the_code():
    image = (ROOT / 'docs' / 'images' / 'explain_sat.svg').read_text(encoding='utf-8')
    depth = -1e3 * figures.rectangles().distance
    assert f'depth {depth:.0f} mm; dotted: scaled by {figures.growth_factor():.3f}' in image
    operations = f'{figures.tape_operations(8):,}'
    assert operations in (ROOT / 'docs' / 'images' / 'explain_tape.svg').read_text('utf-8')
    assert f'{operations} for eight' in page('explanation/equations_by_tape.md')


def test_a_figure_comes_out_the_same_every_time(tmp_path):
    for folder in (tmp_path / 'a', tmp_path / 'b'):
        folder.mkdir()
        figures.draw('explain_sat.svg', folder)
    assert (tmp_path / 'a' / 'explain_sat.svg').read_bytes() == (
        tmp_path / 'b' / 'explain_sat.svg'
    ).read_bytes()
