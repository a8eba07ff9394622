"""Integration of the state over one step."""

from __future__ import annotations

from collections.abc import Callable

from symcontact_ros.types import Vector

Rates = Callable[[Vector], Vector]


def rk4(rates: Rates, state: Vector, h: float) -> Vector:
    """Return the state after h [s] by the classical Runge-Kutta method of order 4."""
    k1 = rates(state)
    k2 = rates(state + 0.5 * h * k1)
    k3 = rates(state + 0.5 * h * k2)
    k4 = rates(state + h * k3)
    return state + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)


INTEGRATORS = {'rk4': rk4}
