"""The shipped models that grip: what friction carries, and that it carries without creep."""

import numpy as np
import pytest

import symcontact_ros as sc

G = 9.81


def hanging(simulation, thing, hand):
    """Return where a thing is in the hand [m]."""
    poses = simulation.poses()
    return poses[thing].position - poses[hand].position


@pytest.fixture(scope='module')
def gripper():
    return sc.load_model('gripper')


def test_the_gripper_lifts_its_box_by_friction_alone(gripper):
    simulation = sc.Simulation(gripper)
    simulation.step(4000)
    box = simulation.poses()['box'].position
    droop = 0.5 * G / 2500.0  # of the wrist, whose servo knows nothing of the box
    assert box[2] == pytest.approx(0.05 + 0.2 - droop, abs=1e-3)
    assert simulation.contact_wrench('box', 'table').force[2] == 0.0
    fingers = [simulation.contact_wrench('box', f'{side}_finger') for side in ('left', 'right')]
    assert [w.force[0] for w in fingers] == pytest.approx([12.0, -12.0], abs=1e-3)
    assert sum(w.force[2] for w in fingers) == pytest.approx(0.5 * G, rel=1e-3)


def test_a_box_in_the_gripper_does_not_creep(gripper):
    simulation = sc.Simulation(gripper)
    simulation.step(6000)
    before = hanging(simulation, 'box', 'hand')
    simulation.step(20000)
    assert hanging(simulation, 'box', 'hand') == pytest.approx(before, abs=1e-9)


@pytest.mark.parametrize(('part', 'is_held'), [(0.9, False), (1.5, True)])
def test_a_grip_carries_twice_mu_times_its_force(part, is_held, gripper):
    weakest = 0.5 * (G + 1.25) / (2.0 * 0.6)  # the wrist starts with lift * kp / armature
    simulation = sc.Simulation(gripper)
    simulation.set_parameters({'grip': part * weakest})
    simulation.step(3000)
    assert (simulation.poses()['box'].position[2] > 0.2) == is_held


@pytest.fixture(scope='module')
def panda():
    return sc.load_model('panda_table')


ARM = slice(7, 14)  # of q, after the block


def at_rest(panda):
    """Return the arm, told to stay where it starts."""
    simulation = sc.Simulation(panda)
    for joint, start in enumerate(simulation.q[ARM], 1):
        simulation.set_target(f'panda_joint{joint}', start)
    return simulation


def test_gravity_compensation_holds_the_arm_where_it_is(panda):
    simulation = at_rest(panda)
    start = simulation.poses()
    before = simulation.q[ARM]
    simulation.step(5000)
    # Measured: 6e-11 rad; without compensation joint 2 sinks by 0.01 rad.
    assert simulation.q[ARM] == pytest.approx(before, abs=1e-8)
    for name in ('panda_hand_tcp', 'block'):
        assert simulation.poses()[name].position == pytest.approx(start[name].position, abs=1e-6)


def test_fingers_grip_with_the_force_that_they_are_told(panda):
    simulation = at_rest(panda)
    simulation.step(1000)
    for grip in (20.0, 7.0):
        simulation.set_parameters({'grip': grip})
        simulation.step(500)
        for side, sign in (('left', 1.0), ('right', -1.0)):
            force = simulation.contact_wrench('block', f'panda_{side}finger').force
            assert force[1] == pytest.approx(sign * grip, rel=1e-4)
    table = simulation.contact_wrench('block', 'table').force
    assert table == pytest.approx([0.0, 0.0, 0.2 * G], abs=1e-4)


def test_the_panda_lifts_its_block_straight_up(panda):
    simulation = sc.Simulation(panda)
    simulation.step(5000)
    block = simulation.poses()['block'].position
    # The servos know the weight of the arm, not that of the block: a little below 0.225 m.
    assert block == pytest.approx([0.0, 0.0, 0.2245], abs=2e-3)
    assert simulation.sensors()['wrist'].force[2] == pytest.approx((0.76 + 0.2) * G, rel=1e-3)
    before = hanging(simulation, 'block', 'panda_hand_tcp')
    simulation.step(5000)
    assert np.abs(hanging(simulation, 'block', 'panda_hand_tcp') - before).max() < 1e-6
