"""How finely a step must be cut for its contacts, judged from the state at its start."""

from __future__ import annotations

import math

from symcontact_ros.model.model import Material
from symcontact_ros.simulation.dynamics import Motion
from symcontact_ros.simulation.interaction import Touch

SPRING_LIMIT = 0.3  # of omega h: accuracy of rk4 through an impact
FRICTION_LIMIT = 2.0  # of rate h: rk4 is stable to 2.78


def needed_parts(touch: Touch, material: Material, a: Motion, b: Motion, h: float) -> float:
    """Return into how many parts a step of h [s] must be cut for one touch; below 1: none."""
    distance, nx, ny = touch.gap[:3]
    normal_force = touch.fx * nx + touch.fy * ny
    if distance >= 0.0 or normal_force <= 0.0:
        return 0.0
    stiffness = 3.0 * normal_force / -distance  # dF/drho of the cubic law
    omega = math.sqrt(stiffness / effective_mass(touch.point, nx, ny, a, b))
    drag = material.friction * normal_force / (2.0 * material.slip_speed)  # dF_T/dv_T at rest
    rate = drag / effective_mass(touch.point, -ny, nx, a, b)
    return h * max(omega / SPRING_LIMIT, rate / FRICTION_LIMIT)


def effective_mass(
    point: tuple[float, float], dx: float, dy: float, a: Motion, b: Motion
) -> float:
    """Return the mass that a force along the unit vector (dx, dy) at a point moves [kg]."""
    inverse = 0.0
    for body in (a, b):
        arm = (point[0] - body.com[0]) * dy - (point[1] - body.com[1]) * dx
        inverse += 1.0 / body.mass + arm * arm / body.inertia
    return 1.0 / inverse
