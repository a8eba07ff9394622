"""Programs as text: what was written comes back, and nothing else is taken for a program."""

import json
import math

from hypothesis import given, settings
from hypothesis import strategies as st
import pytest

from symcontact_ros.kernels.tape import Builder, Program
from symcontact_ros.kernels.tape_json import programs_from_json, programs_to_json
from symcontact_ros.kernels.tape_python import compile_function


def a_program():
    builder = Builder({'x': 2, 'empty': 0})
    x, y = builder.emit('input', 'x', 0), builder.emit('input', 'x', 1)
    product = builder.emit('mul', builder.emit('sin', x), y)
    total = builder.emit('add', product, builder.emit('constant', 0.1))
    return builder.program('f', {'y': (total, x), 'none': ()})


def test_programs_come_back_as_they_were():
    programs = [a_program(), Program('empty', {}, (), {})]
    text = programs_to_json(programs)
    assert programs_from_json(text) == programs
    assert list(programs_from_json(text)[0].arguments) == ['x', 'empty']
    assert programs_to_json(programs_from_json(text)) == text


@given(number=st.floats(allow_nan=False, allow_infinity=False))
def test_constants_come_back_in_every_bit(number):
    program = Program('f', {}, (('constant', number),), {'y': (0,)})
    (read,) = programs_from_json(programs_to_json([program]))
    assert read.instructions[0][1].hex() == number.hex()  # tells -0.0 from 0.0


@pytest.mark.parametrize('number', [math.nan, math.inf, -math.inf])
def test_a_constant_that_is_no_number_is_not_written(number):
    with pytest.raises(ValueError):
        programs_to_json([Program('f', {}, (('constant', number),), {'y': (0,)})])


def changed(**changes):
    """Return a valid JSON text with some parts replaced."""
    (written,) = json.loads(programs_to_json([a_program()]))
    return json.dumps([{**written, **changes}]).encode()


def with_instruction(*instruction):
    return changed(instructions=[['input', 'x', 0], instruction], results=[['y', [1]]])


HOSTILE = {
    'nothing': b'',
    'no text': b'\xff\xfe\x00',
    'no list': b'{}',
    'no objects': b'[1]',
    'half': programs_to_json([a_program()])[:-20],
    'deep': b'[' * 100_000,
    'deep and closed': b'[' * 100_000 + b']' * 100_000,
    'deep instruction': with_instruction('sin', 0).replace(b'"sin"', b'[' * 900 + b']' * 900),
    'missing part': b'[{"name": "f", "arguments": [], "instructions": []}]',
    'extra part': changed(more=1),
    'forward reference': with_instruction('sin', 1),
    'later reference': with_instruction('sin', 2),
    'negative reference': with_instruction('sin', -1),
    'huge reference': with_instruction('sin', 10**30),
    'endless reference': with_instruction('sin', 0).replace(b'0', b'9' * 10_000),
    'true for one': with_instruction('sin', False),
    'number with a point': with_instruction('sin', 0.0),
    'text for a number': with_instruction('sin', '0'),
    'unknown operation': with_instruction('__import__', 0),
    'unknown without operands': with_instruction('system'),
    'list for an operation': with_instruction(['sin'], 0),
    'no operation': with_instruction(),
    'too many operands': with_instruction('sin', 0, 0),
    'too few operands': with_instruction('add', 0),
    'nan': with_instruction('constant', math.nan),
    'infinity': with_instruction('constant', math.inf),
    'overflow': with_instruction('constant', 1.5).replace(b'1.5', b'1e999'),
    'whole constant': with_instruction('constant', 1),
    'text for a constant': with_instruction('constant', '1.0'),
    'two constants': with_instruction('constant', 1.0, 2.0),
    'unknown block': with_instruction('input', 'z', 0),
    'list for a block': with_instruction('input', ['x'], 0),
    'input beyond its block': with_instruction('input', 'x', 2),
    'negative input': with_instruction('input', 'x', -1),
    'result beyond the program': changed(results=[['y', [99]]]),
    'negative result': changed(results=[['y', [-1]]]),
    'two results of one name': changed(results=[['y', [0]], ['y', [0]]]),
    'two blocks of one name': changed(arguments=[['x', 2], ['x', 2]]),
    'huge block': changed(arguments=[['x', 10**12]]),
    'negative block': changed(arguments=[['x', -1]]),
    'block without a length': changed(arguments=[['x']]),
    'number for a name': changed(name=1),
    'empty name': changed(name=''),
    'null': changed(instructions=None),
}


@pytest.mark.parametrize('case', HOSTILE)
def test_a_text_that_is_no_program_is_a_value_error(case):
    with pytest.raises(ValueError):
        programs_from_json(HOSTILE[case])


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats()
    | st.sampled_from('xyf')
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_text_with_anything_replaced_is_a_valid_program_or_a_value_error(data):
    written = json.loads(programs_to_json([a_program()]))
    place, depth = written, data.draw(st.integers(1, 5))
    for level in range(depth):
        spots = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not spots:
            break
        spot = data.draw(st.sampled_from(spots))
        if level == depth - 1 or not isinstance(place[spot], list | dict):
            place[spot] = data.draw(json_values)
            break
        place = place[spot]
    try:
        programs = programs_from_json(json.dumps(written).encode())
    except ValueError:
        return
    for program in programs:
        compile_function(program)(*([0.5] * length for length in program.arguments.values()))
