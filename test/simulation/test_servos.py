"""Servos, gravity compensation, limits of effort and speed, stops that are chosen."""

from __future__ import annotations

import logging
import math
from typing import Any

from helpers.robots import robots_folder
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.simulation.step.stiff_joints import stiff_joints

BULK = {'ixx': 0.03, 'iyy': 0.02, 'izz': 0.04, 'ixy': 0.001}
M = 0.8  # [kg m^2] of the wheel


def wheel(servo: Any = 'auto', dimension: int = 3, **joint: Any) -> sc.Model:
    """Return a wheel on a shaft, without a lever of gravity."""
    model = sc.Model('wheel', dimension)
    inertia = {'izz': M} if dimension == 2 else {'ixx': M, 'iyy': M, 'izz': M}
    own = {'type': 'revolute', 'name': 'shaft', **({'servo': servo} if servo else {}), **joint}
    model.add_body('wheel', mass=1.0, inertia=inertia, joint=own)
    return model


def arm(servo: Any = 'auto', links: int = 3, **joint: Any) -> sc.Model:
    """Return an arm in space, a slide at its end, that gravity bends."""
    model = sc.Model('arm', dimension=3)
    parent = 'world'
    for i in range(links):
        kind = 'prismatic' if i == links - 1 else 'revolute'
        own = {'type': kind, 'name': f'joint{i}', 'parent': parent, 'axis': [0.3 * i, 1, 0.2]}
        own |= {'origin': {'xyz': [0.3, 0, 0.1]}, 'servo': servo, **joint}
        parent = f'link{i}'
        start = {'position': 0.2 * i - 0.1}
        model.add_body(
            parent, mass=1.5, com=[0.2, 0.05, 0], inertia=BULK, joint=own, initial=start
        )
    return model


def test_auto_gains_follow_inertia_and_step() -> None:
    for size, omega in ((1e-3, 30.0), (0.02, 10.0)):
        kp, kd = sc.Simulation(wheel(armature=0.1), step_size=size).servo_gains['shaft']
        assert (kp, kd) == pytest.approx(((M + 0.1) * omega**2, 2 * (M + 0.1) * omega))


@pytest.mark.parametrize('dimension', [2, 3])
def test_step_response_is_critically_damped(dimension: int) -> None:
    sim = sc.Simulation(wheel(dimension=dimension))
    sim.set_target('shaft', 0.4)
    sim.step(100)
    x = 30.0 * sim.time
    # The error of order 4 at omega h = 0.03.
    assert sim.q[0] == pytest.approx(0.4 * (1 - (1 + x) * math.exp(-x)), abs=1e-8)


def test_arm_is_held_where_it_starts() -> None:
    sim = sc.Simulation(arm())
    start = sim.q
    sim.step(1000)
    np.testing.assert_allclose(sim.q, start, atol=1e-12)
    sim.set_state(q=np.add(start, (0.2, -0.1, 0.05)))
    sim.step(1000)
    np.testing.assert_allclose(sim.q, start, atol=1e-6)  # exp(-30) by then, times the push


def test_moving_arm_closes_the_ledger() -> None:
    residuals = []
    for size in (5e-4, 2.5e-4):
        sim = sc.Simulation(arm(), step_size=size)
        sim.set_target('joint0', 0.2, 0.1)
        sim.set_target('joint1', -0.2)
        sim.step(round(0.5 / size))
        assert abs(sim.energy().work_in) > 1.0
        residuals.append(abs(sim.energy().residual))
    # Of order 4: nothing but the error of the integration is left.
    assert residuals[1] < residuals[0] / 12
    assert residuals[0] < 1e-2


def test_compensation_is_the_bias_at_rest() -> None:
    model = arm()
    model.add_body('base', mass=3.0, inertia=BULK, com=[0, 0.1, 0])
    own = {'type': 'spherical', 'parent': 'base', 'origin': {'xyz': [0.1, 0.2, 0]}}
    model.add_body('ball', mass=1.0, inertia=BULK, com=[0, 0, 0.1], joint=own)
    eom = sc.equations_of_motion(model)
    random = np.random.default_rng(2)
    for _ in range(3):
        q = random.normal(size=model.coordinate_count)
        for part in (slice(6, 10), slice(10, 14)):
            q[part] /= np.linalg.norm(q[part])
        still = np.zeros(model.speed_count)
        np.testing.assert_allclose(
            eom.dynamics.gravity(q), eom.evaluate(q, still).bias, atol=1e-12
        )


def test_target_of_the_model_is_held_until_told_otherwise() -> None:
    gains = {'kp': 400.0, 'kd': 40.0}
    plain = sc.Simulation(wheel(gains))
    held = sc.Simulation(wheel({**gains, 'target': 0.3}))
    start = sc.Simulation(wheel({**gains, 'target': 'start'}))
    for sim in (plain, held, start):
        sim.set_effort('shaft', 4.0)
        sim.step(2000)
    assert plain.q[0] == pytest.approx(0.5 * 4.0 / M * 4.0)
    assert held.q[0] == pytest.approx(0.31, abs=1e-6)
    assert start.q[0] == pytest.approx(0.01, abs=1e-6)
    held.set_target('shaft')
    held.step(10)
    assert held.u[0] > 1e-3  # let go
    held.reset()
    held.step(2000)
    assert held.q[0] == pytest.approx(0.3, abs=1e-6)


def test_release_keeps_what_the_model_holds() -> None:
    sim = sc.Simulation(wheel())
    sim.set_effort('shaft', 5.0)
    sim.set_target('shaft', 0.2, 1.0)
    sim.release('shaft')
    sim.step(2000)
    assert sim.q[0] == pytest.approx(0.2, abs=1e-6)
    sim.set_target('shaft')
    sim.set_effort('shaft', 5.0)
    sim.step(100)
    here = sim.q[0]
    sim.release('shaft')
    sim.step(3000)
    assert sim.q[0] == pytest.approx(here, abs=1e-6)
    free = sc.Simulation(wheel({'kp': 10.0, 'kd': 1.0}))
    free.set_target('shaft', 1.0)
    free.release('shaft')
    free.step(100)
    assert free.q[0] == 0.0


def test_servo_without_target_does_not_compensate() -> None:
    held, limp = sc.Simulation(arm()), sc.Simulation(arm({'kp': 1.0}))
    for joint in held.model.joint_names:
        held.set_target(joint)
    held.step(50)
    limp.step(50)
    np.testing.assert_array_equal(held.q, limp.q)


@pytest.mark.parametrize('key', ['servo', 'limits', 'both'])
def test_efforts_saturate(key: str) -> None:
    limits = {'limits': {'effort': 2.0 if key != 'servo' else 50.0}}
    servo = {'kp': 1e3, 'kd': 0.0, 'max_effort': 2.0 if key != 'limits' else 50.0}
    sim = sc.Simulation(wheel(servo, **limits))
    sim.set_effort('shaft', -100.0)
    sim.set_target('shaft', velocity=0.0)  # on, with no effort of its own
    sim.step(500)
    assert sim.q[0] == pytest.approx(-0.5 * 2.0 / M * 0.25, rel=1e-12)
    assert sim.energy().residual == pytest.approx(0.0, abs=1e-12)
    assert sim.counters['saturated_steps'] == 500
    assert sim.joint_counters == {'shaft': {'saturated_steps': 500, 'overspeed_steps': 0}}
    assert sim.observer().observe().joint_effort.tolist() == [-2.0]
    assert sim.counters['saturated_steps'] == 500  # looking does not count
    sim.reset()
    assert sim.counters['saturated_steps'] == 0
    assert sim.joint_counters == {}


def test_max_effort_limits_nothing_while_the_servo_is_off() -> None:
    servo = {'kp': 1e3, 'kd': 0.0, 'max_effort': 2.0}
    sim = sc.Simulation(wheel(servo, limits={'effort': 50.0}))
    for _ in range(2):
        sim.set_effort('shaft', 8.0)
        sim.step(100)
        assert sim.u[0] == pytest.approx(8.0 / M * 0.1)
        sim.set_effort('shaft', 100.0)
        sim.step(100)
        assert sim.u[0] == pytest.approx((8.0 + 50.0) / M * 0.1)
        sim.set_target('shaft', velocity=0.0)
        sim.step(100)
        assert sim.u[0] == pytest.approx((8.0 + 50.0 + 2.0) / M * 0.1)
        sim.set_target('shaft')
        sim.step(100)
        assert sim.u[0] == pytest.approx((8.0 + 50.0 + 2.0 + 50.0) / M * 0.1)
        sim.set_target('shaft', velocity=0.0)
        sim.reset()


def test_overspeed_is_counted_and_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    sim = sc.Simulation(wheel(None, limits={'velocity': 0.5}))
    sim.set_effort('shaft', M)  # 1 rad/s^2
    with caplog.at_level(logging.WARNING):
        for _ in range(10):
            sim.step(100)
    assert sim.counters['overspeed_steps'] == pytest.approx(500, abs=1)
    (record,) = caplog.records
    assert record.getMessage() == 'joint shaft is faster than its limit of 0.5 rad/s'


def test_given_gains_are_live() -> None:
    sim = sc.Simulation(wheel({'kp': 10.0, 'kd': 1.0, 'target': 1.0}))
    sim.set_parameters({'shaft.kp': 20.0, 'shaft.kd': 2.0})
    assert sim.servo_gains == {'shaft': (20.0, 2.0)}
    sim.step(100)
    other = sc.Simulation(wheel({'kp': 20.0, 'kd': 2.0, 'target': 1.0}))
    other.step(100)
    assert sim.q[0] == other.q[0]


def test_saved_state_has_targets_and_counters() -> None:
    def run() -> sc.Simulation:
        return sc.Simulation(arm(limits={'effort': 30.0}))

    sim, other = run(), run()
    sim.set_target('joint0', 0.7)
    sim.set_target('joint1')
    sim.step(300)
    assert sim.counters['saturated_steps'] > 0
    other.restore_state(sim.save_state())
    assert other.counters == sim.counters
    assert other.joint_counters == sim.joint_counters
    for each in (sim, other):
        each.step(300)
    assert other.state_hash() == sim.state_hash()


def test_chosen_stop_holds_and_stops() -> None:
    limits = {'lower': -0.2, 'upper': 0.1}
    for scale in (1e-3, 1.0, 1e3):
        model = sc.Model('flap', dimension=3)
        inertia = dict.fromkeys(('ixx', 'iyy', 'izz'), 0.02 * scale)
        own = {'type': 'revolute', 'axis': [0, 1, 0], 'limits': limits}
        model.add_body('flap', mass=scale, com=[0.2, 0, 0], inertia=inertia, joint=own)
        sim = sc.Simulation(model)
        sim.step(4000)
        assert 0.1 < sim.q[0] < 0.11  # 0.01 rad at most
        assert abs(sim.u[0]) < 1e-6
        assert sim.counters['substeps'] < 4 * 4000
        assert abs(sim.energy().residual) < 1e-3 * sim.energy().throughput


def test_start_is_moved_inside_the_limits(caplog: pytest.LogCaptureFixture) -> None:
    model = arm()
    limits = {'lower': 0.5, 'upper': 1.0}
    own = {'type': 'revolute', 'axis': [0, 0, 1], 'limits': limits, 'servo': 'auto'}
    model.add_body('extra', mass=1.0, inertia=BULK, joint=own, initial={'position': 2.0})
    text = 'bodies.extra.initial.position: 2 rad is beyond the limits [0.5, 1] of joint extra'
    assert any(text in note for note in model.notes)
    with caplog.at_level(logging.WARNING):
        sim = sc.Simulation(model)
    assert text in caplog.text
    assert sim.q[3] == pytest.approx(1.0)
    sim.step(500)
    assert sim.q[3] == pytest.approx(1.0)
    assert sim.energy().elastic == 0.0
    again = sc.Simulation(model)
    again.set_state(q=[0, 0, 0, 1.5])  # on purpose
    assert again.q[3] == 1.5


def test_panda_is_held() -> None:
    path = robots_folder() / 'panda_description' / 'urdf' / 'panda.urdf'
    sim = sc.Simulation(sc.load_model(path, servo='auto'))
    assert list(sim.model.followers) == ['panda_finger_joint2']
    assert sim.pairs
    start = sim.q
    assert start[3] == pytest.approx(-0.0698)  # its upper limit; 0 is beyond
    sim.step(1000)
    np.testing.assert_allclose(sim.q, start, atol=1e-9)
    push = 0.02 * np.array([1, 1, 1, -1, 1, 1, 1, 0])  # within its limits, the fingers closed
    sim.set_state(q=start + push)
    sim.step(1000)
    np.testing.assert_allclose(sim.q, start, atol=1e-6)
    assert sim.counters['exceeded_steps'] == 0


def test_joints_that_are_too_stiff_for_a_step_are_named_before_it_is_made():
    assert stiff_joints(wheel(None, damping=1.0), 1e-3, 2.0, 64) == ''
    told = stiff_joints(wheel(None, damping=2e5 * M), 1e-3, 2.0, 64)
    assert "joint 'shaft' needs 100 substeps for damping 160000" in told
    assert '`armature`' in told
    assert 'lower kd' in stiff_joints(wheel({'kp': 1.0, 'kd': 2e5 * M}), 1e-3, 2.0, 64)


def test_a_target_beyond_the_limits_is_taken_and_told_once(caplog):
    simulation = sc.Simulation(wheel(limits={'lower': -1.0, 'upper': 1.0}))
    with caplog.at_level(logging.WARNING):
        for target in (0.5, 2.0, 3.0):
            simulation.set_target('shaft', target)
    assert [r.getMessage() for r in caplog.records] == [
        'the target 2 of joint shaft is beyond its limits [-1, 1]: the stop will hold it'
    ]
