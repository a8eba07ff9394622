"""The compiled step: equal to the equations, to itself, and to plain Python."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

import symcontact_ros as sc

PILE = """
format_version: 1
name: pile
dimension: 3
gravity: [0, 0, -9.81]
materials: {default: {stiffness: 1.0e7, damping: 1.0, friction: 0.5, slip_speed: 0.05}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  box: {mass: 1.0, shapes: [{type: box, half_extents: [0.2, 0.15, 0.1]}],
        initial: {position: [0, 0, 0.11], angular_velocity: [0.3, 0.2, 0.5]}}
  ball: {mass: 0.5, shapes: [{type: sphere, radius: 0.1}], initial: {position: [0.1, 0.05, 0.32]}}
  can: {mass: 0.7, shapes: [{type: cylinder, radius: 0.1, half_length: 0.15}],
        initial: {position: [-0.5, 0, 0.2], rpy: [0.4, 0.3, 0]}}
  rod: {mass: 0.4, com: [0.02, 0, 0.03], shapes: [{type: capsule, radius: 0.05, half_length: 0.2}],
        initial: {position: [-0.5, 0.1, 0.5], rpy: [0, 1.2, 0]}}
"""

FLAT = """
format_version: 1
name: flat
dimension: 2
gravity: [0, -9.81, 0]
materials: {default: {stiffness: 1.0e7, damping: 0.5, friction: 0.4, slip_speed: 0.05}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
  plank: {mass: 1.0, com: [0.1, 0.02, 0], shapes: [{type: rectangle, half_extents: [0.4, 0.1]}],
          initial: {position: [0, 0.3, 0], angle: 0.3}}
  disc: {mass: 0.5, shapes: [{type: circle, radius: 0.15}], initial: {position: [0.1, 0.8, 0]}}
  stick: {mass: 0.3, shapes: [{type: capsule, radius: 0.05, half_length: 0.2}],
          initial: {position: [-0.3, 0.8, 0], angle: 1.0}}
  arm: {mass: 0.4, com: [0.2, 0, 0], shapes: [{type: rectangle, half_extents: [0.2, 0.03],
        pose: {position: [0.2, 0, 0]}}], joint: {type: revolute, origin: {xyz: [0.4, 0.7, 0]},
        damping: 0.05}}
"""


@pytest.fixture(params=[PILE, FLAT], ids=['space', 'plane'])
def model(request, write_model):
    return sc.load_model(write_model(request.param))


def run_of(model, count, **options):
    simulation = sc.Simulation(model, **options)
    simulation.step(count)
    return simulation


@pytest.mark.parametrize('integrator', ['rk4', 'verlet', 'semi_implicit'])
def test_many_steps_at_once_equal_one_by_one_bit_for_bit(model, integrator):
    at_once = run_of(model, 800, integrator=integrator)
    single = sc.Simulation(model, integrator=integrator)
    for _ in range(800):
        single.step()
    assert at_once.contacts(), 'nothing touched: the test is void'
    assert at_once.state_hash() == single.state_hash()


def test_plain_python_steps_as_machine_code_does_bit_for_bit(model, monkeypatch):
    compiled = run_of(model, 250)
    monkeypatch.setattr('symcontact_ros.simulation.world.compiling.available', lambda: False)
    assert run_of(model, 250).state_hash() == compiled.state_hash()


def test_looking_changes_nothing(model):
    watched = sc.Simulation(model)
    for _ in range(40):
        watched.step(10)
        watched.snapshot()
        watched.energy()
        watched.proximities()
        watched.momentum()
    assert watched.state_hash() == run_of(model, 400).state_hash()


def test_another_process_and_hash_seed_gives_the_same_run(model, tmp_path):
    path = tmp_path / 'model.yaml'
    model.to_yaml(path)
    code = (
        'import sys, symcontact_ros as sc; s = sc.Simulation(sc.load_model(sys.argv[1]));'
        's.step(300); print(s.state_hash())'
    )
    hashes = set()
    for seed in ('1', '77'):
        environment = {**os.environ, 'PYTHONHASHSEED': seed}
        command = [sys.executable, '-c', code, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        hashes.add(done.stdout.strip())
    assert hashes == {run_of(sc.load_model(path), 300).state_hash()}


def test_a_saved_state_goes_on_bit_for_bit(model, tmp_path):
    simulation = run_of(model, 311)
    simulation.set_wrench(model.body_names[1], force=(0.3, 0.1, 0.0))
    saved = simulation.save_state()
    simulation.save_checkpoint(tmp_path / 'point')
    simulation.step(500)
    later = simulation.state_hash(), simulation.energy().residual
    simulation.restore_state(saved)
    assert simulation.steps == 311
    simulation.step(500)
    assert (simulation.state_hash(), simulation.energy().residual) == later
    other = sc.Simulation(model)
    other.restore_checkpoint(tmp_path / 'point')
    other.step(500)
    assert other.state_hash() == later[0]


def test_loose_bodies_obey_the_symbolic_equations(model):
    """Runge and Kutta on the tape's own functions, contact-free, against the loop."""
    rng = np.random.default_rng(4)
    simulation = sc.Simulation(model, integrator='rk4')
    eom = sc.equations_of_motion(model)
    q, u = simulation.q, simulation.u
    u = u + rng.normal(size=len(u))
    lifted = [i for i, name in enumerate(position_names(model)) if name == 'up']
    q[lifted] += 5.0 + 2.0 * np.arange(len(lifted))
    simulation.set_state(q, u)
    body = model.body_names[1]
    force, torque = np.array([0.5, -0.2, 0.0]), np.array([0.0, 0.0, 0.3])
    simulation.set_wrench(body, force, torque)
    h = simulation.step_size

    def rates(state):
        at_q, at_u = state[: len(q)], state[len(q) :]
        found = eom.evaluate(at_q, at_u, wrenches={body: (force, torque)})  # with damping
        return np.concatenate([found.qdot, found.udot])

    state = np.concatenate([q, u])
    for _ in range(100):
        k1 = rates(state)
        k2 = rates(state + 0.5 * h * k1)
        k3 = rates(state + 0.5 * h * k2)
        k4 = rates(state + h * k3)
        state = state + h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
    simulation.step(100)
    # Two ways to write the same motion: the errors of the method differ, about 1e-10 here.
    np.testing.assert_allclose(simulation.q, state[: len(q)], atol=1e-9)
    np.testing.assert_allclose(simulation.u, state[len(q) :], atol=1e-9)


def position_names(model):
    names = []
    for body in model.moving:
        names += {
            'planar': ['x', 'up', 'angle'],
            'free': ['x', 'y', 'up', 'qx', 'qy', 'qz', 'qw'],
        }.get(body.joint.type, ['q'])
    return names


def joint_speeds(model, u):
    speeds, at = {}, 0
    for body in model.moving:
        count = {'planar': 3, 'free': 6}.get(body.joint.type, 1)
        if count == 1:
            speeds[body.joint.name] = u[at]
        at += count
    return speeds


def test_more_near_pairs_than_there_is_room_for_are_made_room_for(model):
    simulation = sc.Simulation(model)
    memory = simulation.parts.live.memory
    memory.set_room(1)
    simulation.step(400)
    assert len(memory.image['candidates']) > 1
    assert simulation.state_hash() == run_of(model, 400).state_hash()


def test_fast_bodies_are_not_missed(write_model):
    """A small ball at 200 m/s meets a plank 0.2 m thick: it moves as far in one step."""
    text = """
format_version: 1
name: shot
dimension: 2
gravity: [0, 0, 0]
materials: {default: {stiffness: 1.0e10, damping: 0.0, friction: 0.0, slip_speed: 0.05}}
bodies:
  wall: {fixed: true, shapes: [{type: rectangle, half_extents: [0.1, 5.0]}]}
  ball: {mass: 0.1, shapes: [{type: circle, radius: 0.1}],
         initial: {position: [-7.03, 0.1, 0], velocity: [50, 0, 0]}}
"""
    simulation = sc.Simulation(sc.load_model(write_model(text)), step_size=5e-4)
    simulation.step(600)
    assert simulation.u[0] == pytest.approx(-50.0, rel=1e-2)


def test_a_planar_model_refuses_loads_out_of_its_plane(write_model):
    simulation = sc.Simulation(sc.load_model(write_model(FLAT)))
    with pytest.raises(sc.OptionError, match='torques about z'):
        simulation.set_wrench('disc', force=(0, 0, 1))
    with pytest.raises(sc.OptionError, match='no body'):
        simulation.set_wrench('disk')
    with pytest.raises(sc.OptionError, match='3 finite numbers'):
        simulation.set_wrench('disc', force=(math.nan, 0, 0))
    with pytest.raises(sc.OptionError, match='no joint'):
        simulation.set_effort('disc', 1.0)
    with pytest.raises(sc.OptionError, match='has no servo'):
        simulation.set_target('arm', 1.0)


def test_bodies_that_overlap_at_the_start_are_refused_where_the_model_says_so(write_model):
    text = FLAT.replace('[0.1, 0.8, 0]', '[0.1, 0.35, 0]')
    sc.Simulation(sc.load_model(write_model(text)))
    with pytest.raises(sc.OptionError, match=r'disc is .* m deep in plank'):
        sc.Simulation(sc.load_model(write_model(text + 'initial_overlap: refuse\n')))


def test_a_fast_body_does_not_make_a_crowd_candidates_of_each_other():
    bodies = {
        f'disc{i:02d}': {
            'mass': 1.0,
            'shapes': [{'type': 'circle', 'radius': 0.1}],
            'initial': {'position': [0.3 * (i % 8), 0.3 * (i // 8), 0.0]},
        }
        for i in range(64)
    }
    bodies['fast'] = bodies['disc00'] | {
        'initial': {'position': [-1.0, 0.0, 0.0], 'velocity': [30.0, 0.0, 0.0]}
    }
    model = sc.Model('crowd', dimension=2)
    material = {'stiffness': 1e9, 'damping': 0.0, 'friction': 0.0, 'slip_speed': 0.05}
    model.set(materials={'default': material}, gravity=[0, 0, 0], bodies=bodies)
    simulation = sc.Simulation(model, integrator='rk4')
    simulation.step(5)
    # Ten steps of it are more than the crowd is wide: all 2,080 pairs would be candidates.
    assert simulation.parts.live.memory.world.candidate_count <= 16 * len(bodies)
    simulation.step(25)  # it is 0.8 m from the first disc, and stops there: masses are equal
    assert simulation.u[-3] == pytest.approx(0.0, abs=1.0)
    assert simulation.momentum().linear[0] == pytest.approx(30.0, rel=1e-12)
