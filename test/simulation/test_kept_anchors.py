"""Where a state is set, friction lets go of everything, or keeps what it holds."""

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.recording.logged_simulation import LoggedSimulation, make_input

SLOPE = """
dimension: 3
gravity: [1.0, 0, -9.81]
materials: {default: {stiffness: 1e6, law: linear, damping: 0.5, friction: 0.8}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space}]}
  box: {mass: 1, shapes: [{type: box, half_extents: [0.1, 0.1, 0.05]}],
        initial: {position: [0, 0, 0.05]}}
"""


@pytest.fixture
def resting(write_model):
    def resting(integrator='implicit'):
        simulation = sc.Simulation(sc.load_model(write_model(SLOPE)), integrator=integrator)
        simulation.step(1000)
        return simulation

    return resting


def slid(simulation, keep_anchors):
    """Return how far a box slides in a second, while its own state is set a hundred times [m]."""
    start = simulation.q[0]
    for _ in range(100):
        simulation.set_state(q=simulation.q, u=simulation.u, keep_anchors=keep_anchors)
        simulation.step(10)
    return simulation.q[0] - start


@pytest.mark.parametrize('integrator', ['rk4', 'implicit'])
def test_a_box_on_a_slope_stays_where_its_anchors_are_kept_and_slips_where_they_are_not(
    resting, integrator
):
    simulation = resting(integrator)
    stretch = np.linalg.norm(simulation.parts.live.memory.anchors['stretch'], axis=1).max()
    assert stretch > 0.0
    assert abs(slid(simulation, True)) < 0.1 * stretch
    assert slid(simulation, False) > 10.0 * stretch  # it is caught anew after each


def test_anchors_are_let_go_unless_they_are_to_be_kept(resting):
    simulation = resting()
    held = simulation.parts.live.memory.anchors.copy()
    assert len(held) > 0
    simulation.set_state(u=simulation.u, keep_anchors=True)
    assert np.array_equal(simulation.parts.live.memory.anchors, held)
    simulation.set_state(u=simulation.u)
    assert len(simulation.parts.live.memory.anchors) == 0


def test_a_world_of_a_batch_keeps_them_as_a_simulation_does(write_model):
    model = sc.load_model(write_model(SLOPE))
    batch, simulation = sc.Batch(model, 2), sc.Simulation(model)
    for one in (batch, simulation):
        one.step(200)
        one.set_state(u=np.zeros(6), keep_anchors=True)
        one.step(50)
    assert batch.state_hash(1) == simulation.state_hash()


def test_a_recorded_run_has_it_as_an_input(write_model):
    model = sc.load_model(write_model(SLOPE))
    logged, again, inputs = LoggedSimulation(model), sc.Simulation(model), []
    logged.log = lambda step, name, arguments: inputs.append((name, arguments))
    for one in (logged, again):
        one.step(100)
    logged.set_state(u=logged.u, keep_anchors=True)
    make_input(again, *inputs[-1])
    assert len(again.parts.live.memory.anchors) > 0
    assert again.state_hash() == logged.state_hash()
