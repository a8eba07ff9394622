"""
Sine, cosine and tangent: reduction of the angle to at most pi/4, and polynomials.

An angle is x = n pi/2 + r, and r has about 100 bits as a value and a rest: near a multiple of pi/2
most bits of x cancel, and one double would not be sufficient.
"""

from __future__ import annotations

from symcontact_ros.kernels.elementary.doubles import head, INFINITY, NAN, NORMAL, ROUNDER
from symcontact_ros.kernels.language import bits_of, from_bits, separate

FAR = 8e5  # [rad] up to here the number of quarter turns is below 2**19
TWO_OVER_PI = 0.6366197723675814

# pi/2 in pieces of 33, 33, 33 and 53 bits: products of the first three with n are exact.
QUARTER_1 = 1.5707963267341256
QUARTER_2 = 6.077100506303966e-11
QUARTER_3 = 2.0222662487111665e-21
QUARTER_4 = 8.4784276603689e-32

# sin r = r - SIXTH r z + r z (S1 + z S2 + ...) with z = r**2, over r up to pi/4: off by 2**-57.9
# of it. SIXTH is 1/6 in 11 bits, and S1 is what it lacks.
FEW = -(1 << 39)  # all bits of a float but the lower 39 of 53
SIXTH = 1365.0 / 8192.0
S1 = SIXTH - 0.1666666666666663
S2 = 0.00833333333332184
S3 = -0.0001984126982935847
S4 = 2.755731353846502e-06
S5 = -2.5050734376367415e-08
S6 = 1.5895432309762065e-10

# cos r = 1 - z/2 + z**2 (C1 + z C2 + ...), likewise: off by 2**-63.9.
C1 = 0.041666666666666595
C2 = -0.0013888888888873346
C3 = 2.480158728900588e-05
C4 = -2.7557314218253654e-07
C5 = 2.087570556418396e-09
C6 = -1.1358757771157264e-11


def sin(x: float) -> float:
    """Return the sine of an angle [rad]."""
    if abs(x) <= FAR:
        quarter, r, rest = _reduced(x)
        if quarter & 1 == 0:
            value, small = _sine(r, rest)
        else:
            value, small = _cosine(r, rest)
        value = value + small
        return value if quarter & 2 == 0 else -value
    return _far_cos_sin(x)[1]


def cos(x: float) -> float:
    """Return the cosine of an angle [rad]."""
    if abs(x) <= FAR:
        quarter, r, rest = _reduced(x)
        if quarter & 1 == 0:
            value, small = _cosine(r, rest)
        else:
            value, small = _sine(r, rest)
        value = value + small
        return value if (quarter + 1) & 2 == 0 else -value
    return _far_cos_sin(x)[0]


def cos_sin(x: float) -> tuple[float, float]:
    """Return cosine and sine of an angle [rad]: the same numbers as one by one."""
    if abs(x) <= FAR:
        quarter, r, rest = _reduced(x)
        return _turned(quarter, r, rest)
    return _far_cos_sin(x)


def tan(x: float) -> float:
    """Return the tangent of an angle [rad]."""
    if abs(x) <= FAR:
        quarter, r, rest = _reduced(x)
        return _tangent(quarter, r, rest)
    return _far_tan(x)


def _reduced(x: float) -> tuple[int, float, float]:
    """Return n modulo 4, and r as value and rest, of an angle up to `FAR`."""
    shifted = x * TWO_OVER_PI + ROUNDER
    n = shifted - ROUNDER
    first = x - n * QUARTER_1  # exact
    part = n * QUARTER_2
    second = first - part
    rest = (first - second) - part  # the rounding error, exact
    part = n * QUARTER_3
    r = second - part
    rest = (rest + ((second - r) - part)) - n * QUARTER_4
    return bits_of(shifted) & 3, r, rest


def _sine(r: float, rest: float) -> tuple[float, float]:
    """Return the sine of r + rest as the sum of r and a small term."""
    z = r * r
    w = z * z
    series = S1 + (z * (S2 + z * S3) + z * w * (S4 + z * S5 + w * S6))
    # Of r**3, what 14 bits of r give is exact: its roundings would be the largest ones.
    upper = from_bits(bits_of(r) & FEW)
    cubic = upper * upper * upper * SIXTH
    cubic_rest = (r - upper) * (z + upper * (r + upper)) * SIXTH
    return r, -(cubic + ((z * (0.5 * rest - r * series) + cubic_rest) - rest))


def _cosine(r: float, rest: float) -> tuple[float, float]:
    """Return the cosine of r + rest as 1 - r**2 / 2, of 26 bits of r, and a small term."""
    z = r * r
    w = z * z
    series = C1 + z * C2 + w * (C3 + z * C4 + w * (C5 + z * C6))
    upper = head(r)
    half = 0.5 * upper * upper
    value = 1.0 - half
    lost = (1.0 - value) - half
    return value, (lost + w * series) - (0.5 * (r - upper) * (r + upper) + r * rest)


def _turned(quarter: int, r: float, rest: float) -> tuple[float, float]:
    """Return cosine and sine of r + rest and a number of quarter turns."""
    value, small = _cosine(r, rest)
    cosine = value + small
    value, small = _sine(r, rest)
    sine = value + small
    if quarter & 1 == 1:
        cosine, sine = sine, cosine
    return (
        cosine if (quarter + 1) & 2 == 0 else -cosine,
        sine if quarter & 2 == 0 else -sine,
    )


def _tangent(quarter: int, r: float, rest: float) -> float:
    """Return the tangent of r + rest and a number of quarter turns."""
    top, top_rest = _sine(r, rest)
    bottom, bottom_rest = _cosine(r, rest)
    if quarter & 1 == 1:
        top, top_rest, bottom, bottom_rest = -bottom, -bottom_rest, top, top_rest
    numerator, denominator = top + top_rest, bottom + bottom_rest
    top_rest = top_rest - (numerator - top)
    bottom_rest = bottom_rest - (denominator - bottom)
    inverse = 1.0 / denominator
    # A quotient of 26 bits; what it has too much is known well enough after one more product.
    quotient = head(numerator * inverse)
    upper = head(denominator)
    excess = (quotient * upper - numerator) + quotient * (denominator - upper)
    excess = excess + (quotient * bottom_rest - top_rest)
    return quotient - excess * inverse


# Far angles -------------------------------------------------------------------------------------

# The first 1200 bits of 2/pi after the point, as many as the largest float needs.
TWO_OVER_PI_BITS = int(
    'a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424'
    'dd2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d6'
    '39835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74'
    'f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b',
    16,
)
DIGIT_BITS = 30
DIGIT = (1 << DIGIT_BITS) - 1
# The same in digits of 30 bits, after three zeros.
DIGITS = (
    0,
    0,
    0,
    *((TWO_OVER_PI_BITS >> DIGIT_BITS * (39 - place)) & DIGIT for place in range(40)),
)
UNITS = (2.0**-30, 2.0**-60, 2.0**-90, 2.0**-120)  # of digits after the point
# pi/2 as value and rest, and the value in two.
QUARTER = 1.5707963267948966
QUARTER_REST = 6.123233995736766e-17
QUARTER_HEAD = head(QUARTER)
QUARTER_TAIL = QUARTER - QUARTER_HEAD


@separate
def _far_cos_sin(x: float) -> tuple[float, float]:
    """Return cosine and sine of an angle beyond `FAR`, or nan."""
    if abs(x) < INFINITY:
        quarter, r, rest = _far_reduced(x)
        return _turned(quarter, r, rest)
    return NAN, NAN


@separate
def _far_tan(x: float) -> float:
    """Return the tangent of an angle beyond `FAR`, or nan."""
    if abs(x) < INFINITY:
        quarter, r, rest = _far_reduced(x)
        return _tangent(quarter, r, rest)
    return NAN


@separate
def _far_reduced(x: float) -> tuple[int, float, float]:
    """
    Return n modulo 4, and r as value and rest, of an angle beyond `FAR`.

    After Payne and Hanek: x is a whole number times a power of two, so of its product with 2/pi
    only seven digits matter. Those above are multiples of four, those below are too small.
    """
    bits = bits_of(abs(x))
    exponent = (bits >> 52) - 1075
    place = exponent // DIGIT_BITS  # -2 to 32
    shift = exponent - place * DIGIT_BITS
    # The whole number, of 53 bits and shifted, as three digits.
    whole = (bits & (NORMAL - 1)) | NORMAL
    carry = (whole & DIGIT) << shift
    low = carry & DIGIT
    carry = ((whole >> DIGIT_BITS) << shift) + (carry >> DIGIT_BITS)
    middle, high = carry & DIGIT, carry >> DIGIT_BITS
    # The product from the sixth digit after the point up; the last four stay, as two times two.
    carry, firsts, thirds = 0, 0, 0
    a, b = DIGITS[place + 10], DIGITS[place + 9]
    for digit in range(6):
        c = DIGITS[place + 8 - digit]
        carry = carry + high * a + middle * b + low * c
        a, b = b, c
        thirds = (thirds >> DIGIT_BITS) | ((firsts & DIGIT) << DIGIT_BITS)
        firsts = (firsts >> DIGIT_BITS) | ((carry & DIGIT) << DIGIT_BITS)
        carry = carry >> DIGIT_BITS
    n = carry + high * a + middle * b + low * DIGITS[place + 2]
    if firsts >= 1 << 59:  # a half or more: nearer to the next quarter
        n, firsts = n + 1, firsts - (1 << 60)
    r, rest = _in_radians(firsts, thirds)
    return (n & 3, r, rest) if x > 0.0 else (-n & 3, -r, -rest)


def _in_radians(firsts: int, thirds: int) -> tuple[float, float]:
    """Return (firsts / 2**60 + thirds / 2**120) pi/2 as value and rest."""
    first = float(firsts >> DIGIT_BITS) * UNITS[0]
    second = float(firsts & DIGIT) * UNITS[1]
    third = float(thirds >> DIGIT_BITS) * UNITS[2]
    fourth = float(thirds & DIGIT) * UNITS[3]
    two = first + second
    three = two + third
    rest = (second - (two - first)) + (third - (three - two)) + fourth
    turns = three + rest
    rest = rest - (turns - three)
    upper = head(turns)
    lower = turns - upper
    r = turns * QUARTER
    lost = (upper * QUARTER_HEAD - r) + upper * QUARTER_TAIL + lower * QUARTER_HEAD
    lost = lost + lower * QUARTER_TAIL
    return r, lost + (turns * QUARTER_REST + rest * QUARTER)
