"""Orders of implicit steps, impacts by order 2, and the integrator that `auto` chooses."""

import math

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.cli.integrator_report import integrator_lines
from symcontact_ros.contact.constants import damping_for, restitution_for
from symcontact_ros.simulation.integrator_choice import chosen_integrator

EXPONENTS = {'linear': 1.0, 'hunt_crossley': 1.5, 'elastic_plastic': 3.0}
DAMPING, SPEED = 0.3, 1.0
EXACT = restitution_for(DAMPING, SPEED)


def ball(dimension, law, stiffness, friction=0.0, height=0.0105):
    """Return a ball of 1 kg above a floor, without gravity, that falls at 1 m/s."""
    up = [0.0, 1.0, 0.0] if dimension == 2 else [0.0, 0.0, 1.0]
    shape = {'type': 'circle' if dimension == 2 else 'sphere', 'radius': 0.5}
    model = sc.Model('ball', dimension=dimension, gravity=[0.0, 0.0, 0.0])
    contact = {'law': law, 'stiffness': stiffness, 'damping': DAMPING, 'friction': friction}
    model.add_material('default', **contact)
    model.add_body('floor', fixed=True, shapes=[{'type': 'half_space', 'normal': up}])
    model.add_body(
        'ball',
        mass=1.0,
        shapes=[shape],
        joint={'type': 'planar' if dimension == 2 else 'free'},
        initial={
            'position': [(0.5 + height) * x for x in up],
            'velocity': [-SPEED * x for x in up],
        },
    )
    return model


def stiffness_for(law, duration):
    """Return the stiffness at which an elastic impact of 1 kg at 1 m/s lasts a time [s]."""
    n = EXPONENTS[law]
    # Depth d = ((n + 1) m v^2 / 2 k)^(1 / (n + 1)), duration 2 d / v times a number of n alone.
    shape = math.sqrt(math.pi) * math.gamma(1.0 + 1.0 / (n + 1.0))
    shape /= math.gamma(0.5 + 1.0 / (n + 1.0))
    depth = 0.5 * duration * SPEED / shape
    return 0.5 * (n + 1.0) * SPEED**2 / depth ** (n + 1.0)


def rebound(model, integrator, h=1e-3):
    simulation = sc.Simulation(model, integrator=integrator, step_size=h, max_residual=0.0)
    simulation.step(round(0.15 / h))
    return simulation, simulation.u[1 if model.dimension == 2 else 2]


@pytest.mark.parametrize('duration', [1e-3, 3e-3, 1e-2, 3e-2])
@pytest.mark.parametrize('law', EXPONENTS)
@pytest.mark.parametrize('dimension', [2, 3])
def test_order_2_returns_what_the_law_asks_for(dimension, law, duration):
    model = ball(dimension, law, stiffness_for(law, duration))
    simulation, speed = rebound(model, 'implicit2')
    assert speed == pytest.approx(EXACT, rel=0.01)
    energy = simulation.energy()
    # The depth of a ball on a plane is linear: nothing is left over but rounding of the solver.
    assert abs(energy.residual) < 1e-7 * energy.throughput
    assert abs(energy.integration) < 0.01 * energy.throughput


def test_order_1_swallows_a_short_bounce_and_says_so():
    model = ball(3, 'linear', stiffness_for('linear', 1e-3))
    simulation, speed = rebound(model, 'implicit')
    assert speed < 0.1
    energy = simulation.energy()
    assert energy.integration > 0.9 * energy.start
    assert abs(energy.residual) < 1e-12 * energy.start


def test_auto_resolves_an_impact_by_order_2():
    model = ball(3, 'linear', stiffness_for('linear', 1e-3), friction=0.3)
    simulation, speed = rebound(model, 'auto')
    assert simulation.used_integrator == 'mixed'
    assert speed == pytest.approx(EXACT, rel=0.01)
    assert simulation.counters['substeps'] > 5


def test_what_order_2_cannot_resolve_is_left_to_order_1_which_never_gains():
    model = ball(3, 'linear', stiffness_for('linear', 3e-5))
    simulation, speed = rebound(model, 'implicit2')
    assert 0.0 < speed < 1.001 * EXACT
    assert simulation.counters['unresolved_substeps'] > 0


@pytest.mark.parametrize(('integrator', 'order'), [('implicit', 1), ('implicit2', 2)])
def test_errors_in_free_motion_fall_by_the_order(integrator, order):
    model = sc.load_model('double_pendulum')
    exact = sc.Simulation(model, integrator='rk4', step_size=1e-4)
    exact.step(5000)
    errors = []
    for h in (5e-4, 2.5e-4):
        simulation = sc.Simulation(model, integrator=integrator, step_size=h)
        simulation.step(round(0.5 / h))
        errors.append(np.abs(simulation.q - exact.q).max())
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1)


def test_order_2_keeps_linear_momentum_to_rounding_and_angular_momentum_to_its_order():
    drifts = []
    for h in (1e-3, 5e-4):
        model = sc.Model('two', dimension=3, gravity=[0.0, 0.0, 0.0])
        model.add_material('default', stiffness=1e5, law='linear', damping=0.2, friction=0.4)
        for name, at, way in (('a', [-0.3, 0.05, 0.0], 1.0), ('b', [0.3, 0.0, 0.03], -1.0)):
            model.add_body(
                name,
                mass=1.0,
                shapes=[{'type': 'box', 'half_extents': [0.1, 0.12, 0.08]}],
                joint={'type': 'free'},
                initial={'position': at, 'velocity': [way, 0.0, 0.0], 'rpy': [0.2, 0.1, 0.3]},
            )
        simulation = sc.Simulation(model, integrator='implicit2', step_size=h)
        before = simulation.momentum()
        simulation.step(round(0.5 / h))
        after = simulation.momentum()
        assert np.linalg.norm(simulation.twists()['a'].angular) > 0.1
        assert np.allclose(after.linear, before.linear, atol=1e-13)
        drifts.append(np.linalg.norm(after.angular - before.angular))
    assert max(drifts) < 1e-3


# The choice ---------------------------------------------------------------------------------


def test_auto_is_rk4_for_the_scenarios_of_the_paper_and_for_free_pendulums():
    for name in ('rectangle_circle', 'sphere_cuboid', 'cart_pole', 'double_pendulum'):
        assert sc.Simulation(sc.load_model(name)).used_integrator == 'rk4'


@pytest.mark.parametrize(
    ('keys', 'name', 'reason'),
    [
        ({}, 'mixed', 'friction of ball - floor'),
        ({'slip_speed': 0.05}, 'rk4', 'friction that does not stick'),
        (
            {'stiffness': 1e3, 'law': 'linear', 'friction': 0.0},
            'rk4',
            'parts of a step are enough',
        ),
    ],
)
def test_auto_is_implicit_where_friction_sticks_and_rk4_would_need_many_parts(keys, name, reason):
    model = sc.Model('ball', dimension=3)
    model.add_material('default', **keys)
    model.add_body('floor', fixed=True, shapes=[{'type': 'half_space', 'normal': [0, 0, 1]}])
    shapes = [{'type': 'sphere', 'radius': 0.1}]
    model.add_body('ball', mass=1.0, shapes=shapes, joint={'type': 'free'})
    choice = chosen_integrator(model, 1e-3)
    assert choice.name == name
    assert reason in choice.reason


@pytest.mark.parametrize(
    ('joint', 'name'),
    [
        ({'servo': {'kp': 1e5, 'kd': 10.0}}, 'mixed'),
        ({'limits': {'upper': 0.0, 'lower': -1.0, 'stiffness': 1e7, 'damping': 1.0}}, 'mixed'),
        ({'damping': 1.0}, 'mixed'),
        ({'stiffness': 0.001}, 'rk4'),
    ],
)
def test_auto_is_implicit_for_light_joints_with_stiff_loads(joint, name):
    model = sc.Model('finger', dimension=2)
    body = {'mass': 0.02, 'inertia': {'izz': 1e-5}, 'joint': {'type': 'revolute', **joint}}
    model.add_body('finger', **body)
    assert chosen_integrator(model, 1e-3).name == name


def test_many_loose_bodies_stay_explicit():
    model = sc.Model('heap', dimension=3)
    for i in range(20):
        shapes = [{'type': 'sphere', 'radius': 0.1}]
        at = {'position': [0.0, 0.0, 0.3 * i]}
        model.add_body(f'b{i}', mass=1.0, shapes=shapes, joint={'type': 'free'}, initial=at)
    assert chosen_integrator(model, 1e-3).name == 'rk4'


def test_a_law_that_rises_with_the_normal_velocity_is_refused_by_name():
    model = ball(2, 'linear', 1e5)
    rising = sc.Model('ball', dimension=2)
    law = {'normal': 'k * rho * (1 + 5 * v_n * v_n)', 'tangent': 'mu * f_n'}
    rising.add_material('odd', law=law, stiffness=1e5)
    rising.set(materials={'default': {'law': law, 'stiffness': 1e5}})
    for body in ('floor', 'ball'):
        rising.add_body(body, **model.contents.data['bodies'][body])
    with pytest.raises(sc.OptionError, match=r'materials.default.law.normal: it rises with v_n'):
        sc.Simulation(rising, integrator='implicit')
    simulation = sc.Simulation(rising)
    assert simulation.used_integrator == 'rk4'
    with pytest.raises(sc.OptionError, match='no implicit step can take'):
        simulation.configure(integrator='implicit2')
    assert simulation.integrator == 'auto'


def test_check_tells_integrator_reason_and_the_restitution_that_is_obtained(capsys):
    model = sc.Model('ball', dimension=3)
    model.add_material('default', rest_depth=0.001, restitution=0.8, impact_speed=1.0)
    model.add_body('floor', fixed=True, shapes=[{'type': 'half_space', 'normal': [0, 0, 1]}])
    shapes = [{'type': 'sphere', 'radius': 0.1}]
    model.add_body('ball', mass=1.0, shapes=shapes, joint={'type': 'free'})
    first, second = integrator_lines(model)
    assert first.startswith(
        'integrator implicit, with implicit2 in impacts and fast motion, steps of 1 ms: rk4'
    )
    assert second.startswith('material default: restitution 0.8 at 1 m/s by its law, 0.8')
    assert second.endswith('by implicit2 (ball - floor)')
    assert 'trying how materials bounce' in capsys.readouterr().err


@pytest.mark.parametrize('restitution', [0.05, 0.3, 0.8, 0.99])
def test_restitution_and_damping_are_inverse_to_each_other(restitution):
    assert restitution_for(damping_for(restitution, 2.0), 2.0) == pytest.approx(restitution)
