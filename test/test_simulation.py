"""A model in motion, against closed forms and a reference integrator."""

import math

import numpy as np
import pytest
from reference import deepest_first_impact, GRAVITY

import symcontact_ros as sc

TWO_DISCS = """\
gravity: [0, 0, 0]
materials: {default: {stiffness: 1e7, damping: 0.2, friction: 0.3, slip_speed: 0.1}}
bodies:
  a: {mass: 1, shapes: [{type: circle, radius: 0.2}],
      initial: {position: [-0.5, 0, 0], velocity: [1, 0, 0], angular_velocity: 3}}
  b: {mass: 2, shapes: [{type: circle, radius: 0.3}],
      initial: {position: [0.5, 0.1, 0], velocity: [-1, 0, 0], angle: 0.7}}
"""


@pytest.fixture
def bouncing():
    return sc.Simulation(sc.load_model('bouncing_circle'))


def test_the_ball_falls_freely_until_it_touches(bouncing):
    bouncing.step(400)
    x, y, angle = bouncing.q
    # RK4 is exact for a parabola: only the rounding of 400 steps is left
    assert y == pytest.approx(1.0 - 0.5 * GRAVITY * 0.4**2, abs=1e-12)
    assert (x, angle) == pytest.approx((0.4, 0.0), abs=1e-12)
    assert bouncing.contacts() == []
    (proximity,) = bouncing.proximities()
    assert proximity.distance == pytest.approx(y - 0.2, abs=1e-15)


def test_the_first_impact_is_as_deep_as_the_reference_says(bouncing):
    deepest = 0.0
    for _ in range(500):
        bouncing.step()
        deepest = max([deepest, *(-contact.distance for contact in bouncing.contacts())])
    reference = deepest_first_impact()
    # Sampled every ms: the depth at the turning point is met within rho'' h^2 / 8.
    assert reference - 2e-4 < deepest < reference + 1e-6


def test_every_bounce_loses_energy(bouncing):
    def energy():
        _, y, _ = bouncing.q
        vx, vy, w = bouncing.u
        elastic = sum(1e7 * contact.distance**4 / 4 for contact in bouncing.contacts())
        return 0.5 * (vx * vx + vy * vy) + 0.5 * 0.02 * w * w + GRAVITY * y + elastic

    energies = [energy()]
    for _ in range(250):
        bouncing.step(20)
        energies.append(energy())
    assert max(np.diff(energies)) < 1e-4 * energies[0]  # no gain but the error of 1 ms steps
    assert energies[-1] < 0.5 * energies[0]


def test_a_ball_at_rest_depth_stays_and_carries_its_weight(resting_ball):
    path, weight = resting_ball
    simulation = sc.Simulation(sc.load_model(path))
    start = simulation.q
    simulation.step(1000)
    assert simulation.q == pytest.approx(start, abs=1e-12)
    assert simulation.contact_wrench('ball').force == pytest.approx([0, weight, 0], rel=1e-9)
    assert simulation.contact_wrench('floor').force == pytest.approx([0, -weight, 0], rel=1e-9)


def test_forces_of_a_pair_are_opposite_at_one_point_and_momentum_is_kept(write_model):
    simulation = sc.Simulation(sc.load_model(write_model(TWO_DISCS)))

    def momentum():
        snapshot = simulation.snapshot()
        linear, angular = np.zeros(3), np.zeros(3)
        for body in simulation.model.bodies:
            twist, com = snapshot.twists[body.name], snapshot.coms[body.name]
            mass, inertia = (
                simulation.model.number(body.mass),
                simulation.model.number(body.inertia[2]),
            )
            linear += mass * twist.linear
            angular += mass * np.cross(com, twist.linear) + inertia * twist.angular
        return linear, angular[2]

    linear, angular = momentum()
    touched = False
    for _ in range(600):
        simulation.step()
        on_a, on_b = simulation.contact_wrench('a', 'b'), simulation.contact_wrench('b', 'a')
        assert np.array_equal(on_a.force, -on_b.force)
        touched |= bool(simulation.contacts())
    assert touched
    after_linear, after_angular = momentum()
    assert after_linear == pytest.approx(linear, abs=1e-12)  # exact: the forces are opposite
    assert after_angular == pytest.approx(angular, abs=1e-6)  # RK4 keeps it to its order


def test_rolling_friction_spins_the_ball_forward(bouncing):
    bouncing.step(1000)  # thrown to +x over the floor: friction turns it clockwise
    assert bouncing.u[2] < 0.0


def test_two_runs_and_a_reset_are_bit_identical(bouncing):
    twin = sc.Simulation(sc.load_model('bouncing_circle'))
    bouncing.step(1500)
    for _ in range(1500):
        twin.step()
    assert np.array_equal(bouncing.q, twin.q)
    bouncing.reset()
    assert bouncing.time == 0.0
    bouncing.step(1500)
    assert np.array_equal(bouncing.q, twin.q)


def test_halving_the_step_divides_the_error_by_sixteen():
    def end(h):
        simulation = sc.Simulation(sc.load_model('bouncing_circle'), step_size=h, max_substeps=1)
        simulation.step(round(0.48 / h))  # through the first impact
        return simulation.q

    finest = end(5e-5)
    errors = [np.linalg.norm(end(h) - finest) for h in (4e-4, 2e-4)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.3)


def test_stiff_friction_is_cut_into_parts(write_model):
    model = sc.load_model(write_model(TWO_DISCS.replace('slip_speed: 0.1', 'slip_speed: 0.001')))

    def end(h, **settings):
        simulation = sc.Simulation(model, step_size=h, **settings)
        simulation.step(round(0.4 / h))  # they meet and part
        return simulation.u

    reference = end(5e-5)
    guarded, unguarded = end(1e-3), end(1e-3, max_substeps=1)
    assert np.abs(guarded - reference).max() < 0.3 * np.abs(unguarded - reference).max()


def test_divergence_keeps_the_last_good_state_and_names_the_body(write_model):
    simulation = sc.Simulation(sc.load_model(write_model(TWO_DISCS)), step_size=1e-2)
    simulation.step(3)
    simulation.set_state(u=[0, 0, 0, 1e300, 0, 0])
    simulation.set_wrench('b', force=(1e308, 0.0, 0.0))
    with pytest.raises(sc.SymcontactError, match=r"body 'b' left the finite numbers.*step_size"):
        simulation.step(10_000)
    assert 3 <= simulation.steps < 10_000
    before = simulation.q
    assert np.isfinite(before).all()
    with pytest.raises(sc.SymcontactError, match=r"body 'b'"):
        simulation.step()
    assert np.array_equal(simulation.q, before)


def test_articulated_models_swing_and_tell_their_sites():
    simulation = sc.Simulation(sc.load_model('cart_pole'))
    start = simulation.poses()
    assert start['tip'].position == pytest.approx([-math.sin(0.1), math.cos(0.1), 0.0])
    assert start['tip'].quaternion == pytest.approx(start['pole'].quaternion)
    simulation.step(1000)
    upright, fallen = start['tip'].position[1], simulation.poses()['tip'].position[1]
    assert fallen < upright  # lambda = 3.97 / s: the pole falls
    energy = sc.equations_of_motion(simulation.model).energy
    first = energy([0, 0.1], [0, 0])
    assert sum(energy(simulation.q, simulation.u)) == pytest.approx(sum(first), rel=1e-8)


def test_live_symbols_change_the_motion_at_the_next_step(bouncing):
    bouncing.step(10)
    bouncing.set_parameters({'gravity.y': 0.0, 'm': 5.0})
    before = bouncing.u
    bouncing.step(10)
    assert np.array_equal(bouncing.u, before)  # nothing pulls any more
    assert bouncing.parameters['m'] == 5.0
    for wrong in ({'m': -1.0}, {'mass': 1.0}, {'m': math.nan}):
        with pytest.raises(sc.OptionError, match=r'must be within|no live symbol'):
            bouncing.set_parameters(wrong)
    assert bouncing.parameters['m'] == 5.0


def test_a_live_change_that_makes_no_model_changes_nothing(write_model):
    text = """\
gravity: [0, 0, 0]
parameters: {a: 2.0}
bodies:
  floor: {fixed: true, shapes: [{type: half_space}]}
  ball: {mass: 1 / a, inertia: {izz: 1}, shapes: [{type: circle, radius: a - 1}]}
"""
    simulation = sc.Simulation(sc.load_model(write_model(text)))
    for wrong in (0.0, 0.5):  # no mass, no radius
        with pytest.raises(sc.OptionError, match=r'^a: '):
            simulation.set_parameters({'a': wrong})
        assert simulation.parameters['a'] == 2.0
    simulation.step(2)


def test_settings_that_cannot_be_are_refused(bouncing):
    model = bouncing.model
    with pytest.raises(sc.OptionError, match="detector must be one of sat, co, got 'gjk'"):
        sc.Simulation(model, detector='gjk')
    with pytest.raises(sc.OptionError, match='integrator must be one of rk4'):
        sc.Simulation(model, integrator='euler')
    with pytest.raises(sc.OptionError, match='step_size must be > 0'):
        sc.Simulation(model, step_size=math.nan)
    with pytest.raises(KeyError, match='bodies are: floor, ball'):
        bouncing.contact_wrench('bal')


def test_the_way_of_stepping_can_be_changed_while_it_runs(bouncing):
    sim, same = bouncing, sc.Simulation(bouncing.model, integrator='verlet')
    sim.step(10)
    same.set_state(sim.q, sim.u)
    sim.configure(integrator='verlet', max_substeps=8)
    sim.step(500)
    same.configure(max_substeps=8)
    same.step(500)
    assert sim.time == pytest.approx(0.51)
    assert (sim.q == same.q).all()


@pytest.mark.parametrize('options', [{'integrator': 'euler'}, {'step_size': 0.1}])
def test_a_change_that_cannot_be_leaves_all_as_it_was(bouncing, options):
    sim = bouncing
    with pytest.raises(sc.OptionError):
        sim.configure(max_substeps=2, **options)
    assert (sim.integrator, sim.max_substeps, sim.step_size) == ('rk4', 64, 1e-3)
