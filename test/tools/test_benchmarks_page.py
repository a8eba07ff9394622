"""docs/benchmarks.md is what its tool writes; what is behind comes first, nothing is left out."""

import copy
import json
import re
import sys

from helpers.places import page, ROOT
import pytest

sys.path.insert(0, str(ROOT / 'tools'))

import benchmark_claims
from benchmark_claims import AT_LEAST, comparisons, MORE, Target, TARGETS, unmeasured, WHY
import benchmark_figures
from benchmark_sections import SECTIONS
import benchmark_studies
from benchmark_studies import measured, row, store, stored, STUDIES
import benchmarks_page
import pictures

PAGE = page('benchmarks.md')
FACTS = {'cpu', 'cores', 'pinned', 'load', 'versions', 'missing', 'quick', 'seconds', 'rows'}


@pytest.fixture(scope='module')
def results():
    return stored()


def made(rows, **more):
    """Return the results of a study of some rows."""
    facts = {
        'cpu': 'a',
        'cores': 2,
        'pinned': 1,
        'load': [0.0, 1.0],
        'versions': {},
        'missing': [],
    }
    return facts | {'quick': False, 'seconds': 1.0, 'rows': rows} | more


def first_table(text):
    """Return the rows of the table of what is behind, as lists of cells."""
    part = text.partition('## Slower than a peer, or missed')[2].partition('\n1. ')[0]
    lines = [line for line in part.splitlines() if line.startswith('|')][2:]
    return [[cell.strip() for cell in line.strip('|').split('|')] for line in lines]


def test_the_page_is_what_the_tool_writes_from_the_stored_numbers(results):
    assert benchmarks_page.page(results) == PAGE, 'python tools/benchmarks_page.py --fast'


def test_stored_numbers_are_of_full_runs_and_tell_no_place_and_no_time(results):
    assert set(results) == set(STUDIES)
    for name, own in results.items():
        assert set(own) - {'failed'} == FACTS, name
        assert not own['quick'], f'{name}: make benchmarks ONLY={name}'
        assert own['rows'] or own['failed']
    text = (ROOT / 'benchmarks' / 'results.json').read_text(encoding='utf-8')
    assert not re.search(r'/(home|tmp|root|work)/|\b20\d\d-|:\d\d:', text)


def test_every_target_has_a_row(results):
    lost = {target.name: reason for target, reason in unmeasured(results)}
    for target in TARGETS:
        fitting = [one for one in results[target.study]['rows'] if target.fits(target.study, one)]
        for one in fitting:
            assert f'| {one["case"]}, {one["measure"]}' in PAGE
        assert fitting or f'not measured: {lost[target.name]}' in PAGE
        assert target.text in PAGE


def test_what_is_slower_than_a_peer_comes_first_then_what_misses_its_target(results):
    kinds = [cells[5].strip('*') for cells in first_table(PAGE)]
    order = ['slower', 'missed', 'not measured']
    places = [order.index(kind.partition(' and ')[0]) for kind in kinds]
    assert places == sorted(places)
    compared = comparisons(results)
    behind = [one for one in compared if one.is_slower or one.is_missed]
    assert compared[: len(behind)] == behind
    assert len(kinds) == len(behind) + len(unmeasured(results))
    assert all(f'| {one.name} |' in PAGE for one in behind)


def test_everything_that_is_behind_has_a_reason(results):
    reasons = {cells[6] for cells in first_table(PAGE) if cells[5] != 'not measured'}
    listed = re.findall(r'^(\d+)\. ', PAGE, re.M)
    assert reasons == {f'({number})' for number in listed}
    assert [one.name for one in comparisons(results) if one.why == ''] == []
    assert {glob.partition('/')[0] for glob in WHY} <= set(STUDIES)


def test_verdicts_and_their_order_turn_round_with_the_numbers():
    def verdicts(ours, theirs, unit='us', target=None):
        case = 'cart_pole' if target else 'other'
        rows = [row(case, 'step', 'ours', ours, unit), row(case, 'step', 'MuJoCo', theirs, unit)]
        return [one.verdict for one in comparisons({'articulated': made(rows)})]

    assert verdicts(1.0, 2.0) == ['faster']
    assert verdicts(2.0, 1.0) == ['slower']
    assert verdicts(2.0, 1.0, MORE[0]) == ['faster']
    assert verdicts(0.2, 1.0, target=0.3) == ['kept']
    assert verdicts(0.4, 1.0, target=0.3) == ['missed']
    assert verdicts(0.4, 0.3, target=0.3) == ['slower and missed']
    rows = [
        *(row('a', 'step', method, value, 'us') for method, value in (('ours', 1), ('x', 2))),
        row('cart_pole', 'step', 'ours, rk4', 30.0, 'us'),  # a hundred times its target
        *(row('b', 'step', method, value, 'us') for method, value in (('ours', 2), ('x', 1))),
    ]
    found = comparisons({'articulated': made(rows)})
    assert [one.row['case'] for one in found] == ['b', 'cart_pole', 'a']


def test_the_fastest_peer_counts_and_rates_are_better_when_they_are_more():
    rows = [row('a', 'm', who, value, 'us') for who, value in (('ours', 3), ('x', 9), ('y', 6))]
    (one,) = comparisons({'articulated': made(rows)})
    assert (one.peer['method'], one.times_as_fast) == ('y', 2.0)
    for own in rows:
        own['unit'] = MORE[0]
    (one,) = comparisons({'articulated': made(rows)})
    assert (one.peer['method'], one.is_slower) == ('x', True)
    assert Target('a', 'b', 'c', 5.0, MORE[0], AT_LEAST).text == 'at least 5 million steps/s'


def test_what_is_not_installed_or_failed_is_told(results):
    less = copy.deepcopy(results)
    robots = less['robots']
    robots['rows'] = [one for one in robots['rows'] if one['method'].startswith('ours')]
    robots['missing'] = ['mujoco']
    less['node'] |= {'rows': [], 'failed': 'no module named rclpy'}
    del less['links']
    text = benchmarks_page.page(less)
    assert '| Go2, ... | faster than the peer | not measured: not installed: mujoco |' in text
    assert 'not measured: no module named rclpy' in text
    assert 'make benchmarks ONLY=links' in text


def test_every_study_and_every_figure_is_in_a_section_of_the_page():
    assert sorted(name for one in SECTIONS for name in one.studies) == sorted(STUDIES)
    assert set(re.findall(r'images/(benchmarks_\w+\.svg)', PAGE)) == set(benchmark_figures.FIGURES)
    assert set(pictures.BENCHMARKS) == set(benchmark_figures.FIGURES)


def test_figures_come_out_the_same_from_the_stored_numbers(results, tmp_path):
    benchmark_figures.draw(results, tmp_path)
    for name in benchmark_figures.FIGURES:
        drawn = (tmp_path / name).read_text(encoding='utf-8')
        assert '<svg' in drawn
        assert 10_000 < len(drawn) < 200_000
        assert drawn == (ROOT / 'docs' / 'images' / name).read_text(encoding='utf-8')


def test_a_quick_run_of_a_study_gives_rows(tmp_path):
    pytest.importorskip('mujoco', reason='not installed: pip install mujoco')
    said = []
    found = measured('articulated', quick=True, say=said.append)
    assert 'failed' not in found, found['failed']
    assert set(found) == FACTS
    assert said == ['articulated: benchmarks/articulated.py ...']
    assert [one['method'] for one in found['rows']] == [
        'ours, rk4',
        'MuJoCo, RK4',
        'MuJoCo, Euler',
    ]
    for one in found['rows']:
        assert 0.0 < one['value'] <= one['median'] < 1e4
    store({'articulated': found}, tmp_path / 'numbers.json')
    (one,) = comparisons(stored(tmp_path / 'numbers.json'))
    assert one.target in TARGETS
    assert one.peer['method'].startswith('MuJoCo')


def test_a_script_that_fails_is_told_by_its_last_line(monkeypatch, tmp_path):
    monkeypatch.setattr(benchmark_studies, 'SCRIPTS', tmp_path)
    script = tmp_path / STUDIES['articulated'].script
    script.write_text('raise SystemExit("no room")')
    assert measured('articulated', say=str)['failed'] == 'no room'
    script.write_text('print("nothing to measure")')
    assert measured('articulated', say=str)['failed'].startswith('it wrote no numbers')
    script.write_text('import sys; open(sys.argv[-1], "w").write("{}")')
    assert 'not those that were expected' in measured('articulated', say=str)['failed']
    script.unlink()
    assert measured('articulated', say=str)['failed'].startswith('there is no benchmarks/')


def test_stored_numbers_are_plain_json_in_the_order_of_the_studies(tmp_path):
    rows = [row('a', 'step', 'ours', 1.23456789, 'us', x=3)]
    file = tmp_path / 'numbers.json'
    store({'robots': made(rows), 'contact': made([])}, file)
    found = json.loads(file.read_text())
    assert list(found) == ['contact', 'robots']
    assert found['robots']['rows'] == [
        {'case': 'a', 'measure': 'step', 'method': 'ours', 'value': 1.2346, 'unit': 'us', 'x': 3}
    ]
    assert benchmark_claims.unmeasured(found)
