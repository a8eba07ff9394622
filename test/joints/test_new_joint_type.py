"""A new joint type needs a class and a line in the table: a screw and a universal joint."""

from functools import cache

from helpers.joint_checks import check_attributes, check_numbers, check_reference, check_velocities
import numpy as np
import pytest
from scipy.integrate import solve_ivp
import sympy as sm

import symcontact_ros as sc
from symcontact_ros.expressions import evaluate_all
from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.initial import Initial
from symcontact_ros.joints.joint_motion import JointMotion, ReferenceMotion, zeros
from symcontact_ros.joints.kane_motion import turn_about
from symcontact_ros.joints.revolute import rotation_about
from symcontact_ros.joints.single import SingleJoint
from symcontact_ros.joints.table import JOINT_TYPES

PITCH = 0.2  # [m/rad]
SCREW = f"""\
dimension: 3
parameters: {{pitch: {PITCH}}}
gravity: [0, 0, -9.81]
bodies:
  nut: {{mass: 2, com: [0.1, 0, 0.3], inertia: {{ixx: 0.2, iyy: 0.2, izz: 0.05}},
        joint: {{type: helical, name: thread, axis: [0, 0, 1], pitch: pitch}},
        initial: {{position: 0.4, velocity: 1.5}}}}
"""
CARDAN = """\
dimension: 3
bodies:
  arm: {mass: 1.5, com: [0.1, 0.05, -0.4], inertia: {ixx: 0.1, iyy: 0.2, izz: 0.15, ixy: 0.02},
        joint: {type: universal}, sites: {tip: {position: [0.1, 0, -0.8]}},
        initial: {position: [0.3, -0.5], velocity: [1.0, 2.0]}}
sensors: [{type: imu, site: tip}]
"""


class Helical(SingleJoint):
    """q turns about the axis [rad] and moves along it by `pitch` [m/rad]."""

    name = 'helical'
    unit = 'rad'
    dimensions = (3,)
    default_axis = (0.0, 0.0, 1.0)

    def read_constants(self, entry):
        return (entry.number('pitch'),)

    def least_inertia(self, about_com, about_origin, axis, armature):
        return float(axis @ about_origin @ axis) + armature

    def motion(self, algebra, joint):
        (pitch,), (angle,) = joint.constants, joint.q
        along = algebra.scale(pitch, joint.axis)
        columns = [(along, joint.axis)]
        rotation = rotation_about(algebra, joint.axis, angle)
        position = algebra.scale(angle, along)
        return JointMotion(rotation, position, columns, (zeros(), zeros()), joint.u, columns)

    def reference_motion(self, joint):
        axis, (angle,), (rate,) = sm.Matrix(joint.axis), joint.q, joint.u
        along = axis * joint.constants[0]
        turn = turn_about(axis, angle)
        return ReferenceMotion(turn, along * angle, along * rate, axis * rate, [rate])

    def columns(self, joint):
        axis = (joint.attitude @ joint.axis)[:, None]
        return joint.constants[0] * axis, axis


class Universal(JointType):
    """q turns about x of the joint frame, then about y of the body [rad]."""

    name = 'universal'
    coordinate_names = ('qa', 'qb')
    speed_names = ('ua', 'ub')
    tangent_names = ('.a', '.b')

    def read_initial(self, entry, dimension, rotation):
        nothing = (0.0, 0.0)
        position = entry.numbers('position', 2, nothing)
        return Initial(position, velocity=entry.numbers('velocity', 2, nothing))

    def start(self, initial, values, frame):
        return evaluate_all(initial.position, values), evaluate_all(initial.velocity, values)

    def motion(self, algebra, joint):
        (a, b), (rate_a, rate_b) = joint.q, joint.u
        zero, one = sm.S.Zero, sm.S.One
        first = rotation_about(algebra, [one, zero, zero], a)
        second = rotation_about(algebra, [zero, one, zero], b)
        sin, cos = algebra.name(sm.sin(b)), algebra.name(sm.cos(b))
        columns = [(zeros(), [cos, zero, sin]), (zeros(), [zero, one, zero])]
        both = algebra.name(rate_a * rate_b)
        drift = [algebra.name(-sin * both), zero, algebra.name(cos * both)]
        rotation = algebra.multiply(first, second)
        return JointMotion(rotation, zeros(), columns, (zeros(), drift), [rate_a, rate_b])

    def reference_motion(self, joint):
        x, y = sm.Matrix([1, 0, 0]), sm.Matrix([0, 1, 0])
        second = turn_about(y, joint.q[1])
        rates = second.T * x * joint.u[0] + y * joint.u[1]
        none = sm.zeros(3, 1)
        turn = turn_about(x, joint.q[0]) * second
        return ReferenceMotion(turn, none, none, rates, list(joint.u))

    def columns(self, joint):
        angular = np.column_stack([joint.frame()[:, 0], joint.attitude[:, 1]])
        return 0.0 * angular, angular

    def drift(self, joint, u):
        angular = np.cross(joint.frame()[:, 0], joint.attitude[:, 1])
        return np.zeros(3), u[0] * u[1] * angular


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    """Register both types; nothing but the table is touched."""
    for kind in (Helical(), Universal()):
        monkeypatch.setitem(JOINT_TYPES, kind.name, kind)


@pytest.fixture
def load(tmp_path):
    def load(text):
        (tmp_path / 'model.yaml').write_text(text)
        return sc.load_model(tmp_path / 'model.yaml')

    return load


@pytest.mark.parametrize(('kind', 'constants'), [(Helical(), (PITCH,)), (Universal(), ())])
def test_the_new_types_pass_the_checks_of_every_type(kind, constants):
    check_attributes(kind)
    check_velocities(kind, constants)
    check_reference(kind, constants)
    check_numbers(kind, constants)


def test_a_nut_sinks_on_its_thread_as_the_closed_form_says(load):
    model = load(SCREW)
    simulation = sc.Simulation(model, integrator='rk4', step_size=1e-3)
    simulation.step(1000)
    # (I + m r^2 + m p^2) qdotdot = -m g p about and along the thread
    rate = -2.0 * 9.81 * PITCH / (0.05 + 2.0 * 0.1**2 + 2.0 * PITCH**2)
    angle = 0.4 + 1.5 + 0.5 * rate
    # A constant rate is integrated exactly: what remains are roundings of 1000 steps.
    assert simulation.q == pytest.approx([angle], rel=1e-12)
    assert simulation.u == pytest.approx([1.5 + rate], rel=1e-12)
    pose = simulation.poses()['nut']
    assert pose.position == pytest.approx([0.0, 0.0, PITCH * angle], rel=1e-12)
    assert abs(simulation.energy().residual) < 1e-10


def test_the_pitch_is_live_and_the_joint_has_efforts_names_and_units(load):
    model = load(SCREW)
    assert model.joint_names == ('thread',)
    assert model.symbols['thread.damping'].unit == 'N m s/rad'
    eom = sc.equations_of_motion(model)
    names = [str(symbol) for symbol in (*eom.q, *eom.u, *eom.effort)]
    assert names == ['q_thread', 'u_thread', 'tau_thread']
    pitch = eom.symbols['pitch']
    inertia = sm.Rational(5, 100) + eom.symbols['nut.mass'] * (pitch**2 + sm.Rational(1, 100))
    assert sm.nsimplify(sm.expand(eom.mass_matrix[0] - inertia), rational=True) == 0
    simulation = sc.Simulation(model)
    simulation.set_parameters({'pitch': 0.0})
    simulation.step(100)
    assert simulation.u[0] == pytest.approx(1.5, rel=1e-12)  # without pitch nothing drives it


def test_a_missing_key_of_the_type_is_a_fault(load):
    with pytest.raises(sc.ModelError, match=r'joint\.pitch.*is missing: a number is needed'):
        load(SCREW.replace(', pitch: pitch', ''))


@pytest.mark.parametrize('text', [SCREW, CARDAN], ids=['helical', 'universal'])
def test_both_derivations_give_the_same_equations(text, load):
    model = load(text)
    recursive, kane = (sc.equations_of_motion(model, method=m) for m in ('recursive', 'kane'))
    q, u = 0.3 + 0.2 * np.arange(model.coordinate_count), 0.5 - np.arange(model.speed_count)
    effort, wrench = np.full(len(model.joint_names), 0.7), np.arange(6.0)
    (body,) = model.body_names
    values = dict(zip(kane.symbols.values(), model.parameters.values(), strict=True))
    values |= dict(zip([*kane.q, *kane.u, *kane.effort], [*q, *u, *effort], strict=True))
    force, torque = kane.wrench_symbols[body]
    values |= dict(zip([*force, *torque], wrench, strict=True))
    mass_matrix, forcing, qdot = (
        np.array(matrix.subs(values).evalf(), dtype=float)
        for matrix in (kane.reduced_mass_matrix, kane.reduced_forcing, kane.reduced_qdot)
    )
    found = recursive.evaluate(q, u, effort, {body: (wrench[:3], wrench[3:])})
    np.testing.assert_allclose(found.mass_matrix, mass_matrix, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(mass_matrix @ found.udot, forcing[:, 0], rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(found.qdot, qdot[:, 0], rtol=0.0, atol=1e-12)


@cache
def lagrange_rates():
    """Return f(a, b, ua, ub) -> accelerations of the arm, by Lagrange's equations."""
    a, b, ua, ub = sm.symbols('a b ua ub')
    turn = sm.rot_ccw_axis1(a) * sm.rot_ccw_axis2(b)
    rate = turn.diff(a) * ua + turn.diff(b) * ub
    spin = turn.T * rate
    omega = sm.Matrix([spin[2, 1], spin[0, 2], spin[1, 0]])
    com = sm.Matrix([0.1, 0.05, -0.4])
    inertia = sm.Matrix([[0.1, 0.02, 0], [0.02, 0.2, 0], [0, 0, 0.15]])
    velocity = rate * com
    kinetic = (1.5 * velocity.dot(velocity) + omega.dot(inertia * omega)) / 2
    potential = 1.5 * 9.81 * (turn * com)[2]
    q, u = sm.Matrix([a, b]), sm.Matrix([ua, ub])
    momentum = sm.Matrix([kinetic]).jacobian(u).T
    force = sm.Matrix([kinetic - potential]).jacobian(q).T - momentum.jacobian(q) * u
    mass = momentum.jacobian(u)
    numbers = sm.lambdify([a, b, ua, ub], [mass, force])

    def rates(*state):
        matrix, right = numbers(*state)
        return np.linalg.solve(matrix, right)[:, 0]

    return rates


def test_an_arm_on_a_universal_joint_moves_as_lagrange_says(load):
    model = load(CARDAN)
    rates = lagrange_rates()
    simulation = sc.Simulation(model, integrator='rk4', step_size=1e-3)
    start = np.concatenate([simulation.q, simulation.u])
    assert start.tolist() == [0.3, -0.5, 1.0, 2.0]
    found = sc.equations_of_motion(model).evaluate(simulation.q, simulation.u)
    np.testing.assert_allclose(found.udot, rates(*start), rtol=1e-12)
    expected = solve_ivp(
        lambda _, y: [*y[2:], *rates(*y)], (0.0, 1.0), start, rtol=1e-11, atol=1e-12
    ).y[:, -1]
    simulation.step(1000)
    # RK4 of 1 ms: (1e-3)^4 times rates of some hundred per second.
    np.testing.assert_allclose([*simulation.q, *simulation.u], expected, atol=1e-8)
    assert abs(simulation.energy().residual) < 1e-8


def test_jacobian_linearisation_and_sensors_know_the_universal_joint(load):
    model = load(CARDAN)
    eom = sc.equations_of_motion(model)
    q, u = np.array([0.3, -0.5]), np.array([1.0, 2.0])
    step, place = 1e-6, sc.Simulation(model)

    def tip(q):
        place.set_state(q=q, u=np.zeros(2))
        return place.poses()['tip'].position

    slopes = np.column_stack(
        [(tip(q + step * e) - tip(q - step * e)) / (2.0 * step) for e in np.eye(2)]
    )
    np.testing.assert_allclose(eom.jacobian('tip', q)[:3], slopes, atol=1e-9)
    rates = lagrange_rates()
    linear = eom.linearize({'q': q, 'u': u})
    assert linear.states == ['arm.a', 'arm.b', 'd/dt arm.a', 'd/dt arm.b']
    state = np.concatenate([q, u])
    differences = [rates(*(state + step * e)) - rates(*(state - step * e)) for e in np.eye(4)]
    slopes = np.column_stack(differences) / (2.0 * step)
    np.testing.assert_allclose(linear.A[2:], slopes, atol=1e-7)
    # What an accelerometer at the tip feels, from positions a little earlier and later.
    simulation = sc.Simulation(model, integrator='rk4', step_size=1e-4)
    places = []
    for _ in range(3):
        places.append(simulation.poses()['tip'].position)
        if len(places) == 2:
            (reading,) = simulation.sensors().values()
            axes = reading.quaternion
        simulation.step(1)
    acceleration = (places[0] - 2.0 * places[1] + places[2]) / 1e-8
    x, y, z, w = axes
    turn = np.array(sm.Quaternion(w, x, y, z).to_rotation_matrix(), dtype=float)
    felt = turn.T @ (acceleration + np.array([0.0, 0.0, 9.81]))
    # Differences of second order: the square of 1e-4 s times rates of some 1e3 1/s^2, and 1e-16 m
    # of rounding by the square.
    np.testing.assert_allclose(reading.specific_force, felt, atol=1e-4)
