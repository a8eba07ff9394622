"""Inverse trigonometric functions: angles [rad] of quotients, sines and cosines."""

from __future__ import annotations

import math

from symcontact_ros.kernels.elementary.doubles import (
    head,
    INFINITE,
    INFINITY,
    NAN,
    scaled,
    with_sign,
)
from symcontact_ros.kernels.language import bits_of, separate

# pi/2 and pi as value and rest.
QUARTER = 1.5707963267948966
QUARTER_REST = 6.123233995736766e-17
PI = 3.141592653589793
PI_REST = 1.2246467991473532e-16

# atan t = t + t z (A1 + z A2 + ...) with z = t**2, over t up to 1/4: off by 2**-63.7 of it.
A1 = -0.3333333333333332
A2 = 0.1999999999999155
A3 = -0.1428571428382568
A4 = 0.11111110904450096
A5 = -0.09090896291218277
A6 = 0.0769182780995041
A7 = -0.06655528498998467
A8 = 0.057249293819732115
A9 = -0.04000209219603934
# atan(1/2) and atan(1) as value and rest; from which quotients on these are nearer than 0.
NEAR_HALF = 0.25
NEAR_ONE = 0.72
ATAN_HALF = 0.4636476090008061
ATAN_HALF_REST = 2.2698777452961687e-17
ATAN_ONE = 0.7853981633974483
ATAN_ONE_REST = 3.061616997868383e-17

# asin s = s + s z (B1 + z B2 + ...) with z = s**2, over s up to 1/2: off by 2**-59.8 of it.
B1 = 0.16666666666666763
B2 = 0.0749999999997013
B3 = 0.044642857175252806
B4 = 0.030381942676977913
B5 = 0.022372215855549733
B6 = 0.017351596442571456
B7 = 0.013981006866706929
B8 = 0.011397390931190412
B9 = 0.010788761951326312
B10 = 0.0036743285209809534
B11 = 0.02178537227576507
B12 = -0.0211091872933939
B13 = 0.03269741768144719

STEEP = 1e17  # from here on an arctangent is that of infinity
FLAT = 2.0**-60  # up to here an angle is its tangent
SMALLEST, LARGEST = 1e-150, 1e150  # with numbers within, no step of atan2 loses bits


def atan(x: float) -> float:
    """Return the angle [rad] whose tangent is given, between -pi/2 and pi/2."""
    size = abs(x)
    if size <= 1.0:
        return with_sign(_turned(size, 1.0, 0.0, 0.0, 1.0), x)
    if size <= STEEP:
        return with_sign(_turned(1.0, size, QUARTER, QUARTER_REST, -1.0), x)
    return with_sign(QUARTER, x) if size > STEEP else NAN


def atan2(y: float, x: float) -> float:
    """Return the angle [rad] of a point from the x axis, between -pi and pi."""
    width, height = abs(x), abs(y)
    if SMALLEST < width < LARGEST and SMALLEST < height < LARGEST:
        return _angle(y, x, height, width)
    return _special_atan2(y, x)


def _angle(y: float, x: float, height: float, width: float) -> float:
    """Return the angle of a point given by its coordinates and, in another unit, their sizes."""
    if height <= width:
        base, base_rest, sign = (0.0, 0.0, 1.0) if x > 0.0 else (PI, PI_REST, -1.0)
        return with_sign(_turned(height, width, base, base_rest, sign), y)
    sign = -1.0 if x > 0.0 else 1.0
    return with_sign(_turned(width, height, QUARTER, QUARTER_REST, sign), y)


def _turned(small: float, large: float, base: float, base_rest: float, sign: float) -> float:
    """
    Return a base plus or minus the angle whose tangent is a quotient up to 1.

    The angle is that of c, which is 0, 1/2 or 1, plus that of t = (q - c) / (1 + c q).
    """
    center, value, rest = (0.0, 0.0, 0.0)
    if small > NEAR_ONE * large:
        center, value, rest = 1.0, ATAN_ONE, ATAN_ONE_REST
    elif small > NEAR_HALF * large:
        center, value, rest = 0.5, ATAN_HALF, ATAN_HALF_REST
    top = small - center * large  # exact
    part = center * small
    bottom = large + part
    bottom_rest = part - (bottom - large)
    # t as 26 bits and a rest.
    inverse = 1.0 / bottom
    t = top * inverse
    quotient = head(t)
    upper = head(bottom)
    lacking = ((top - quotient * upper) - quotient * (bottom - upper)) - quotient * bottom_rest
    z = t * t
    w = z * z
    series = A1 + z * A2 + w * (A3 + z * A4 + w * (A5 + z * A6 + w * (A7 + z * A8 + w * A9)))
    rest = rest + (lacking * inverse + t * z * series)
    # Large terms first, with the rounding errors of the sums.
    value, quotient = sign * value, sign * quotient
    first = base + value
    total = first + quotient
    lost = (value - (first - base)) + (quotient - (total - first))
    return total + (lost + (base_rest + sign * rest))


@separate
def _special_atan2(y: float, x: float) -> float:
    """Return the angle of a point with a coordinate that is zero, huge, tiny, inf or nan."""
    width, height = abs(x), abs(y)
    if bits_of(width) > INFINITE or bits_of(height) > INFINITE:
        return NAN
    if height == 0.0:
        return with_sign(0.0 if bits_of(x) >= 0 else PI, y)
    large = max(width, height)
    if large == INFINITY:
        width = 1.0 if width == large else 0.0
        height = 1.0 if height == large else 0.0
    elif x > 0.0 and height < width * FLAT:
        return y / x
    else:
        exponent = 1023 - (bits_of(large) >> 52)
        width, height = scaled(width, exponent), scaled(height, exponent)
    return _angle(y, x, height, width)


def asin(x: float) -> float:
    """Return the angle [rad] whose sine is given, between -pi/2 and pi/2."""
    size = abs(x)
    if size <= 0.5:
        return with_sign(size + _arc(size, x * x), x)
    if size < 1.0:
        value, rest = _half_angle(size)
        angle = QUARTER - 2.0 * value
        lost = (QUARTER - angle) - 2.0 * value
        return with_sign(angle + (lost + (QUARTER_REST - 2.0 * rest)), x)
    return with_sign(QUARTER, x) if size == 1.0 else NAN


def acos(x: float) -> float:
    """Return the angle [rad] whose cosine is given, between 0 and pi."""
    size = abs(x)
    if size <= 0.5:
        angle = QUARTER - x
        return angle + (((QUARTER - angle) - x) + (QUARTER_REST - _arc(x, x * x)))
    if size < 1.0:
        value, rest = _half_angle(size)
        if x > 0.0:
            return 2.0 * (value + rest)
        angle = PI - 2.0 * value
        return angle + (((PI - angle) - 2.0 * value) + (PI_REST - 2.0 * rest))
    return _special_acos(x)


def _special_acos(x: float) -> float:
    """Return the angle whose cosine is 1, -1, or nothing."""
    if x == 1.0:
        return 0.0
    return PI if x == -1.0 else NAN


def _half_angle(cosine: float) -> tuple[float, float]:
    """Return half the angle of a cosine from 1/2 to 1, as 26 bits and a rest."""
    z = 0.5 * (1.0 - cosine)  # sin(angle / 2)**2
    s = math.sqrt(z)
    upper = head(s)
    return upper, (z - upper * upper) / (s + upper) + _arc(s, z)


def _arc(s: float, z: float) -> float:
    """Return asin s - s for s up to 1/2 and its square z."""
    w = z * z
    v = w * w
    series = B1 + z * B2 + w * (B3 + z * B4) + v * (B5 + z * B6 + w * (B7 + z * B8))
    series = series + v * v * (B9 + z * B10 + w * (B11 + z * B12 + w * B13))
    return s * z * series
