"""The penalty law: never pulls, dissipates, keeps friction in its cone."""

import math

from hypothesis import given
from hypothesis import strategies as st
import pytest

from symcontact_ros.contact.laws import Constants, elastic_plastic

STEEL = Constants(stiffness=1e7, damping=0.2, friction=0.3, slip_speed=0.1)
speed = st.floats(-100.0, 100.0)
depth = st.floats(0.0, 0.1)


@given(rho=depth, approach=speed, slip=speed)
def test_contact_pushes_and_friction_opposes_slip_within_its_cone(rho, approach, slip):
    normal, tangent = elastic_plastic(rho, approach, slip, STEEL)
    assert normal >= 0.0
    assert tangent * slip <= 0.0
    assert abs(tangent) <= STEEL.friction * normal


@given(rho=depth, rate=st.floats(0.0, 4.0))
def test_loading_costs_more_than_unloading_returns(rho, rate):
    loading, _ = elastic_plastic(rho, -rate, 0.0, STEEL)
    unloading, _ = elastic_plastic(rho, rate, 0.0, STEEL)
    assert loading >= unloading


def test_the_values_are_those_of_equation_18():
    normal, tangent = elastic_plastic(0.01, -2.0, 0.05, STEEL)
    assert normal == pytest.approx(1e7 * 0.01**3 * (1.0 + 0.2 * 2.0), rel=1e-14)
    printed = 2.0 / (1.0 + math.exp(-0.05 / 0.1)) - 1.0
    assert tangent == pytest.approx(-0.3 * normal * printed, rel=1e-14)


def test_a_surface_torn_away_faster_than_one_over_c_does_not_hold_on():
    assert elastic_plastic(0.01, 5.1, 1.0, STEEL)[0] == 0.0
