"""Contact constants from measurable quantities: rest depth and restitution."""

from __future__ import annotations

import math

from symcontact_ros.errors import OptionError, shown_value
from symcontact_ros.types import float_of


def damping_for(restitution: float, impact_speed: float) -> float:
    """
    Return the damping c [s/m] that gives a restitution at an impact speed [m/s].

    The law F = k rho^n (1 - c v_N) has an exact restitution e that depends on x = c v alone:
    x - ln(1 + x) = -e x - ln(1 - e x), for every n and k.
    """
    if not 0.0 < restitution <= 1.0:
        raise OptionError(f'restitution must be > 0 and <= 1, got {shown_value(restitution)}')
    if not 0.0 < float_of(impact_speed) < math.inf:
        got = shown_value(impact_speed)
        raise OptionError(f'impact_speed must be finite and > 0, got {got}')

    if restitution == 1.0:
        return 0.0
    # The excess is positive just above 0 and falls to -inf at x = 1 / e: bisect in between.
    low, high = 0.0, 1.0 / restitution
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if _excess(middle, restitution) > 0.0 else (low, middle)
    return low / impact_speed


def restitution_for(damping: float, impact_speed: float) -> float:
    """Return the restitution that a damping c [s/m] gives at an impact speed [m/s]."""
    x = damping * impact_speed
    if x == 0.0:
        return 1.0
    low, high = 0.0, 1.0  # the excess of x at e falls as e grows
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        inside = middle * x < 1.0 and _excess(x, middle) > 0.0
        low, high = (middle, high) if inside else (low, middle)
    return low


def stiffness_for(rest_depth: float, weight: float, exponent: float) -> float:
    """Return the stiffness k [N/m^n] at which a weight [N] rests at a depth [m]."""
    if not 0.0 < float_of(rest_depth) < math.inf:
        raise OptionError(f'rest_depth must be finite and > 0, got {shown_value(rest_depth)}')
    if not math.isfinite(float_of(weight)) or not math.isfinite(float_of(exponent)):
        raise OptionError('weight and exponent must be finite')
    return weight / math.pow(rest_depth, exponent)


def _excess(x: float, e: float) -> float:
    """Return (x - ln(1 + x) + e x + ln(1 - e x)) / x^2, by its series where that cancels."""
    if x < 0.1:
        return sum(x ** (k - 2) * ((-1.0) ** k - e**k) / k for k in range(2, 24))
    return (x - math.log1p(x) + e * x + math.log1p(-e * x)) / (x * x)
