"""Integration of the state over one step."""

from __future__ import annotations

from collections.abc import Callable

State = list[float]
Rates = Callable[[State], State]


def rk4(rates: Rates, state: State, h: float) -> State:
    """Return the state after h [s] by the classical Runge-Kutta method of order 4."""
    k1 = rates(state)
    k2 = rates([x + 0.5 * h * k for x, k in zip(state, k1, strict=True)])
    k3 = rates([x + 0.5 * h * k for x, k in zip(state, k2, strict=True)])
    k4 = rates([x + h * k for x, k in zip(state, k3, strict=True)])
    return [
        x + h / 6.0 * (a + 2.0 * (b + c) + d)
        for x, a, b, c, d in zip(state, k1, k2, k3, k4, strict=True)
    ]


INTEGRATORS = {'rk4': rk4}
