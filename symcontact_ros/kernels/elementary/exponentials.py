"""Exponential and hyperbolic functions: x = n ln 2 + r with r up to ln(2)/2, for polynomials."""

from __future__ import annotations

from symcontact_ros.kernels.elementary.doubles import (
    head,
    INFINITY,
    NAN,
    power_of_two,
    ROUNDER,
    ROUNDER_BITS,
    scaled,
    with_sign,
)
from symcontact_ros.kernels.language import bits_of, separate

ONE_OVER_LN2 = 1.4426950408889634
# ln 2 in pieces of 42 and 53 bits: products of the first with n are exact.
LN2 = 0.6931471805598903
LN2_REST = 5.497923018708371e-14

# cosh r = 1 + z (0.5 + z E2 + ...) and sinh r = r + r z (E1 + z E3 + ...) with z = r**2, over r
# up to ln(2)/2: off by 2**-70 and 2**-61.7 of them.
E1 = 0.16666666666666677
E2 = 0.041666666666666685
E3 = 0.008333333333321376
E4 = 0.0013888888888873283
E5 = 0.0001984126988686799
E6 = 2.4801587349202276e-05
E7 = 2.7557243375105803e-06
E8 = 2.7557251819262705e-07
E9 = 2.5109355773890776e-08
E10 = 2.0921770160275007e-09

# tanh x = x + x z (T1 + z T2 + ...) with z = x**2, over x up to 0.3: off by 2**-60.4 of it.
SMALL = 0.3
T1 = -0.3333333333333326
T2 = 0.13333333333306657
T3 = -0.05396825393536124
T4 = 0.02186948657225643
T5 = -0.008863170536756318
T6 = 0.0035908705675478567
T7 = -0.001441630598133834
T8 = 0.0005023816998435658

USUAL = 708.0  # up to here an exponential and its inverse have all their bits
HYPERBOLIC = 22.0  # from here on 1 / e**x is less than 2**-63 of e**x
LAST = 750.0  # from here on e**x is infinite, and 1 / e**x is zero


def exp(x: float) -> float:
    """Return e to the power of x."""
    if abs(x) <= USUAL:
        n, r, rest = _reduced(x, 0.0)
        value, small = _near_one(r, rest)
        return (value + small) * power_of_two(n)
    return _far_exp(x, 0)


def sinh(x: float) -> float:
    """Return the hyperbolic sine."""
    size = abs(x)
    if size <= HYPERBOLIC:
        n, r, rest = _reduced(size, 0.0)
        half, even, odd = _series(r, rest)
        up, down = power_of_two(n), power_of_two(-n)
        base, other = up - down, up + down
        first, lost = _sum(base, up * r, down * r)
        value, small = _sum(first, up * half, -down * half)
        small = (lost + small) + ((up - base) - down) + (base * even + other * odd)
        return with_sign(0.5 * (value + small), x)
    return with_sign(_far_exp(size, -1), x) if size > HYPERBOLIC else NAN


def cosh(x: float) -> float:
    """Return the hyperbolic cosine."""
    size = abs(x)
    if size <= HYPERBOLIC:
        n, r, rest = _reduced(size, 0.0)
        half, even, odd = _series(r, rest)
        up, down = power_of_two(n), power_of_two(-n)
        base, other = up + down, up - down
        first, lost = _sum(base, up * r, -down * r)
        value, small = _sum(first, up * half, down * half)
        small = (lost + small) + ((up - base) + down) + (base * even + other * odd)
        return 0.5 * (value + small)
    return _far_exp(size, -1)


def tanh(x: float) -> float:
    """Return the hyperbolic tangent."""
    size = abs(x)
    if size < SMALL:
        z = x * x
        w = z * z
        series = T1 + z * T2 + (w * (T3 + z * T4) + w * w * (T5 + z * T6 + w * (T7 + z * T8)))
        return with_sign(size + size * z * series, x)
    if size <= HYPERBOLIC:
        return with_sign(_large_tanh(size), x)
    return with_sign(1.0, x) if size > HYPERBOLIC else NAN


def _large_tanh(x: float) -> float:
    """Return 1 - 2 / (1 + e**2x) for x between `SMALL` and `HYPERBOLIC`."""
    n, r, rest = _reduced(2.0 * x, 0.0)
    value, small = _near_one(r, rest)
    up = power_of_two(n)
    value, small = _sum(up * value, 1.0, up * small)
    # A quotient of 26 bits; what it lacks is known well enough after one more product.
    inverse = 1.0 / value
    quotient = head(2.0 * inverse)
    upper = head(value)
    lacking = ((2.0 - quotient * upper) - quotient * (value - upper)) - quotient * small
    tangent = 1.0 - quotient
    return tangent + (((1.0 - tangent) - quotient) - lacking * inverse)


def _near_one(r: float, rest: float) -> tuple[float, float]:
    """Return e to the power of r + rest, for r up to ln(2)/2, as value and what is small."""
    half, even, odd = _series(r, rest)
    value, small = _sum(1.0, r, half)
    return value, small + (even + odd)


def _series(r: float, rest: float) -> tuple[float, float, float]:
    """
    Return cosh(r + rest) - 1 as two numbers, and sinh(r + rest) - r, for r up to ln(2)/2.

    The first is what 26 bits of r give of r**2 / 2: it is exact, and all else is small.
    """
    z = r * r
    w = z * z
    even = z * (E2 + z * E4) + z * w * (E6 + z * E8 + w * E10)
    odd = E1 + z * E3 + w * (E5 + z * E7 + w * E9)
    upper = head(r)
    square_rest = 0.5 * (r - upper) * (r + upper) + r * rest
    return 0.5 * upper * upper, square_rest + z * even, r * z * odd + rest


def _reduced(x: float, rest: float) -> tuple[int, float, float]:
    """Return n, and r as value and rest, of x + rest up to `LAST`."""
    shifted = x * ONE_OVER_LN2 + ROUNDER
    n = shifted - ROUNDER
    upper = x - n * LN2  # exact
    lower = n * LN2_REST - rest
    r = upper - lower
    return bits_of(shifted) - ROUNDER_BITS, r, (upper - r) - lower


def _sum(a: float, b: float, c: float) -> tuple[float, float]:
    """Return a + b + c, each of them smaller than those before it, as value and rest."""
    first = a + b
    value = first + c
    return value, (b - (first - a)) + (c - (value - first))


def scaled_exp(x: float, rest: float, exponent: int) -> float:
    """Return e to the power of x + rest, times 2 to the power of 0 or a little else."""
    if abs(x) < LAST:
        n, r, rest = _reduced(x, rest)
        value, small = _near_one(r, rest)
        return scaled(value + small, n + exponent)
    if x > 0.0:
        return INFINITY
    return 0.0 if x < 0.0 else NAN


@separate
def _far_exp(x: float, exponent: int) -> float:
    """Return e to the power of x, times 2 to the power of 0 or a little else."""
    return scaled_exp(x, 0.0, exponent)
