"""Splines through points of a trajectory, against closed forms and scipy."""

import numpy as np
import pytest
from scipy.interpolate import BPoly, CubicHermiteSpline

pytest.importorskip('rclpy', reason='they are part of the node')

from symcontact_ros.ros.trajectories.splines import Spline

TIMES = np.array([0.5, 0.9, 2.0, 2.25])
INSIDE = np.linspace(0.5, 2.25 - 1e-12, 301)


def numbers(seed):
    """Return positions, velocities and accelerations of four points and three joints."""
    return np.random.default_rng(seed).normal(size=(3, 4, 3))


def sampled(spline, times=INSIDE):
    """Return positions, velocities and accelerations at times."""
    return (np.array(column) for column in zip(*map(spline.sample, times), strict=True))


def test_positions_alone_make_lines():
    p, v, _ = numbers(1)
    spline = Spline(TIMES, p, np.nan * v, np.nan * v)
    found, rates, _ = sampled(spline)
    for j in range(3):
        assert found[:, j] == pytest.approx(np.interp(INSIDE, TIMES, p[:, j]), abs=1e-13)
    slopes = np.diff(p, axis=0) / np.diff(TIMES)[:, None]
    assert rates[0] == pytest.approx(slopes[0])


def test_velocities_make_cubics():
    p, v, _ = numbers(2)
    found, rates, bends = sampled(Spline(TIMES, p, v, np.nan * v))
    wanted = CubicHermiteSpline(TIMES, p, v)
    assert found == pytest.approx(wanted(INSIDE), abs=1e-12)
    assert rates == pytest.approx(wanted(INSIDE, 1), abs=1e-11)
    assert bends == pytest.approx(wanted(INSIDE, 2), abs=1e-10)


def test_accelerations_make_quintics():
    p, v, a = numbers(3)
    found, rates, bends = sampled(Spline(TIMES, p, v, a))
    wanted = BPoly.from_derivatives(TIMES, np.stack([p, v, a], axis=1))
    assert found == pytest.approx(wanted(INSIDE), abs=1e-11)
    assert rates == pytest.approx(wanted(INSIDE, nu=1), abs=1e-9)
    assert bends == pytest.approx(wanted(INSIDE, nu=2), abs=1e-8)


def test_a_segment_has_what_both_of_its_ends_have():
    p, v, a = numbers(4)
    v[3], a[0] = np.nan, np.nan  # cubic, quintic, linear
    spline = Spline(TIMES, p, v, a)
    assert spline.sample(2.1)[1] == pytest.approx((p[3] - p[2]) / 0.25)
    assert spline.sample(0.9)[2] == pytest.approx(a[1])
    first = CubicHermiteSpline(TIMES[:2], p[:2], v[:2])
    assert spline.sample(0.7)[0] == pytest.approx(first(0.7))


@pytest.mark.parametrize(('time', 'row'), [(-1.0, 0), (2.25, 3), (9.0, 3)])
def test_before_and_after_it_is_at_rest(time, row):
    p, v, a = numbers(5)
    position, velocity, acceleration = Spline(TIMES, p, v, a).sample(time)
    assert (position == p[row]).all()
    assert not velocity.any()
    assert not acceleration.any()
