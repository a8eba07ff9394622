"""The equations of a planar body, against SymPy's own KanesMethod and against mechanics."""

from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from symcontact_ros.compiled.python_backend import compile_function
from symcontact_ros.symbolic import planar_body as pb

number = st.floats(-2.0, 2.0)
triple = st.tuples(number, number, number)
PARAMETERS = (1.7, 0.3, 0.2, -0.4, 0.5, -9.81)  # m, I, com x y, gravity x y


@pytest.fixture(scope='module')
def dynamics():
    return compile_function(pb.dynamics())


@pytest.fixture(scope='module')
def kane():
    """Return f(q, u, wrench, parameters) -> udot by KanesMethod, with the vectors of SymPy."""
    q, u = me.dynamicsymbols('x y theta'), me.dynamicsymbols('v_x v_y omega')
    world, frame, origin = me.ReferenceFrame('N'), me.ReferenceFrame('B'), me.Point('O')
    frame.orient_axis(world, q[2], world.z)
    frame.set_ang_vel(world, u[2] * world.z)
    origin.set_vel(world, 0)
    body_origin = origin.locatenew('P', q[0] * world.x + q[1] * world.y)
    body_origin.set_vel(world, u[0] * world.x + u[1] * world.y)
    com = body_origin.locatenew('C', pb.CX * frame.x + pb.CY * frame.y)
    com.v2pt_theory(body_origin, world, frame)
    inertia = me.inertia(frame, 0, 0, pb.INERTIA)
    body = me.RigidBody('body', com, frame, pb.MASS, (inertia, com))
    loads = [
        (com, (pb.FX + pb.MASS * pb.GX) * world.x + (pb.FY + pb.MASS * pb.GY) * world.y),
        (frame, pb.TORQUE * world.z),
    ]
    t = me.dynamicsymbols._t
    method = me.KanesMethod(world, q, u, [a.diff(t) - b for a, b in zip(q, u, strict=True)])
    method.kanes_equations([body], loads)
    plain = dict(zip([*u, *q], [*pb.U, *pb.Q], strict=True))
    arguments = [*pb.Q, *pb.U, *pb.WRENCH, *pb.PARAMETERS]
    matrices = (me.msubs(method.mass_matrix, plain), me.msubs(method.forcing, plain))
    evaluate = sm.lambdify(arguments, matrices)  # our own symbols, no input from outside

    def udot(q, u, wrench, parameters):
        mass_matrix, forcing = evaluate(*q, *u, *wrench, *parameters)
        return np.linalg.solve(mass_matrix, forcing).ravel()

    return udot


@settings(max_examples=100, deadline=None)
@given(q=triple, u=triple, wrench=triple)
def test_accelerations_are_those_of_kanes_method(q, u, wrench, dynamics, kane):
    qdot, udot = dynamics(q, u, wrench, PARAMETERS)
    assert qdot == u
    # 1e-12: the smallest eigenvalue of M is 0.2, so rounding stays within 1e3 ulp
    assert udot == pytest.approx(kane(q, u, wrench, PARAMETERS), rel=1e-12, abs=1e-12)


def test_a_centred_body_obeys_newton_and_euler(dynamics):
    _, udot = dynamics((1, 2, 3), (4, 5, 6), (7, 8, 9), (2.0, 0.5, 0.0, 0.0, 0.1, -9.81))
    assert udot == pytest.approx((7 / 2 + 0.1, 8 / 2 - 9.81, 9 / 0.5), rel=1e-15)


def test_the_mass_matrix_is_that_of_the_textbook():
    mass_matrix, _ = pb.equations()
    c, s = sm.cos(pb.ANGLE), sm.sin(pb.ANGLE)
    x, y = -pb.MASS * (pb.CX * s + pb.CY * c), pb.MASS * (pb.CX * c - pb.CY * s)
    expected = sm.Matrix(
        [
            [pb.MASS, 0, x],
            [0, pb.MASS, y],
            [x, y, pb.INERTIA + pb.MASS * (pb.CX**2 + pb.CY**2)],
        ]
    )
    assert (mass_matrix - expected).applyfunc(sm.simplify) == sm.zeros(3)


@given(q=triple, u=triple)
def test_the_twist_is_the_rate_of_the_pose(q, u):
    kinematics = compile_function(pb.kinematics())
    h = 1e-6
    ahead = kinematics([a + h * b for a, b in zip(q, u, strict=True)], u, PARAMETERS)
    behind = kinematics([a - h * b for a, b in zip(q, u, strict=True)], u, PARAMETERS)
    _, _, twist = kinematics(q, u, PARAMETERS)
    for axis in range(2):
        slope = (ahead[1][axis] - behind[1][axis]) / (2.0 * h)
        assert twist[axis] == pytest.approx(slope, abs=1e-8)  # h^2 and rounding / h
    assert twist[2] == u[2]
