"""Kernels compiled for debugging find what plain Python would raise, and tell where."""

import math
import os
import subprocess
import sys
import threading

from helpers.kernel_sources import agrees, LINES, module_of, STANDARD
import numpy as np
import pytest
from test_kernel_agreement import CASES

from symcontact_ros.errors import OptionError
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.errors import KernelFault
from symcontact_ros.kernels.kernel import is_stored, Kernel
from symcontact_ros.kernels.memory import Floats, Ints, is_debugging, scratch
from symcontact_ros.kernels.records import Image, Record, Rows


@pytest.fixture(autouse=True)
def _debugged(monkeypatch):
    monkeypatch.setenv('SYMCONTACT_KERNELS', 'debug')


@pytest.mark.parametrize('case', CASES)
def test_good_kernels_do_the_same_when_they_are_debugged(case, tmp_path):
    agrees(tmp_path, CASES[case])


PREAMBLE = """
class Pair(Record):
    a: float
    n: int
    on: bool
class Box(Record):
    x: float
    few: Floats = embedded(2)
    pairs: Rows[Pair] = embedded(2)
    more: Floats
def twice(x):
    return 2.0 * x
"""
# Name of a case: a statement of an entry(x, n, out, whole), each with 4 members that are
# x = 1.5, -2.0, 0.0, 1e300 and n = 2, 9, 0, -1; and what is told of it.
FAULTS = {
    'an index too high': ('out[0] = x[n[1]]', 'index 9 of 4 of float'),
    'an index just too high': ('out[0] = x[n[0] + 2]', 'index 4 of 4 of float'),
    'an index too low': ('out[0] = x[n[3]]', 'index -1 of 4 of float'),
    'a constant index too high': ('out[0] = x[4]', 'index 4 of 4 of float'),
    'an index of ints': ('whole[0] = n[n[1]]', 'index 9 of 4 of int'),
    'a write too high': ('out[n[1]] = 1.0', 'index 9 of 4 of float'),
    'a write too low': ('whole[n[3]] = 1', 'index -1 of 4 of int'),
    'an augmented write too high': ('out[n[1]] += 1.0', 'index 9 of 4 of float'),
    'an index of a slice': ('out[0] = x[1:3][n[0]]', 'index 2 of 2 of float'),
    'a slice too long': ('z = x[0:n[1]]', 'slice to 9 of 4 of float'),
    'a slice from too high': ('z = x[n[1]:]', 'slice from 9 to 4 of float'),
    'a slice from too low': ('z = x[n[3]:]', 'slice from -1 to 4 of float'),
    'a slice to too low': ('z = x[:n[3]]', 'slice to -1 of 4 of float'),
    'a slice that ends before it starts': ('z = x[3:n[0]]', 'slice from 3 to 2 of float'),
    'a record beyond its room': ('p = Pair.at(x, n[0])', 'Pair of 3 slots at 2 of 4'),
    'a record before its room': ('p = Pair.at(x, n[3])', 'Pair of 3 slots at -1 of 4'),
    'a record too large': ('b = Box.at(x)', 'Box of 11 slots at 0 of 4'),
    'a row too high': ('r = BOX.pairs[n[0]]', 'index 2 of 2 of Pair'),
    'a row of a slice': ('r = BOX.pairs[1:][n[0] - 1]', 'index 1 of 1 of Pair'),
    'an embedded block': ('out[0] = BOX.few[n[0]]', 'index 2 of 2 of float'),
    'an index of a tuple': ('out[0] = (1.0, 2.0)[n[0]]', 'index 2 of a tuple of 2'),
    'an index of a tuple from its end': ('out[0] = (1.0, 2.0)[n[3] - 2]', 'index -3 of a tuple'),
    'an int divided by zero': ('whole[0] = n[0] // n[2]', 'an int is divided by zero'),
    'a rest by zero': ('whole[0] = n[0] % n[2]', 'an int is divided by zero'),
    'a float divided by zero': ('out[0] = x[0] / x[2]', 'a float is divided by zero'),
    'a float divided by an int that is zero': ('out[0] = x[0] / n[2]', 'a float is divided'),
    'a root of a negative number': ('out[0] = math.sqrt(x[1])', 'the root of a negative'),
    'a sum too large': ('whole[0] = 9223372036854775807 + n[0]', 'an int leaves 64 bits'),
    'a difference too low': ('whole[0] = -9223372036854775807 - n[0]', 'an int leaves 64 bits'),
    'a product too large': ('whole[0] = 4611686018427387904 * n[0]', 'an int leaves 64 bits'),
    'an opposite too large': ('whole[0] = -(n[3] - 9223372036854775807)', 'an int leaves 64'),
    'a shift too far': ('whole[0] = n[0] << 62 + n[0] - 2', 'an int leaves 64 bits'),
    'a shift by less than nothing': ('whole[0] = n[0] << n[3]', 'an int is shifted by -1'),
    'a shift back by less than nothing': ('whole[0] = n[0] >> n[3]', 'an int is shifted by -1'),
    'a float that is no int': ('whole[0] = int(x[3])', 'a float is no int of 64 bits'),
    'a floor that is no int': ('whole[0] = math.floor(-x[3])', 'a float is no int of 64 bits'),
}


@pytest.mark.parametrize('case', FAULTS)
def test_a_fault_is_told_with_file_and_line(case, tmp_path):
    statement, reason = FAULTS[case]
    if 'BOX' in statement:
        statement = statement.replace('BOX', 'box')
    text = f'{PREAMBLE}def entry(x, n, out, whole):\n    y = twice(x[0])\n'
    if 'box' in statement:
        text = text.replace('entry(x', 'entry(box, x')
    text += f'    out[3] = y\n    {statement}\n    out[3] = 7.0\n'
    module = module_of(tmp_path, text)
    x, n = np.array([1.5, -2.0, 0.0, 1e300]), np.array([2, 9, 0, -1])
    out, whole = np.zeros(4), np.zeros(4, np.int64)
    arguments = [x, n, out, whole]
    types = list(STANDARD)
    if 'box' in statement:
        arguments.insert(0, Image(module.Box, {'more': 3}).memory)
        types.insert(0, module.Box)
    kernel = Kernel(module.entry, types)
    line = LINES + text.count('\n') - 1
    with pytest.raises(KernelFault) as told:
        kernel(*arguments)
    assert str(told.value).startswith(f'{module.__file__}:{line}: {reason}')
    assert out[3] == 3.0  # nothing was done after it


class Cell(Record):
    x: float
    n: int
    on: bool
    pair: tuple[float, int]
    block: Floats


def reading(memory, what, out):
    cell = Cell.at(memory)
    if what == 0:
        out[0] = memory[1]
    elif what == 1:
        out[0] = cell.x
    elif what == 2:
        out[0] = float(cell.n)
    elif what == 3:
        out[0] = 1.0 if cell.on else 2.0
    elif what == 4:
        out[0] = cell.pair[0]
    elif what == 5:
        out[0] = cell.block[0]
    elif what == 6:
        memory[0] += 1.0


def reading_ints(ints, out):
    out[0] = float(ints[2])


@pytest.mark.parametrize('what', range(7))
def test_reading_what_nobody_wrote_is_found(what):
    kernel = Kernel(reading, [Floats, int, Floats])
    memory = scratch(10)
    with pytest.raises(KernelFault, match=r'test_kernel_debugging\.py:\d+: .*nobody has written'):
        kernel(memory, what, np.zeros(1))
    memory[:] = 1.0
    memory.view(np.int64)[5:7] = 0, 1
    kernel(memory, what, np.zeros(1))


def test_reading_an_int_that_nobody_wrote_is_found():
    kernel, memory = Kernel(reading_ints, [Ints, Floats]), scratch(4).view(np.int64)
    with pytest.raises(KernelFault, match='nobody has written'):
        kernel(memory, np.zeros(1))
    memory[2] = 5
    out = np.zeros(1)
    kernel(memory, out)
    assert out[0] == 5.0


def writing(memory, out):
    for i in range(len(memory)):
        memory[i] = float(i)
    out[0] = memory[len(memory) - 1]


def test_what_a_kernel_wrote_itself_can_be_read():
    out = np.zeros(1)
    Kernel(writing, [Floats, Floats])(scratch(5), out)
    assert out[0] == 4.0


def deep(x, index):
    return shallow(x, index) + 1.0


def shallow(x, index):
    return x[index] * 2.0


def nested(x, index, out):
    for i in range(3):
        out[i] = deep(x, index + i)
    out[3] = deep(x, 0)


def test_the_first_fault_is_told_and_later_calls_start_clean():
    kernel, x = Kernel(nested, [Floats, int, Floats]), np.ones(4)
    for index, told in ((3, 'index 4 of 4'), (2, 'index 4 of 4'), (-5, 'index -5 of 4')):
        out = np.zeros(4)
        with pytest.raises(KernelFault, match=told):
            kernel(x, index, out)
        assert out[3] == 0.0
        kernel(x, 0, out)
        assert out.tolist() == [3.0] * 4


def test_threads_are_told_of_their_own_faults():
    kernel, x, told = Kernel(nested, [Floats, int, Floats]), np.ones(4), []

    def work(index):
        for _ in range(200):
            try:
                kernel(x, index, np.zeros(4))
                told.append((index, ''))
            except KernelFault as fault:
                told.append((index, str(fault).rpartition(': ')[2]))

    threads = [threading.Thread(target=work, args=(index,)) for index in (0, 9, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(told) == {(0, ''), (9, 'index 9 of 4 of float'), (7, 'index 7 of 4 of float')}


def endless(x, out):
    while x[0] < 10.0:
        x[9] += 1.0
    out[0] = 1.0


def test_a_fault_ends_a_loop_that_would_not_end():
    with pytest.raises(KernelFault, match='index 9 of 2'):
        Kernel(endless, [Floats, Floats])(np.zeros(2), np.zeros(1))


def test_a_file_may_be_called_as_it_likes(tmp_path):
    folder = tmp_path / '{0} {braces}'
    folder.mkdir()
    module = module_of(folder, 'def entry(x, n, out, whole):\n    out[0] = x[n[0]]\n')
    kernel = Kernel(module.entry, STANDARD)
    with pytest.raises(KernelFault, match=r'\{0\} \{braces\}.*: index 7 of 4 of float'):
        kernel(np.zeros(4), np.full(4, 7), np.zeros(4), np.zeros(4, np.int64))


def test_debugged_code_is_not_kept(tmp_path):
    cache = Cache(tmp_path)
    Kernel(writing, [Floats, Floats], cache)
    assert not list(tmp_path.iterdir())
    assert not is_stored(writing, [Floats, Floats], cache)


def test_memory_is_marked_only_when_kernels_are_debugged(monkeypatch):
    assert math.isnan(scratch(3)[1])
    assert is_debugging()
    monkeypatch.delenv('SYMCONTACT_KERNELS')
    assert not is_debugging()
    assert scratch(3).shape == (3,)


@pytest.mark.parametrize('value', ['fast', 'DEBUG', '1', ' '])
def test_another_way_to_compile_is_refused(value, monkeypatch):
    monkeypatch.setenv('SYMCONTACT_KERNELS', value)
    with pytest.raises(
        OptionError, match=f'SYMCONTACT_KERNELS must be empty, best, quick or debug, .*{value}'
    ):
        Kernel(writing, [Floats, Floats])
    with pytest.raises(OptionError, match='SYMCONTACT_KERNELS must be'):
        scratch(3)


def test_rows_are_counted():
    def told(index):
        rows = np.zeros(2 * 3)
        with pytest.raises(KernelFault) as fault:
            Kernel(row_of, [Rows[Small], int])(rows, index)
        return str(fault.value)

    assert 'index 2 of 2 of Small' in told(2)
    assert 'index -1 of 2 of Small' in told(-1)


class Small(Record):
    a: float
    b: tuple[float, float]


def row_of(rows, index):
    rows[index].a = 1.0


def test_a_wrong_setting_is_told_kindly_at_the_command_line():
    done = subprocess.run(
        [
            sys.executable,
            '-m',
            'symcontact_ros',
            'simulate',
            'bouncing_circle',
            '--duration',
            '0.01',
        ],
        env={**os.environ, 'SYMCONTACT_KERNELS': 'fast'},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert 'SYMCONTACT_KERNELS must be empty, best, quick or debug' in done.stderr
    assert 'Traceback' not in done.stderr
