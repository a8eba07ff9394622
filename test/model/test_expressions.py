"""Formulas are read, never run."""

import contextlib

from hypothesis import given
from hypothesis import strategies as st
import pytest

from symcontact_ros.expressions import evaluate, parse


@pytest.mark.parametrize(
    ('text', 'value'),
    [
        ('1e5', 1e5),
        ('-2', -2.0),
        ('m * R**2 / 2', 0.04),
        ('sqrt(m) + cos(0)', 1.0 + 2.0**0.5),
        ('2 * pi', 6.283185307179586),
        ('  +3 ', 3.0),
    ],
)
def test_formulas_have_their_values(text, value):
    assert evaluate(parse(text), {'m': 2.0, 'R': 0.2}) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    'text',
    [
        "__import__('os').getpid()",
        'm.real',
        'm[0]',
        '(lambda: 1)()',
        'sin(m, m)',
        'open("x")',
        'True',
        '"text"',
        '1j',
        '1 if m else 2',
        '',
        '1 +',
        '((((' * 200,
        '9' * 400,
        'm' * 600,
        '1:30',
    ],
)
def test_everything_else_is_refused(text):
    with pytest.raises(ValueError, match=r'not allowed|cannot read|characters'):
        evaluate(parse(text), {'m': 1.0})


@pytest.mark.parametrize('text', ['1/0', '9**9**9**9', 'log(-1)', 'x'])
def test_a_formula_without_a_value_says_so(text):
    with pytest.raises(ValueError, match=r'has no value|unknown parameter'):
        evaluate(parse(text), {})


@given(st.text(max_size=80))
def test_any_text_is_a_number_or_a_value_error(text):
    with contextlib.suppress(ValueError):
        assert isinstance(evaluate(parse(text), {'a': 1.0}), float)
