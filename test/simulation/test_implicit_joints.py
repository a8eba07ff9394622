"""The integrator `implicit` on joints: stops, servos, dry friction, mimics, loads; its order."""

import itertools
import math

from helpers.implicit_runs import assert_converged, implicit
import numpy as np
import pytest
from validation import model, orders, simulation, up

import symcontact_ros as sc

LIGHT = 1e-5  # [kg m^2] inertia of a finger of 0.02 kg
STEPS = (5e-4, 1e-3, 5e-3, 1e-2)


@pytest.fixture(autouse=True)
def newton_converges():
    yield
    assert_converged()


def finger(d=2, gravity=0.0, com=None, **joint):
    """Return a light link on a hinge."""
    start = {key: joint.pop(key) for key in ('position', 'velocity') if key in joint}
    inertia = {'izz': LIGHT} if d == 2 else {'ixx': LIGHT, 'iyy': LIGHT, 'izz': LIGHT}
    axis = [0, 0, 1] if d == 2 else [0, -1, 0]
    own = {'type': 'revolute', 'name': 'hinge', 'axis': axis, **joint}
    link = {'mass': 0.02, 'inertia': inertia, 'joint': own, 'initial': start}
    if com is not None:
        link['com'] = com
    return model(d, {'finger': link}, gravity)


# Stops ------------------------------------------------------------------------------------------


@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize(('k', 'damping'), [(1e4, 100.0), (1e6, 10.0), (1e6, 0.0), (1e9, 0.0)])
def test_a_light_finger_rests_on_a_hard_stop(d, k, damping):
    for h in STEPS:
        limits = {'upper': 0.0, 'stiffness': k, 'damping': damping}
        running = implicit(finger(d, limits=limits, position=-0.05, velocity=10.0), h)
        running.set_effort('hinge', 0.1)
        fastest = 10.0 + 0.1 / LIGHT * 0.05 / 10.0 + 0.1 / LIGHT * h
        for _ in range(100):
            running.step()
            assert abs(running.u[0]) <= fastest
        running.step(round(1.0 / h))
        assert running.q[0] == pytest.approx(0.1 / k, rel=1e-6)
        assert abs(running.u[0]) < 1e-9


@pytest.mark.parametrize('d', [2, 3])
def test_gravity_presses_a_finger_into_its_stop(d):
    g, k, arm = 9.81, 1e7, 0.03
    for h, side in itertools.product(STEPS, (1.0, -1.0)):
        limits = {'lower': 0.0} if side > 0 else {'upper': 0.0}
        limits |= {'stiffness': k, 'damping': 1.0}
        made = finger(d, g, [side * arm, 0, 0], limits=limits, position=side * 0.5)
        running = implicit(made, h, max_residual=0.1)  # of order h, on trees
        start = running.energy().start
        for _ in range(20):
            running.step(round(0.1 / h))
            energy = running.energy()
            assert energy.mechanical <= start + 1e-9
        assert running.q[0] == pytest.approx(-side * 0.02 * g * arm / k, rel=1e-6)


def test_what_leaves_a_stop_is_never_faster_than_what_came():
    for h, k, damping in itertools.product(STEPS, (1e2, 1e5, 1e9), (0.0, 1e-3, 1.0, 1e3)):
        limits = {'lower': -0.1, 'upper': 0.1, 'stiffness': k, 'damping': damping}
        running = implicit(finger(limits=limits, velocity=7.0), h)
        last = 7.0
        for _ in range(100):
            running.step()
            energy = running.energy()
            assert energy.mechanical <= 0.5 * LIGHT * last**2 * (1.0 + 1e-9)
            last = math.sqrt(2.0 * energy.mechanical / LIGHT)


# Servos, efforts, springs -----------------------------------------------------------------------


@pytest.mark.parametrize('kd', [0.0, 1.0, 1e3])
@pytest.mark.parametrize('h', STEPS)
def test_a_stiff_servo_brings_a_light_finger_to_its_target(kd, h):
    running = implicit(finger(servo={'kp': 1e5, 'kd': kd}), h)
    running.set_target('hinge', 0.3)
    running.step(round(1.0 / h))
    running.step(round(4.0 / h) if kd == 1e3 else 0)  # creeps: kd / kp = 10 ms
    assert running.q[0] == pytest.approx(0.3, abs=1e-6)


@pytest.mark.parametrize('d', [2, 3])
def test_a_servo_within_its_effort_limit_accelerates_evenly(d):
    made = finger(d, servo={'kp': 1e5, 'kd': 10.0}, limits={'effort': 2e-5})
    running = implicit(made)
    running.set_target('hinge', 1.0)
    running.step(500)
    assert running.u[0] == pytest.approx(2e-5 / LIGHT * 0.5, rel=1e-9)
    assert running.energy().work_in == pytest.approx(2e-5 * running.q[0], rel=1e-9)


@pytest.mark.parametrize('d', [2, 3])
def test_a_spring_swings_about_its_rest(d):
    k, rest = 4e-3, 0.2  # 20 rad/s
    errors = []
    for h in (1e-3, 5e-4):
        running = implicit(finger(d, stiffness=k, damping=1e-5, rest_position=rest), h)
        running.step(round(0.3 / h))
        omega = math.sqrt(400.0 - 0.25)
        turn = math.cos(0.3 * omega) + 0.5 / omega * math.sin(0.3 * omega)
        errors.append(abs(running.q[0] - rest * (1.0 - math.exp(-0.15) * turn)))
    assert orders(errors)[0] == pytest.approx(1.0, abs=0.1)
    assert errors[0] < 0.1 * rest


def test_dry_friction_of_a_joint_holds_up_to_its_cap():
    for d, h in itertools.product((2, 3), (1e-3, 1e-2)):
        running = implicit(finger(d, friction=0.05), h)
        running.set_effort('hinge', 0.0499)
        running.step(round(0.5 / h))
        start = running.q[0]
        running.step(round(5.0 / h))
        assert abs(running.q[0] - start) < 1e-9
        running.set_effort('hinge', 0.0505)
        running.step(round(0.1 / h))
        before = running.u[0]
        running.step(round(0.1 / h))
        assert (running.u[0] - before) / 0.1 == pytest.approx(5e-4 / LIGHT, rel=1e-3)


def test_the_ledger_knows_what_dry_friction_of_a_joint_took():
    running = implicit(finger(friction=0.001, velocity=5.0))
    running.step(200)
    energy = running.energy()
    assert energy.kinetic < 1e-12
    assert abs(energy.residual) < 1e-9 * energy.throughput


# Trees ------------------------------------------------------------------------------------------


def arm(d=3, mimic=False, **joint):
    """Return three links, of which the last one may follow the first."""
    made = sc.Model('arm', dimension=d, gravity=(-9.81 * up(d)).tolist())
    inertia = {'izz': 0.02} if d == 2 else {'ixx': 0.02, 'iyy': 0.03, 'izz': 0.025, 'ixy': 0.002}
    parent = 'world'
    for i in range(3):
        axis = [0, 0, 1] if d == 2 else [0.3 * i, 1, 0.2]
        own = {'type': 'revolute', 'name': f'joint{i}', 'parent': parent, 'axis': axis}
        own |= {'origin': {'xyz': [0.3, 0.05, 0]}, **joint}
        start = {'position': 0.3 * i - 0.1}
        if mimic and i == 2:
            own['mimic'] = {'joint': 'joint0', 'multiplier': -1.5, 'offset': 0.2}
            start = {}
        parent = f'link{i}'
        made.add_body(
            parent, mass=1.2, com=[0.2, 0.04, 0], inertia=inertia, joint=own, initial=start
        )
    return made


def errors_of(made, seconds, sizes, prepare=lambda running: None):
    """Return errors of positions against the reference, for steps of several sizes."""
    exact = simulation(made, 'rk4', 1e-4)
    prepare(exact)
    exact.step(round(seconds / 1e-4))
    found = []
    for h in sizes:
        running = implicit(made, h)
        prepare(running)
        running.step(round(seconds / h))
        found.append(np.abs(running.q - exact.q).max())
    return found


def push(running):
    running.set_wrench('link2', force=[3.0, 1.0, 2.0], torque=[0.1, 0.3, -0.2])
    running.set_wrench('link0', force=[-2.0, 4.0, 1.0])


def push_in_plane(running):
    running.set_wrench('link2', force=[3.0, 1.0, 0.0], torque=[0.0, 0.0, -0.2])


FREE = {
    'arm': (arm(), lambda running: None),
    'arm in the plane': (arm(2), lambda running: None),
    'pushed arm': (arm(), push),
    'pushed arm in the plane': (arm(2), push_in_plane),
    'mimic': (arm(mimic=True), push),
    'mimic in the plane': (arm(2, mimic=True), lambda running: None),
    'springs': (arm(stiffness=20.0, damping=0.5, rest_position=0.2, armature=0.05), push),
    'servos': (arm(servo={'kp': 60.0, 'kd': 3.0, 'gravity_compensation': True}), push),
    'double pendulum': (sc.load_model('double_pendulum'), lambda running: None),
}


@pytest.mark.parametrize('name', FREE)
def test_free_motion_of_trees_is_of_order_1(name):
    made, prepare = FREE[name]
    errors = errors_of(made, 0.32, (4e-3, 2e-3, 1e-3, 5e-4), prepare)
    assert orders(errors)[-1] == pytest.approx(1.0, abs=0.15)
    assert errors[-1] < 0.02


@pytest.mark.parametrize('d', [2, 3])
def test_a_floating_chain_flies_with_order_1(d):
    floating = sc.Model('chain', dimension=d, gravity=(-9.81 * up(d)).tolist())
    inertia = {'izz': 0.1} if d == 2 else {'ixx': 0.1, 'iyy': 0.12, 'izz': 0.15}
    spin = 2.0 if d == 2 else [2.0, 1.0, -1.5]
    floating.add_body('base', mass=3.0, inertia=inertia, initial={'angular_velocity': spin})
    parent = 'base'
    for i in range(2):
        own = {'type': 'revolute', 'name': f'joint{i}', 'parent': parent}
        own |= {'axis': [0, 0, 1] if d == 2 else [0.2, 1, 0.1], 'origin': {'xyz': [0.3, 0, 0]}}
        parent = f'link{i}'
        floating.add_body(
            parent,
            mass=1.0,
            com=[0.2, 0, 0],
            inertia=inertia,
            joint=own,
            initial={'velocity': 2.0 - 3.0 * i},
        )
    errors = errors_of(floating, 0.4, (4e-3, 2e-3, 1e-3, 5e-4))
    assert orders(errors)[-1] == pytest.approx(1.0, abs=0.15)


def test_gravity_compensation_holds_an_arm():
    servo = {'kp': 60.0, 'kd': 3.0, 'gravity_compensation': True, 'target': 'start'}
    running = implicit(arm(servo=servo), 5e-3)
    start = running.q.copy()
    running.step(400)
    np.testing.assert_allclose(running.q, start, atol=1e-9)


@pytest.mark.parametrize('name', FREE)
def test_the_ledger_of_trees_closes_to_their_order(name):
    made, prepare = FREE[name]
    parts = []
    for h in (1e-3, 5e-4):
        running = implicit(made, h, max_residual=0.1)
        prepare(running)
        running.step(round(0.5 / h))
        energy = running.energy()
        assert energy.integration >= -1e-12
        parts.append(abs(energy.residual) / energy.throughput)
    # Masses and weights that change with the pose are not booked: 1 % at 1 ms of a falling arm.
    assert parts[0] < 2e-2
    assert parts[1] < 0.7 * parts[0] or parts[1] < 1e-9


def test_the_ledger_of_a_falling_arm_is_open_in_first_order():
    """What changing masses and curved paths add is of order 1, and not booked."""
    residuals = []
    for h in (1e-3, 5e-4):
        running = implicit(arm(), h)
        running.step(round(0.5 / h))
        residuals.append(abs(running.energy().residual) / running.energy().throughput)
    assert residuals[0] < 0.02
    assert 1.8 < residuals[0] / residuals[1] < 2.2


def test_a_falling_arm_is_no_divergence():
    running = implicit(arm(), 2e-3)
    running.step(500)
    assert running.steps == 500


@pytest.mark.parametrize('d', [2, 3])
def test_the_ledger_knows_what_holds_a_joint_by_dry_friction(d):
    running = implicit(finger(d, friction=0.05))
    running.set_effort('hinge', 0.04)
    running.step(500)
    energy = running.energy()
    assert abs(energy.residual) < 1e-6 * energy.throughput
