"""Docking and catching in free space: what is captured, and that momentum stays what it was."""

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.placements import matrix

ARM = {'shoulder': 'upper_arm', 'elbow': 'forearm', 'wrist': 'hand'}
SATELLITE = ('base', 'upper_arm', 'forearm', 'hand', 'left_finger', 'right_finger')


def drift(simulation, start):
    """Return the largest change of linear [kg m/s] and angular momentum [kg m^2/s]."""
    now = simulation.momentum()
    return max(np.abs(now.linear - start.linear).max(), np.abs(now.angular - start.angular).max())


# Docking -----------------------------------------------------------------------------------------


def docked(simulation):
    """Return how far the tip of the probe is behind the throat [m], along the axis."""
    poses = simulation.poses()
    axis = matrix(tuple(poses['target'].quaternion))[:, 0]
    return float(axis @ (poses['probe_tip'].position - poses['port'].position))


def closing_speed(simulation):
    """Return the speed at which the probe comes nearer to the throat [m/s]."""
    before = docked(simulation)
    simulation.step(100)
    return (docked(simulation) - before) / (100 * simulation.step_size)


def run_docking(seconds, detector='sat', **parameters):
    """Return a docking after its time; momentum must have stayed all the while."""
    model = sc.load_model('docking_probe_drogue', parameters=parameters)
    simulation = sc.Simulation(model, detector)
    start = simulation.momentum()
    for _ in range(round(seconds / 0.5)):
        simulation.step(500)
        assert drift(simulation, start) < 1e-9
    return simulation


@pytest.mark.parametrize('detector', ['sat', 'co'])
def test_latches_capture_the_probe_off_the_axis_too(detector):
    simulation = run_docking(11.0, detector)
    assert docked(simulation) == pytest.approx(0.015, abs=2e-3)
    assert abs(closing_speed(simulation)) < 2e-3


def test_latches_hold_against_a_pull_until_they_are_drawn_in():
    simulation = run_docking(10.0, offset=0.0)
    pull, push = [-0.2, 0.0, 0.0], [0.2, 0.0, 0.0]  # [N]
    simulation.set_wrench('chaser', force=pull)
    simulation.step(1500)
    assert 0.008 < docked(simulation) < 0.016
    # Hooks under load are locked: it takes the load off first, and draws them in then.
    simulation.set_wrench('chaser', force=push)
    simulation.step(800)
    simulation.set_parameters({'latch_rest': -0.3})
    simulation.step(500)
    simulation.set_wrench('chaser', force=pull)
    simulation.step(2000)  # 0.2 N take 10 kg from 10 kg by 8 cm
    assert docked(simulation) < -0.01


@pytest.mark.parametrize(
    ('parameters', 'seconds'),
    [
        ({'latch_rest': -0.3}, 10.0),  # drawn in: nothing holds
        ({'k_latch': 0.03}, 10.0),  # too stiff to be folded at this speed
        ({'v': 0.02}, 24.0),  # too slow to fold them
    ],
)
def test_the_probe_bounces_off_where_latches_do_not_snap_in(parameters, seconds):
    simulation = run_docking(seconds, **parameters)
    assert docked(simulation) < 0.0
    assert closing_speed(simulation) < -0.005


# Catching ----------------------------------------------------------------------------------------


class Satellite:
    """Closed forms of a free-floating planar arm, from where its links are now."""

    def __init__(self, simulation):
        self.model, self.poses = simulation.model, simulation.poses()
        self.places = {name: self.centre(name) for name in SATELLITE}
        self.masses = {n: self.model.number(self.model.body(n).mass) for n in SATELLITE}
        self.rates = dict(zip(self.model.joint_names, simulation.u[3:7], strict=True))

    def centre(self, name):
        """Return the centre of mass of a body."""
        pose = self.poses[name]
        com = [self.model.number(x) for x in self.model.body(name).com]
        return (pose.position + matrix(tuple(pose.quaternion)) @ com)[:2]

    def column(self, joint, name, point):
        """Return velocity and rate of a point of a body for a unit rate of a joint."""
        if joint == 'slide':
            across = matrix(tuple(self.poses['hand'].quaternion))[:2, 1]
            sign = {'left_finger': 1.0, 'right_finger': -1.0}.get(name, 0.0)
            return np.array([*(sign * across), 0.0])
        moved = SATELLITE[SATELLITE.index(ARM.get(joint, 'base')) :]
        return self.turning(joint, point) * float(name in moved)

    def turning(self, joint, point):
        """Return velocity and rate of a point that turns with rate 1 about a joint."""
        x, y = point - self.poses[ARM.get(joint, 'base')].position[:2]
        return np.array([-y, x, 1.0])

    def momenta(self, columns):
        """Return linear and angular momentum, about the base, of velocities by body."""
        base = self.poses['base'].position[:2]
        total = np.zeros(3)
        for name, (vx, vy, rate) in columns.items():
            x, y = self.places[name] - base
            inertia = self.model.number(self.model.body(name).inertia[2])
            total += self.masses[name] * np.array([vx, vy, x * vy - y * vx])
            total[2] += inertia * rate
        return total

    def base_speeds(self):
        """Return -H_b^-1 H_bm qdot: velocity and rate of the base without any momentum."""
        units = [
            {n: np.array([1.0, 0.0, 0.0]) for n in SATELLITE},
            {n: np.array([0.0, 1.0, 0.0]) for n in SATELLITE},
            {n: self.turning('base', self.places[n]) for n in SATELLITE},
        ]
        own = np.column_stack([self.momenta(columns) for columns in units])
        coupled = sum(
            rate * self.momenta({n: self.column(joint, n, self.places[n]) for n in SATELLITE})
            for joint, rate in self.rates.items()
        )
        return -np.linalg.solve(own, coupled)

    def palm_velocity(self):
        """Return J* qdot with the generalized Jacobian, at the palm."""
        point = self.poses['palm'].position[:2]
        base = self.base_speeds()
        carried = np.array([*base[:2], 0.0]) + base[2] * self.turning('base', point)
        own = sum(rate * self.column(j, 'hand', point) for j, rate in self.rates.items())
        return carried + own

    def mean(self):
        """Return the common centre of mass."""
        total = sum(self.masses[n] * self.places[n] for n in SATELLITE)
        return total / sum(self.masses.values())


def test_the_base_moves_as_the_generalized_jacobian_says():
    simulation = sc.Simulation(sc.load_model('space_manipulator'))
    resting = Satellite(simulation).mean()
    step, turned = 0.05, []
    for sample in range(101):  # until shortly before the body comes in
        now = Satellite(simulation)
        base = now.base_speeds()
        turned.append(base[2])
        if sample % 5 == 0:
            twist = simulation.twists()['base']
            assert [*twist.linear[:2], twist.angular[2]] == pytest.approx(base, abs=1e-8)
            assert now.mean() == pytest.approx(resting, abs=1e-9)
        if sample == 20:
            palm, before = now.palm_velocity(), now.poses['palm'].position[:2]
            trial = sc.Simulation(simulation.model)
            trial.restore_state(simulation.save_state())
            trial.step(1)
            moved = (trial.poses()['palm'].position[:2] - before) / trial.step_size
            assert moved == pytest.approx(palm[:2], abs=1e-3)  # half a step of acceleration
        simulation.step(round(step / simulation.step_size))
    # Simpson's rule for the angle of the base.
    weights = np.array([1.0, *([4.0, 2.0] * 50)[:-1], 1.0]) * step / 3.0
    twist_back = simulation.twists()['base'].angular[2] * step
    assert simulation.q[2] - twist_back == pytest.approx(weights @ turned, abs=1e-5)
    assert abs(simulation.q[2]) > 0.05  # it has turned


def test_the_arm_catches_and_all_turn_as_one():
    simulation = sc.Simulation(sc.load_model('space_manipulator'))
    start = simulation.momentum()
    assert start.linear == pytest.approx([-3.0, 0.0, 0.0])  # that of the body to catch
    simulation.step(40000)  # until the servos have come to rest
    assert drift(simulation, start) < 1e-9
    assert {contact.body_a for contact in simulation.contacts()} == {'debris'}
    model, poses = simulation.model, simulation.poses()
    names = (*SATELLITE, 'debris')
    masses = {n: model.number(model.body(n).mass) for n in names}
    places = {n: Satellite(simulation).centre(n) for n in names}
    total = sum(masses.values())
    mean = sum(masses[n] * places[n] for n in names) / total
    inertia = sum(
        model.number(model.body(n).inertia[2]) + masses[n] * np.sum((places[n] - mean) ** 2)
        for n in names
    )
    spin = start.angular[2] - (mean[0] * start.linear[1] - mean[1] * start.linear[0])
    twists = simulation.twists()
    rates = [twists[n].angular[2] for n in names]
    assert rates == pytest.approx([spin / inertia] * len(names), abs=2e-5)
    x, y = mean - places['base']
    drifting = twists['base'].linear[:2] + rates[0] * np.array([-y, x])
    assert drifting == pytest.approx(start.linear[:2] / total, abs=2e-5)
    assert poses['base'].position[0] < -0.2


def test_a_body_that_comes_too_late_is_missed():
    simulation = sc.Simulation(sc.load_model('space_manipulator', parameters={'v': 0.1}))
    simulation.step(25000)
    twists = simulation.twists()
    assert abs(twists['debris'].angular[2] - twists['hand'].angular[2]) > 0.01
