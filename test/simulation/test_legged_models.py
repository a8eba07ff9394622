"""Hopper and walker: flight, stance and ground reactions against closed forms and Newton's law."""

import numpy as np
import pytest

import symcontact_ros as sc


class Hops:
    """The first hop of the hopper, step by step: times, heights of its masses, ground reaction."""

    def __init__(self, steps=1000, **parameters):
        self.model = sc.load_model('hopper', parameters=parameters)
        self.of = self.model.parameters
        simulation = sc.Simulation(self.model)
        rows = []
        for _ in range(steps):
            simulation.step()
            plate = simulation.ground_reaction('foot')
            slide, leg = simulation.q
            rows.append((simulation.time, slide, slide - self.of['l'] + leg, plate.force[1]))
        self.time, self.body, self.foot, self.force = np.array(rows).T
        touching = self.force > 0.0
        self.touchdown = int(np.argmax(touching))
        self.lift_off = self.touchdown + int(np.argmax(self.foot[self.touchdown :] > 0.0405))
        self.landing = self.lift_off + int(np.argmax(touching[self.lift_off :]))

    @property
    def centre(self):
        """Heights of the centre of mass above where it is when the leg stands unloaded [m]."""
        m, foot = self.of['m'], self.of['m_foot']
        heights = (m * self.body + foot * self.foot) / (m + foot)
        return heights - 0.04 - self.of['l'] * m / (m + foot)


@pytest.fixture(scope='module')
def hops():
    return Hops()


def test_a_hopper_falls_and_flies_as_a_projectile(hops):
    g, h = hops.of['g'], hops.of['height']
    assert hops.time[hops.touchdown] == pytest.approx(np.sqrt(2.0 * h / g), abs=2e-3)
    flight = slice(hops.lift_off + 20, hops.landing - 5)
    fit = np.polyfit(hops.time[flight], hops.centre[flight], 2)
    assert -2.0 * fit[0] == pytest.approx(g, rel=1e-4)
    apex = hops.centre[flight].max()
    between = hops.time[hops.landing] - hops.time[hops.lift_off]
    assert between == pytest.approx(2.0 * np.sqrt(2.0 * g * apex) / g, rel=0.02)


def test_a_stance_is_half_a_period_of_the_leg_and_what_is_below_its_equilibrium(hops):
    g, h, k, m = (hops.of[name] for name in ('g', 'height', 'k_leg', 'm'))
    w, v = np.sqrt(k / m), np.sqrt(2.0 * g * h)
    stance = (np.pi + 2.0 * np.arctan(g / (v * w))) / w
    assert hops.time[hops.lift_off] - hops.time[hops.touchdown] == pytest.approx(stance, rel=0.03)
    # The force is that of the spring: k times its deepest compression.
    deepest = m * g / k + np.hypot(m * g / k, v / w)
    later = hops.force[hops.touchdown + 20 : hops.lift_off]  # the impact of the foot is over
    assert later.max() == pytest.approx(k * deepest, rel=0.02)


@pytest.mark.parametrize('m_foot', [0.3, 1.0])
def test_a_hop_is_lower_by_the_momentum_of_the_foot(m_foot):
    hops = Hops(m_foot=m_foot)
    left = (hops.of['m'] / (hops.of['m'] + m_foot)) ** 2
    apex = hops.centre[hops.lift_off : hops.landing].max()
    assert apex == pytest.approx(
        left * hops.of['height'], rel=0.02
    )  # the ground is not quite dead


WEIGHT = 75.0 * 9.81
UPHELD = np.array([0.0, WEIGHT, 0.0])
FEET = ('left_foot', 'right_foot')


def test_a_walker_that_stands_has_its_weight_on_its_feet():
    simulation = sc.Simulation(sc.load_model('walker_2d'))
    height = simulation.q[3]
    simulation.set_state(q=[0.0, 0.0, 0.0, height, 0.0, 0.0], u=np.zeros(6))  # both legs alike
    simulation.step(5000)
    plates = [simulation.ground_reaction(foot) for foot in FEET]
    assert sum(plate.force[1] for plate in plates) == pytest.approx(WEIGHT, rel=1e-6)
    assert plates[0].force == pytest.approx(plates[1].force, abs=1e-3)
    both = simulation.ground_reaction(FEET)
    assert both.force == pytest.approx([0.0, WEIGHT, 0.0], abs=1e-3)


def test_ground_reactions_are_the_weight_and_what_accelerates_the_centre_of_mass():
    h = 1e-4
    simulation = sc.Simulation(sc.load_model('walker_2d'), step_size=h)
    largest = 0.0
    for _ in range(60):
        simulation.step(298)
        before = simulation.momentum().linear
        simulation.step()
        force = sum(simulation.sensors()[foot].force for foot in FEET)
        simulation.step()
        rate = (simulation.momentum().linear - before) / (2.0 * h)
        assert force == pytest.approx(rate + UPHELD, abs=2e-3 * WEIGHT)
        largest = max(largest, np.abs(rate[1]))
    assert largest > 0.2 * WEIGHT  # it was not just standing


def test_a_walker_walks_from_heel_to_toe_at_a_steady_pace():
    simulation = sc.Simulation(sc.load_model('walker_2d'))
    height = simulation.parameters['H']
    places, loads, forward = [], [], []
    for _ in range(600):
        simulation.step(10)
        forward.append(simulation.q[2])
        plates, poses = [simulation.ground_reaction(foot) for foot in FEET], simulation.poses()
        loads.append([plate.force[1] for plate in plates])
        for foot, plate in zip(FEET, plates, strict=True):
            if plate.centre_of_pressure is not None:
                x, y, _ = plate.centre_of_pressure - poses[foot].position
                z, w = poses[foot].quaternion[2:]
                cos, sin = w * w - z * z, 2.0 * w * z
                places.append((cos * x + sin * y) / height)
    loads = np.array(loads)
    # Between the middles of heel and toe, or by the radius of their circles beyond.
    assert -0.038 < min(places) < -0.02 and 0.095 < max(places) < 0.114
    one, two = (loads > 0.0).sum(axis=1) == 1, (loads > 0.0).sum(axis=1) == 2
    assert one[50:].mean() > 0.7 and two[50:].mean() > 0.05
    assert (loads[50:].sum(axis=1) > 0.0).all()  # it never flies: it walks
    strides = [forward[i + 150] - forward[i] for i in (100, 250, 400)]  # 1.5 s each: two steps
    assert strides == pytest.approx([0.83] * 3, rel=0.05)
