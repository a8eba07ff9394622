"""
Arithmetic in double-double precision for the elementary functions.

A number of higher precision is the sum of two doubles, a *value* and a small *rest*. Products of
*heads* are exact, so that the error of a rounded product or quotient can be computed.
"""

from __future__ import annotations

import math

from symcontact_ros.kernels.language import bits_of, from_bits

NAN = math.nan  # always this one: the bits of an undefined result depend on the machine
INFINITY = math.inf

NORMAL = 1 << 52  # bits of 2**-1022: smaller positive floats have fewer significant bits
INFINITE = 0x7FF << 52  # bits of infinity: those of a positive nan are above, if read as an int
ROUNDER = 6755399441055744.0  # 1.5 * 2**52: what is added to it is rounded to a whole number
ROUNDER_BITS = 0x4338 << 48  # whole numbers n up to 2**51 make them ROUNDER_BITS + n

_HEAD = -(1 << 27)  # all bits but the lower 27 of 53
_SIGN = -(1 << 63)


def head(x: float) -> float:
    """Return the upper 26 significant bits: the product of two such numbers is exact."""
    return from_bits(bits_of(x) & _HEAD)


def with_sign(size: float, x: float) -> float:
    """Return a number that is not negative with the sign of another one, be that -0.0."""
    return from_bits(bits_of(size) | (bits_of(x) & _SIGN))


def power_of_two(exponent: int) -> float:
    """Return 2 to the power of -1022 to 1023."""
    return from_bits((exponent + 1023) << 52)


def scaled(x: float, exponent: int) -> float:
    """Return x times 2 to the power of -2044 to 2046, rounded once if x is about 1."""
    half = exponent >> 1
    return x * power_of_two(half) * power_of_two(exponent - half)
