"""The wall clock asks for steps: none is lost, none comes twice, and never a burst."""

from hypothesis import given
from hypothesis import strategies as st
import pytest

from symcontact_ros.ros.stepping.pacing import LONGEST_CATCH_UP, Pacer


@given(st.lists(st.floats(0.0, LONGEST_CATCH_UP), min_size=1, max_size=200), st.floats(0.1, 10.0))
def test_steps_follow_the_clock_however_the_ticks_fall(gaps, factor):
    pacer = Pacer(1e-3, factor)
    now, taken = 100.0, 0
    assert pacer.due(now) == 0
    for gap in gaps:
        now += gap
        taken += pacer.due(now)
        assert taken * 1e-3 == pytest.approx((now - 100.0) * factor, abs=1e-3 + 1e-9)
    assert pacer.overruns == 0


def test_a_stall_slows_the_simulation_down_instead_of_bursting():
    pacer = Pacer(1e-3, 1.0)
    pacer.due(0.0)
    assert pacer.due(60.0) == pytest.approx(LONGEST_CATCH_UP / 1e-3, abs=1)
    assert pacer.overruns == 1
    assert pacer.due(60.005) <= 6


@given(st.lists(st.floats(-0.49, 0.49), min_size=1, max_size=200))
def test_every_tick_makes_one_control_period_although_ticks_jitter(jitters):
    pacer = Pacer(1e-3, 1.0)
    assert pacer.due(0.0, 2, 0.5 * 2e-3) == 0
    for i, jitter in enumerate(jitters, start=1):
        assert pacer.due((i + jitter) * 2e-3, 2, 0.5 * 2e-3) == 2
    # and a tick that is late by a period makes both
    assert pacer.due((len(jitters) + 2) * 2e-3, 2, 0.5 * 2e-3) == 4


def test_in_lockstep_steps_are_granted_as_time_passes_and_waiting_is_no_overrun():
    pacer = Pacer(1e-3, 1.0)
    assert not pacer.grants(0.0, 5)
    assert not pacer.grants(0.004, 5)
    assert pacer.grants(0.0051, 5)
    assert not pacer.grants(0.0052, 5)
    granted = sum(pacer.grants(60.0, 5) for _ in range(1000))  # an answer that came late
    assert 5 * granted * 1e-3 == pytest.approx(LONGEST_CATCH_UP, abs=5e-3)
    assert pacer.overruns == 0
    pacer.factor = 0.0
    assert pacer.grants(60.0, 10**6), 'as fast as the answers come'
