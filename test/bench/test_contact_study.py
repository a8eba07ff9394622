"""docs/contact.md: numbers of the study, names and constants of the code, figures that exist."""

import re

from contact_trials import bounce, breakaway, dry_joint, exact_restitution, jump, momentum
from helpers.places import page, ROOT
import pytest

from symcontact_ros.model.run_settings import INTEGRATORS
from symcontact_ros.simulation import integrator_choice as choice
from symcontact_ros.simulation.observing.energy import Energy
from symcontact_ros.simulation.step.implicit.mixed import BOUNCING, MOVING

PAGE = page('contact.md')


def numbers(name):
    """Return the numbers of the row of a name in the table of restitutions."""
    (row,) = re.findall(rf'^\| `{name}` \|((?: [01]\.\d\d\d \|){{7}})$', PAGE, re.M)
    return [float(cell) for cell in row.strip(' |').split(' | ')]


@pytest.mark.parametrize('integrator', ['rk4', 'implicit', 'implicit2'])
def test_the_restitutions_of_the_page_are_measured(integrator):
    assert f'exact {exact_restitution():.3f}' in PAGE
    for place, ratio in ((2, 10.0), (4, 1.0)):
        found = bounce(integrator, ratio)[0]
        assert f'{found:.3f}' == f'{numbers(integrator)[place]:.3f}'


def test_friction_holds_and_breaks_away_as_the_page_says():
    assert breakaway(0.999, 'implicit') < 1e-13
    assert breakaway(1.001, 'implicit') == pytest.approx(0.006, abs=5e-4)  # as printed
    assert dry_joint('rk4') == pytest.approx(0.51, abs=5e-3)
    assert dry_joint('implicit') < 1e-12


def test_the_page_says_who_keeps_angular_momentum():
    linear, angular = momentum('implicit')
    assert max(linear, angular) < 1e-12
    linear, angular = momentum('implicit2')
    assert linear < 1e-12
    assert f'**{angular:.1e}**'.replace('e-0', 'e-') in PAGE


@pytest.mark.parametrize('integrator', ['implicit', 'auto'])
def test_nothing_jumps_through_a_thin_plate(integrator):
    assert jump(integrator, 100.0) == 'back'


def test_the_page_has_the_integrators_and_the_rule_of_auto():
    table = PAGE.partition('## Choosing an integrator\n')[2].partition('\n\n')[0]
    assert re.findall(r'^\| `(\w+)` ', table, re.M)[1:] == [*INTEGRATORS[1:], INTEGRATORS[0]]
    assert f'more than {choice.MOST_PARTS:g} parts' in PAGE
    assert f'there are more than {choice.MOST_FLOATING}' in PAGE
    assert f'h sqrt({choice.CORNER:g} n W / (m d)) / {choice.SPRING_LIMIT:g}' in PAGE
    assert f'h d / I / {choice.RATE_LIMIT:g}' in PAGE
    assert f'faster than {BOUNCING:g} m/s' in PAGE
    assert f'more than {MOVING:g} rad or m' in PAGE


def test_the_page_has_all_terms_of_the_ledger():
    assert [term for term in Energy.__dataclass_fields__ if term not in PAGE] == []


def test_the_figures_of_the_page_exist():
    figures = re.findall(r'\]\((images/\w+\.png)\)', PAGE)
    assert len(figures) == 5
    assert [name for name in figures if not (ROOT / 'docs' / name).is_file()] == []
