"""Classics of mechanics, against what is known of them."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import symcontact_ros as sc


@pytest.mark.parametrize('name', ['spinning_top', 'newtons_cradle', 'rattleback', 'box_stack'])
def test_the_energy_of_a_classic_is_accounted_for(name):
    simulation = sc.Simulation(sc.load_model(name))
    simulation.step(1000)
    energy = simulation.energy()
    assert abs(energy.residual) < 1e-6 * energy.throughput
    assert simulation.counters['exceeded_steps'] == 0


# The spinning top --------------------------------------------------------------------------------


def axis(simulation):
    """Return the direction of the axis of the top."""
    poses = simulation.poses()
    along = poses['peak'].position - poses['top'].position
    return along / np.linalg.norm(along)


def precession(simulation, seconds):
    """Return angles of the axis to the vertical and around it, unwrapped, every 2 ms [rad]."""
    seen = []
    for _ in range(round(seconds / 0.002)):
        simulation.step(2)
        seen.append(axis(simulation))
    x, y, z = np.transpose(seen)
    return np.arccos(z), np.unwrap(np.arctan2(y, x))


@pytest.mark.parametrize(
    ('branch', 'detector'), [(-1.0, 'sat'), (-1.0, 'co'), (1.0, 'sat')], ids=['slow', 'co', 'fast']
)
def test_a_top_precesses_at_both_roots_of_its_equation(branch, detector):
    model = sc.load_model('spinning_top', parameters={'branch': branch})
    m, g, l, i1, i3 = (model.parameters[name] for name in ('m', 'g', 'l', 'I1', 'I3'))  # noqa: E741
    theta, spin = model.parameters['theta'], i3 * model.parameters['w3']
    across = i1 * np.cos(theta)
    rate = (spin + branch * np.sqrt(spin**2 - 4.0 * across * m * g * l)) / (2.0 * across)
    simulation = sc.Simulation(model, detector)
    tilts, angles = precession(simulation, 1.0)
    assert (angles[-1] - angles[0]) / 0.998 == pytest.approx(rate, rel=1e-8)
    assert tilts == pytest.approx(theta, abs=1e-7)
    # The centre of mass rests, and the floor carries the weight.
    assert simulation.poses()['top'].position[:2] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert simulation.contact_wrench('top').force[2] == pytest.approx(m * g, rel=1e-5)


def test_between_the_roots_a_top_nods():
    simulation = sc.Simulation(sc.load_model('spinning_top', parameters={'branch': -0.9}))
    tilts, _ = precession(simulation, 0.2)
    assert np.ptp(tilts) > 0.02


def test_friction_at_its_tip_makes_a_top_rise():
    rough = {'materials.default.friction': 0.05}
    simulation = sc.Simulation(sc.load_model('spinning_top', parameters=rough))
    tilts = [np.arccos(axis(simulation)[2])]
    for _ in range(3):
        simulation.step(1000)
        tilts.append(np.arccos(axis(simulation)[2]))
    assert np.all(np.diff(tilts) < -0.01)


# Newton's cradle ---------------------------------------------------------------------------------


def after_the_collisions(**parameters):
    """Return speeds of the balls when all have parted, as parts of that of the first before."""
    model = sc.load_model('newtons_cradle', parameters=parameters)
    simulation = sc.Simulation(model)
    g, angle = (model.parameters[name] for name in ('g', 'a1'))
    m, r, l = (model.parameters[name] for name in ('m', 'R', 'l'))  # noqa: E741
    inertia = m * l**2 + 0.4 * m * r**2
    fastest = np.sqrt(2.0 * m * g * l * (1.0 - np.cos(angle)) / inertia)
    met = 0
    while met < 15:  # [ms] since a pair touched last
        simulation.step(1)
        met = 0 if simulation.contacts() or simulation.time < 0.27 else met + 1
    return simulation.u / fastest


def hertz_chain(count):
    """Return speeds after a ball of unit speed has hit a chain of others: F = rho^(3/2)."""

    def rates(_, state):
        x, v = np.split(state, 2)
        force = np.maximum(-np.diff(x), 0.0) ** 1.5
        return np.concatenate([v, np.append(0.0, force) - np.append(force, 0.0)])

    start = np.zeros(2 * count)
    start[count] = 1.0
    return solve_ivp(rates, (0.0, 60.0), start, rtol=1e-9, atol=1e-12).y[count:, -1]


def test_the_last_ball_takes_what_the_first_one_brings():
    speeds = after_the_collisions()
    # Until it is measured the last one has climbed for 15 ms.
    assert speeds[4] > 0.98
    assert np.abs(speeds[:4]).max() < 5e-3


def test_balls_that_touch_share_as_a_chain_of_hertz_does():
    known = hertz_chain(5)
    assert known[4] == pytest.approx(0.98, abs=0.01)
    assert known[3] > 0.1
    # Gravity acts meanwhile, for about 20 ms of a period of 1.1 s.
    assert after_the_collisions(gap=0.0) == pytest.approx(known, abs=0.02)


def test_two_lifted_balls_send_two_away():
    speeds = after_the_collisions(a2=0.5)
    assert speeds[3:] == pytest.approx([1.0, 1.0], abs=0.1)
    assert np.abs(speeds[:3]).max() < 0.1


def test_the_period_of_the_cradle_is_that_of_a_pendulum():
    model = sc.load_model('newtons_cradle')
    g, angle, gap, k = (
        model.parameters[n] for n in ('g', 'a1', 'gap', 'materials.default.stiffness')
    )
    m, r, l = (model.parameters[n] for n in ('m', 'R', 'l'))  # noqa: E741
    length = l + 0.4 * r**2 / l
    period = 4.0 * np.sqrt(length / g) * ellipk(np.sin(angle / 2.0) ** 2)
    speed = l * np.sqrt(2.0 * g * (1.0 - np.cos(angle)) / length)
    # A contact of Hertz lasts 2.94 depths at the speed of the impact; there are four each way.
    depth = (5.0 / 4.0 * (m / 2.0) * speed**2 / k) ** 0.4
    delay = 8.0 * (2.94 * depth + gap) / speed
    simulation = sc.Simulation(model)
    simulation.step(round(0.8 * period / 1e-3))
    highest = 0.0
    while simulation.q[0] <= highest or simulation.q[0] > -0.3:  # up to its next turning point
        highest = simulation.q[0]
        simulation.step(1)
    assert period < simulation.time < period + delay


# The rattleback ----------------------------------------------------------------------------------


def spins(**parameters):
    """Return the rate of a rattleback about the vertical, every half second for 6 s [rad/s]."""
    simulation = sc.Simulation(sc.load_model('rattleback', parameters=parameters))
    found = []
    for _ in range(12):
        simulation.step(500)
        found.append(simulation.twists()['stone'].angular[2])
    return np.array(found)


@pytest.mark.parametrize('delta', [0.0143, -0.0143])
def test_a_rattleback_reverses_one_way_and_not_the_other(delta):
    liked = -np.sign(delta)
    against = spins(delta=delta, spin=-5.0 * liked)
    assert against[0] * liked < -2.0
    assert against[-1] * liked > 0.7
    along = spins(delta=delta, spin=5.0 * liked)
    assert np.all(along * liked > 4.0)


def test_a_stone_without_skew_goes_on_either_way():
    for spin in (5.0, -5.0):
        assert np.all(spins(delta=0.0, spin=spin) * np.sign(spin) > 1.5)


# Boxes -------------------------------------------------------------------------------------------


def test_stacked_boxes_stay_at_the_depths_of_their_loads():
    model = sc.load_model('box_stack')
    m, g, k = (model.parameters[name] for name in ('m', 'g', 'k'))
    simulation = sc.Simulation(model)
    simulation.step(2000)
    depths = {(p.body_a, p.body_b): p.penetration for p in simulation.proximities()}
    below = [('box_0', 'floor'), *((f'box_{i}', f'box_{i + 1}') for i in range(4))]
    for carried, pair in zip((5, 4, 3, 2, 1), below, strict=True):
        assert depths[pair] == pytest.approx((carried * m * g / k) ** (1.0 / 3.0), abs=1e-9)
    assert simulation.energy().kinetic < 1e-18
    # Softer contacts: they sink to the depths of the new stiffness.
    simulation.set_parameters({'k': k / 2.0})
    simulation.step(3000)
    depth = next(p.penetration for p in simulation.proximities() if p.body_b == 'floor')
    assert depth == pytest.approx((5.0 * m * g / (k / 2.0)) ** (1.0 / 3.0), rel=1e-2)


def test_a_pile_of_boxes_comes_to_rest_and_its_energy_is_accounted_for():
    simulation = sc.Simulation(sc.load_model('box_pile'))
    fallen = simulation.energy().mechanical
    simulation.step(5000)
    energy = simulation.energy()
    assert energy.kinetic < 1e-5 < 1e-6 * fallen
    assert energy.dissipated + energy.integration > 0.5 * fallen
    assert abs(energy.residual) < 1e-9 * energy.throughput
    heights = [pose.position[2] for name, pose in simulation.poses().items() if 'box' in name]
    assert min(heights) > 0.02
    assert max(heights) > 0.15  # some lie on others
    stirring = max(np.linalg.norm(twist.linear) for twist in simulation.twists().values())
    assert stirring < 0.01
