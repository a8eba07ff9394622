"""Straight-line programs: equal instructions once, dead ones never, constants in the prologue."""

from hypothesis import given, settings
from hypothesis import strategies as st
import pytest
import sympy as sm

from symcontact_ros.kernels.tape import Builder, split
from symcontact_ros.kernels.tape_python import compile_function
from symcontact_ros.symbolic.lowering import lower

x, y, k = sm.symbols('x y k')
numbers = st.floats(0.1, 3.0)


def test_equal_instructions_are_one_value_and_dead_ones_are_left_out():
    builder = Builder({'a': 2})
    first, second = builder.emit('input', 'a', 0), builder.emit('input', 'a', 1)
    builder.emit('mul', first, first)  # dead
    total = builder.emit('add', first, second)
    assert builder.emit('add', first, second) == total
    program = builder.program('sum', {'out': (total,)})
    assert len(program.instructions) == 3
    assert compile_function(program)([2.0, 3.0]) == ((5.0,),)


EXPRESSIONS = [
    x + y - k,
    -x - y,
    x * y / k,
    1 / (x * y),
    x**5 + y**-2,
    sm.sqrt(x * k) - sm.sin(y) * sm.cos(x - y),
    sm.Rational(1, 3) * x + sm.Float(0.25),
    (x + y) ** 3 / (k - 7) ** 2,
    sm.Integer(4),
    -x / k,
]


@settings(max_examples=50, deadline=None)
@given(a=numbers, b=numbers, c=numbers)
def test_lowered_expressions_have_the_values_of_sympy(a, b, c):
    program = lower('all', {'v': [x, y], 'p': [k]}, {'out': EXPRESSIONS})
    (out,) = compile_function(program)([a, b], [c])
    expected = [float(e.subs({x: a, y: b, k: c})) for e in EXPRESSIONS]
    assert out == pytest.approx(expected, rel=1e-13, abs=1e-13)


@settings(max_examples=50, deadline=None)
@given(a=numbers, b=numbers, c=numbers)
def test_prologue_and_rest_are_the_whole(a, b, c):
    program = lower('all', {'v': [x, y], 'p': [k]}, {'out': EXPRESSIONS, 'more': [k**2, k]})
    prologue, rest = split(program, 'p')
    (constants,) = compile_function(prologue)([c])
    whole = compile_function(program)([a, b], [c])
    assert compile_function(rest)([a, b], constants) == whole  # the same operations: bit-equal


def test_the_rest_computes_nothing_from_parameters_alone():
    program = lower('f', {'v': [x], 'p': [k]}, {'out': [x * sm.sin(k) ** 2 / k]})
    prologue, rest = split(program, 'p')
    assert prologue.operations() >= 2
    assert 'sin' not in [instruction[0] for instruction in rest.instructions]


def test_an_unknown_function_is_an_error_at_derivation_not_at_run_time():
    with pytest.raises(TypeError, match='no instruction for gamma'):
        lower('f', {'v': [x]}, {'out': [sm.gamma(x)]})
