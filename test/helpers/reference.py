"""An independent reference: the bouncing circle by SciPy, written from the textbook."""

import math

import numpy as np
from scipy.integrate import solve_ivp

GRAVITY, MASS, RADIUS = 9.81, 1.0, 0.2
STIFFNESS, DAMPING, FRICTION, SLIP_SPEED = 1e7, 0.2, 0.3, 0.1


def rates(time, state):
    """Return the time derivative of (x, y, angle, vx, vy, omega)."""
    _, y, _, vx, vy, omega = state
    depth = max(0.0, RADIUS - y)
    normal = STIFFNESS * depth**3 * max(0.0, 1.0 - DAMPING * vy)
    point = 0.5 * ((y - RADIUS) + 0.0)  # midpoint of the lowest point and the ground
    slip = vx - omega * (point - y)
    tangent = -FRICTION * normal * math.tanh(slip / (2 * SLIP_SPEED))
    inertia = 0.5 * MASS * RADIUS**2
    return [
        vx,
        vy,
        omega,
        tangent / MASS,
        normal / MASS - GRAVITY,
        -(point - y) * tangent / inertia,
    ]


def deepest_first_impact():
    """Return the depth of the first impact of config/models/bouncing_circle.yaml [m]."""
    run = solve_ivp(
        rates,
        (0.0, 0.5),
        [0, 1, 0, 1, 0, 0],
        method='DOP853',
        rtol=1e-12,
        atol=1e-14,
        max_step=1e-3,
        dense_output=True,
    )
    times = np.linspace(0.4, 0.5, 100_001)
    return RADIUS - run.sol(times)[1].min()
