"""Kernels compiled to machine code do what they do as plain Python, bit for bit."""

import math

from helpers.kernel_sources import same
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest

from symcontact_ros.kernels import keys
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import Kernel, static
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats, floats_of, Ints

NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False)


def arithmetic(x, out):
    a, b = x[0], x[1]
    out[0] = a + b
    out[1] = a - b * 2
    out[2] = a * b + 1
    out[3] = a / b if b != 0.0 else -a
    out[4] = -abs(a)
    out[5] = min(a, b, 1.0)
    out[6] = max(b, a)
    out[7] = math.sqrt(a * a + b * b)
    out[8] = float(int(a))
    out[9] = 1.0 if a < b <= 5.0 or not (a > -3.0 and b > 0.0) else 0.0
    out[10] = math.sin(a) + math.cos(b) + math.tanh(a * 1e-3) + math.exp(-abs(b) * 1e-3)
    out[11] = math.atan2(a, b) + math.floor(b)


@settings(max_examples=200, deadline=None)
@given(NUMBERS, NUMBERS)
def test_arithmetic_is_the_same_bit_for_bit(a, b):
    x, out = np.array([a, b]), np.zeros(12)
    ARITHMETIC(x, out)
    plain = np.zeros(12)
    arithmetic(floats_of(x), floats_of(plain))
    assert out.tobytes() == plain.tobytes()


ARITHMETIC = Kernel(arithmetic, [Floats, Floats])


def whole_numbers(a, b, numbers, out):
    numbers[0] = a + b * 3 - 7
    numbers[1] = a // b
    numbers[2] = a % b
    numbers[3] = min(a, b)
    numbers[4] = abs(a)
    numbers[5] = 1 << 4
    numbers[6] = -a
    numbers[7] = 1 if a in (1, 5, b) else 0
    out[0] = float(a) / float(b)
    out[1] = a + 0.5


@pytest.mark.parametrize(('a', 'b'), [(7, 2), (-7, 2), (7, -2), (-7, -2), (0, 3), (5, 5), (-6, 3)])
def test_whole_numbers_round_down_as_in_python(a, b):
    numbers, _ = same(
        whole_numbers, [int, int, Ints, Floats], a, b, np.zeros(8, np.int64), np.zeros(2)
    )
    assert list(numbers[:3]) == [a + b * 3 - 7, a // b, a % b]


def control(count, out):
    total, seen = 0.0, 0
    for i in range(count):
        if i == 3:
            continue
        if i > 8:
            break
        inner = 0
        while inner < i:
            inner += 1
            if inner == 4:
                break
        seen += inner
        total += float(i)
    for i in range(2, 5):
        out[i] = float(i)
    out[0] = total
    out[1] = float(seen)


@pytest.mark.parametrize('count', [0, 1, 4, 20])
def test_loops_break_and_continue(count):
    same(control, [int, Floats], count, np.zeros(6))


def swapped(pair):
    (a, b), c = pair
    return c, (b, a)


@separate
def classified(x, otherwise=-1):
    if x > 1.0:
        return 1
    if x < 0.0:
        return otherwise
    return 0


def store(out, start, vector):
    for i in range(3):
        out[start + i] = vector[i]


def with_tuples(x, out):
    c, (b, a) = swapped(((x[0], x[1]), x[2]))
    store(out, 0, (a, b, c))
    best = (0.0, 1)
    for i in range(3):
        if x[i] > best[0]:
            best = (x[i], i)
    out[3] = best[0]
    out[4] = float(best[1])
    out[5] = float(classified(x[0]) + classified(x[1], 10))
    rest = out[6:]
    rest[0], rest[1] = x[2], x[0]
    nothing = 1.0
    _, nothing = x[0], 3.0
    _ = best
    rest[2] = nothing


@pytest.mark.parametrize('x', [(1.0, 2.0, 3.0), (-1.0, -2.0, 0.5), (4.0, 0.0, -1.0)])
def test_tuples_go_through_calls_and_branches(x):
    same(with_tuples, [Floats, Floats], np.array(x), np.zeros(9))


def template(operation, x, out):
    out[0] = operation(x[0])


def doubled(x):
    return 2.0 * x


def negated(x):
    return -x


def test_a_function_given_to_a_template_has_its_own_code(tmp_path):
    cache = Cache(tmp_path)
    for function, expected in ((doubled, 6.0), (negated, -3.0)):
        out = np.zeros(1)
        Kernel(template, [static(function), Floats, Floats], cache)(np.array([3.0]), out)
        assert out[0] == expected
    assert len(list(tmp_path.iterdir())) == 2


def test_a_division_by_zero_gives_infinity_instead_of_an_end():
    out = np.zeros(12)
    Kernel(divide, [Floats])(out)
    assert out[0] == math.inf


def divide(out):
    out[0] = 1.0 / out[1]


def test_compiled_code_is_kept_and_found_again(tmp_path):
    said = []
    for _ in range(2):
        out = np.zeros(12)
        kernel = Kernel(arithmetic, [Floats, Floats], Cache(tmp_path), said.append)
        kernel(np.array([1.0, 2.0]), out)
        assert out[0] == 3.0
    assert said == ['compiling arithmetic']


def test_a_change_of_any_source_is_compiled_anew(tmp_path, monkeypatch):
    said = []
    Kernel(with_tuples, [Floats, Floats], Cache(tmp_path), said.append)
    monkeypatch.setattr(keys, '_digest', lambda path: b'edited')
    Kernel(with_tuples, [Floats, Floats], Cache(tmp_path), said.append)
    assert len(said) == 2
