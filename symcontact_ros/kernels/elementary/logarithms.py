"""Logarithm and powers: x = 2**k m with m about 1, whose logarithm is a series of (m-1)/(m+1)."""

from __future__ import annotations

from symcontact_ros.kernels.elementary.doubles import (
    head,
    INFINITE,
    INFINITY,
    NAN,
    NORMAL,
)
from symcontact_ros.kernels.elementary.exponentials import LN2, LN2_REST, scaled_exp
from symcontact_ros.kernels.language import bits_of, from_bits, separate

SQRT_HALF = bits_of(0.7071067811865476)
# ln((1 + s) / (1 - s)) = 2 s + s z (L1 + z L2 + ...) with z = s**2, over arguments from the root
# of 1/2 to that of 2: off by 2**-59.5 of it.
L1 = 0.6666666666666734
L2 = 0.3999999999941707
L3 = 0.2857142874188541
L4 = 0.2222219862236612
L5 = 0.18183561871780315
L6 = 0.1531411112894834
L7 = 0.14795362774567478

TINY_SCALE = 2.0**54  # makes the smallest floats normal ones
TINY_EXPONENT = 54


def log(x: float) -> float:
    """Return the natural logarithm: -inf of zero, nan of what is below."""
    bits = bits_of(x)
    if NORMAL <= bits < INFINITE:
        return _log(bits, 0)
    return _special_log(x)


def _log(bits: int, offset: int) -> float:
    """Return the logarithm of a normal number, given by its bits, times 2 to a power."""
    k = (bits - SQRT_HALF) >> 52
    f = from_bits(bits - (k << 52)) - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    series = z * (L1 + z * L2 + w * (L3 + z * L4 + w * (L5 + z * L6 + w * L7)))
    # ln(1 + f) = f - f**2/2 + s (f**2/2 + series), and what 26 bits of f give of its square is
    # exact. Large terms are summed first, with the rounding errors.
    upper = head(f)
    half = 0.5 * upper * upper
    square_rest = 0.5 * (f - upper) * (f + upper)
    n = float(k + offset)
    base = n * LN2
    first = f - half
    value = base + first
    lost = ((f - first) - half) + (first - (value - base))
    return value + (lost + ((s * (half + square_rest + series) - square_rest) + n * LN2_REST))


@separate
def _special_log(x: float) -> float:
    """Return the logarithm of a number that is not positive and normal."""
    if x > 0.0:
        return _log(bits_of(x * TINY_SCALE), -TINY_EXPONENT) if x < INFINITY else INFINITY
    return -INFINITY if x == 0.0 else NAN


# Powers -----------------------------------------------------------------------------------------

SQRT_THREE_QUARTERS = bits_of(0.8660254037844386)
SQRT_THREE_HALVES = 1.224744871391589
# ln((1 + s) / (1 - s)) = 2/3 s (3 + z + z**2 (P1 + z P2 + ...)) with z = s**2, over s up to 0.101:
# off by 2**-71.3 of it.
P1 = 0.5999999999999946
P2 = 0.42857142857851893
P3 = 0.3333333298297674
P4 = 0.2727281218587974
P5 = 0.23066090440169262
P6 = 0.20697006879141594
# ln 1.5 as a multiple of 2**-42, as `LN2` is one, and a rest; 2/3, and it in
# pieces of 26 and 53 bits.
LN_THREE_HALVES = 0.40546510810827385
LN_THREE_HALVES_REST = -1.094708713660664e-13
TWO_THIRDS = 0.6666666666666666
TWO_THIRDS_HEAD = 0.6666666716337204
TWO_THIRDS_TAIL = -4.967053731282552e-09

LARGE = 2.0**65  # exponents from here on give 0, 1 or infinity
ALL_WHOLE = 2.0**53  # from here on floats are even whole numbers


def power(x: float, y: float) -> float:
    """Return x to the power of y, with all the special cases of C's pow."""
    bits = bits_of(x)
    if NORMAL <= bits < INFINITE and abs(y) < LARGE:
        return _power(bits, 0, y)
    return _special_power(x, y)


def _power(bits: int, offset: int, y: float) -> float:
    """Return a normal number, given by its bits, times 2 to a power, all to the power of y."""
    base, base_rest, series, series_rest = _log_parts(bits, offset)
    upper = head(y)
    lower = y - upper
    # 2/3 y as 26 bits and a rest.
    part = y * TWO_THIRDS
    factor = head(part)
    factor_rest = (upper * TWO_THIRDS_HEAD - factor) + upper * TWO_THIRDS_TAIL + lower * TWO_THIRDS
    # Two exact products and their sum, and the errors.
    first = upper * base
    second = factor * series
    value = first + second
    rest = (second - (value - first)) + (y * base_rest + lower * base)
    rest = rest + (factor_rest * series + part * series_rest)
    return scaled_exp(value, rest, 0)


def _log_parts(bits: int, offset: int) -> tuple[float, float, float, float]:
    """
    Return the logarithm of a normal number, given by its bits, times 2 to a power.

    It is the first number plus two thirds of the third, and each of them has 26 bits and is
    followed by its rest. It is off by 2**-68 of itself: its product with y, which is up to 745,
    is to be known to a small part of 2**-53.
    """
    k = (bits - SQRT_THREE_QUARTERS) >> 52
    m = from_bits(bits - (k << 52))
    # s = (m - c) / (m + c), with c = 1.5 for large m.
    center, base, base_rest = (
        (1.5, LN_THREE_HALVES, LN_THREE_HALVES_REST) if m > SQRT_THREE_HALVES else (1.0, 0.0, 0.0)
    )
    f = m - center
    inverse = 1.0 / (m + center)
    s = f * inverse
    upper = head(s)
    bottom = head(m + center)
    rest = ((f - upper * bottom) - upper * (m - (bottom - center))) * inverse
    # 3 + z + ...
    z = s * s
    w = z * z
    series = w * (P1 + z * P2 + w * (P3 + z * P4 + w * (P5 + z * P6))) + rest * (s + upper)
    square = upper * upper
    factor = head(3.0 + square + series)
    factor_rest = series - ((factor - 3.0) - square)
    product = upper * factor
    product_rest = rest * factor + factor_rest * s
    series = head(product + product_rest)
    n = float(k + offset)
    total = n * LN2 + base  # exact
    base = head(total)
    base_rest = (total - base) + (n * LN2_REST + base_rest)
    return base, base_rest, series, product_rest - (series - product)


@separate
def _special_power(x: float, y: float) -> float:
    """Return a power whose base is not positive and normal, or whose exponent is large."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if bits_of(abs(x)) > INFINITE or bits_of(abs(y)) > INFINITE:
        return NAN
    whole, odd = _parity(y)
    if -INFINITY < x < 0.0 and not whole:
        return NAN
    value = _power_of_size(abs(x), y)
    return -value if bits_of(x) < 0 and odd else value


def _parity(y: float) -> tuple[bool, bool]:
    """Return whether a number is whole, and whether it is odd."""
    size = abs(y)
    if size < ALL_WHOLE:
        n = int(size)
        whole = float(n) == size
        return whole, whole and n & 1 == 1
    return True, False


def _power_of_size(size: float, y: float) -> float:
    """Return a power of zero, a positive number or infinity, for a y that is not zero."""
    if size == 1.0:
        return 1.0
    if size in (0.0, INFINITY) or abs(y) >= LARGE:
        grows = y > 0.0 if size > 1.0 else y < 0.0
        return INFINITY if grows else 0.0
    offset = 0
    if bits_of(size) < NORMAL:
        size, offset = size * TINY_SCALE, -TINY_EXPONENT
    return _power(bits_of(size), offset, y)
