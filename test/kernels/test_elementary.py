"""The elementary functions of kernels: how exact they are, and that nothing upsets them."""

import itertools
import math
import random

from hypothesis import given, settings
from hypothesis import strategies as st
import mpmath
import numpy as np
import pytest

from symcontact_ros.kernels import elementary
from symcontact_ros.kernels.elementary import (
    angles,
    atan2,
    circular,
    cos,
    cos_sin,
    doubles,
    exp,
    exponentials,
    log,
    logarithms,
    power,
    sin,
    tanh,
)
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.language import bits_of, from_bits
from symcontact_ros.kernels.memory import Floats

INF, NAN = math.inf, math.nan
SMALLEST, NORMAL, LARGEST = 5e-324, 2.0**-1022, 1.7976931348623157e308
UNARY = ('sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'exp', 'log', 'sinh', 'cosh', 'tanh')
BINARY = ('atan2', 'power')
HARDEST = 6381956970095103 * 2.0**797  # of all floats the nearest to a multiple of pi/2

# Arguments of all kinds -------------------------------------------------------------------------


def between(low, high):
    return lambda r: r.uniform(low, high)


def sized(low, high):
    """Return numbers of either sign, whose size is 10 to the power of low to high."""
    return lambda r: r.choice((-1.0, 1.0)) * 10.0 ** r.uniform(low, high)


def around(x, low, high):
    return lambda r: x + sized(low, high)(r)


def within_one(r):
    return r.choice((-1.0, 1.0)) * (1.0 - 10.0 ** r.uniform(-16.0, 0.0))


def near_quarter_turns(r):
    x = r.randrange(1, 2 ** r.randrange(2, 25)) * math.pi / 2.0
    return from_bits(bits_of(x) + r.randrange(-3, 4))


def both(x, y):
    return lambda r: (x(r), y(r))


def with_logarithm(base, low, high):
    """Return bases and exponents of powers whose logarithms are between two numbers."""

    def pair(r):
        x = abs(base(r))
        x = 2.0 if x == 1.0 else x
        return x, r.uniform(low, high) / math.log(x)

    return pair


def whole_powers(r):
    return r.uniform(-20.0, 20.0), float(r.randrange(-100, 101))


ANY = sized(-323.0, 308.0)
TRIGONOMETRIC = [
    *(between(-0.8, 0.8), between(-10.0, 10.0), between(-8e5, 8e5), sized(-323.0, 0.0)),
    *(near_quarter_turns, sized(5.0, 8.0), sized(5.0, 300.0)),
]
HYPERBOLIC = [between(-1.0, 1.0), between(-23.0, 23.0), between(-709.0, 709.0), sized(-323.0, 0.0)]
ARC = [between(-0.5, 0.5), between(-1.0, 1.0), within_one, sized(-323.0, 0.0)]
# Function: the error it may have, in units in the last place, and arguments. The errors are the
# largest that were found in ten million arguments of each kind, and 0.02 more.
ACCURACY = {
    'sin': (0.64, TRIGONOMETRIC),
    'cos': (0.64, TRIGONOMETRIC),
    'tan': (0.74, TRIGONOMETRIC),
    'asin': (0.71, ARC),
    'acos': (0.69, ARC),
    'atan': (0.62, [between(-1.0, 1.0), between(-5.0, 5.0), sized(-2.0, 2.0), ANY]),
    'exp': (0.55, [between(-1.0, 1.0), between(-708.0, 709.7), sized(-323.0, 0.0)]),
    'log': (0.69, [between(0.5, 2.0), around(1.0, -16.0, -0.4), lambda r: abs(ANY(r))]),
    'sinh': (0.60, HYPERBOLIC),
    'cosh': (0.55, HYPERBOLIC),
    'tanh': (0.59, HYPERBOLIC),
    'atan2': (
        0.64,
        [
            both(between(-1.0, 1.0), between(-1.0, 1.0)),
            both(sized(-2.0, 2.0), sized(-2.0, 2.0)),
            both(ANY, ANY),
            both(sized(-323.0, -307.0), sized(-323.0, -307.0)),
            both(sized(300.0, 308.2), sized(300.0, 308.2)),
        ],
    ),
    'power': (
        0.59,
        [
            both(between(0.0, 10.0), between(-10.0, 10.0)),
            with_logarithm(ANY, -708.0, 709.7),
            with_logarithm(around(1.0, -15.0, -0.3), -708.0, 709.7),
            whole_powers,
        ],
    ),
}
DEEP = 210_000  # arguments of each function


def ulps(got, want):
    """Return how far a float is from the exact number, in units in the last place of that."""
    if abs(want) >= LARGEST * (1 + mpmath.mpf(2) ** -54):
        return 0.0 if abs(got) == INF else INF
    exponent = max(mpmath.frexp(want)[1], -1021) - 53
    return float(abs(mpmath.mpf(got) - want) * mpmath.mpf(2) ** -exponent)


def worst(name, kind, count, seed=1):
    """Return the largest error among arguments of a kind, and where it is."""
    kernel, exact = getattr(elementary, name), getattr(mpmath, name)
    generator = random.Random(seed)
    largest, where = 0.0, ()
    with mpmath.workprec(140):
        for _ in range(count):
            x = kind(generator)
            x = x if isinstance(x, tuple) else (x,)
            error = ulps(kernel(*x), exact(*map(mpmath.mpf, x)))
            if not error <= largest:
                largest, where = error, x
    return largest, where


KINDS = [(name, i) for name, (_, kinds) in ACCURACY.items() for i in range(len(kinds))]


@pytest.mark.parametrize(('name', 'kind'), KINDS)
def test_errors_are_far_below_one_unit_in_the_last_place(name, kind):
    limit, kinds = ACCURACY[name]
    largest, where = worst(name, kinds[kind], 1000)
    assert largest < limit, where


@pytest.mark.deep
@pytest.mark.parametrize(('name', 'kind'), KINDS)
def test_errors_of_many_arguments_are_as_small(name, kind):
    limit, kinds = ACCURACY[name]
    largest, where = worst(name, kinds[kind], DEEP // len(kinds), seed=2)
    assert largest < limit, where


# Below the smallest normal float a result is rounded twice: to 53 bits, and to those it has.
@pytest.mark.parametrize('count', [1000, pytest.param(DEEP, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    ('name', 'kind'),
    [('exp', between(-745.2, -708.0)), ('power', with_logarithm(ANY, -745.2, -708.0))],
    ids=['exp', 'power'],
)
def test_results_with_few_bits_are_not_rounded_badly(name, kind, count):
    largest, where = worst(name, kind, count)
    assert largest < 0.77, where


@pytest.mark.parametrize('name', ['sin', 'cos', 'tan'])
@pytest.mark.parametrize('x', [HARDEST, -HARDEST, LARGEST, 1e22, 8e5, math.nextafter(8e5, INF)])
def test_far_angles_are_reduced_with_all_bits(name, x):
    with mpmath.workprec(200):
        assert ulps(getattr(elementary, name)(x), getattr(mpmath, name)(x)) < 0.62


# Special values ---------------------------------------------------------------------------------

ALL = (
    *(0.0, SMALLEST, 1e-310, NORMAL, 1e-200, 1e-20, 0.25, 0.3, 0.5, 0.72, 1.0, 1.5, 2.0, 3.0),
    *(math.pi / 4.0, math.pi / 2.0, math.pi, 20.0, 22.0, 709.0, 710.0, 745.0, 746.0, 8e5, 8.1e5),
    *(2.0**52 + 1.0, 2.0**53, 2.0**65, 1e150, 1e300, LARGEST, INF),
)
SPECIAL = (*ALL, *(-x for x in ALL), NAN)


def same(a, b):
    """Return whether two numbers are the same, zeros with their signs and all nan included."""
    return bits_of(a) == bits_of(b)


def of_python(name, *x):
    """Return what Python's own function gives, and what C's does where Python raises."""
    try:
        return getattr(math, {'power': 'pow'}.get(name, name))(*x)
    except OverflowError:
        negative = name in ('sinh', 'power') and x[0] < 0.0
        return -INF if negative and (name == 'sinh' or x[1] % 2.0 == 1.0) else INF
    except ValueError:
        if name == 'log' and x[0] == 0.0:
            return -INF
        if name == 'power' and x[0] == 0.0:
            return math.copysign(INF, x[0]) if x[1] % 2.0 == 1.0 else INF
        return NAN


def as_special(name, *x):
    got, want = getattr(elementary, name)(*x), of_python(name, *x)
    if want in (0.0, INF, -INF) or math.isnan(want):
        assert same(got, abs(want) if math.isnan(want) else want), x
    else:  # the C library may be off by one unit in the last place, too
        assert abs(bits_of(got) - bits_of(want)) <= 1, x


@pytest.mark.parametrize('name', UNARY)
def test_special_values_are_those_of_c(name):
    for x in SPECIAL:
        as_special(name, x)


@pytest.mark.parametrize('name', BINARY)
def test_special_pairs_are_those_of_c(name):
    for pair in itertools.product(SPECIAL, SPECIAL):
        as_special(name, *pair)


def test_what_a_float_can_be_is_exact():
    generator = random.Random(1)
    assert exp(0.0) == exp(-0.0) == cos(0.0) == 1.0
    assert same(log(1.0), 0.0)
    assert [power(2.0, float(n)) for n in range(-1074, 1024)] == [
        math.ldexp(1.0, n) for n in range(-1074, 1024)
    ]
    for _ in range(2000):
        x = abs(ANY(generator))
        assert power(x, 1.0) == x
        few = float(generator.randrange(1, 2**26))
        assert power(few, 2.0) == power(-few, 2.0) == few * few
        assert power(few * few, 0.5) == few
    for x in (math.pi / 4.0, math.pi / 2.0, math.pi):
        assert atan2(math.sin(x), math.cos(x)) == x
    assert [tanh(x) for x in (22.0, 30.0, LARGEST, INF)] == [1.0] * 4


# Properties -------------------------------------------------------------------------------------

FLOATS = st.floats() | st.floats(-1e3, 1e3) | st.floats(-1.0, 1.0)


@settings(max_examples=2000)
@given(FLOATS, FLOATS)
def test_no_argument_raises_and_nan_is_one_number(x, y):
    values = [
        *(getattr(elementary, name)(x) for name in UNARY),
        *(getattr(elementary, name)(x, y) for name in BINARY),
        *cos_sin(x),
    ]
    for value in values:
        assert isinstance(value, float)
        assert not math.isnan(value) or same(value, NAN)


@settings(max_examples=1000)
@given(FLOATS.filter(lambda x: not math.isnan(x)), FLOATS)
def test_symmetries_hold_bit_for_bit(x, y):
    for name in ('sin', 'tan', 'asin', 'atan', 'sinh', 'tanh'):
        function = getattr(elementary, name)
        value = function(x)
        assert math.isnan(value) or same(function(-x), -value), name
    for name in ('cos', 'cosh'):
        function = getattr(elementary, name)
        assert same(function(-x), function(x)), name
    if not math.isnan(y):
        assert same(atan2(-y, x), -atan2(y, x))
    assert same(power(abs(x), y), power(-abs(x), y)) or y % 2.0 != 0.0


@settings(max_examples=1000)
@given(FLOATS)
def test_cosine_and_sine_together_are_those_one_by_one(x):
    together = cos_sin(x)
    assert same(together[0], cos(x))
    assert same(together[1], sin(x))


# Where one formula ends and another begins.
SEAMS = [
    *(('exp', x) for x in (0.3465735902799726, 1.0397207708399179, 708.0)),
    *(('log', x) for x in (0.7071067811865476, 1.0, 1.4142135623730951)),
    *(('sinh', x) for x in (0.3465735902799726, 1.0397207708399179, 22.0)),
    *(('cosh', x) for x in (0.3465735902799726, 1.0397207708399179, 22.0)),
    *(('tanh', x) for x in (0.3, 0.5198603854199589, 22.0)),
    *(('sin', x) for x in (0.7853981633974483, 1.5707)),
    *(('tan', x) for x in (0.7853981633974483, 1.5)),
    *(('atan', x) for x in (0.25, 0.72, 1.0, 1.0 / 0.72, 4.0, 1e17)),
    *(('asin', x) for x in (0.5, 0.875)),
]


@pytest.mark.parametrize(('name', 'x'), SEAMS)
def test_functions_do_not_turn_back_at_the_seams_of_their_formulas(name, x):
    function = getattr(elementary, name)
    values = [function(from_bits(bits_of(x) + i)) for i in range(-500, 500)]
    assert values == sorted(values)


# Machine code -----------------------------------------------------------------------------------


@given(st.floats())
def test_bits_are_those_of_the_number(x):
    assert bits_of(x) == np.float64(x).view(np.int64)
    assert same(from_bits(bits_of(x)), x)


class Checked(int):
    """A whole number that does not leave the 64 bits it has in machine code."""


def _checked(name):
    def operation(self, other):
        if name in ('__lshift__', '__rshift__'):
            assert 0 <= other < 64
        value = Checked(getattr(int, name)(self, other))
        assert -(2**63) <= value < 2**63, (name, self, other)
        return value

    return operation


for _name in ('add', 'sub', 'mul', 'lshift', 'rshift', 'and', 'or', 'radd', 'rsub', 'rmul'):
    setattr(Checked, f'__{_name}__', _checked(f'__{_name}__'))


@settings(max_examples=500)
@given(FLOATS | st.floats(8e5), FLOATS)
def test_whole_numbers_stay_within_64_bits(x, y):
    modules = (angles, circular, doubles, exponentials, logarithms)
    with pytest.MonkeyPatch.context() as patch:
        for module in modules:
            if hasattr(module, 'bits_of'):
                patch.setattr(module, 'bits_of', lambda value: Checked(bits_of(value)))
        for name in UNARY:
            getattr(elementary, name)(x)
        for name in BINARY:
            getattr(elementary, name)(x, y)


def everything(count, x, y, out):
    """Write all functions of pairs of numbers."""
    for i in range(count):
        a, b, start = x[i], y[i], 15 * i
        out[start] = elementary.sin(a)
        out[start + 1] = elementary.cos(a)
        out[start + 2], out[start + 3] = elementary.cos_sin(a)
        out[start + 4] = elementary.tan(a)
        out[start + 5] = elementary.asin(a)
        out[start + 6] = elementary.acos(a)
        out[start + 7] = elementary.atan(a)
        out[start + 8] = elementary.exp(a)
        out[start + 9] = elementary.log(a)
        out[start + 10] = elementary.sinh(a)
        out[start + 11] = elementary.cosh(a)
        out[start + 12] = elementary.tanh(a)
        out[start + 13] = elementary.atan2(a, b)
        out[start + 14] = elementary.power(a, b)


def test_machine_code_gives_the_same_bits():
    generator = random.Random(1)
    pairs = list(itertools.product(SPECIAL, SPECIAL))
    pairs += [(ANY(generator), ANY(generator)) for _ in range(2000)]
    pairs += [(generator.uniform(-10, 10), generator.uniform(-10, 10)) for _ in range(2000)]
    pairs += [(generator.uniform(-1, 1), generator.uniform(-1, 1)) for _ in range(2000)]
    x, y = (np.array(numbers) for numbers in zip(*pairs, strict=True))
    compiled, plain = np.zeros(15 * len(x)), np.zeros(15 * len(x))
    Kernel(everything, [int, Floats, Floats, Floats])(len(x), x, y, compiled)
    everything(len(x), x.tolist(), y.tolist(), memoryview(plain))
    assert compiled.tobytes() == plain.tobytes()
