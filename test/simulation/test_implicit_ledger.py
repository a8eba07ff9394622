"""The integrator `implicit`: momentum, the energy ledger, limits of small steps, equal bits."""

import itertools

from helpers.implicit_runs import (
    assert_converged,
    implicit,
    random_throw,
    solver,
    thrown,
)
import numpy as np
import pytest
from validation import ball, block, floor, G, model, orders, simulation, up
from validation.momentum import drift, two_balls

import symcontact_ros as sc
from symcontact_ros.simulation.step.implicit import newton
from symcontact_ros.simulation.world import compiling

STICKS = {'presliding': 1e-4}


@pytest.fixture(autouse=True)
def newton_converges():
    yield
    assert_converged()


# Momentum ---------------------------------------------------------------------------------------


@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize(
    ('friction', 'detector'),
    [({'slip_speed': 0.05}, 'sat'), ({**STICKS, 'torsional_radius': 0.01}, 'co')],
)
def test_two_rough_balls_keep_their_momenta(d, friction, detector):
    for h in (1e-3, 5e-3):
        under = {'stiffness': 1e6, 'friction': 0.5, **friction}
        made = two_balls(d, (1.0, 2.0), 0.08, spin=3.0, **under)
        running = implicit(made, h, detector=detector)
        start = running.momentum()
        running.step(round(0.5 / h))
        linear, angular = drift(running, start)
        assert linear < 1e-14
        assert angular < 1e-14
        assert abs(running.twists()['b'].linear[0]) > 0.1, 'they have not met'


@pytest.mark.parametrize('d', [2, 3])
def test_three_bodies_keep_their_momenta(d):
    half = [0.1, 0.2] if d == 2 else [0.1, 0.15, 0.2]
    turn = {'angle': 0.4} if d == 2 else {'rpy': [0.4, 0.3, 0.2]}
    bodies = {
        'ball': ball(d, 0.1, [-0.5, 0.03, 0.0], velocity=[2.0, 0.0, 0.0]),
        'box': block(d, half, [0.0, 0.0, 0.0], mass=0.7, **turn),
        'other': ball(d, 0.15, [0.6, -0.06, 0.0], mass=3.0, velocity=[-1.0, 0.1, 0.0]),
    }
    for friction, stiffness in itertools.product((STICKS, {}), (1e5, 1e9)):
        under = {'stiffness': stiffness, 'friction': 0.6, **friction}
        running = implicit(model(d, bodies, 0.0, under), 2e-3)
        start = running.momentum()
        running.step(300)
        linear, angular = drift(running, start)
        assert linear < 1e-13
        assert angular < 1e-13
        assert np.linalg.norm(running.twists()['box'].linear) > 0.1, 'they have not met'


# Energy -----------------------------------------------------------------------------------------


def check(seeds):
    for seed, d in itertools.product(seeds, (2, 3)):
        found = thrown(seed, d)
        assert found.gain < 1e-9, (seed, d)  # of the energy at the start; asked for: 1e-3
        assert found.residual < 1e-6, (seed, d)
        assert found.undone < 1e-12, (seed, d)  # the integrator only ever loses
        assert found.momentum < 1e-11, (seed, d)
        assert found.unconverged == 0, (seed, d)
        # Contacts of 1e-5 m and cubic laws, met at 3 m/s in steps of 5 ms, take more than 25.
        assert found.iterations <= 60, (seed, d)


def test_no_energy_comes_from_anywhere_in_random_scenes():
    check(range(8))


@pytest.mark.deep
@pytest.mark.timeout(7200)
def test_no_energy_comes_from_anywhere_in_10000_random_scenes():
    check(range(8, 5008))


@pytest.mark.parametrize('d', [2, 3])
def test_a_box_that_slides_to_a_stop_loses_its_energy_to_friction(d):
    half = (0.1, 0.02) if d == 2 else (0.1, 0.1, 0.02)
    under = {**STICKS, 'law': 'linear', 'stiffness': 1e5, 'friction': 0.5}
    start = (0.02 - G / 1e5) * up(d)
    bodies = {'floor': floor(d), 'box': block(d, half, start, velocity=[1.0, 0.0, 0.0])}
    running = implicit(model(d, bodies, G, under))
    running.step(1000)
    energy = running.energy()
    assert energy.dissipated + energy.integration == pytest.approx(0.5, rel=1e-3)
    assert energy.integration < 0.01 * energy.dissipated
    assert abs(energy.residual) < 1e-9


# Small steps ------------------------------------------------------------------------------------


@pytest.mark.parametrize('d', [2, 3])
def test_small_steps_go_where_explicit_ones_go(d):
    smooth = {'stiffness': 1e6, 'damping': 0.2, 'friction': 0.3, 'slip_speed': 0.2}
    spin = 3.0 if d == 2 else [1.0, 3.0, -2.0]
    start = ball(
        d, 0.1, 0.12 * up(d), velocity=[1.0, 0.0, 0.0] - 1.0 * up(d), angular_velocity=spin
    )
    made = model(d, {'floor': floor(d), 'ball': start}, G, smooth)
    exact = simulation(made, 'rk4', 1e-5)
    exact.step(8000)
    errors = []
    for h in (8e-5, 4e-5, 2e-5, 1e-5):
        running = implicit(made, h)
        running.step(round(0.08 / h))
        errors.append(np.abs(running.u - exact.u).max())
    assert orders(errors)[-1] == pytest.approx(1.0, abs=0.15)
    assert errors[-1] < 1e-2


# Bits -------------------------------------------------------------------------------------------


def thing(d, name, place, **keys):
    half = [0.1, 0.05] if d == 2 else [0.1, 0.08, 0.05]
    turn = {'angle': 0.3} if d == 2 else {'rpy': [0.3, 0.2, 0.1]}
    return {
        f'{name}_low': block(d, half, place + 0.15 * up(d), **turn, **keys),
        f'{name}_high': ball(d, 0.08, place + 0.4 * up(d), **keys),
    }


def arm_of(d, name, place):
    axis = [0, 0, 1] if d == 2 else [0, -1, 0]
    shape = {'type': 'circle' if d == 2 else 'sphere', 'radius': 0.1}
    joint = {'type': 'revolute', 'name': name, 'axis': axis, 'friction': 0.2}
    joint |= {'origin': {'xyz': (place + 0.05 * up(d)).tolist()}}
    return {
        name: {
            'mass': 1.0,
            'com': [0.4, 0.0, 0.0],
            'inertia': {'izz': 0.1} if d == 2 else {'ixx': 0.1, 'iyy': 0.1, 'izz': 0.1},
            'shapes': [{**shape, 'pose': {'position': [0.8, 0.0, 0.0]}}],
            'joint': joint,
            'initial': {'position': 0.3},
        }
    }


def scene(d, groups):
    bodies = {'floor': floor(d)}
    for name in groups:
        place = {'a': 0.0, 'b': 16.0, 'arm': 32.0}[name] * np.array([1.0, 0.0, 0.0])
        bodies |= arm_of(d, name, place) if name == 'arm' else thing(d, name, place)
    under = {**STICKS, 'law': 'linear', 'stiffness': 1e6, 'friction': 0.5}
    return model(d, bodies, G, under)


@pytest.mark.parametrize('d', [2, 3])
def test_islands_do_not_know_of_each_other(d):
    together = implicit(scene(d, ('a', 'b', 'arm')))
    together.step(600)
    for name in ('a', 'b', 'arm'):
        alone = implicit(scene(d, (name,)))
        alone.step(600)
        for body, pose in alone.poses().items():
            found = together.poses()[body]
            assert np.array_equal(found.position, pose.position), body
            assert np.array_equal(found.quaternion, pose.quaternion), body
            assert np.array_equal(together.twists()[body].linear, alone.twists()[body].linear)
            assert np.array_equal(together.twists()[body].angular, alone.twists()[body].angular)


@pytest.mark.parametrize(('d', 'detector'), [(2, 'co'), (3, 'sat')])
def test_steps_one_by_one_equal_many_at_once_bit_for_bit(d, detector):
    made = scene(d, ('a', 'arm'))
    at_once, single = (implicit(made, detector=detector) for _ in range(2))
    at_once.step(400)
    for _ in range(200):
        single.step(1)
        single.energy(), single.contacts(), single.snapshot()
        single.step(1)
    assert at_once.state_hash() == single.state_hash()


@pytest.mark.parametrize('groups', [('a',), ('a', 'arm')])
@pytest.mark.parametrize('d', [2, 3])
def test_a_restored_state_goes_on_bit_for_bit(d, groups):
    made = scene(d, groups)
    running, other = implicit(made), implicit(made)
    running.step(350)
    saved = running.save_state()
    running.step(350)
    expected = running.state_hash()
    other.step(17)
    for again in (running, other):
        again.restore_state(saved)
        again.step(350)
        assert again.state_hash() == expected


@pytest.mark.parametrize('d', [2, 3])
def test_a_joint_held_by_dry_friction_is_restored_bit_for_bit(d):
    made = model(d, arm_of(d, 'arm', np.zeros(3)), 0.02)
    running, other = implicit(made), implicit(made)
    running.step(350)
    saved = running.save_state()
    running.step(350)
    for again in (running, other):
        expected = running.state_hash()
        again.restore_state(saved)
        again.step(350)
        assert again.state_hash() == expected


@pytest.mark.parametrize('d', [2, 3])
def test_after_a_reset_the_same_run_follows(d):
    running = implicit(scene(d, ('a', 'arm')))
    running.step(500)
    expected = running.state_hash()
    running.reset()
    running.step(500)
    assert running.state_hash() == expected


@pytest.mark.parametrize('d', [2, 3])
def test_plain_python_makes_the_same_implicit_steps(d, monkeypatch):
    made = scene(d, ('a', 'arm'))
    compiled = implicit(made, 4e-3)
    compiled.step(60)
    assert solver(compiled).row_count > 0
    monkeypatch.setattr(compiling, 'available', lambda: False)
    plain = implicit(made, 4e-3)
    plain.step(60)
    assert plain.state_hash() == compiled.state_hash()


@pytest.mark.parametrize('d', [2, 3])
def test_more_contacts_than_there_was_room_for_change_no_bit(d):
    made = random_throw(np.random.default_rng(5), d)
    first = implicit(made)
    first.step(700)
    second = implicit(made)
    second.step(700)
    first.reset()  # with the room that it has now
    first.step(700)
    assert first.state_hash() == second.state_hash()


def test_anchors_of_pairs_that_are_apart_since_find_room(monkeypatch):
    monkeypatch.setattr(compiling, 'available', lambda: False)  # where an index is checked
    made = sc.Model('boxes', dimension=2)
    made.add_parameter('level', 0.0)
    floor_shape = {'type': 'half_space', 'normal': [0, 1, 0], 'offset': 'level'}
    made.add_body('floor', fixed=True, shapes=[floor_shape])
    for i in range(3):
        shapes = [{'type': 'rectangle', 'half_extents': [0.1, 0.1]}]
        start = {'position': [float(i), 0.0999, 0.0]}
        made.add_body(f'box{i}', mass=1.0, shapes=shapes, initial=start)
    running = sc.Simulation(made, integrator='rk4')
    running.step(3)
    assert len(running.parts.live.memory.anchors) == 6
    running.configure(parameters={'level': -1.0}, integrator='implicit2')
    running.step(2)
    assert not running.contacts()
    assert len(running.parts.live.memory.anchors) == 0


def test_a_step_that_does_not_converge_is_told_and_made_without_friction(monkeypatch, caplog):
    monkeypatch.setattr(compiling, 'available', lambda: False)
    monkeypatch.setattr(newton, 'MOST_ITERATIONS', 1)
    made = model(2, {'floor': floor(2), 'ball': ball(2, 0.1, [0.0, 0.1002, 0.0])}, G)
    made.set(materials={'default': {'friction': 0.5}})
    running = sc.Simulation(made, integrator='implicit')
    running.set_state(u=[1.0, -1.0, 0.0])
    before = running.energy().mechanical
    running.step(20)
    assert running.counters['not_converged'] > 0
    assert sum('implicit steps did not converge' in text for text in caplog.messages) == 1
    assert np.isfinite(running.q).all()
    assert running.energy().mechanical < before
