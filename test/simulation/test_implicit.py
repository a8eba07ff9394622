"""The integrator `implicit`: friction that sticks, rest, rolling, and what hard contacts do."""

import itertools
import math

from helpers.implicit_runs import (
    assert_converged,
    forces,
    implicit,
    LAWS,
    material,
    on_slope,
    slab,
    solver,
    speed,
    where,
)
import numpy as np
import pytest
from validation import ball, block, floor, G, model, simulation, up

MU = 0.6


@pytest.fixture(autouse=True)
def newton_converges():
    yield
    assert_converged()


def tilted(ratio, mu=MU):
    """Return the slope at which a part of the largest friction holds a body."""
    return math.atan(ratio * mu)


# Slopes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(('ground', 'detector'), [(floor, 'sat'), (slab, 'co')])
@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize('law', LAWS)
def test_a_box_on_a_slope_does_not_creep(d, law, ground, detector):
    tilt = tilted(0.75)
    load = G * math.cos(tilt)
    for h in (5e-4, 2e-3, 1e-2):
        running = on_slope(d, tilt, material(law, load, friction=MU), h, ground, detector)
        running.step(round(0.5 / h))
        start = where(running)
        running.step(round(3.0 / h))
        assert np.linalg.norm(where(running) - start) < 1e-9  # of 1 um in 60 s: a tenth per second
        assert forces(running)[:, 0].sum() == pytest.approx(load, rel=1e-6)


@pytest.mark.deep
@pytest.mark.parametrize('detector', ['sat', 'co'])
@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize('law', LAWS)
@pytest.mark.parametrize('h', [5e-4, 1e-3, 2e-3, 5e-3, 1e-2])
def test_a_box_on_a_slope_stays_for_a_minute(d, law, h, detector):
    tilt = tilted(0.75)
    running = on_slope(d, tilt, material(law, G * math.cos(tilt), friction=MU), h, slab, detector)
    running.step(round(0.5 / h))
    start = where(running)
    running.step(round(60.0 / h))
    assert np.linalg.norm(where(running) - start) < 1e-6


@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize(('ratio', 'holds'), [(0.999, True), (1.001, False)])
def test_friction_gives_way_at_the_cone_and_not_before(d, ratio, holds):
    flat = on_slope(d, 0.0, material(load=G, friction=MU))
    down = 'gravity.y' if d == 2 else 'gravity.z'
    for part in np.linspace(0.8, ratio, 200):  # slowly, or what it swings through is too much
        tilt = tilted(part)
        flat.set_parameters({'gravity.x': G * math.sin(tilt), down: -G * math.cos(tilt)})
        flat.step(10)
    flat.step(500)
    start = where(flat)
    flat.step(10_000)
    moved = np.linalg.norm(where(flat) - start)
    assert moved < 1e-6 if holds else moved > 1e-3


@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize('law', LAWS)
def test_beyond_the_cone_a_box_slides_as_coulomb_says(d, law):
    tilt = tilted(1.5)
    expected = G * (math.sin(tilt) - MU * math.cos(tilt))
    for h, ground in ((1e-3, floor), (5e-3, slab)):
        under = material(law, G * math.cos(tilt), friction=MU)
        running = on_slope(d, tilt, under, h, ground)
        running.step(round(0.2 / h))
        before = speed(running)
        running.step(round(0.5 / h))
        assert (speed(running) - before) / 0.5 == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize('d', [2, 3])
def test_static_friction_holds_more_than_sliding_friction(d):
    under = material(load=G, friction=0.4, static_friction=MU)
    tilt = math.atan(0.5)
    at_rest = on_slope(d, tilt, under)
    at_rest.step(500)
    start = where(at_rest)
    at_rest.step(2000)
    assert np.linalg.norm(where(at_rest) - start) < 1e-9
    at_rest.set_state(u=np.eye(len(at_rest.u))[0] * 0.3)  # pushed on, it slides for good
    at_rest.step(1000)
    expected = G * (math.sin(tilt) - 0.4 * math.cos(tilt))
    before = speed(at_rest)
    at_rest.step(500)
    assert (speed(at_rest) - before) / 0.5 == pytest.approx(expected, rel=1e-3)


# Grasps and stacks ------------------------------------------------------------------------------


def grasp(squeeze, h=1e-3, d=3, mu=0.8):
    """Return two fingers on slides that squeeze a box of 0.2 kg, without a floor."""
    finger = {'type': 'rectangle' if d == 2 else 'box', 'half_extents': [0.01] * d}
    bodies = {}
    for name, side in (('left', -1.0), ('right', 1.0)):
        bodies[name] = {
            'mass': 0.1,
            'inertia': {'izz': 1e-5} if d == 2 else {'ixx': 1e-5, 'iyy': 1e-5, 'izz': 1e-5},
            'shapes': [finger],
            'joint': {
                'type': 'prismatic',
                'name': name,
                'axis': [1, 0, 0],
                'origin': {'xyz': [0.035 * side, 0, 0]},
            },
        }
    bodies['box'] = block(d, [0.025] * d, np.zeros(3), mass=0.2)
    under = material(load=10.0, friction=mu)
    running = implicit(model(d, bodies, G, under), h)
    running.set_effort('left', squeeze)
    running.set_effort('right', -squeeze)
    return running


@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize('h', [1e-3, 5e-3])
def test_two_fingers_hold_a_box(d, h):
    running = grasp(10.0, h, d)
    running.step(round(0.5 / h))
    start = where(running)
    running.step(round(9.5 / h))
    slid = (where(running) - start) @ up(d)
    assert abs(slid) < 1e-4
    assert abs(slid) < 1e-7  # what it reaches


@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize(('part', 'holds'), [(1.02, True), (0.98, False)])
def test_a_grasp_fails_when_the_squeeze_is_less_than_the_need(d, part, holds):
    needed = 0.2 * G / (2.0 * 0.8)
    running = grasp(10.0, d=d)
    running.step(500)
    for squeeze in np.linspace(10.0, part * needed, 100):
        running.set_effort('left', squeeze)
        running.set_effort('right', -squeeze)
        running.step(5)
    running.step(300)
    start = where(running)
    running.step(1000)
    slid = abs((where(running) - start) @ up(d))
    assert slid < 1e-6 if holds else slid > 1e-2


def tower(d, count, offset, h, detector='sat'):
    """Return boxes on a floor, each further along x than the one below."""
    half = [0.1, 0.05] if d == 2 else [0.1, 0.1, 0.05]
    bodies = {'floor': floor(d)}
    for i in range(count):
        place = offset * i * np.array([1.0, 0.0, 0.0]) + (0.1 * i + 0.05) * up(d)
        bodies[f'box{i}'] = block(d, half, place)
    under = material(load=count * G, friction=MU)
    return implicit(model(d, bodies, G, under), h, detector=detector)


@pytest.mark.parametrize(('d', 'detector'), [(2, 'co'), (3, 'sat')])
def test_five_boxes_stand_where_they_were_put(d, detector):
    h = 2e-3
    running = tower(d, 5, 0.01, h, detector)
    running.step(round(1.0 / h))
    start = [where(running, f'box{i}') for i in range(5)]
    running.step(round(3.0 / h))
    moved = [np.linalg.norm(where(running, f'box{i}') - start[i]) for i in range(5)]
    assert max(moved) < 1e-4
    assert forces(running)[:, 0].max() < 5 * G


@pytest.mark.deep
@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize('h', [1e-3, 5e-3])
def test_five_boxes_stand_for_a_minute(d, h):
    running = tower(d, 5, 0.01, h)
    running.step(round(1.0 / h))
    start = [where(running, f'box{i}') for i in range(5)]
    running.step(round(59.0 / h))
    moved = [np.linalg.norm(where(running, f'box{i}') - start[i]) for i in range(5)]
    assert max(moved) < 1e-4


@pytest.mark.deep
@pytest.mark.parametrize('d', [2, 3])
def test_a_leaning_tower_stands_for_1000_s(d):
    h = 5e-3
    running = tower(d, 5, 0.02, h)
    running.step(round(1.0 / h))
    start = where(running, 'box4')
    running.step(round(999.0 / h))
    assert np.linalg.norm(where(running, 'box4') - start) < 1e-3


# Rest -------------------------------------------------------------------------------------------


@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize('law', LAWS)
def test_a_ball_comes_to_rest_at_the_depth_of_its_law(d, law):
    mass, n = 1.7, LAWS[law]
    under = material(law, mass * G, depth=1e-3, friction=0.5)
    for h in (1e-3, 1e-2):
        bodies = {'floor': floor(d), 'ball': ball(d, 0.1, 0.15 * up(d), mass=mass)}
        running = implicit(model(d, bodies, G, under), h)
        running.step(round(5.0 / h))
        depth = 0.1 - where(running, 'ball') @ up(d)
        assert depth == pytest.approx((mass * G / under['stiffness']) ** (1.0 / n), rel=1e-6)
        assert forces(running)[:, 0].sum() == pytest.approx(mass * G, rel=1e-6)


@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize('stiffness', [1e5, 1e8, 1e11])
def test_a_box_that_falls_on_hard_ground_comes_to_rest(d, stiffness):
    half = [0.1, 0.05] if d == 2 else [0.1, 0.08, 0.05]
    turn = {'angle': 0.3} if d == 2 else {'rpy': [0.3, 0.2, 0.1]}
    for h, damping in itertools.product((1e-3, 1e-2), (0.0, 0.5)):
        bodies = {'floor': floor(d), 'box': block(d, half, 0.4 * up(d), **turn)}
        under = {'presliding': 1e-4, 'law': 'linear', 'stiffness': stiffness, 'friction': 0.5}
        running = implicit(model(d, bodies, G, {**under, 'damping': damping}), h)
        running.step(round(4.0 / h))
        assert forces(running)[:, 0].sum() == pytest.approx(G, rel=1e-6)
        assert speed(running) < 1e-6


def test_friction_of_an_impact_that_a_step_cannot_resolve_is_bounded():
    """A limit of friction from the force ahead, 1e10 N here, led nowhere."""
    under = {'presliding': 1e-4, 'stiffness': 2e16, 'damping': 0.5, 'friction': 0.8}
    for seed in range(20):
        random = np.random.default_rng(seed)
        can = {
            'mass': 0.1,
            'shapes': [{'type': 'cylinder', 'radius': 0.07, 'half_length': 0.14}],
            'initial': {
                'position': [0.0, 0.0, 0.3],
                'rpy': random.uniform(-3.0, 3.0, 3).tolist(),
                'velocity': [0.5, 0.3, -3.0],
                'angular_velocity': random.normal(0.0, 8.0, 3).tolist(),
            },
        }
        running = simulation(model(3, {'floor': floor(3), 'can': can}, G, under), 'implicit', 4e-3)
        start = running.energy().start
        for _ in range(10):
            running.step(20)
            energy = running.energy()
            assert energy.kinetic + energy.potential < start
        assert solver(running).unconverged == 0
        # From 1 cm to 1e-5 m, Newton's method for a cube takes two thirds off in an iteration.
        assert solver(running).most_iterations <= 40


# Rolling and spinning ---------------------------------------------------------------------------


@pytest.mark.parametrize('d', [2, 3])
@pytest.mark.parametrize('h', [1e-3, 5e-3])
def test_a_ball_that_slides_begins_to_roll(d, h):
    v0, radius, depth = 2.0, 0.1, 1e-5
    bodies = {
        'floor': floor(d),
        'ball': ball(d, radius, (radius - depth) * up(d), velocity=[v0, 0.0, 0.0]),
    }
    running = implicit(model(d, bodies, G, material(depth=depth, friction=0.3)), h)
    running.step(round(2.0 / h))
    kappa = 0.5 if d == 2 else 0.4  # I / m r^2: 2/3 or 5/7 of the speed is left
    assert speed(running, 'ball') == pytest.approx(v0 / (1.0 + kappa), rel=1e-3)
    before = speed(running, 'ball')
    running.step(round(1.0 / h))
    assert speed(running, 'ball') == pytest.approx(before, rel=1e-9)  # rolling costs nothing


@pytest.mark.parametrize('d', [2, 3])
def test_a_ball_rolls_down_a_slope(d):
    tilt, radius = math.radians(15.0), 0.1
    normal = math.sin(tilt) * np.array([1.0, 0.0, 0.0]) + math.cos(tilt) * up(d)
    bodies = {'floor': floor(d, tilt), 'ball': ball(d, radius, (radius - 1e-5) * normal)}
    under = material(load=G * math.cos(tilt), depth=1e-5, friction=MU)
    running = implicit(model(d, bodies, G, under))
    running.step(500)
    before = speed(running, 'ball')
    running.step(1000)
    expected = G * math.sin(tilt) / (1.0 + (0.5 if d == 2 else 0.4))
    assert speed(running, 'ball') - before == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize('h', [1e-3, 5e-3])
def test_a_spinning_ball_stops_when_its_torsional_friction_says(h):
    radius, spin, patch, mu = 0.1, 10.0, 0.005, 0.6
    start = ball(3, radius, (radius - 1e-4) * up(3), angular_velocity=[0.0, 0.0, spin])
    under = material(friction=mu, torsional_radius=patch)
    running = implicit(model(3, {'floor': floor(3), 'ball': start}, G, under), h)
    expected = 0.4 * radius**2 * spin / (mu * G * patch)
    running.step(round(0.5 * expected / h))
    assert running.u[5] == pytest.approx(0.5 * spin, rel=2e-2)
    steps = 0
    while abs(running.u[5]) > 1e-2 * spin:
        running.step()
        steps += 1
        assert steps * h < expected
    assert 0.5 * expected + steps * h == pytest.approx(0.99 * expected, rel=2e-2)
    running.step(round(5.0 / h))
    assert abs(running.u[5]) < 1e-3  # its anchor swings out: 19 rad/s, 10 % of critical damping


# Painleve's rod ---------------------------------------------------------------------------------


@pytest.mark.parametrize('mu', [1.2, 1.6, 2.5])
@pytest.mark.parametrize('h', [1e-3, 5e-3])
def test_energy_of_a_rod_that_jams_never_rises(mu, h):
    angle = math.atan(2.0)
    for direction, sticks in itertools.product((1.0, -1.0), (True, False)):
        rod = {
            'mass': 1.0,
            'shapes': [{'type': 'capsule', 'radius': 0.01, 'half_length': 0.5}],
            'initial': {
                'position': [0.0, 0.5 * math.sin(angle) + 0.01, 0.0],
                'angle': angle,
                'velocity': [2.0 * direction, 0.0, 0.0],
            },
        }
        under = {'stiffness': 1e8, 'damping': 0.5, 'friction': mu}
        under |= {'presliding': 1e-4} if sticks else {'slip_speed': 0.05}
        running = implicit(model(2, {'floor': floor(2), 'rod': rod}, G, under), h)
        energies = [running.energy().mechanical]
        for _ in range(round(1.5 / h / 5)):
            running.step(5)
            energies.append(running.energy().mechanical)
        assert np.isfinite(energies).all()
        assert max(energies) <= energies[0] * (1.0 + 1e-9)
        assert max(np.diff(energies)) < 1e-3 * energies[0]
