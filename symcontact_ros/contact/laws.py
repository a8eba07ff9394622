"""The contact law of the paper (eq. 18), with its repairs."""

from __future__ import annotations

import math
from typing import NamedTuple


class Constants(NamedTuple):
    """What a pair of surfaces is like."""

    stiffness: float  # k [N/m^3]
    damping: float  # c [s/m]
    friction: float  # mu [-]
    slip_speed: float  # vs [m/s]


def elastic_plastic(
    penetration: float, normal_velocity: float, slip: float, constants: Constants
) -> tuple[float, float]:
    r"""
    Return (normal force, tangent force) on B [N]; A receives the opposite at the same point.

    .. math:: F_N = k \rho^3 (1 - c v_N)_+, \quad F_T = -\mu F_N \tanh(v_T / 2 v_s)

    ``penetration`` rho [m]; ``normal_velocity`` v_N [m/s] of B relative to A along the normal,
    negative while approaching; ``slip`` v_T [m/s] along the tangent.

    Two repairs of eq. (18): a contact never pulls, though the printed force turns negative once
    v_N > 1 / c; and 2 / (1 + exp(-x)) - 1 is written tanh(x / 2), which cannot overflow.
    """
    elastic = constants.stiffness * penetration**3
    normal_force = elastic * max(0.0, 1.0 - constants.damping * normal_velocity)
    return normal_force, -constants.friction * normal_force * math.tanh(
        slip / (2.0 * constants.slip_speed)
    )
