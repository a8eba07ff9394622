"""A model in motion, against closed forms and a reference integrator."""

import math
import pickle

from helpers.reference import deepest_first_impact, GRAVITY
import numpy as np
import pytest

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
    guarded, unguarded = end(1e-3), end(1e-3, max_substeps=1, max_residual=0)
    assert np.abs(guarded - reference).max() < 0.3 * np.abs(unguarded - reference).max()


def test_divergence_keeps_the_last_good_state_and_names_the_body(write_model):
    simulation = sc.Simulation(sc.load_model(write_model(TWO_DISCS)), step_size=1e-2)
    simulation.step(3)
    with pytest.raises(sc.OptionError, match=r'u\[3\] = 1e\+300 is beyond 1e\+150'):
        simulation.set_state(u=[0, 0, 0, 1e300, 0, 0])
    simulation.set_wrench('b', force=(1e153, 0.0, 0.0))
    with pytest.raises(
        sc.SymcontactError, match=r"body 'b': the state became NaN or infinite.*step_size"
    ):
        simulation.step(10_000)
    assert 3 <= simulation.steps < 10_000
    before = simulation.q
    assert np.isfinite(before).all()
    assert math.isfinite(simulation.energy().kinetic)
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


def test_a_live_symbol_keeps_to_what_the_numbers_made_of_it_must_be(write_model):
    text = """\
parameters: {m: 1.0, k: 1.0e7, J: 0.1}
materials: {default: {stiffness: k, damping: 0.1 * m}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
  ball: {mass: 2 * m, inertia: {izz: J}, shapes: [{type: circle, radius: 0.1}]}
"""
    simulation = sc.Simulation(sc.load_model(write_model(text)))
    with pytest.raises(sc.OptionError) as error:
        simulation.set_parameters({'m': -1.0, 'k': 0.0})
    assert str(error.value) == (
        'm, k: bodies.ball.mass: must be >= 0, got -2; '
        'materials.default.stiffness: must be > 0, got 0; '
        'materials.default.damping: must be >= 0, got -0.1'
    )
    with pytest.raises(sc.OptionError, match="m must be a number, got '2'"):
        simulation.set_parameters({'m': '2'})
    for value, words in (
        ({'m': 0.0}, r'bodies\.ball\.mass: a body that moves, .* needs a mass'),
        ({'J': 0.0}, r'bodies\.ball\.inertia: must be > 0 about every axis'),
        ({'J': -1.0}, r'bodies\.ball\.inertia: must be > 0 about every axis'),
    ):
        with pytest.raises(sc.OptionError, match=words):
            simulation.set_parameters(value)
    assert (simulation.parameters['m'], simulation.parameters['k']) == (1.0, 1e7)


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
    with pytest.raises(sc.OptionError, match='integrator must be one of auto'):
        sc.Simulation(model, integrator='euler')
    with pytest.raises(sc.OptionError, match='step_size must be > 0'):
        sc.Simulation(model, step_size=math.nan)
    with pytest.raises(sc.OptionError, match="no body 'bal'; did you mean 'ball'"):
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


@pytest.mark.parametrize(
    'options',
    [
        {'max_substeps': 'many'},
        {'max_substeps': 1e30},
        {'co': 'growth'},
        {'co': {'margin': True}},
        {'proximity_range': None},
        {'detector': 'co', 'co': {'program': 'min_distance', 'margin': 9.0}},
    ],
    ids=str,
)
def test_a_refused_change_leaves_a_simulation_that_steps_as_before(options):
    model = sc.load_model('rectangle_circle')
    refused, same = sc.Simulation(model), sc.Simulation(model)
    for each in (refused, same):
        each.step(300)
    with pytest.raises(sc.OptionError):
        refused.configure(**options)
    for each in (refused, same):
        each.step(300)
    assert refused.state_hash() == same.state_hash()


def test_all_that_is_wrong_with_a_change_is_told_at_once(bouncing):
    with pytest.raises(sc.OptionError) as error:
        bouncing.configure(detector='x', integrator='y', co={'program': 'z'}, max_substeps=0)
    for name in ('detector', 'integrator', 'co.program', 'max_substeps'):
        assert f'{name} must be' in str(error.value)


def test_options_and_live_symbols_change_together_or_not_at_all(write_model):
    text = TWO_BLOCKS.replace('HALF', 'half')
    simulation = sc.Simulation(sc.load_model(write_model(text)))
    margin = {'program': 'min_distance', 'margin': 0.2}  # too much for blocks of 0.1
    with pytest.raises(sc.OptionError, match='margin must be below half the width'):
        simulation.configure(detector='co', co=margin)
    simulation.configure({'half': 0.5}, detector='co', co=margin)
    assert (simulation.detector, simulation.parameters['half']) == ('co', 0.5)
    with pytest.raises(sc.OptionError, match='margin'):
        simulation.set_parameters({'half': 0.15})
    assert simulation.parameters['half'] == 0.5
    simulation.step(10)


TWO_BLOCKS = """\
parameters: {half: 0.1}
bodies:
  a: {mass: 1, inertia: {izz: 1}, shapes: [{type: rectangle, half_extents: [HALF, HALF]}]}
  b: {mass: 1, inertia: {izz: 1}, shapes: [{type: rectangle, half_extents: [HALF, HALF]}],
      initial: {position: [3, 0, 0]}}
"""


@pytest.mark.parametrize('name', ['cart_pole', 'sphere_cuboid'])
def test_after_a_divergence_the_state_is_finite_and_a_reset_helps(name):
    simulation = sc.Simulation(sc.load_model(name), max_substeps=1)
    simulation.step(3)
    if name == 'cart_pole':
        simulation.set_effort(simulation.model.joint_names[0], 1e13)
    else:
        simulation.set_wrench('sphere', force=[1e300, 0.0, 0.0], torque=[0.0, 1e300, 0.0])
    with pytest.raises(sc.DivergenceError):
        simulation.step(10_000)
    assert np.isfinite(simulation.q).all()
    assert np.isfinite(simulation.u).all()
    fresh = sc.Simulation(simulation.model, max_substeps=1)
    simulation.reset()
    for each in (simulation, fresh):
        each.step(500)
    assert simulation.state_hash() == fresh.state_hash()


def test_a_live_gain_of_a_servo_acts_at_once(write_model):
    text = """\
gravity: [0, 0, 0]
parameters: {kp: 50.0}
bodies:
  arm: {mass: 1, inertia: {izz: 1}, com: [0, 0, 0],
        joint: {type: revolute, axis: [0, 0, 1], name: hinge, servo: {kp: kp, kd: 0.0}}}
"""
    simulation = sc.Simulation(sc.load_model(write_model(text)), step_size=1e-6)
    simulation.set_target('hinge', position=1.0)
    simulation.set_parameters({'kp': 500.0})
    simulation.step(1)
    assert simulation.u[0] == pytest.approx(500.0 * 1e-6, rel=1e-9)  # kp times the way, by inertia


def test_values_that_divide_by_zero_are_refused_and_change_nothing(write_model):
    text = """\
parameters: {vs: {value: 0.1, min: 0.0}}
materials: {default: {stiffness: 1e6, damping: 0.2, friction: 0.3, slip_speed: vs}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
  ball: {mass: 1, shapes: [{type: circle, radius: 0.2}], initial: {position: [0, 0.19, 0]}}
"""
    simulation = sc.Simulation(sc.load_model(write_model(text)))
    with pytest.raises(sc.OptionError, match='slip_speed: must be > 0'):
        simulation.set_parameters({'vs': 0.0})
    simulation.step(100)
    assert simulation.parameters['vs'] == 0.1


def test_a_state_goes_on_with_other_options(bouncing):
    bouncing.step(420)
    saved = bouncing.save_state()
    other = sc.Simulation(bouncing.model, detector='co', integrator='verlet')
    other.restore_state(saved)
    assert (other.q == bouncing.q).all()
    other.step(100)
    with pytest.raises(sc.OptionError, match='another model or step size'):
        sc.Simulation(bouncing.model, step_size=5e-4).restore_state(saved)


def settings(simulation):
    return simulation.detector, simulation.integrator, simulation.step_size


def test_what_the_user_gives_wins_over_what_the_model_is_made_for(bouncing):
    assert settings(bouncing) == ('sat', 'rk4', 1e-3)  # the scenario names its integrator
    model = sc.load_model('cart_pole')
    bare = sc.Simulation(model)
    assert settings(bare) == ('sat', 'auto', 1e-3)
    assert bare.used_integrator == 'rk4'
    assert 'auto: rk4, sat' in repr(bare)
    model = sc.load_model('cart_pole')
    model.set(detector='co', integrator='verlet', step_size=2e-3)
    made = sc.Simulation(model)
    assert settings(made) == ('co', 'verlet', 2e-3)
    assert made.used_integrator == 'verlet'
    assert settings(sc.Simulation(model, 'sat', 'auto', 1e-3)) == ('sat', 'auto', 1e-3)
    made.configure(detector='sat', integrator='auto')
    assert (*settings(made), made.used_integrator) == ('sat', 'auto', 2e-3, 'rk4')
    made.configure(detector=None, integrator=None)
    assert (*settings(made), made.used_integrator) == ('co', 'verlet', 2e-3, 'verlet')
    other = pickle.loads(pickle.dumps(bare))
    assert (other.integrator, other.used_integrator) == ('auto', 'rk4')


def test_auto_makes_the_steps_of_what_it_has_chosen():
    model = sc.load_model('cart_pole')
    hashes = set()
    for integrator in (None, 'auto', 'rk4'):
        simulation = sc.Simulation(model, integrator=integrator)
        simulation.step(100)
        hashes.add(simulation.state_hash())
    assert len(hashes) == 1
    with pytest.raises(sc.OptionError, match='step_size must be > 0'):
        sc.Simulation(model, step_size=0.0)
