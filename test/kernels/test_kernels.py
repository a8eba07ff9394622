"""Kernels compiled to machine code do what they do as plain Python, bit for bit."""

import math
import textwrap
import types

from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest

from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.errors import KernelError
import symcontact_ros.kernels.kernel as kernels_module
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.transitional import bound, integers, memory_of, separate, shift

NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False)


def both(entry, arguments, *values):
    """Run an entry compiled and plain on copies of its memory; return both memories."""
    results = []
    for run in (Kernel(entry, arguments), entry):
        copies = [value.copy() if isinstance(value, np.ndarray) else value for value in values]
        given_ = [
            memory_of(copy) if run is entry and isinstance(copy, np.ndarray) else copy
            for copy in copies
        ]
        run(*given_)
        results.append([copy for copy in copies if isinstance(copy, np.ndarray)])
    return results


def same(entry, arguments, *values):
    compiled, plain = both(entry, arguments, *values)
    for a, b in zip(compiled, plain, strict=True):
        assert a.tobytes() == b.tobytes()
    return compiled


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
    arithmetic(memory_of(x), memory_of(plain))
    assert out.tobytes() == plain.tobytes()


ARITHMETIC = Kernel(arithmetic, ['memory', 'memory'])


def whole_numbers(a, b, out):
    numbers = integers(out)
    numbers[0] = a + b * 3 - 7
    numbers[1] = a // b
    numbers[2] = a % b
    numbers[3] = min(a, b)
    numbers[4] = abs(a)
    numbers[5] = 1 << 4
    numbers[6] = -a
    numbers[7] = 1 if a in (1, 5, b) else 0
    out[8] = a / b
    out[9] = a + 0.5


@pytest.mark.parametrize(('a', 'b'), [(7, 2), (-7, 2), (7, -2), (-7, -2), (0, 3), (5, 5), (-6, 3)])
def test_whole_numbers_round_down_as_in_python(a, b):
    (out,) = same(whole_numbers, ['int', 'int', 'memory'], a, b, np.zeros(10))
    assert list(out[:3].view(np.int64)) == [a + b * 3 - 7, a // b, a % b]


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
    same(control, ['int', 'memory'], count, np.zeros(6))


# What follows calls functions that the compiler takes for its own, because they say so.
def as_kernel(function):
    function.__module__ = 'symcontact_ros.test'
    return function


@as_kernel
def swapped(pair):
    (a, b), c = pair
    return c, (b, a)


@as_kernel
@separate
def classified(x, otherwise=-1):
    if x > 1.0:
        return 1
    if x < 0.0:
        return otherwise
    return 0


@as_kernel
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
    rest = shift(out, 6)
    rest[0], rest[1] = x[2], x[0]
    nothing = 1.0
    _, nothing = x[0], 3.0
    _ = best
    rest[2] = nothing


@pytest.mark.parametrize('x', [(1.0, 2.0, 3.0), (-1.0, -2.0, 0.5), (4.0, 0.0, -1.0)])
def test_tuples_go_through_calls_and_branches(x):
    same(with_tuples, ['memory', 'memory'], np.array(x), np.zeros(9))


operation = None


def template(x, out):
    out[0] = operation(x[0])


@as_kernel
def doubled(x):
    return 2.0 * x


@as_kernel
def negated(x):
    return -x


def test_a_bound_name_stands_for_another_function_and_has_its_own_code(tmp_path):
    cache = Cache(tmp_path)
    for function, expected in ((doubled, 6.0), (negated, -3.0)):
        out = np.zeros(1)
        entry = bound(template, operation=function)
        Kernel(entry, ['memory', 'memory'], cache)(np.array([3.0]), out)
        assert out[0] == expected
    assert len(list(tmp_path.iterdir())) == 2


def test_a_division_by_zero_gives_infinity_instead_of_an_end():
    out = np.zeros(12)
    Kernel(divide, ['memory'])(out)
    assert out[0] == math.inf


def divide(out):
    out[0] = 1.0 / out[1]


def test_compiled_code_is_kept_and_found_again(tmp_path, monkeypatch):
    said = []
    for _ in range(2):
        out = np.zeros(12)
        kernel = Kernel(arithmetic, ['memory', 'memory'], Cache(tmp_path), said.append)
        kernel(np.array([1.0, 2.0]), out)
        assert out[0] == 3.0
    assert said == ['compiling arithmetic']


def test_a_change_of_any_source_is_compiled_anew(tmp_path, monkeypatch):
    said = []
    Kernel(with_tuples, ['memory', 'memory'], Cache(tmp_path), said.append)
    monkeypatch.setattr(kernels_module, '_source', lambda path: b'edited')
    Kernel(with_tuples, ['memory', 'memory'], Cache(tmp_path), said.append)
    assert len(said) == 2


FAULTS = {
    'a name of two types': ('x = 1.0\nif a > 0.0:\n    x = 2', 'x is double and cannot be i64'),
    'a list': ('x = [1.0]', 'List is not known'),
    'a text': ("x = 'text'", "'text' is no number"),
    'a library': ('x = math.gamma(a)', 'math.gamma is not known'),
    'a power': ('x = a ** 2.0', 'of floats there are'),
    'two kinds of result': (
        'if a > 0.0:\n    return 1.0\nreturn 2',
        'returns i64 here and double',
    ),
    'an unknown name': ('x = nowhere', 'nowhere is not known'),
    'a number as condition': ('if a:\n    pass', 'a condition must be'),
    'no range': ('for i in out:\n    pass', 'a loop goes over a range'),
    'a float as index': ('out[a] = 1.0', 'an index must be an int'),
    'an int into memory': ('out[0] = 1', 'memory of double cannot take i64'),
    'too many names': ('x, y = (a, a, a)', '2 names for'),
    'mixed min': ('x = min(a, 1)', 'numbers of one type'),
    'a keyword': ('x = min(a, key=1)', 'plain arguments'),
    'a try': ('try:\n    x = 1.0\nfinally:\n    pass', 'Try is not known'),
}


@pytest.mark.parametrize('fault', FAULTS)
def test_what_is_not_known_is_refused_with_file_and_line(fault, tmp_path):
    body, reason = FAULTS[fault]
    path = tmp_path / 'kernel.py'
    text = 'import math\ndef entry(a, out):\n' + textwrap.indent(body, '    ') + '\n'
    path.write_text(text)
    module = types.ModuleType('kernel')
    exec(compile(text, str(path), 'exec'), module.__dict__)
    with pytest.raises(KernelError, match=rf'kernel.py:\d+: .*{reason}'):
        Kernel(module.entry, ['float', 'memory'])
