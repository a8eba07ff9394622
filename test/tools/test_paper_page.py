"""docs/paper.md is what its tool writes, and what it says is shown where it says."""

import ast
import copy
import re
import sys

from helpers.paper_formulas import C
from helpers.places import page, ROOT
import pytest
import yaml

sys.path.insert(0, str(ROOT / 'tools'))

import paper
import paper_claims
from paper_claims import claims, code_lines, verdict_of, VERDICTS
from paper_equations import EQUATIONS, KINDS
import paper_page
from paper_page import bound
import paper_physics
from paper_table import COLUMNS, rows_of, stored, TABLE_ONE, whole_times

PAGE = page('paper.md')
# Table I of the paper, once more by hand: what is printed there never changes.
PRINTED = """
Bouncing Circle (2D)       &  0.45   &   0.53  &  0.82
Circle-Circle (2D)         &  1.04   &   0.93  &  0.36
Rectangle-Circle (2D)      &  1.85   &   1.40  &  1.72
Rectangle-Rectangle (2D)   &  2.44   &   2.54  &  2.05
Sphere-Cuboid (3D)         &  4.01   &   6.83  &  3.09
"""


@pytest.fixture(scope='module')
def result():
    return stored()


def test_the_page_is_what_the_tool_writes_from_the_measurement_and_new_runs(result):
    written = paper_page.page(result, paper.MINUTES)
    different = [
        f'  page: {old}\n  tool: {new}'
        for old, new in zip(PAGE.splitlines(), written.splitlines(), strict=False)
        if old != new
    ]
    assert written == PAGE, 'run `python tools/paper.py --fast`:\n' + '\n'.join(different[:5])


def test_the_printed_table_is_that_of_the_paper():
    lines = [[cell.strip() for cell in line.split('&')] for line in PRINTED.strip().splitlines()]
    titles, *columns = zip(*lines, strict=True)
    assert [title.lower() for title in titles] == [
        paper_page.TITLES[name].lower() for name in TABLE_ONE
    ]
    for column, numbers in zip(COLUMNS, columns, strict=True):
        assert tuple(f'{row[column]:.2f}' for row in TABLE_ONE.values()) == numbers
        assert f'| printed: {column} | {" | ".join(numbers)} |' in PAGE


def test_the_measurement_is_whole(result):
    assert (result['runs'], result['steps'], result['integrator']) == (10, 2000, 'rk4')
    for name in TABLE_ONE:
        rows = rows_of(result, name)
        assert {row['steps'] for row in rows.values()} == {2000}  # CVXPY too
        assert {*COLUMNS, 'ours, rk4', 'ours, rk4, co', 'ours, rk4, new', 'MuJoCo'} <= set(rows)
    assert not re.search(r'/\w+/\w+|@', result['machine'])  # no place, no name


def exists(place):
    """Return whether a page, a file or a test is there."""
    file, _, test = place.partition('::')
    path = ROOT / file
    if not test:
        return path.is_file()
    tree = ast.parse(path.read_text(encoding='utf-8'))
    return test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_everything_that_shows_a_claim_or_an_equation_exists(result):
    named = [place for equation in EQUATIONS for place in equation.tests]
    named += [place for claim in claims(result) for place in claim.shown_by]
    named += re.findall(r'`(test/[\w/]+\.py::\w+)`', PAGE)
    assert [place for place in named if not exists(place)] == []
    assert not exists('test/tools/test_paper_page.py::test_that_nobody_wrote')


def test_every_equation_of_the_paper_has_a_verdict_and_a_test():
    numbers = [int(number) for one in EQUATIONS for number in one.number.split(',')]
    assert numbers == list(range(1, 19))
    assert {one.verdict for one in EQUATIONS} == set(KINDS)
    assert all(one.tests for one in EQUATIONS)
    assert all(one.fault.startswith('None') for one in EQUATIONS if one.verdict == 'holds')


def test_every_formula_can_be_typeset():
    converter = pytest.importorskip('latex2mathml.converter')
    for formula in re.findall(r'\$\$(.*?)\$\$|\$(.*?)\$', PAGE, re.S):
        assert '<math' in converter.convert(''.join(formula))


def test_every_claim_has_a_verdict_and_a_place(result):
    found = claims(result)
    assert len(found) >= 15
    assert {claim.verdict for claim in found} <= set(VERDICTS)
    assert all(claim.measured and claim.shown_by for claim in found)


def test_verdicts_turn_round_with_the_numbers(result):
    def verdict(changed, words):
        (one,) = [claim for claim in claims(changed) if words in claim.claim]
        return one.verdict

    equal = copy.deepcopy(result)
    for rows in equal['scenarios'].values():
        for row in rows:
            row['whole_s'] = {'mean': 1.0, 'minimum': 1.0}
            row['step_us'] = {'mean': 1.0, 'minimum': 1.0}
    assert verdict(result, 'similar scores') != 'confirmed'
    assert verdict(equal, 'similar scores') == 'confirmed'
    assert verdict(equal, 'performance advantages') == 'confirmed'
    assert verdict_of('**True**') == 'confirmed'
    assert verdict_of('**True for round shapes**') == 'confirmed with limits'
    assert verdict_of('**False**') == 'not confirmed'
    with pytest.raises(ValueError, match='no verdict for'):
        verdict_of('**Perhaps**')


def test_co_is_faster_than_sat_in_four_of_the_printed_scenarios(result):
    assert paper_claims._quicker(whole_times(result)).startswith('printed 4 of 5')


def test_the_line_of_the_centroids_separates_most_often():
    found = paper_physics.first_axis()
    assert 0.9 < found['centres'] < 1.0
    assert 0.5 < found['edge'] < 0.7


def test_a_bound_is_a_power_of_ten_above(result):
    assert bound(2e-7) == '< 1e-6'
    assert bound(1e-9) == '< 1e-8'
    assert bound(0.0) == bound(1e-16) == '< 1e-12'


def test_lines_of_code_are_counted_without_words(tmp_path, monkeypatch):
    folder = tmp_path / 'symcontact_ros' / 'bench'
    folder.mkdir(parents=True)
    text = '"""Words."""\n# more\nx = [\n    1,\n]\n\n\ndef f():\n    """Words."""\n    return x\n'
    (folder / 'a.py').write_text(text)
    monkeypatch.setattr(paper_claims, 'ROOT', tmp_path)
    assert code_lines('a.py') == 5
    assert code_lines('a.py', 'f') == 2


def test_the_rectangle_of_the_page_is_that_of_the_formulas():
    assert f'C = {C[0]:g} m and {C[1]:g} m' in PAGE


def test_the_citation_is_valid_and_of_this_version():
    cited = yaml.safe_load((ROOT / 'CITATION.cff').read_text(encoding='utf-8'))
    assert {'cff-version', 'message', 'title', 'authors'} <= set(cited)
    assert cited['cff-version'] == '1.2.0'
    assert f'<version>{cited["version"]}</version>' in (ROOT / 'package.xml').read_text()
    (reference,) = cited['references']
    assert {'type', 'title', 'authors'} <= set(reference)
    for author in reference['authors']:
        assert f'{author["family-names"]}, {author["given-names"]}' in PAGE
    assert reference['title'] in re.sub(r'\s+', ' ', PAGE)
