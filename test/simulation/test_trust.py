"""Runs say whether they are to be trusted."""

import copy

from helpers.model_texts import RUINED
import pytest

import symcontact_ros as sc


def test_nothing_is_known_against_a_good_run():
    simulation = sc.Simulation(sc.load_model('rectangle_circle'))
    assert simulation.trust().is_good
    simulation.step(500)
    trust = simulation.trust()
    assert (trust.is_good, trust.reasons) == (True, ())
    assert set(trust.counters.values()) == {0}
    assert str(trust) == 'nothing is known against it'


def test_a_stop_is_known_until_a_reset_and_in_saved_states(write_model):
    model = sc.load_model(write_model(RUINED))
    simulation, other = sc.Simulation(model, integrator='rk4'), sc.Simulation(model)
    with pytest.raises(sc.DivergenceError):
        simulation.step(12)
    other.restore_state(simulation.save_state())
    for own in (simulation, copy.copy(simulation), other):
        trust = own.trust()
        assert not trust.is_good
        assert trust.counters['stops'] == 1
        assert 'stopped once by a guard' in trust.reasons[0]
        assert any('energy balance is open by' in reason for reason in trust.reasons)
    simulation.reset()
    assert simulation.trust().is_good


def test_steps_that_exceed_their_substeps_are_a_reason(write_model):
    simulation = sc.Simulation(
        sc.load_model('bouncing_circle'), integrator='rk4', max_substeps=2, max_residual=0
    )
    simulation.step(1000)
    trust = simulation.trust()
    assert trust.counters['exceeded_steps'] == simulation.counters['exceeded_steps'] > 0
    assert any('a step needed more substeps than max_substeps' in why for why in trust.reasons)


def test_a_balance_that_is_open_is_a_reason_though_its_guard_is_off(write_model):
    simulation = sc.Simulation(
        sc.load_model(write_model(RUINED)), integrator='rk4', max_residual=0
    )
    simulation.step(12)
    trust = simulation.trust()
    assert trust.counters['stops'] == 0
    assert 'the energy balance is open by' in str(trust)
    simulation.set_parameters({'a.mass': 0.02})  # the guards begin anew, and the run does not
    assert 'the energy balance is open' in str(simulation.trust())


def test_implicit_steps_that_do_not_converge_are_a_reason():
    model = sc.load_model('double_pendulum')
    simulation = sc.Simulation(model, integrator='implicit')
    simulation.set_wrench(model.body_names[-1], force=(1e200, 0.0, 0.0))
    with pytest.raises(sc.DivergenceError):
        simulation.step(1)
    assert any('did not converge' in reason for reason in simulation.trust().reasons)


def test_a_batch_says_it_of_every_world(write_model):
    """Whatever a single run says: world 1 has a spring that is soft enough."""
    model = sc.load_model(write_model(RUINED))
    batch = sc.Batch(model, 2, parameters={'a.stiffness': [3.44e8, 1e3]}, integrator='rk4')
    assert batch.is_good.tolist() == [True, True]
    batch.step(12)
    assert batch.is_good.tolist() == [False, True]
    assert batch.diverged.tolist() == [4, 0]
    assert 'energy balance is open' in batch.message(0)
    for world in (0, 1):
        assert batch.trust(world).is_good == batch.is_good[world]
        assert batch.trust(world).reasons == batch.world(world).trust().reasons
    batch.reset()
    assert batch.is_good.all()
