"""Points of a sweep: grids, samples, and what is wrong with them."""

import itertools
import math

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.sweeps.axes import axis_of, Grid
from symcontact_ros.sweeps.plan import Asked, plan_of
from symcontact_ros.sweeps.points import Points, symbol_named

SAMPLES = 4000


def test_a_grid_has_both_ends_and_every_combination_once():
    axes = {'a': axis_of('a', '0:1:3'), 'b': axis_of('b', '1,2'), 'c': axis_of('c', 5)}
    points = Points(axes)
    found = [tuple(points.values(i).values()) for i in range(len(points))]
    assert found == list(itertools.product([0.0, 0.5, 1.0], [1.0, 2.0], [5.0]))
    assert axis_of('k', '1e3:1e6:4:log').values == pytest.approx((1e3, 1e4, 1e5, 1e6))
    assert axis_of('k', np.linspace(0, 1, 5)) == Grid((0.0, 0.25, 0.5, 0.75, 1.0))


def test_a_sample_depends_on_seed_number_and_name_alone():
    first = Points({'m': axis_of('m', '0:1'), 'k': axis_of('k', 'normal:0:1')}, 100, 7)
    other = Points({'g': axis_of('g', '1,2'), 'm': axis_of('m', '0:1')}, 10, 7)
    assert len(other) == 20
    for point in range(20):  # the same samples at every point of the grid, in any company
        assert other.values(point)['m'] == first.values(point % 10)['m']
    assert first.values(3)['m'] != Points(first.axes, 100, 8).values(3)['m']
    # By hand: the first 13 digits of `printf 7/3/m | sha256sum`, and half a one, over 16^13.
    assert first.values(3)['m'] == 0.07286048455177674


@pytest.mark.parametrize(
    ('text', 'median', 'part', 'quantile'),
    [
        ('2:4', 3.0, 0.9, 3.8),
        ('loguniform:1e2:1e6', 1e4, 0.75, 1e5),
        ('normal:5:2', 5.0, 0.8413447, 7.0),
        ('lognormal:3:0.5', 3.0, 0.8413447, 3.0 * math.exp(0.5)),
    ],
)
def test_samples_have_the_distribution_that_is_named(text, median, part, quantile):
    points = Points({'x': axis_of('x', text)}, SAMPLES, 1)
    values = np.array([points.values(i)['x'] for i in range(SAMPLES)])
    # The part of samples below a quantile has a standard deviation of 0.008 at most.
    assert np.mean(values < median) == pytest.approx(0.5, abs=0.03)
    assert np.mean(values < quantile) == pytest.approx(part, abs=0.03)


@pytest.mark.parametrize(
    ('values', 'reason'),
    [
        ('0:1:x', 'number of values'),
        ('0:1:0', 'number of values'),
        ('-1:1:3:log', 'ends > 0'),
        ('1:2:3:4', 'must be a:b:n'),
        ('1,x', 'no finite number'),
        ('inf', 'no finite number'),
        ('1,1', 'every value once'),
        ('norml:1:2', "did you mean 'normal'"),
        ('normal:1', 'two constants'),
        ('normal:1:-2', 'deviation > 0'),
        ('2:1', 'a < b'),
        ([], 'one value at least'),
        ([1.0, 'x'], 'finite numbers'),
        (None, 'must be numbers'),
    ],
)
def test_values_that_are_none_are_refused_with_a_reason(values, reason):
    with pytest.raises(sc.OptionError, match=reason):
        axis_of('m', values)


def test_all_faults_are_told_at_once(tmp_path):
    parameters = {'m': '0', 'dampng': '1', 'R': '1:2:x', 'stiffness': '1e5:1e6'}
    asked = Asked(
        *('bouncing_circle', parameters, ['max_forc', 'max_depth', 'max_depth'], -1, 0.5),
        *(math.inf, None, tmp_path / 'no' / 'out.txt', 0, {'integrator': 'rk5', 'steps': 1}),
    )
    with pytest.raises(sc.OptionError) as error:
        plan_of(asked)
    text = str(error.value)
    for part in (
        *('m must be within', "did you mean 'damping'", 'R: the number of values', 'samples must'),
        *("did you mean 'max_force'", 'max_depth is there twice', 'seed must', 'cores must'),
        *('must end in .csv or .parquet', 'duration must be finite', "no setting 'steps'"),
    ):
        assert part in text


def test_the_last_word_of_a_symbol_names_it_where_it_is_clear():
    model = sc.load_model('bouncing_circle')
    assert symbol_named(model, 'damping') == 'materials.default.damping'
    model.symbols['materials.ice.damping'] = model.symbols['materials.default.damping']
    with pytest.raises(sc.OptionError, match='which of materials'):
        symbol_named(model, 'damping')
