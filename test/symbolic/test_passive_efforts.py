"""Damping and springs of joints in the equations of motion and their linearisation."""

import json
import math

from helpers.places import URDF
import numpy as np
import pytest
import sympy as sm

import symcontact_ros as sc
from symcontact_ros.cli.main import main

PENDULUM = """\
gravity: [0, -9.81, 0]
parameters: {d: 0.4, k: 3.0, r: 0.3}
bodies:
  bob: {mass: 2, com: [0, -0.5, 0], inertia: {izz: 0.1}, initial: {position: 0.2},
        joint: {type: revolute, name: hinge, damping: d, stiffness: k, rest_position: r}}
"""
# A leader and a follower that hangs on it, both with spring and damper, and a third joint.
CHAIN = """\
gravity: [0.5, -9.81, 0]
parameters: {r: 0.3, m: -2.0}
bodies:
  upper: {mass: 2, com: [0, -0.5, 0], inertia: {izz: 0.1}, initial: {position: 0.4},
          joint: {type: revolute, name: hip, damping: 0.4, stiffness: 3, rest_position: r}}
  lower: {mass: 1, com: [0, -0.4, 0], inertia: {izz: 0.2},
          joint: {type: revolute, parent: upper, name: knee, origin: {xyz: [0, -1, 0]},
                  damping: 0.1, stiffness: 5, rest_position: 0.2,
                  mimic: {joint: hip, multiplier: m, offset: 0.1}}}
  foot: {mass: 0.5, com: [0.1, -0.1, 0], inertia: {izz: 0.01}, initial: {position: -0.3},
         joint: {type: prismatic, parent: lower, name: slide, axis: [0, 1, 0], damping: 0.7,
                 stiffness: 40, rest_position: -0.1}}
"""
DOUBLE = """\
bodies:
  a: {mass: 1, com: [0, -0.5, 0], inertia: {izz: 0.1}, initial: {position: 0.3},
      joint: {type: revolute, damping: 0.2, stiffness: 4, rest_position: 0.1}}
  b: {mass: 0.5, com: [0, -0.4, 0], inertia: {izz: 0.05}, initial: {position: -0.4},
      joint: {type: revolute, parent: a, origin: {xyz: [0, -1, 0]}, damping: 0.1, stiffness: 2}}
"""
FLOATING = """\
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  base: {mass: 2, com: [0.1, 0.05, 0], inertia: {ixx: 0.3, iyy: 0.4, izz: 0.5},
         initial: {rpy: [0.2, 0.1, -0.4]}}
  arm: {mass: 1, com: [0.2, 0, 0.1], inertia: {ixx: 0.1, iyy: 0.2, izz: 0.15},
        initial: {position: 0.3},
        joint: {type: revolute, parent: base, axis: [0, 1, 2], damping: 0.3, stiffness: 6}}
"""


@pytest.fixture
def load(write_model):
    return lambda text: sc.load_model(write_model(text))


def sorted_values(matrix):
    return np.sort_complex(np.linalg.eigvals(matrix))


def rates_of(simulation, q, u):
    """Return udot of the running simulation: a step so short that only its beginning counts."""
    simulation.set_state(q, u)
    simulation.step(1)
    return (simulation.u - u) / simulation.step_size


def test_a_damped_spring_pendulum_has_its_eigenvalues(load):
    model = load(PENDULUM)
    lever, inertia = 2 * 9.81 * 0.5, 0.1 + 2 * 0.5**2
    equations = sc.equations_of_motion(model)
    # Where gravity and spring balance, by Newton's method.
    q = 0.2
    for _ in range(20):
        q -= (lever * math.sin(q) + 3.0 * (q - 0.3)) / (lever * math.cos(q) + 3.0)
    linear = equations.linearize({'q': [q], 'u': [0.0], 'effort': [0.0]})
    assert equations.evaluate([q], [0.0]).udot == pytest.approx([0.0], abs=1e-14)
    stiffness = 3.0 + lever * math.cos(q)
    decay = 0.4 / (2.0 * inertia)
    omega = math.sqrt(stiffness / inertia - decay**2)
    expected = [complex(-decay, -omega), complex(-decay, omega)]
    assert sorted_values(linear.A) == pytest.approx(expected, rel=1e-13)
    # Without an operating point: the start, held against gravity and spring.
    linear = equations.linearize()
    assert linear.effort == pytest.approx([lever * math.sin(0.2) + 3.0 * (0.2 - 0.3)], rel=1e-14)
    assert linear.A[1] == pytest.approx(
        [-(3.0 + lever * math.cos(0.2)) / inertia, -0.4 / inertia], rel=1e-14
    )


def test_the_symbols_are_those_of_the_file(load):
    equations = sc.equations_of_motion(load(PENDULUM))
    d, k, r = (equations.symbols[name] for name in 'dkr')
    (q,), (u,) = equations.q, equations.u
    forcing = equations.forcing[0]
    assert forcing.coeff(u) == -d
    assert sm.simplify(forcing.diff(k) - (r - q)) == 0
    assert 'forcing[u_hinge] = -d*u_hinge + ' in equations.text()
    assert '- k*q_hinge + k*r + tau_hinge' in equations.text()
    A, _ = equations.linearize().symbolic
    inertia = equations.mass_matrix[0]
    assert sm.simplify(A[1, 1] + d / inertia) == 0
    assert sm.simplify(A[1, 0].diff(k) + 1 / inertia) == 0
    named = sc.equations_of_motion(load(DOUBLE)).text()
    assert 'c_a*u_a' in named
    assert 'k_b*q_b' in named


@pytest.mark.parametrize('text', [PENDULUM, CHAIN, DOUBLE, FLOATING])
def test_accelerations_and_slopes_are_those_of_the_simulation(load, text):
    model = load(text)
    equations = sc.equations_of_motion(model)
    simulation = sc.Simulation(model, integrator='semi_implicit', step_size=1e-7)
    rng = np.random.default_rng(7)
    q, u = simulation.q, rng.uniform(-1.0, 1.0, model.speed_count)
    found = equations.evaluate(q, u)
    # a step of h is off by h times the second derivative, and by the rounding of u by h
    assert found.udot == pytest.approx(rates_of(simulation, q, u), abs=2e-5)
    balance = found.mass_matrix @ found.udot + found.bias
    assert balance == pytest.approx(found.passive, abs=1e-12)
    assert found.passive == pytest.approx(equations.passive_effort(q, u), abs=0.0)
    forces = equations.inverse_dynamics(q, u, found.udot)
    assert forces == pytest.approx(found.passive, abs=1e-12)
    # A by differences of the accelerations; quaternions have a tangent of their own
    linear = equations.linearize({'q': q, 'u': u, 'effort': np.zeros(len(model.joint_names))})
    count, h = len(u), 1e-6
    for column in range(count):
        step = h * np.eye(count)[column]
        ends = [equations.evaluate(q, u + sign * step).udot for sign in (1, -1)]
        slope = (ends[0] - ends[1]) / (2 * h)
        assert linear.A[count:, count + column] == pytest.approx(slope, abs=1e-7)
        if len(q) == count:
            ends = [equations.evaluate(q + sign * step, u).udot for sign in (1, -1)]
            slope = (ends[0] - ends[1]) / (2 * h)
            assert linear.A[count:, column] == pytest.approx(slope, abs=1e-7)


def test_a_double_pendulum_decays_as_its_eigenvalues_say(load):
    model = load(DOUBLE)
    linear = sc.equations_of_motion(model).linearize()
    simulation = sc.Simulation(model, integrator='reference', step_size=1e-3)
    # Rates of the simulation itself, by differences of one short step, about the held start.
    for joint, effort in zip(model.joint_names, linear.effort, strict=True):
        simulation.set_effort(joint, effort)
    start, h = np.concatenate([linear.q, linear.u]), 1e-4

    def after_a_step(state):
        simulation.set_state(state[:2], state[2:])
        simulation.step(1)
        return np.concatenate([simulation.q, simulation.u])

    steps = [
        (after_a_step(start + h * row) - after_a_step(start - h * row)) / (2 * h)
        for row in np.eye(4)
    ]
    # The step is exp(A t): central differences of 1e-4 are good to about 1e-8, by t to 1e-5.
    values = np.sort_complex(np.log(np.linalg.eigvals(np.array(steps).T)) / 1e-3)
    assert values == pytest.approx(sorted_values(linear.A), abs=1e-4)
    assert (values.real < 0.0).all()


def test_followers_add_theirs_to_the_leader(load):
    model = load(CHAIN)
    equations = sc.equations_of_motion(model)
    q, u = np.array([0.4, -0.3]), np.array([0.7, 0.2])
    knee, m = -2.0 * 0.4 + 0.1, -2.0
    hip = -0.4 * 0.7 - 3.0 * (0.4 - 0.3) + m * (-0.1 * m * 0.7 - 5.0 * (knee - 0.2))
    slide = -0.7 * 0.2 - 40.0 * (-0.3 + 0.1)
    assert equations.passive_effort(q, u) == pytest.approx([hip, slide], rel=1e-14)
    values = dict(zip(equations.symbols.values(), model.parameters.values(), strict=True))
    values |= dict(zip([*equations.q, *equations.u], [*q, *u], strict=True))
    passive = [e.subs(values) for e in equations.forms.passive_by_speed()]
    assert list(map(float, passive)) == pytest.approx([hip, slide], rel=1e-14)
    assert not any(e.has(sm.Float) for e in equations.forms.passive_by_speed())  # no tiny numbers
    linear = equations.linearize()
    assert equations.evaluate(linear.q, linear.u, linear.effort).udot == pytest.approx(
        [0.0, 0.0], abs=1e-12
    )


def test_slopes_in_symbols_are_those_in_numbers(load):
    model = load(CHAIN[: CHAIN.index('  foot')])
    equations = sc.equations_of_motion(model)
    linear = equations.linearize()
    values = dict(zip(equations.symbols.values(), model.parameters.values(), strict=True))
    slopes = np.array(linear.symbolic[0].subs(values), dtype=float)
    assert slopes == pytest.approx(linear.A, abs=1e-12)
    turning = (0.4 + 0.1 * 4.0) / equations.evaluate(linear.q, linear.u).mass_matrix[0, 0]
    assert slopes[1, 1] == pytest.approx(-turning, rel=1e-12)  # at rest


@pytest.mark.parametrize('text', [PENDULUM, CHAIN])
def test_kanes_method_and_sources_have_them_too(load, text):
    model = load(text)
    equations, kane = (sc.equations_of_motion(model, way) for way in ('recursive', 'kane'))
    rng = np.random.default_rng(1)
    q, u, effort = rng.uniform(-1, 1, (3, model.speed_count))
    found = equations.evaluate(q, u, effort)
    scope = {}
    exec(equations.source('python'), scope)  # of our own making
    loads = np.zeros(6 * len(equations.wrench_symbols))
    values = list(model.parameters.values())
    _, forcing, _ = scope['equations'](q, u, effort, loads, values)
    assert forcing == pytest.approx(found.mass_matrix @ found.udot, abs=1e-12)
    names = [*equations.q, *equations.u, *equations.effort, *equations.symbols.values()]
    numbers = dict(zip(names, [*q, *u, *effort, *values], strict=True))
    nothing = {s: 0 for pair in equations.wrench_symbols.values() for row in pair for s in row}
    written = kane.reduced_forcing.subs(numbers | nothing)
    assert list(map(float, written)) == pytest.approx(forcing, abs=1e-12)


def test_a_live_damping_acts_in_numbers_at_once(load):
    equations = sc.equations_of_motion(load(PENDULUM))
    equations.dynamics.set_values({**equations.dynamics.values, 'd': 4.0, 'k': 0.0})
    assert equations.passive_effort([1.0], [2.0]) == pytest.approx([-8.0])
    inertia = equations.evaluate([0.0], [0.0]).mass_matrix[0, 0]
    assert equations.linearize().A[1, 1] == pytest.approx(-4.0 / inertia)


def test_joints_without_them_print_as_they_did(load):
    bare = load(PENDULUM.replace(', damping: d, stiffness: k, rest_position: r', ''))
    equations = sc.equations_of_motion(bare)
    live = {str(equations.symbols[f'hinge.{key}']) for key in ('damping', 'stiffness')}
    assert not live & {str(s) for s in equations.forcing.free_symbols}
    assert not any(name in equations.text() for name in live)
    assert equations.passive_effort([1.0], [1.0]) == pytest.approx([0.0])
    # A parameter of the user's is never left out, also at 0.
    zero = sc.equations_of_motion(load(PENDULUM.replace('d: 0.4', 'd: 0.0')))
    assert zero.symbols['d'] in zero.forcing.free_symbols
    robot = sc.equations_of_motion(sc.load_model(URDF / 'arm.urdf'))
    assert robot.passive_effort(np.zeros(robot.dynamics.coordinate_count)).shape == (
        robot.dynamics.speed_count,
    )


def test_the_command_prints_them(write_model, capsys):
    assert main(['equations', str(write_model(PENDULUM)), '--linearize']) == 0
    printed = json.loads(capsys.readouterr().out)
    inertia = 0.1 + 2 * 0.5**2
    assert printed['A'][1][1] == pytest.approx(-0.4 / inertia)
    assert main(['equations', str(write_model(PENDULUM)), '--format', 'latex']) == 0
    assert r'- d u_{\mathrm{hinge}}' in capsys.readouterr().out
