"""How finely a step must be cut for its contacts, judged from the state at its start."""

from __future__ import annotations

import math
from typing import NamedTuple

from symcontact_ros.contact.laws import Constants
from symcontact_ros.simulation.interaction import Motion, Touch

SPRING_LIMIT = 0.3  # of omega h: accuracy of rk4 through an impact
FRICTION_LIMIT = 2.0  # of rate h: rk4 is stable to 2.78


class Weight(NamedTuple):
    """What a body opposes to a force in the plane; inf where it never moves."""

    mass: float  # [kg]
    inertia: float  # about the centre of mass [kg m^2]


def needed_parts(
    touch: Touch, constants: Constants, bodies: list[tuple[Motion, Weight]], h: float
) -> float:
    """Return into how many parts a step of h [s] must be cut for one touch; below 1: none."""
    distance, nx, ny = touch.gap[:3]
    normal_force = touch.fx * nx + touch.fy * ny
    if distance >= 0.0 or normal_force <= 0.0:
        return 0.0
    stiffness = 3.0 * normal_force / -distance  # dF/drho of the cubic law
    omega = math.sqrt(stiffness / effective_mass(touch.point, nx, ny, bodies))
    drag = constants.friction * normal_force / (2.0 * constants.slip_speed)  # dF_T/dv_T at rest
    rate = drag / effective_mass(touch.point, -ny, nx, bodies)
    return h * max(omega / SPRING_LIMIT, rate / FRICTION_LIMIT)


def effective_mass(
    point: tuple[float, float], dx: float, dy: float, bodies: list[tuple[Motion, Weight]]
) -> float:
    """Return the mass that a force along the unit vector (dx, dy) at a point moves [kg]."""
    inverse = 0.0
    for motion, weight in bodies:
        arm = (point[0] - motion.com[0]) * dy - (point[1] - motion.com[1]) * dx
        # A body without mass of its own is part of another one: it adds nothing here.
        inverse += 1.0 / weight.mass if weight.mass else 0.0
        inverse += arm * arm / weight.inertia if weight.inertia else 0.0
    return 1.0 / inverse if inverse else math.inf
