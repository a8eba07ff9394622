"""Equations with contacts: what is printed is what is simulated."""

import functools

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.simulation.contact_equations import contact_equations

SCENARIOS = ['bouncing_circle', 'circle_circle', 'rectangle_circle', 'rectangle_rectangle']
SCENARIOS += ['sphere_cuboid', 'cart_pole_walls', 'wall_push']


@functools.cache
def scenario(name):
    model = sc.load_model(name)
    return model, contact_equations(model)


@functools.cache
def functions(equations):
    """Return the functions of the Python source."""
    scope = {}
    exec(equations.source('python'), scope)  # our own text, of our own models
    return scope


def states_of(simulation, count=6):
    """Yield apart and touching states of a run: the start, and steps with contact forces."""
    yield simulation.q.copy(), simulation.u.copy()
    found = 0
    for _ in range(6000):
        simulation.step()
        if any(np.linalg.norm(contact.force) > 1e-3 for contact in simulation.contacts()):
            found += 1
            if found % 7 == 1:
                yield simulation.q.copy(), simulation.u.copy()
            if found > 7 * count:
                return


def simulated(simulation, equations):
    """Return the acceleration of the simulation, with the wrenches that it reports."""
    wrenches = {
        name: (wrench.force, wrench.torque)
        for name in simulation.model.body_names
        if name not in simulation.model.grounded
        for wrench in [simulation.contact_wrench(name)]
    }
    return equations.evaluate(simulation.q, simulation.u, wrenches=wrenches).udot


@pytest.mark.parametrize('name', SCENARIOS)
def test_printed_python_gives_the_acceleration_of_the_simulation(name):
    model, equations = scenario(name)
    printed = functions(equations)
    simulation = sc.Simulation(model)
    eom = sc.equations_of_motion(model)
    touching = 0
    for q, u in states_of(simulation):
        simulation.set_state(q=q, u=u)
        effort, wrench = [0.0] * len(eom.effort), [0.0] * 6 * len(model.moving)
        _, udot = printed['acceleration'](q, u, effort, wrench, printed['PARAMETERS'])
        expected = simulated(simulation, eom)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(udot, expected, rtol=1e-12, atol=1e-12 * (1 + scale))
        touching += bool(simulation.contacts())
    assert touching > 3
