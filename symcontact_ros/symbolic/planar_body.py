"""
Equations of motion of one body in the plane, by Kane's method.

Every planar body obeys the same equations with other constants, so they are derived once and the
compiled functions are shared by all of them.
"""

from __future__ import annotations

import sympy as sm

from symcontact_ros.symbolic.lowering import lower
from symcontact_ros.tape import Program

# q: position of the body origin and angle; u: their rates; all in world axes.
Q = X, Y, ANGLE = sm.symbols('x y theta', real=True)
U = VX, VY, RATE = sm.symbols('v_x v_y omega', real=True)
# Wrench on the body, world axes, about the centre of mass.
WRENCH = FX, FY, TORQUE = sm.symbols('F_x F_y T', real=True)
PARAMETERS = MASS, INERTIA, CX, CY, GX, GY = sm.symbols('m I c_x c_y g_x g_y', real=True)


def equations() -> tuple[sm.Matrix, sm.Matrix]:
    """Return (M, forcing) of M udot = forcing [kg, kg m, kg m^2; N, N, N m]."""
    com = sm.Matrix(_centre_of_mass())
    velocity = _rate(com)
    partial = velocity.jacobian(U)  # partial velocities of the centre of mass
    turning = sm.Matrix([[0, 0, 1]])  # partial angular velocity

    mass_matrix = MASS * partial.T * partial + INERTIA * turning.T * turning
    remainder = _rate(velocity)  # the acceleration at udot = 0
    applied = sm.Matrix([FX + MASS * GX, FY + MASS * GY])
    forcing = partial.T * (applied - MASS * remainder) + turning.T * TORQUE
    return mass_matrix.applyfunc(sm.trigsimp), forcing


def dynamics() -> Program:
    """Return the program (q, u, wrench, parameters) -> qdot, udot; the solve is unrolled."""
    mass_matrix, forcing = equations()
    udot = mass_matrix.LUsolve(forcing)
    return lower(
        'planar_body_dynamics',
        {'q': Q, 'u': U, 'wrench': WRENCH, 'parameters': PARAMETERS},
        {'qdot': U, 'udot': list(udot)},
    )


def kinematics() -> Program:
    """
    Return the program (q, u, parameters) -> frame, com, twist.

    ``frame`` is x, y, cos, sin of the body frame; ``com`` the centre of mass; ``twist`` the
    velocity of the centre of mass and the rate of turn.
    """
    com = sm.Matrix(_centre_of_mass())
    return lower(
        'planar_body_kinematics',
        {'q': Q, 'u': U, 'parameters': PARAMETERS},
        {
            'frame': [X, Y, sm.cos(ANGLE), sm.sin(ANGLE)],
            'com': list(com),
            'twist': [*_rate(com), RATE],
        },
    )


def _centre_of_mass() -> list[sm.Expr]:
    cos, sin = sm.cos(ANGLE), sm.sin(ANGLE)
    return [X + CX * cos - CY * sin, Y + CX * sin + CY * cos]


def _rate(vector: sm.Matrix) -> sm.Matrix:
    """Return the time derivative of a vector of q and u, at constant u."""
    return vector.jacobian(Q) * sm.Matrix(U)
