"""Machine code: bit for bit what the plain Python backend computes."""

import ctypes
import math
import random
import struct
import subprocess
import sys
from threading import Thread
import time

from hypothesis import given, settings
from hypothesis import strategies as st
import pytest

from symcontact_ros.kernels import elementary
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.elementary import library as elementary_library
from symcontact_ros.kernels.functions import compile_functions
from symcontact_ros.kernels.tape import BINARY, Builder, Program, UNARY
from symcontact_ros.kernels.tape_ir import ir_text, PREFIX
from symcontact_ros.kernels.targets.native import NATIVE

pytest.importorskip('llvmlite')

INPUTS = 4
numbers = st.floats(-10, 10) | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def programs(draw):
    """Return a random program over blocks of 1 and 3 numbers, with two result blocks."""
    instructions = [('input', 'one', 0), *(('input', 'three', i) for i in range(3))]
    for _ in range(draw(st.integers(0, 40))):
        earlier = st.integers(0, len(instructions) - 1)
        operation = draw(st.sampled_from(('constant', *BINARY, *UNARY)))
        if operation == 'constant':
            instructions.append((operation, draw(numbers)))
        else:
            count = 2 if operation in BINARY else 1
            instructions.append((operation, *(draw(earlier) for _ in range(count))))
    last = len(instructions) - 1
    members = st.lists(st.integers(0, last), max_size=5).map(tuple)
    results = {'first': draw(members), 'second': (*draw(members), last)}
    return Program('random', {'one': 1, 'three': 3}, tuple(instructions), results)


def bits(blocks):
    """Return numbers so that equal means equal in every bit; all nans are one."""
    return [
        [struct.pack('>d', x) if not math.isnan(x) else 'nan' for x in block] for block in blocks
    ]


def both(program):
    return (compile_functions([program], backend=b)[program.name] for b in ('llvm', 'python'))


def one_operation(name, arity):
    values = range(arity)
    return Program(
        name,
        {'x': arity},
        (*(('input', 'x', i) for i in values), (name, *values)),
        {'y': (arity,)},
    )


def long_program(length, seed=1):
    """Return a program that resembles dynamics: products and sums of rather recent values."""
    choose = random.Random(seed)
    instructions = [('input', 'x', i) for i in range(60)]
    kinds = ['mul'] * 50 + ['add'] * 25 + ['sub'] * 17 + ['neg'] * 4 + ['sin'] + ['cos'] * 3
    while len(instructions) < length:
        last = len(instructions) - 1
        operation = choose.choice(kinds)
        count = 2 if operation in BINARY else 1
        recent = (choose.randint(max(0, last - 400), last) for _ in range(count))
        instructions.append((operation, *recent))
    return Program(
        'long', {'x': 60}, tuple(instructions), {'y': tuple(range(length - 60, length))}
    )


@settings(max_examples=200, deadline=None)
@given(program=programs(), points=st.lists(st.tuples(*[numbers] * INPUTS), min_size=3, max_size=3))
def test_random_programs_give_the_bits_of_python(program, points):
    compiled, python = both(program)
    for one, *three in points:
        try:
            expected = python([one], three)
        except (ArithmeticError, ValueError):
            compiled([one], three)  # Python would not say; machine code must only survive
        else:
            assert bits(compiled([one], three)) == bits(expected)


OF_TWO = {name: elementary_library.FUNCTIONS[name] for name in elementary_library.BINARY}
UNARY_FUNCTIONS = {
    name: function for name, function in elementary_library.FUNCTIONS.items() if name not in OF_TWO
}
UNARY_FUNCTIONS |= {'sqrt': math.sqrt, 'abs': abs, 'neg': lambda x: -x}
BINARY_FUNCTIONS = {**OF_TWO, 'max': max, 'min': min}


@pytest.fixture(scope='module')
def operations():
    """Return all operations that are functions, each compiled alone, in one object."""
    singles = [one_operation(name, 1) for name in UNARY_FUNCTIONS]
    pairs = [one_operation(name, 2) for name in BINARY_FUNCTIONS]
    return compile_functions([*singles, *pairs], backend='llvm')


@settings(max_examples=300, deadline=None)
@given(x=numbers | st.floats(), y=numbers | st.floats())
def test_every_operation_is_that_of_python(operations, x, y):
    for name, function in (UNARY_FUNCTIONS | BINARY_FUNCTIONS).items():
        point = (x, y)[: operations[name].arguments['x']]
        try:
            expected = float(function(*point))
        except (ArithmeticError, ValueError):
            continue
        assert bits(operations[name](point)) == bits([[expected]]), name


def test_every_operation_of_the_tape_has_machine_code():
    tape = [one_operation(name, 1) for name in UNARY] + [one_operation(name, 2) for name in BINARY]
    assert set(compile_functions(tape, backend='llvm')) == {*UNARY, *BINARY}


@pytest.mark.parametrize(('base', 'exponent'), [(None, 2.0), (None, 0.5), (2.0, None), (2.0, 3.0)])
def test_no_function_of_the_c_library_is_called(base, exponent):
    # LLVM knows pow, and that pow(x, 2) is nearly x * x, and pow(2, x) nearly exp2(x).
    builder = Builder({'x': 1})
    operands = [
        builder.emit('input', 'x', 0) if known is None else builder.emit('constant', known)
        for known in (base, exponent)
    ]
    program = builder.program('f', {'y': (builder.emit('pow', *operands),)})
    symbols = NATIVE.object_code(ir_text([program])).split(b'\0')
    assert f'{elementary_library.PREFIX}pow'.encode() in symbols
    assert b'pow' not in symbols and b'exp2' not in symbols
    expected = elementary.power(base or 1.7, exponent or 1.7)
    assert compile_functions([program], backend='llvm')['f']([1.7]) == ((expected,),)


def test_a_product_and_a_sum_are_rounded_one_after_the_other():
    builder = Builder({'x': 3})
    a, b, c = (builder.emit('input', 'x', i) for i in range(3))
    program = builder.program('f', {'y': (builder.emit('add', builder.emit('mul', a, b), c),)})
    a = 1.0 + 2.0**-30
    assert compile_functions([program], backend='llvm')['f']([a, a, -(a * a)]) == ((0.0,),)


def test_several_programs_share_an_object_and_no_name_meets_the_c_library():
    sine, root = one_operation('sin', 1), one_operation('sqrt', 1)
    elementary_library.provide(['sin', 'cos'])
    library = NATIVE.link(NATIVE.object_code(ir_text([sine, root])))
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
    x, y = ctypes.c_double(2.0), ctypes.c_double()
    for name, expected in (('sin', elementary.sin(2.0)), ('sqrt', math.sqrt(2.0))):
        kind(library.address(PREFIX + name))(ctypes.addressof(x), ctypes.addressof(y))
        assert y.value == expected
    with pytest.raises(KeyError, match='cos'):
        library.address(PREFIX + 'cos')


def test_blocks_may_be_empty_constant_repeated_or_passed_through():
    instructions = (('input', 'x', 1), ('constant', -0.0), ('constant', 5e-324))
    results = {'none': (), 'all': (2, 0, 1, 0), 'constant': (1,)}
    program = Program('f', {'nothing': 0, 'x': 2}, instructions, results)
    compiled, python = both(program)
    assert bits(compiled([], [1.0, 2.5])) == bits(python([], [1.0, 2.5]))
    without = Program('g', {}, (('constant', 0.1),), {'y': (0,)})
    assert compile_functions([without], backend='llvm')['g']() == ((0.1,),)
    assert compile_functions([], backend='llvm') == {}


@pytest.mark.parametrize('backend', ['llvm', 'python'])
def test_a_function_says_what_it_takes_and_refuses_the_rest(backend):
    program = Program('f', {'a': 1, 'b': 2}, (('input', 'b', 1),), {'y': (0, 0)})
    function = compile_functions([program], backend=backend)['f']
    assert (function.name, function.arguments, function.results) == (
        'f',
        {'a': 1, 'b': 2},
        {'y': 2},
    )
    assert (function.address is None) == (backend == 'python')
    for wrong in ([], [[1.0]], [[1.0, 2.0], [3.0]], [[1.0], [2.0, 3.0], []]):
        with pytest.raises(ValueError, match='f takes'):
            function(*wrong)
    assert function([1.0], (2.0, 3.0)) == ((3.0, 3.0),)


def test_an_address_can_be_called_with_blocks_of_ones_own():
    function = compile_functions([long_program(500)], backend='llvm')['long']
    x, y = (ctypes.c_double * 60)(*[0.01 * i for i in range(60)]), (ctypes.c_double * 60)()
    ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 2)(function.address)(x, y)
    assert bits([y]) == bits(function(list(x)))


@pytest.mark.parametrize(
    ('faulty', 'reason'),
    [
        ([Program('no word', {}, (), {})], 'plain word'),
        ([Program('f() {}', {}, (), {})], 'plain word'),
        ([Program('f', {}, (), {}), Program('f', {}, (), {})], 'not unique'),
        ([Program('f', {'x': 1}, (('input', 'x', 0), ('gamma', 0)), {'y': (1,)})], 'gamma'),
    ],
)
def test_what_cannot_be_printed_is_an_error(faulty, reason):
    with pytest.raises(ValueError, match=reason):
        ir_text(faulty)
    with pytest.raises(ValueError, match='no such backend'):
        compile_functions([], backend='fortran')


def test_threads_do_not_mix_their_numbers():
    program = long_program(300)
    function = compile_functions([program], backend='llvm')['long']
    points = [[seed + 0.001 * i for i in range(60)] for seed in (0.1, 0.2, 0.3, 0.4)]
    expected = [bits(function(point)) for point in points]
    differences = []

    def call_often(point, right):
        for _ in range(2000):
            got = function(point)
            if bits(got) != right:
                differences.append(got)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [
            Thread(target=call_often, args=pair) for pair in zip(points, expected, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert differences == []


def test_a_long_program_compiles_in_seconds_and_is_right():
    program = long_program(20_000)
    start = time.process_time()
    compiled = compile_functions([program], backend='llvm')['long']
    assert time.process_time() - start < 20.0  # about 2 s; a tenfold margin for slow machines
    point = [0.01 * i for i in range(60)]
    (python,) = compile_functions([program], backend='python').values()
    assert bits(compiled(point)) == bits(python(point))


def test_code_from_the_cache_is_the_same_and_of_the_right_program(tmp_path):
    cache, key = Cache(tmp_path / 'cache'), 'ab' * 32
    first = compile_functions([one_operation('sin', 1)], cache, key, 'llvm')['sin']
    (kept,) = (tmp_path / 'cache' / key).iterdir()
    made = kept.stat().st_mtime_ns
    second = compile_functions([one_operation('sin', 1)], cache, key, 'llvm')['sin']
    assert kept.stat().st_mtime_ns == made
    assert first([1.0]) == second([1.0]) == ((elementary.sin(1.0),),)
    # Another program under the same key: the code there is not for it.
    assert compile_functions([one_operation('sqrt', 1)], cache, key)['sqrt']([4.0]) == ((2.0,),)
    # And without a key, each has an entry of its own.
    compile_functions([one_operation('sqrt', 1)], cache)
    assert len(list((tmp_path / 'cache').iterdir())) == 2


def in_a_new_process(code, *arguments):
    command = [sys.executable, '-c', code, *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


PREPARE = """\
import sys
from symcontact_ros.kernels import elementary
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.elementary import library as elementary_library
from symcontact_ros.kernels.functions import compile_functions
from symcontact_ros.kernels.tape import Program
program = Program('f', {'x': 1}, (('input', 'x', 0), ('sin', 0)), {'y': (1,)})
"""


def test_a_warm_start_imports_neither_sympy_nor_numba_nor_numpy(tmp_path):
    code = PREPARE + (
        "early = 'llvmlite' in sys.modules\n"
        "f = compile_functions([program], Cache(sys.argv[1]), backend='llvm')['f']\n"
        'print(early, f([1.0])[0][0], *({"sympy", "numba", "numpy"} & set(sys.modules)))'
    )
    in_a_new_process(code, tmp_path / 'cache')  # what compiles elementary functions needs numpy
    expected = ['False', repr(elementary.sin(1.0))]
    assert in_a_new_process(code, tmp_path / 'cache') == expected


def test_without_llvmlite_python_does_it():
    code = PREPARE + (
        "sys.modules['llvmlite'] = None\n"
        "for backend in ('auto', 'python'):\n"
        "    f = compile_functions([program], backend=backend)['f']\n"
        '    print(f([1.0])[0][0], f.address)\n'
        'try:\n'
        "    compile_functions([program], backend='llvm')\n"
        'except ImportError as error:\n'
        '    print(type(error).__name__)'
    )
    expected = [repr(elementary.sin(1.0)), 'None'] * 2 + ['ImportError']
    assert in_a_new_process(code) == expected
