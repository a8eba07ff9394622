"""The contact law of the paper, eq. 18, as printed: where it holds, and what it lacks."""

import math

from helpers.paper_formulas import angular_momenta, printed_force, PrintedPoints
import numpy as np
import pytest
from validation import block, floor, model, simulation, up
from validation.oracles import restitution

import symcontact_ros as sc
from symcontact_ros.bench.paper_way import NumericSat
from symcontact_ros.bench.scenes import load_scene

LAW = {'kc': 1e5, 'cc': 0.5, 'mu': 0.3, 'vs': 0.1}


def test_the_printed_friction_is_a_tanh_of_half_the_slip():
    f_n, _ = printed_force(0.01, 0.0, 0.0, **LAW)
    for v_t in (-3.0, -0.1, 0.0, 1e-3, 0.5):
        _, f_t = printed_force(0.01, 0.0, v_t, **LAW)
        expected = -LAW['mu'] * f_n * math.tanh(v_t / (2 * LAW['vs']))
        assert f_t == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_the_printed_friction_overflows_where_tanh_is_one():
    with pytest.raises(OverflowError):
        printed_force(0.01, 0.0, -710 * LAW['vs'], **LAW)


def test_the_printed_force_pulls_where_bodies_part_faster_than_1_by_cc():
    assert printed_force(0.01, 2 / LAW['cc'], 0.0, **LAW)[0] < 0.0
    sim = sc.Simulation(sc.load_model('bouncing_circle'))
    damping = sim.parameters['materials.default.damping']
    sim.set_state(q=[0.0, 0.19, 0.0], u=[0.0, 2 / damping, 0.0])  # 1 cm deep, and leaving
    assert sim.contacts()
    assert sim.contact_wrench('ball').force[1] == 0.0


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_the_damper_takes_energy_only_if_v_n_is_the_rate_of_the_distance(sign):
    # A mass of 1 kg hits a wall at 1 m/s; the paper does not say which way v_N counts.
    height, speed, h = 0.0, -1.0, 1e-5
    while height <= 0.0:
        speed += h * printed_force(max(0.0, -height), sign * speed, 0.0, **LAW)[0]
        height += h * speed
    if sign > 0.0:
        assert speed == pytest.approx(restitution(LAW['cc']), abs=1e-4)
    else:  # the same motion backwards: faster than it came
        assert speed * restitution(LAW['cc'] * speed) == pytest.approx(1.0, abs=1e-4)
        assert speed > 1.5


def test_forces_at_two_points_change_the_angular_momentum():
    _, scene = load_scene('circle_circle')
    change = {}
    for way in (NumericSat, PrintedPoints):
        run = way(scene, 1e-3)
        run.build()
        run.run(500)
        momenta = angular_momenta(scene, run.track)
        change[way] = abs(momenta[-1] / momenta[0] - 1.0)
    assert change[NumericSat] < 1e-6  # RK4, to its order
    assert change[PrintedPoints] == pytest.approx(0.0142, abs=5e-4)


def test_the_printed_tangent_is_as_long_as_the_normal():
    n = np.array([2.0, 0.5, 0.0])  # eq. 13 at a corner
    assert np.linalg.norm(np.cross([0.0, 0.0, 1.0], n)) == pytest.approx(np.linalg.norm(n))


def test_the_lever_arm_begins_at_the_centre_of_mass():
    half, com = [0.2, 0.1], np.array([0.1, 0.02, 0.0])  # off the centroid
    plank = block(2, half, 0.095 * up(2), com=com.tolist(), inertia={'izz': 0.1})
    sim = simulation(model(2, {'floor': floor(2), 'plank': plank}, 0.0, {}), manifold='single')
    sim.set_state(u=[0.5, 0.0, 2.0])
    (contact,) = sim.contacts()
    centre = sim.poses()['plank'].position + com
    moment = sim.contact_wrench('plank').torque[2]
    assert moment == pytest.approx(np.cross(contact.point - centre, contact.force)[2], rel=1e-12)
    about_centroid = np.cross(contact.point - sim.poses()['plank'].position, contact.force)[2]
    assert abs(moment - about_centroid) > 0.1 * abs(moment)
