"""Nothing passes through a wall: steps of fast bodies are divided, and impacts stopped."""

from itertools import product

from helpers.bullets import DETECTORS, fire, INTEGRATORS, PLANAR, SPATIAL
from helpers.model_texts import HEAD_ON
import numpy as np
import pytest
from validation import ball, block, model, simulation

import symcontact_ros as sc
from symcontact_ros.contact.base import proportional_restitution

CASES = [
    ('box', 'implicit', 'sat'),
    ('cylinder', 'rk4', 'sat'),
    ('ellipsoid', 'auto', 'sat'),
    ('polygon', 'semi_implicit', 'co'),
    ('ellipse', 'verlet', 'sat'),
    ('rectangle', 'implicit2', 'sat'),
]
KINDS = list(product((False, True), (False, True)))  # of default or stiff material; wall or loose
FEW, MANY = 10, 42  # bullets of each kind: all deep ones are 20,160


def check(shape, integrator, detector, shots, step_size=1e-3):
    volleys = [
        fire(shape, integrator, detector, shots, seed, step_size, is_stiff, is_loose)
        for seed, (is_stiff, is_loose) in enumerate(KINDS)
    ]
    assert sum(volley.silent for volley in volleys) == 0
    # 1 %, or one of a few: a guard may stop a run of explicit steps at the limit of its substeps.
    assert sum(volley.stopped for volley in volleys) <= max(1, 0.01 * len(volleys) * shots)
    # A gain would be the error of an explicit contact: those here lose 1 % at least.
    assert max(volley.gained for volley in volleys) <= 0.0


@pytest.mark.parametrize('integrator', INTEGRATORS)
def test_bullets_that_meet_head_on_stop_each_other_as_their_law_says(integrator, write_model):
    sim = sc.Simulation(sc.load_model(write_model(HEAD_ON)), integrator=integrator)
    sim.step(12)
    # The law returns next to nothing of 1,600 m/s; at first touch this was 1e9 J and more.
    assert sim.energy().mechanical < 0.01
    assert sim.energy().dissipated + sim.energy().integration == pytest.approx(6400.0, rel=0.02)
    assert abs(sim.momentum().linear).max() < 1e-9


@pytest.mark.parametrize(('shape', 'integrator', 'detector'), CASES)
def test_no_bullet_comes_out_behind_a_plate(shape, integrator, detector):
    check(shape, integrator, detector, FEW)


@pytest.mark.deep
@pytest.mark.parametrize('detector', DETECTORS)
@pytest.mark.parametrize('integrator', INTEGRATORS)
@pytest.mark.parametrize('shape', [*SPATIAL, *PLANAR])
def test_none_of_20000_bullets_comes_out_behind_a_plate(shape, integrator, detector):
    check(shape, integrator, detector, MANY)


@pytest.mark.deep
@pytest.mark.parametrize('step_size', [1e-4, 3e-3, 1e-2])
@pytest.mark.parametrize('integrator', INTEGRATORS)
@pytest.mark.parametrize('shape', ['box', 'ellipse'])
def test_no_bullet_comes_out_behind_a_plate_with_other_steps(shape, integrator, step_size):
    check(shape, integrator, 'sat', MANY, step_size)


def plate(**keys):
    return {**block(3, [0.2, 0.2, 0.001], [0.0, 0.0, 0.0], mass=0.05), **keys}


def bullet(*, off_centre=0.0, **keys):
    return block(3, [0.005, 0.004, 0.006], [off_centre, 0.0, 0.04], mass=0.01, **keys)


@pytest.mark.parametrize('integrator', ['verlet', 'implicit'])
def test_a_stop_keeps_linear_and_angular_momentum(integrator):
    bodies = {
        'plate': plate(),
        'bullet': bullet(
            off_centre=0.05, velocity=[30.0, 0.0, -300.0], angular_velocity=[90.0, 50.0, 20.0]
        ),
    }
    simulated = simulation(model(3, bodies, material={'friction': 0.4}), integrator)
    start = simulated.momentum()
    simulated.step(3)
    end = simulated.momentum()
    assert simulated.twists()['plate'].linear[2] < -10.0  # they have met
    # Rounding, in some hundred substeps.
    assert end.linear == pytest.approx(start.linear, abs=1e-12)
    assert end.angular == pytest.approx(start.angular, abs=1e-12)


@pytest.mark.parametrize('integrator', ['rk4', 'implicit'])
def test_a_stop_pushes_a_plate_on_a_slide_as_one_that_is_free(integrator):
    speeds = []
    for joint in (None, {'type': 'prismatic', 'parent': 'world', 'axis': [0, 0, 1]}):
        hit = plate() if joint is None else plate(joint=joint)
        hit.pop('initial', None)
        bodies = {'plate': hit, 'bullet': bullet(velocity=[0.0, 0.0, -200.0])}
        simulated = simulation(model(3, bodies), integrator)
        simulated.step(3)
        speeds.append([simulated.twists()[name].linear[2] for name in bodies])
    free, sliding = speeds
    assert free[0] < -20.0
    # Equal but for the few mm/s of turning that the free one gets.
    assert sliding == pytest.approx(free, rel=2e-3)


def test_a_stop_returns_what_is_left_of_the_impact_by_the_law():
    # Of the paper's law in all of its depth, which would be 13 mm here: the plate has 2.
    bodies = {
        'wall': plate(fixed=True),
        'ball': ball(3, 0.005, [0.0, 0.0, 0.0313], mass=0.01, velocity=[0.0, 0.0, -50.0]),
    }
    simulated = simulation(model(3, bodies, material={'stiffness': 1e9, 'damping': 0.03}))
    simulated.step(10)
    # Contacts are let in by an eighth of the plate at a time: rk4 has an error of 4e-6 then.
    assert simulated.twists()['ball'].linear[2] == pytest.approx(
        50.0 * proportional_restitution(0.03 * 50.0), rel=1e-4
    )


@pytest.mark.parametrize('integrator', INTEGRATORS)
def test_two_balls_at_800_m_per_s_do_not_make_energy(integrator):
    bodies = {
        name: ball(3, 0.005, [0.0, 0.0, way * 0.5], mass=0.01, velocity=[0.0, 0.0, -way * 800.0])
        for name, way in (('a', 1.0), ('b', -1.0001))
    }
    simulated = sc.Simulation(model(3, bodies, material={'stiffness': 1e8}), integrator=integrator)
    start = simulated.energy().mechanical
    simulated.step(5)
    assert simulated.energy().mechanical <= start
    assert simulated.poses()['a'].position[2] > simulated.poses()['b'].position[2]


def test_a_thin_plate_is_thin_however_its_corners_are_turned():
    turn = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
    corners = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-0.001, 0.001)]
    hull = sc.ConvexHull((np.array(corners) @ turn).tolist())
    assert hull.smallest_extent() == pytest.approx(0.002)
    flat = np.array([[-1, -0.001], [1, -0.001], [1, 0.001], [-1, 0.001]])
    polygon = sc.Polygon((flat @ np.array([[0.6, 0.8], [-0.8, 0.6]])).tolist())
    assert polygon.smallest_extent() == pytest.approx(0.002)


def test_a_slow_scene_has_no_divided_step():
    bodies = {'wall': plate(fixed=True), 'ball': ball(3, 0.005, [0, 0, 0.0065], mass=0.01)}
    simulated = simulation(model(3, bodies, 9.81, {'stiffness': 1e10}), 'implicit')
    simulated.step(50)
    assert simulated.counters['substeps'] == 0
