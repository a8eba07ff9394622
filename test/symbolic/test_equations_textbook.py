"""The equations of motion of textbook systems, symbol by symbol, and the motion they give."""

import math

from helpers.newton_euler import quaternion_matrix, rpy_matrix, Tree
import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.special import ellipk
import sympy as sm
import yaml

import symcontact_ros as sc

PENDULUM = """\
dimension: 2
gravity: [0, -9.81, 0]
parameters: {m: 1.0, l: 1.0, J: 0.0001}
bodies:
  bob:
    mass: m
    inertia: {izz: J}
    com: [0, -l, 0]
    sites: {tip: {position: [0, -2 * l, 0]}}
    joint: {type: revolute, axis: [0, 0, 1]}
"""

DOUBLE_PENDULUM = """\
dimension: 2
gravity: [0, -g, 0]
parameters: {m1: 1.0, m2: 2.0, l1: 0.5, c1: 0.2, c2: 0.3, J1: 0.04, J2: 0.05, g: 9.81}
bodies:
  upper:
    mass: m1
    inertia: {izz: J1}
    com: [0, -c1, 0]
    joint: {type: revolute, axis: [0, 0, 1]}
  lower:
    mass: m2
    inertia: {izz: J2}
    com: [0, -c2, 0]
    joint: {type: revolute, axis: [0, 0, 1], parent: upper, origin: {xyz: [0, -l1, 0]}}
"""

# The pole stands upright at angle 0; its half length is l.
CART_POLE = """\
dimension: 2
gravity: [0, -g, 0]
parameters: {m: 0.1, l: 0.5, J: 0.008333333333333333, g: 9.81}
bodies:
  cart:
    mass: 1.0
    inertia: {izz: 0.1}
    joint: {type: prismatic, axis: [1, 0, 0]}
  pole:
    mass: m
    inertia: {izz: J}
    com: [0, l, 0]
    joint: {type: revolute, axis: [0, 0, 1], parent: cart}
"""

FREE_BODY = """\
dimension: 3
gravity: [0, 0, 0]
parameters: {m: 10.0, A: 0.808333333333333333, B: 0.683333333333333333, C: 0.141666666666666667}
bodies:
  box:
    mass: m
    inertia: {ixx: A, iyy: B, izz: C}
    joint: {type: free}
"""

# A is about the pivot: the centre of mass is l up the axis of symmetry.
HEAVY_TOP = """\
dimension: 3
gravity: [0, 0, -g]
parameters: {M: 1.0, l: 0.1, A: 0.02, C: 0.01, g: 9.81}
bodies:
  top:
    mass: M
    inertia: {ixx: A - M * l ** 2, iyy: A - M * l ** 2, izz: C}
    com: [0, 0, l]
    joint: {type: spherical}
"""

# Reference numbers of the free-floating base: hinge a from the base's centre, arm's centre b on.
FLOATING_BASE = """\
dimension: 2
gravity: [0, 0, 0]
bodies:
  base: {mass: 10.0, inertia: {izz: 1.5}, joint: {type: planar}}
  arm:
    mass: 2.0
    inertia: {izz: 0.3}
    com: [0.4, 0, 0]
    joint: {type: revolute, axis: [0, 0, 1], parent: base, origin: {xyz: [0.5, 0, 0]}}
"""

SATELLITE = """\
dimension: 3
gravity: [0, 0, 0]
bodies:
  hub:
    mass: 8.0
    com: [0.05, -0.02, 0.1]
    inertia: {ixx: 1.2, iyy: 1.0, izz: 0.9, ixy: 0.1, ixz: -0.05, iyz: 0.02}
    joint: {type: free}
  shoulder:
    mass: 1.5
    com: [0.2, 0, 0]
    inertia: {ixx: 0.02, iyy: 0.06, izz: 0.06}
    joint:
      type: revolute
      axis: [1, 2, 3]
      parent: hub
      origin: {xyz: [0.4, 0, 0.1], rpy: [0.3, 0.2, 1]}
  slider:
    mass: 0.7
    com: [0.1, 0.1, 0]
    inertia: {ixx: 0.02, iyy: 0.02, izz: 0.02}
    joint: {type: prismatic, axis: [0, 1, 1], parent: shoulder, origin: {xyz: [0.4, 0, 0]}}
  ball:
    mass: 0.5
    com: [0, 0, 0.2]
    inertia: {ixx: 0.02, iyy: 0.03, izz: 0.02}
    joint: {type: spherical, parent: hub, origin: {xyz: [-0.4, 0, 0.1]}}
"""


@pytest.fixture
def derive(write_model):
    """Return a function that gives the equations of a model's text."""
    return lambda text: sc.equations_of_motion(sc.load_model(write_model(text)))


def assert_same(actual, expected):
    difference = (sm.Matrix(actual) - sm.Matrix(expected)).applyfunc(sm.simplify)
    assert difference == sm.zeros(*difference.shape)


def without_wrenches(eom, expression=None, gravity=()):
    """Return the forcing, or another expression, without wrenches and without gravity's zeros."""
    zeros = [entry for pair in eom.wrench_symbols.values() for row in pair for entry in row]
    zeros += [eom.symbols[name] for name in eom.symbols if name.startswith('gravity.')]
    kept = [eom.symbols[name] for name in gravity]
    expression = eom.forcing if expression is None else expression
    return sm.Matrix(expression).subs({zero: 0 for zero in zeros if zero not in kept})


def integrate(eom, q, u, duration, effort=None, events=None):
    """Return SciPy's solution of the equations, whose own errors stay below about 1e-11."""
    count = len(q)

    def rates(_, state):
        result = eom.evaluate(state[:count], state[count:], effort=effort)
        return np.concatenate([result.qdot, result.udot])

    state = np.concatenate([q, u])
    return solve_ivp(
        rates, (0.0, duration), state, 'DOP853', rtol=1e-12, atol=1e-13, events=events
    )


def test_a_pendulum_is_that_of_the_textbook(derive):
    eom = derive(PENDULUM)
    m, l, J, gravity = (eom.symbols[name] for name in ('m', 'l', 'J', 'gravity.y'))  # noqa: E741
    ((angle,), (torque,)) = (eom.q, eom.effort)
    assert_same(eom.mass_matrix, [[J + m * l**2]])
    forcing = without_wrenches(eom, gravity=['gravity.y'])
    assert_same(forcing, [[m * l * gravity * sm.sin(angle) + torque]])


def test_wrenches_act_on_centres_of_mass_in_world_axes(derive):
    eom = derive(PENDULUM)
    (angle,), length = eom.q, eom.symbols['l']
    force, torque = eom.wrench_symbols['bob']
    arm = length * sm.sin(angle), -length * sm.cos(angle)
    work = arm[0] * force[1] - arm[1] * force[0] + torque[2]
    entries = [*force, *torque]
    assert_same(sm.Matrix(eom.forcing).jacobian(entries), sm.Matrix([work]).jacobian(entries))


def test_a_site_moves_with_its_body(derive):
    eom = derive(PENDULUM)
    expected = [2.0 * math.cos(0.3), 2.0 * math.sin(0.3), 0.0, 0.0, 0.0, 1.0]
    assert eom.jacobian('tip', [0.3])[:, 0] == pytest.approx(expected, abs=1e-15)


def test_a_pendulum_swings_with_the_period_of_the_elliptic_integral(derive):
    eom = derive(PENDULUM)
    period = 4.0 * math.sqrt((1.0 + 1e-4) / 9.81) * ellipk(math.sin(math.pi / 4.0) ** 2)
    end = integrate(eom, [math.pi / 2.0], [0.0], period).y[:, -1]
    assert end == pytest.approx([math.pi / 2.0, 0.0], abs=1e-9)  # the integrator's error


def test_a_double_pendulum_is_that_of_the_textbook(derive):
    eom = derive(DOUBLE_PENDULUM)
    m1, m2, l1, c1, c2, J1, J2, g = (
        eom.symbols[name] for name in ('m1', 'm2', 'l1', 'c1', 'c2', 'J1', 'J2', 'g')
    )
    (q1, q2), (u1, u2), (t1, t2) = eom.q, eom.u, eom.effort
    coupling = J2 + m2 * (c2**2 + l1 * c2 * sm.cos(q2))
    lower = J2 + m2 * c2**2
    upper = J1 + m1 * c1**2 + m2 * l1**2 + lower + 2 * m2 * l1 * c2 * sm.cos(q2)
    assert_same(eom.mass_matrix, [[upper, coupling], [coupling, lower]])
    h = m2 * l1 * c2 * sm.sin(q2)
    weight2 = m2 * g * c2 * sm.sin(q1 + q2)
    weight1 = (m1 * c1 + m2 * l1) * g * sm.sin(q1) + weight2
    expected = [t1 + h * u2 * (2 * u1 + u2) - weight1, t2 - h * u1**2 - weight2]
    assert_same(without_wrenches(eom), expected)


def test_equal_links_of_points_have_the_modes_of_the_textbook(derive):
    eom = derive(DOUBLE_PENDULUM)
    A = without_wrenches(eom, eom.linearize().symbolic[0])
    points = {'m1': 1, 'm2': 1, 'l1': 1, 'c1': 1, 'c2': 1, 'J1': 0, 'J2': 0, 'g': 1}
    A = A.subs({eom.symbols[name]: value for name, value in points.items()})
    squares = A[2:, :2].eigenvals(multiple=True)
    assert sorted(squares) == [-2 - sm.sqrt(2), -2 + sm.sqrt(2)]  # -(2 +- sqrt 2) g / l


def cart_pole_symbols(eom):
    return (eom.symbols[name] for name in ('cart.mass', 'm', 'l', 'J', 'g'))


def test_a_cart_pole_is_that_of_the_textbook(derive):
    eom = derive(CART_POLE)
    M, m, l, J, g = cart_pole_symbols(eom)  # noqa: E741
    (_, angle), (_, rate), (push, torque) = eom.q, eom.u, eom.effort
    c, s = sm.cos(angle), sm.sin(angle)
    assert_same(eom.mass_matrix, [[M + m, -m * l * c], [-m * l * c, J + m * l**2]])
    expected = [push - m * l * s * rate**2, torque + m * g * l * s]
    assert_same(without_wrenches(eom), expected)


def upright_cart_pole(M, m, l, J, g):  # noqa: E741
    """Return A and B of the textbook: of numbers, or of symbols."""
    D = (M + m) * (J + m * l**2) - m**2 * l**2
    A, B = sm.zeros(4), sm.zeros(4, 2)
    A[0, 2] = A[1, 3] = 1
    A[2, 1], A[3, 1] = m**2 * l**2 * g / D, (M + m) * m * g * l / D
    B[2, 0], B[3, 1] = (J + m * l**2) / D, (M + m) / D
    B[2, 1] = B[3, 0] = m * l / D
    return A, B


def test_the_cart_pole_linearized_upright_is_exactly_the_closed_form(derive):
    eom = derive(CART_POLE)
    A, B = eom.linearize().symbolic
    expected_A, expected_B = upright_cart_pole(*cart_pole_symbols(eom))
    assert_same(without_wrenches(eom, A), expected_A)
    assert_same(without_wrenches(eom, B), expected_B)


def test_the_cart_pole_linearized_upright_has_the_numbers_of_the_closed_form(derive):
    linear = derive(CART_POLE).linearize()
    A, B = upright_cart_pole(1.0, 0.1, 0.5, 0.025 / 3, 9.81)
    # rounding: D is a difference of products, but of one digit at most
    assert pytest.approx(np.array(A, dtype=float), rel=1e-13, abs=1e-15) == linear.A
    assert pytest.approx(np.array(B, dtype=float), rel=1e-13, abs=1e-15) == linear.B
    assert (len(linear.states), len(linear.inputs)) == (4, 2)
    fastest = max(np.linalg.eigvals(linear.A).real)
    assert fastest == pytest.approx(3.97387812, abs=1e-8)  # printed to 8 decimals


def test_a_hanging_cart_pole_swings_where_it_would_fall_upright(derive):
    eom = derive(CART_POLE)
    linear = eom.linearize({'q': [0.3, math.pi], 'u': [0.0, 0.0], 'effort': [0.0, 0.0]})
    A, B = upright_cart_pole(1.0, 0.1, -0.5, 0.025 / 3, 9.81)
    assert pytest.approx(np.array(A, dtype=float), rel=1e-12, abs=1e-13) == linear.A
    assert pytest.approx(np.array(B, dtype=float), rel=1e-12, abs=1e-13) == linear.B


def test_a_torque_free_body_obeys_eulers_equations(derive):
    eom = derive(FREE_BODY)
    m, A, B, C = (eom.symbols[name] for name in ('m', 'A', 'B', 'C'))
    vx, vy, vz, p, q, r = eom.u
    assert_same(eom.mass_matrix, sm.diag(m, m, m, A, B, C))
    v, w = sm.Matrix([vx, vy, vz]), sm.Matrix([p, q, r])
    expected = [*(m * v.cross(w)), (B - C) * q * r, (C - A) * r * p, (A - B) * p * q]
    assert_same(without_wrenches(eom), expected)


def test_a_tumbling_box_returns_after_its_period_and_keeps_its_momentum(derive):
    eom = derive(FREE_BODY)
    inertia = np.array([9.7, 8.2, 1.7]) / 12.0
    q = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    u = np.array([-2.0, 2.0, 8.0, 0.1, 5.0, 0.1])
    solution = integrate(eom, q, u, 6.056844158)  # the period, by Jacobi's elliptic functions
    assert solution.y[10:, -1] == pytest.approx(u[3:], abs=1e-6)  # from 9 decimals of the period
    position = 6.056844158 * u[:3]
    assert solution.y[:3, -1] == pytest.approx(position, abs=1e-8)  # the integrator's error
    for state in solution.y.T:
        rotation = quaternion_matrix(state[3:7])
        assert rotation @ (inertia * state[10:]) == pytest.approx(inertia * u[3:], abs=1e-9)
        assert rotation @ state[7:10] == pytest.approx(u[:3], abs=1e-9)


def steady_precession(spin):
    """Return the slow rate of a heavy top at 30 degrees, and its body rates."""
    A, C, moment, tilt = 0.02, 0.01, 9.81 * 0.1, math.radians(30.0)
    root = math.sqrt((C * spin) ** 2 - 4.0 * A * moment * math.cos(tilt))
    precession = (C * spin - root) / (2.0 * A * math.cos(tilt))
    # turned about x, so that the vertical is in the body's y and z
    return precession, np.array([0.0, precession * math.sin(tilt), spin]), tilt


def test_a_heavy_top_precesses_steadily(derive):
    eom = derive(HEAVY_TOP)
    precession, rates, tilt = steady_precession(200.0)
    assert precession == pytest.approx(0.4926014644, abs=1e-10)  # printed to 10 decimals
    q = np.array([math.sin(tilt / 2.0), 0.0, 0.0, math.cos(tilt / 2.0)])
    vertical = np.array([0.0, math.sin(tilt), math.cos(tilt)])
    # rates = precession * vertical + own spin * z, where the vertical turns in the body
    expected = precession * np.cross(vertical, rates)
    # 1e-12: gyroscopic torques of 2 N m cancel to the weight's 0.5 N m, over 0.02 kg m2
    assert eom.evaluate(q, rates).udot == pytest.approx(expected, abs=1e-12 * 200.0)
    duration = 0.5
    solution = integrate(eom, q, rates, duration)
    axes = np.array([quaternion_matrix(state[:4])[:, 2] for state in solution.y.T])
    assert axes[:, 2] == pytest.approx(math.cos(tilt), abs=1e-9)  # no nutation
    azimuth = math.atan2(axes[-1, 0], -axes[-1, 1])
    assert azimuth == pytest.approx(precession * duration, abs=1e-8)


def test_a_floating_base_turns_against_its_arm(derive):
    eom = derive(FLOATING_BASE)
    tree = Tree(yaml.safe_load(FLOATING_BASE))
    target = math.radians(120.0)

    def arrived(_, state):
        return state[3] - target

    arrived.terminal = True
    solution = integrate(eom, np.zeros(4), np.zeros(4), 60.0, [0.4], arrived)
    q, u = np.split(solution.y_events[0][0], 2)
    reduced, a, b = 10.0 * 2.0 / 12.0, 0.5, 0.4

    def share(angle):
        own = 0.3 + reduced * (b**2 + a * b * math.cos(angle))
        return own / (1.8 + reduced * (a**2 + b**2 + 2.0 * a * b * math.cos(angle)))

    turned = -quad(share, 0.0, target, epsabs=1e-13)[0]
    assert turned == pytest.approx(-0.527571994, abs=1e-9)  # printed to 9 decimals
    assert q[2] == pytest.approx(turned, abs=1e-8)  # the integrator's error and the event's
    linear, angular = tree.momentum(q, u)
    assert np.append(linear, angular) == pytest.approx(np.zeros(6), abs=1e-11)
    start, end = (centre_of_mass(tree, state) for state in (np.zeros(4), q))
    assert end == pytest.approx(start, abs=1e-10)


def centre_of_mass(tree, q):
    motions = tree.motions(q, np.zeros(tree.nu))
    coms = [motions[b.name].position + motions[b.name].rotation @ b.com for b in tree.bodies]
    return np.average(coms, axis=0, weights=[body.mass for body in tree.bodies])


def test_a_satellite_with_arms_keeps_its_momentum_whatever_its_motors_do(derive):
    eom = derive(SATELLITE)
    tree = Tree(yaml.safe_load(SATELLITE))
    rng = np.random.default_rng(2)
    q, u = tree.random_state(rng)
    solution = integrate(eom, q, u, 2.0, effort=[1.5, -0.7])
    expected = np.concatenate(tree.momentum(q, u))
    assert np.linalg.norm(expected) > 1.0
    for state in solution.y.T:
        momentum = np.concatenate(tree.momentum(state[: tree.nq], state[tree.nq :]))
        assert momentum == pytest.approx(expected, abs=1e-9)  # the integrator's error


def test_a_tilted_joint_carries_the_weight_that_statics_say(derive):
    tilt = 'origin: {xyz: [0, 0, 0], rpy: [0.3, -0.4, 0.5]}'
    eom = derive(f"""\
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  door:
    mass: 3.0
    com: [0.4, 0.1, -0.2]
    inertia: {{ixx: 0.1, iyy: 0.1, izz: 0.1}}
    joint: {{type: revolute, axis: [0, 0, 2], {tilt}}}
""")
    axes = rpy_matrix([0.3, -0.4, 0.5])
    arm = axes @ [0.4, 0.1, -0.2]
    weight = np.array([0.0, 0.0, -3.0 * 9.81])
    holding = -axes[:, 2] @ np.cross(arm, weight)
    assert eom.gravity_effort([0.0]) == pytest.approx([holding], rel=1e-13)
