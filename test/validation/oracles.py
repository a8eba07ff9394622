"""Closed forms of the contact law and of motion under it, in plain NumPy and SciPy."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq


def potential(c: float, s: float) -> float:
    """Return G(s) = s/c - ln(1 + c s)/c^2: the integral of s ds / (1 + c s); s approaching."""
    x = c * s
    if abs(x) < 1e-3:  # the closed form cancels
        return s * s * sum((-x) ** k / (k + 2) for k in range(8))
    return s / c - math.log1p(x) / (c * c)


def restitution(x: float) -> float:
    """Return e of F = k rho^n (1 - c v)+ at x = c v: any n, k and mass."""
    if x == 0.0:
        return 1.0
    target = potential(1.0, x)
    # The speed after it, y = e x, is below 1: the force would pull beyond.
    high = min(x, 1.0 - 1e-16)
    return brentq(lambda y: potential(1.0, -y) - target, 0.0, high, xtol=1e-17, rtol=1e-15) / x


def deepest(m: float, k: float, c: float, v: float, n: float = 3.0) -> float:
    """Return the largest depth of an impact without gravity."""
    return ((n + 1.0) * m * potential(c, v) / k) ** (1.0 / (n + 1.0))


def duration(m: float, k: float, c: float, v: float) -> float:
    """Return how long an impact of the cubic law lasts, without gravity, by quadrature."""
    depth, total = deepest(m, k, c, v), potential(c, v)

    def speed(theta: float, low: float, high: float) -> float:
        level = total * (1.0 - math.sin(theta) ** 4)
        return brentq(lambda s: potential(c, s) - level, low, high, xtol=1e-17, rtol=1e-14)

    fastest = restitution(c * v) * v
    parts = ((0.0, v), (-fastest * (1.0 + 1e-12), 0.0))
    return sum(
        quad(
            lambda t, low=low, high=high: (
                depth * math.cos(t) / max(abs(speed(t, low, high)), 1e-300)
            ),
            0.0,
            math.pi / 2.0,
            epsabs=1e-12,
            epsrel=1e-11,
            limit=200,
        )[0]
        for low, high in parts
    )


def friction_speed(v0: float, vs: float, rate: float, t: float) -> float:
    """Return v(t) of v' = -rate tanh(v / 2 vs): sinh(v / 2 vs) decays exponentially."""
    return 2.0 * vs * math.asinh(math.sinh(v0 / (2.0 * vs)) * math.exp(-rate * t / (2.0 * vs)))


def friction_way(v0: float, vs: float, rate: float, t: float) -> float:
    """Return the way that belongs to `friction_speed`."""
    edges = np.linspace(0.0, t, 20)
    return sum(
        quad(lambda s: friction_speed(v0, vs, rate, s), a, b, epsabs=1e-14, epsrel=1e-12)[0]
        for a, b in itertools.pairwise(edges)
    )


def scattering_angle(b: float, d: float, k: float, energy: float) -> float:
    """Return the deflection of two smooth discs with the potential k (d - r)^4 / 4 inside d."""

    def inside(r: float) -> float:
        return 1.0 - (b / r) ** 2 - k * (d - r) ** 4 / (4.0 * energy)

    nearest = brentq(inside, 1e-6, d, xtol=1e-16, rtol=1e-15)

    def integrand(s: float) -> float:  # r = nearest + s^2 takes the root away
        r = nearest + s * s
        return 2.0 * s * b / (r * r * math.sqrt(max(inside(r), 1e-300)))

    end = math.sqrt(d - nearest)
    within = quad(integrand, 1e-9, end, epsabs=1e-13, epsrel=1e-12, limit=400)[0]
    return math.pi - 2.0 * (within + math.asin(b / d))


@functools.cache
def chain(count: int, exponent: float, c: float = 0.0) -> np.ndarray:
    """Return the speeds after equal touching balls were hit by the first at speed 1."""

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        x, v = y[:count], y[count:]
        depth = np.maximum(0.0, x[:-1] - x[1:])
        force = depth**exponent * np.maximum(0.0, 1.0 + c * (v[:-1] - v[1:]))
        a = np.zeros(count)
        a[:-1] -= force
        a[1:] += force
        return np.concatenate([v, a])

    start = np.zeros(2 * count)
    start[count] = 1.0
    return solve_ivp(
        rates, (0.0, 40.0), start, method='DOP853', rtol=1e-11, atol=1e-13, max_step=0.1
    ).y[count:, -1]


def stop_restitution(decay: float, omega: float) -> float:
    """
    Return e of a spring and damper that never pull (Schwager and Poeschel 2007).

    ``decay`` is d / 2 I, ``omega`` the undamped frequency; the contact ends when the force is 0.
    """
    damped = math.sqrt(omega**2 - decay**2)
    return math.exp(
        -decay / damped * (math.pi - math.atan2(2.0 * decay * damped, damped**2 - decay**2))
    )
