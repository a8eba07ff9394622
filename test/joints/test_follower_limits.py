"""Limits of joints that mimic another one: they act on their leader."""

from __future__ import annotations

import math
from typing import Any

import pytest

import symcontact_ros as sc

STOPS = {'lower': -1.0, 'upper': 1.0}


def pair(multiplier: Any, limits: dict[str, Any], own: dict[str, Any] | None = None) -> sc.Model:
    """Return two slides, of which b follows a."""
    model = sc.Model('pair', dimension=3, gravity=[0.0, 0.0, 0.0])
    slide = {'type': 'prismatic', 'axis': [1, 0, 0]}
    mimic = {'joint': 'a', 'multiplier': multiplier}
    bulk = {'mass': 1.0, 'inertia': dict.fromkeys(('ixx', 'iyy', 'izz'), 1.0)}
    bodies = {
        'a': {**bulk, 'joint': {**slide, **({'limits': own} if own else {})}},
        'b': {**bulk, 'joint': {**slide, 'mimic': mimic, 'limits': limits}},
    }
    model.set(bodies=bodies, parameters={'ratio': -2.0})
    return model


@pytest.mark.parametrize('multiplier', ['ratio', -2.0])
def test_an_open_stop_of_a_follower_is_chosen(multiplier: Any) -> None:
    model = pair(multiplier, STOPS)
    limits = model.body('a').joint.limits
    assert limits.is_chosen
    assert model.number(limits.stiffness) == 5.0 * 200.0**2  # 1 + m^2 kg at 200 rad/s
    simulation = sc.Simulation(model)
    simulation.set_state(q=[0.4], u=[1.0])
    simulation.step(300)
    energy = simulation.energy()
    assert abs(energy.residual) < 1e-3 * energy.throughput
    assert simulation.u[0] < 0.0  # it came back


@pytest.mark.parametrize('multiplier', ['ratio', -2.0])
def test_effort_and_speed_of_a_follower_limit_its_leader(multiplier: Any) -> None:
    limits = {'effort': 10.0, 'velocity': 3.0}
    for own, expected in (
        (None, (20.0, 1.5)),
        ({'effort': 25.0, 'velocity': 2.0}, (20.0, 1.5)),
        ({'effort': 5.0, 'velocity': 1.0}, (5.0, 1.0)),
    ):
        model = pair(multiplier, limits, own)
        joint = model.body('a').joint
        assert (model.number(joint.effort_limit), model.number(joint.velocity_limit)) == expected
    follower = model.body('b').joint
    assert (follower.effort_limit, follower.velocity_limit) == (math.inf, math.inf)
    simulation = sc.Simulation(pair(multiplier, limits))
    simulation.set_effort('b', -1000.0)
    simulation.step(10)
    assert simulation.u[0] == pytest.approx(20.0 / 5.0 * 0.01)
    assert simulation.counters['saturated_steps'] == 10


def test_a_stop_is_that_of_the_joint_which_ends_the_range() -> None:
    follower = {**STOPS, 'stiffness': 100.0, 'damping': 3.0}
    wide = {'lower': -9.0, 'upper': 9.0, 'stiffness': 7.0, 'damping': 1.0}
    limits = pair(-2.0, follower, wide).body('a').joint.limits
    assert (limits.lower, limits.upper) == (-0.5, 0.5)
    assert (limits.stiffness, limits.damping) == (400.0, 12.0)
    narrow = {**wide, 'lower': -0.1, 'upper': 0.1}
    limits = pair(-2.0, follower, narrow).body('a').joint.limits
    assert (limits.stiffness, limits.damping) == (7.0, 1.0)
    half = {**wide, 'lower': -0.1}  # each ends it once: the stiffer stop
    limits = pair(-2.0, follower, half).body('a').joint.limits
    assert (limits.lower, limits.upper) == (-0.1, 0.5)
    assert (limits.stiffness, limits.damping) == (400.0, 12.0)


def test_a_chain_to_a_fixed_joint_is_a_fault_where_a_formula_places_it() -> None:
    model = sc.Model('chain', dimension=3)
    slide = {'type': 'prismatic', 'axis': [1, 0, 0]}
    bulk = {'mass': 1.0, 'inertia': dict.fromkeys(('ixx', 'iyy', 'izz'), 1.0)}

    def bodies(offset: Any) -> dict[str, Any]:
        return {
            'a': {**bulk, 'joint': {'type': 'fixed'}},
            'b': {**bulk, 'joint': {**slide, 'mimic': {'joint': 'a', 'offset': 0.1}}},
            'c': {**bulk, 'joint': {**slide, 'mimic': {'joint': 'b', 'offset': offset}}},
        }

    with pytest.raises(sc.ModelError, match='a is fixed') as error:
        model.set(bodies=bodies('o'), parameters={'o': 0.2})
    (fault,) = error.value.faults
    assert fault.key == 'bodies.c.joint.mimic.joint'
    model.set(bodies=bodies(0.2))
    assert sc.Simulation(model).poses()['c'].position[0] == pytest.approx(0.3)
