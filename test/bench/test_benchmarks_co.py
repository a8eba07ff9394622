"""The study of convex optimisation against separating axes: its parts run, its page is whole."""

import re

from co_study import accuracy, bodies, claims, kernels, tables
from co_study.steps import steps
from co_study.times import Cell
from co_study.verdicts import choice
import co_vs_sat
from helpers.places import page, ROOT
import numpy as np
import pytest

PAGE = page('co_vs_sat.md')
FLAT = (('rectangle', 'rectangle'),)
SPOKEN_OF = ('box - box', 'box - sphere', 'cylinder - cylinder')  # in the verdicts
TINY = {
    'queries': {'poses': 20, 'passes': 1, 'edges': (4, 8), 'faces': (4, 8)},
    'steps': {'repeats': 1, 'run': 500, 'settle': 5, 'piles': ((4, 1e9),)},
    'accuracy': {'count': 20, 'few': 1},
}


def measured_cell(regime):
    """Return a cell of two polygons."""
    cell = Cell(bodies.Pair('polygon 4', bodies.polygon(4), bodies.polygon(4)), regime, 20, 4)
    cell.sample(slow=True)
    return cell.result()


def measured_queries():
    """Return cells as the page has them, all of polygons: others take long to compile."""
    cells = {regime: measured_cell(regime) for regime in ('overlap', 'apart', 'far', 'deep')}
    sweep = [{**cells[r], 'size': size} for size in (4, 8) for r in ('overlap', 'apart', 'far')]
    return {
        'edges': sweep,
        'faces': sweep,
        'pairs': [{**cells[r], 'pair': p} for p in SPOKEN_OF for r in ('overlap', 'apart')],
        'deep': [{**cells['deep'], 'pair': 'box - box'}],
    }


@pytest.fixture(scope='module')
def data():
    pytest.importorskip('ecos')
    pytest.importorskip('cvxpy')
    return {
        'about': 'here',
        'queries': measured_queries(),
        'steps': steps(1, 500, 5, scenarios=['rectangle_rectangle'], piles=[]),
        'accuracy': {
            'growth': accuracy.growth_by_depth(20, FLAT),
            'apart': accuracy.apart(20, FLAT, ()),
            'at rest': accuracy.at_rest(20, FLAT),
            'margins': accuracy.margins(5),
            'plain': accuracy.plain(5),
            'stars': accuracy.stars(5),
            'squared': accuracy.squared(1),
        },
    }


def test_every_part_runs_and_fills_the_page(data, tmp_path):
    (tmp_path / co_vs_sat.PAGE).write_text(PAGE, encoding='utf-8')
    pytest.importorskip('matplotlib')
    co_vs_sat.write(tmp_path, data)
    page = (tmp_path / co_vs_sat.PAGE).read_text(encoding='utf-8')
    for text in co_vs_sat.blocks(data).values():
        assert text in page
        assert 'nan' not in text
        assert 'inf' not in text.split()
    pictures = set(re.findall(r'\((images/[\w.]+)\)', page))
    assert pictures == {f'images/{path.name}' for path in (tmp_path / 'images').iterdir()}


def test_the_page_has_a_marker_for_everything_that_is_measured(data):
    begun = re.findall('<!-- measured: (.*) -->', PAGE)
    assert sorted(begun) == sorted(co_vs_sat.blocks(data))
    assert PAGE.count(co_vs_sat.END) == len(begun)


def test_pictures_of_the_page_are_there_and_small():
    pictures = re.findall(r'\((images/[\w.]+)\)', PAGE)
    assert pictures
    for picture in pictures:
        assert 0 < (ROOT / 'docs' / picture).stat().st_size < 80_000


def test_a_page_without_its_marker_is_refused():
    with pytest.raises(SystemExit, match='measured: edges'):
        co_vs_sat.filled('no marker', {'edges': 'a table'})


def test_separating_axes_as_printed_find_the_exact_depth():
    # Rounding: of a product of two edges that are nearly parallel, more.
    for shape, tolerance in ((bodies.polygon(5), 1e-14), (bodies.hull(8), 1e-9)):
        pair = bodies.Pair('equal', shape, shape)
        poses = bodies.motions(pair, 'overlap', 40)
        exact = pair.measured(poses).distance
        for method in kernels.axes_by_axes(pair, poses).values():
            assert np.abs(method.records['distance'] - exact).max() < tolerance


def test_poses_are_as_deep_as_they_were_asked_for():
    pair = bodies.pair_of('box', 'cylinder')
    wanted = np.array([-0.1, -1e-3, 0.0, 0.05])
    found = pair.measured(bodies.random_poses(pair, wanted, 1)).distance
    assert found == pytest.approx(wanted, abs=1e-8)  # 2 m, halved 32 times


def test_growth_alone_is_never_shallower_than_the_depth():
    pair = bodies.pair_of('box', 'box')
    poses = bodies.random_poses(pair, np.full(200, -0.1), 2)
    ratio = accuracy.grown(pair, poses)['distance'] / pair.measured(poses).distance
    assert ratio.min() > 1.0 - 1e-9
    assert ratio.max() > 1.01  # a sixth of the width: growth cannot be exact in all 200


@pytest.mark.parametrize(
    ('times', 'where'),
    [((1, 1, 1), 'always'), ((3, 1, 1), 'from 8'), ((1, 3, 1), 'from 16'), ((1, 1, 3), 'never')],
)
def test_a_method_overtakes_only_where_it_stays_ahead(times, where):
    cells = [
        {'size': size, 'regime': 'apart', 'times': {'mine': own, 'other': 2}}
        for size, own in zip((4, 8, 16), times, strict=True)
    ]
    assert tables.crossover(cells, 'apart', 'mine', 'other') == where


def made_up(co, lost=1.0):
    """Return data in which CO takes so many times as long as SAT; the square loses accuracy."""
    others = 'SAT', 'SAT, textbook', 'exact detector, cold', 'exact detector, warm'
    programs = 'CO program, cold', 'CO program, warm', 'CO detector, cold', 'CO detector, warm'
    spent = dict.fromkeys(others, 1.0) | dict.fromkeys((*programs, 'ECOS', 'CVXPY'), co)
    sweep = [
        {'pair': 'polygon', 'size': size, 'regime': regime, 'times': spent}
        for size in (4, 8)
        for regime in ('overlap', 'apart')
    ]
    pairs = [{'pair': pair, 'regime': 'overlap', 'times': spent} for pair in SPOKEN_OF]
    runs = {name: {'ratio': co} for name in ('sphere_cuboid', 'pile of 10')}
    margin = {'b': 0.01, 'rest median': 0.7, 'rest missed': 0.2}
    return {
        'queries': {
            'edges': sweep,
            'faces': sweep,
            'pairs': pairs,
            'deep': [{**pairs[0], 'regime': 'deep'}],
        },
        'steps': {'whole': runs, 'contact': {'sphere_cuboid': {'SAT': 1.0, 'CO, CVXPY': co}}},
        'accuracy': {
            'growth': [{'to': 0.02, 'max': 1.3, 'exact': 0.9}],
            'apart': [{'auto': 0.0}],
            'margins': [margin] * 3,
            'plain': 0.0,
            'stars': [{'R*': 0.0, 'usable': 0.5, 'error': 0.0}],
            'squared': [{'gap': 1e-6, 'CVXPY, square': 1e-8 * lost, 'CVXPY, length': 1e-8}],
        },
    }


@pytest.mark.parametrize(
    ('claim', 'where_slower', 'where_faster'),
    [
        (claims.faster_when_complex, '**False**', '**True**'),
        (
            claims.clear_advantage_in_space,
            '**False for that pair**, and false for hulls',
            '**True for that pair**, and true for hulls',
        ),
        (claims.fast_in_the_plane, '**True**', '**False**'),
        (claims.faster_with_many_contacts, '**False**', '**Faster, not more accurate**'),
        (claims.table_one, '**Not seen**', '**Seen in 1 of 1**'),
    ],
)
def test_a_verdict_turns_round_with_the_numbers_beside_it(claim, where_slower, where_faster):
    assert claim(made_up(co=2.0))[1] == where_slower
    assert claim(made_up(co=0.5))[1] == where_faster


def test_a_method_that_is_hardly_faster_is_not_called_faster():
    assert claims.table_one(made_up(co=0.99))[1] == '**Not seen**'


def test_digits_that_the_square_costs_are_counted():
    assert claims.square_as_objective(made_up(1.0, lost=1000.0))[1] == '**Costs 3 digits**'
    assert claims.square_as_objective(made_up(1.0, lost=1.0))[1] == '**True**'


def test_the_advice_is_the_detector_that_was_faster():
    for co, advised in ((2.0, '`sat`'), (0.5, '`co`, if this time matters')):
        rows = [row.split(' | ') for row in choice(made_up(co)).splitlines()[2:]]
        advice = {row[0].removeprefix('| '): row[1] for row in rows}
        for bodies_at_hand in ('boxes, rectangles', 'hulls, shallow contacts'):
            assert advice[bodies_at_hand] == advised


@pytest.mark.deep
def test_the_whole_study_runs():
    pytest.importorskip('cvxpy')
    found = {'about': 'here', **co_vs_sat.study(TINY, list(co_vs_sat.PARTS))}
    assert sorted(re.findall('<!-- measured: (.*) -->', PAGE)) == sorted(co_vs_sat.blocks(found))
