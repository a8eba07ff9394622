"""Steps of bodies on joints that nothing can touch: what they leave out changes no bit."""

import numpy as np
import pytest
from validation import model

import symcontact_ros as sc

EXPLICIT = ('rk4', 'verlet', 'semi_implicit')
STEPS = 40
SPHERE = {'type': 'sphere', 'radius': 0.1}
ROD = {'mass': 1.0, 'com': [0, 0.1, -0.5], 'inertia': {'ixx': 0.1, 'iyy': 0.1, 'izz': 0.02}}


def arm(meets=False):
    """Return an arm whose first joint has a quaternion; it may meet a sphere far away, or none."""
    bodies = {
        'upper': {**ROD, 'joint': {'type': 'spherical', 'name': 'shoulder'}},
        'lower': {
            **ROD,
            'joint': {
                **{'type': 'revolute', 'name': 'elbow', 'parent': 'upper', 'axis': [0, 1, 0]},
                **{'origin': {'xyz': [0, 0, -1]}, 'damping': 0.1, 'friction': 0.2},
            },
            'initial': {'position': 1.0},
        },
        'hand': {
            **ROD,
            'joint': {'type': 'revolute', 'name': 'wrist', 'parent': 'lower', 'axis': [1, 0, 0]},
            'initial': {'velocity': 2.0},
        },
    }
    if meets:
        bodies['hand']['shapes'] = [SPHERE]
        far = {'position': [0, 0, -1e3]}
        bodies['far'] = {'fixed': True, 'shapes': [SPHERE], 'initial': far}
    return model(3, bodies, gravity=9.81)


def pushed(made, integrator):
    """Return a simulation after steps under a wrench, without it, and under an effort."""
    simulation = sc.Simulation(made, integrator=integrator)
    simulation.set_wrench('lower', force=[3.0, 1.0, -2.0], torque=[0.1, 0.0, 0.2])
    simulation.step(STEPS)
    simulation.clear_wrenches()
    simulation.step(STEPS)
    simulation.set_effort('elbow', 2.0)
    simulation.step(STEPS)
    return simulation


@pytest.mark.parametrize('integrator', EXPLICIT)
def test_an_arm_alone_moves_as_one_that_could_meet_something_does(integrator):
    alone, other = pushed(arm(), integrator), pushed(arm(meets=True), integrator)
    assert other.counters['broad_phases'] > 0  # it has looked for contacts
    assert alone.counters['broad_phases'] == 0
    assert alone.state_hash() == other.state_hash()
    np.testing.assert_array_equal(alone.poses()['hand'].position, other.poses()['hand'].position)


@pytest.mark.parametrize('integrator', EXPLICIT)
def test_a_wrench_on_an_arm_alone_does_work(integrator):
    simulation = sc.Simulation(arm(), integrator=integrator, step_size=1e-5)
    simulation.set_wrench('hand', force=[0.0, 0.0, 100.0])
    start = simulation.energy()
    simulation.step(100 * STEPS)
    energy = simulation.energy()
    assert energy.work_in > 0.5
    gained = energy.kinetic + energy.potential - start.kinetic - start.potential
    # Of order 1 is the loss of `semi_implicit`: ten times less with steps of a tenth.
    assert gained + energy.dissipated == pytest.approx(energy.work_in, rel=1e-3)


@pytest.mark.parametrize('integrator', EXPLICIT)
def test_plain_python_leaves_out_the_same(integrator, monkeypatch):
    compiled = pushed(arm(), integrator)
    monkeypatch.setattr('symcontact_ros.simulation.world.compiling.available', lambda: False)
    assert pushed(arm(), integrator).state_hash() == compiled.state_hash()


def test_a_body_flies_after_rates_were_asked_for():
    rod = model(3, {'rod': {**ROD, 'initial': {'velocity': [1.0, 0.0, 0.0]}}})
    simulation = sc.Simulation(rod, integrator='reference')
    simulation.step(10)
    simulation.configure(integrator='rk4')
    simulation.step(10)
    assert simulation.q[0] == pytest.approx(20 * simulation.step_size)  # rounding
