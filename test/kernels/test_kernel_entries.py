"""Entries: what they take, and what they give where plain Python would raise."""

from dataclasses import dataclass
from functools import partial
import gc
import math
import sys
import threading

from helpers.kernel_sources import same
from helpers.processes import LONG
import numpy as np
import pytest

from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.kernel import Kernel, static
from symcontact_ros.kernels.language import call as call_program
from symcontact_ros.kernels.language import forget, register
from symcontact_ros.kernels.memory import Floats, floats_of, Ints
from symcontact_ros.kernels.records import embedded, Image, layout_of, Record, Rows

LOWEST, HIGHEST = -(2**63), 2**63 - 1


def divided(a, b, whole):
    whole[0], whole[1] = a // b, a % b


@pytest.mark.parametrize(
    ('a', 'b', 'expected'),
    [
        (7, 0, [0, 0]),
        (0, 0, [0, 0]),
        (LOWEST, 0, [0, 0]),
        (LOWEST, -1, [LOWEST, 0]),
        (HIGHEST, -1, [-HIGHEST, 0]),
        (LOWEST, 1, [LOWEST, 0]),
        (LOWEST, 3, [LOWEST // 3, LOWEST % 3]),
        (LOWEST, LOWEST, [1, 0]),
        (HIGHEST, LOWEST, [-1, -1]),
        (-7, 2, [-4, 1]),
        (7, -2, [-4, -1]),
    ],
)
def test_ints_are_divided_by_anything(a, b, expected):
    whole = np.ones(2, np.int64)
    Kernel(divided, [int, int, Ints])(a, b, whole)
    assert whole.tolist() == expected


class Tally(Record):
    """What a bound call writes."""

    total: int
    calls: int


def tallied(number, tally):
    tally.calls += 1
    tally.total = number * tally.calls


@pytest.mark.parametrize('mode', ['', 'debug'])
def test_a_bound_call_returns_what_it_writes_as_long_as_anyone_has_it(monkeypatch, mode):
    monkeypatch.setenv('SYMCONTACT_KERNELS', mode)
    image = Image(Tally, {})
    given = image.memory, image.field('total')
    call = Kernel(tallied, [int, Tally]).bound(-(2**40), *given)
    other = Kernel(tallied, [int, Tally]).bound(3, *given)
    del image, given
    gc.collect()  # nothing but the calls holds the kernels, and the memory
    assert [call(), call(), other(), call()] == [-(2**40), -(2**41), 9, -(2**42)]
    with pytest.raises(TypeError):
        call(1)


def scrambled(count, tally):
    total = 1
    for i in range(count):
        total = 3 * total + i
    tally.total = total


def test_a_bound_call_lets_other_threads_run(request):
    request.addfinalizer(partial(sys.setswitchinterval, sys.getswitchinterval()))
    image = Image(Tally, {})
    entry = Kernel(scrambled, [int, Tally])
    call = entry.bound(3 * 10**8, image.memory, image.field('total'))  # a third of a second
    begun, results = threading.Event(), []

    def run():
        begun.set()
        results.append(call())

    thread = threading.Thread(target=run)
    sys.setswitchinterval(LONG)  # from here on a thread runs until it lets others do so
    thread.start()
    begun.wait()
    assert not results  # or the thread had to end before this one could go on
    thread.join(LONG)
    assert results


def shifted(a, count, whole):
    whole[0], whole[1] = a << count, a >> count


@pytest.mark.parametrize('a', [1, -1, 5, -(2**40) + 1, HIGHEST, LOWEST])
@pytest.mark.parametrize('count', [0, 1, 31, 62, 63, 64, 65, 127, 128, HIGHEST])
def test_ints_are_shifted_by_anything(a, count):
    whole = np.zeros(2, np.int64)
    Kernel(shifted, [int, int, Ints])(a, count, whole)
    far = min(count, 64)
    wrapped = ((a << far) + 2**63) % 2**64 - 2**63  # ints wrap around
    assert whole.tolist() == [wrapped, a >> far]


def without_result(x, n, out, whole):
    out[0] = x / out[7]
    out[1] = math.sqrt(-1.0 - abs(x))
    whole[0] = int(x * 1e300)
    whole[1] = int(-x * 1e300)
    whole[2] = int(out[7] / out[7])
    whole[3] = n + 1
    whole[4] = -n - 2
    whole[5] = n * n
    whole[6] = abs(-n - 1)
    whole[7] = math.floor(x * -1e300)


def test_what_has_no_result_in_python_has_one_all_the_same():
    out, whole = np.zeros(8), np.zeros(8, np.int64)
    Kernel(without_result, [float, int, Floats, Ints])(5.0, HIGHEST, out, whole)
    assert out[0] == math.inf
    assert math.isnan(out[1])
    assert whole.tolist() == [HIGHEST, LOWEST, 0, LOWEST, HIGHEST, 1, LOWEST, LOWEST]


def stepping(count, factor, flag, table, tool, out):
    for i in range(count):
        out[i] = tool(factor * table[i]) if flag else table[i]


def doubled(x):
    return 2.0 * x


def test_numbers_truths_and_tuples_can_be_static():
    arguments = [static(v) for v in (3, 0.5, True, (1.0, 2.0, -0.0), doubled)]
    (out,) = same(stepping, [*arguments, Floats], np.ones(4))
    assert out.tolist() == [1.0, 2.0, 0.0, 1.0]


@dataclass(frozen=True)
class Scale:
    factor: float

    def apply(self, x, out):
        out[0] = self.factor * x

    @classmethod
    def nothing(cls, out):
        out[0] = 0.0


@dataclass
class Loose:
    factor: float

    def apply(self, x, out):
        out[0] = self.factor * x


def test_a_method_can_be_an_entry():
    out = np.zeros(1)
    Kernel(Scale(2.5).apply, [float, Floats])(2.0, out)
    assert out[0] == 5.0
    Kernel(Scale.nothing, [Floats])(out)
    assert out[0] == 0.0
    with pytest.raises(KernelError, match='Loose can change'):
        Kernel(Loose(2.5).apply, [float, Floats])


class Item(Record):
    weight: float
    count: int
    used: bool


class Shelf(Record):
    total: float
    first: Item
    items: Rows[Item]
    spare: Rows[Item] = embedded(2)
    numbers: Ints
    names: Floats

    def weigh(self, rows):
        """Add up the weights of used ones."""
        for i in range(len(rows)):
            item = rows[i]
            if item.used:
                self.total += item.weight * float(item.count)


def weigh(shelf, rows):
    shelf.weigh(shelf.items)
    shelf.weigh(shelf.items[1:2])
    shelf.weigh(shelf.spare)
    shelf.weigh(rows)
    shelf.first.used = len(shelf.numbers) > len(shelf.names)
    shelf.numbers[1] = len(rows) + len(shelf.spare[1:])
    shelf.items[2].count += 5
    last = shelf.items[len(shelf.items) - 1]
    last.weight = shelf.total
    rows[0].used = not rows[0].used


def test_records_and_rows_are_the_same_plain_and_compiled():
    image = Image(Shelf, {'items': 3, 'numbers': 2, 'names': 1})
    image['items']['weight'] = [1.5, 2.5, 3.5]
    image['items']['count'] = [1, 2, 3]
    image['items']['used'] = [1, 0, 1]
    image.record.spare[1].weight = 10.0
    image.record.spare[1].used = True
    rows = np.array([(2.0, 2, 1), (4.0, 4, 0)], Image(Shelf, image.counts)['items'].dtype)
    memory, changed = same(weigh, [Shelf, Rows[Item]], image.memory, rows)
    assert memory[0] == 1.5 + 3.5 * 3.0 + 2.0 * 2.0
    assert changed['used'].tolist() == [0, 0]
    image.memory[:] = memory
    assert image['items']['count'].tolist() == [1, 2, 8]
    assert image['numbers'].tolist() == [0, 3]


def test_rows_are_cut_within_what_there_is():
    image = Image(Shelf, {'items': 3, 'numbers': 2, 'names': 1})
    rows = image.record.items
    assert [len(rows[1:]), len(rows[:2]), len(rows[3:3])] == [2, 2, 0]
    for wrong in (slice(2, 1), slice(0, 4), slice(-1, None), slice(0, 2, 2)):
        with pytest.raises(IndexError, match='of 3 of Item'):
            rows[wrong]
    with pytest.raises(IndexError, match='row 3 of 3'):
        rows[3]
    with pytest.raises(IndexError, match='Item of 3 slots at 1'):
        Item.at(floats_of(np.zeros(3)), 1)


def calling(address, x, out):
    call_program(address, x, out)


def program(x, out):
    out[0] = x[0] + 1.0


class One(Record):
    value: float


def direct(x, out):
    out.value = x.value + 7.0


def test_a_program_at_an_address_can_be_called():
    x, out = np.array([2.0]), np.zeros(1)
    inner = Kernel(direct, [One, One])
    Kernel(calling, [int, Floats, Floats])(inner.address, x, out)
    assert out[0] == 9.0
    address = register(program, None)
    calling(address, floats_of(x), floats_of(out))
    assert out[0] == 3.0
    forget(address)
    with pytest.raises(KeyError):
        calling(address, floats_of(x), floats_of(out))


def test_code_lives_as_long_as_its_function():
    function = Kernel(program, [Floats, Floats]).function
    x, out = np.array([2.0]), np.zeros(1)
    function(x.ctypes.data, 1, out.ctypes.data, 1)
    assert out[0] == 3.0


def test_kernels_are_compiled_in_several_threads_at_once():
    results = []

    def work():
        out = np.zeros(4)
        Kernel(stepping, [int, float, static(True), Floats, static(doubled), Floats])(
            4, 2.0, np.ones(4), out
        )
        results.append(out.tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[4.0] * 4] * 4


def test_a_record_knows_its_size():
    assert layout_of(Item).slots == 3
    assert layout_of(Shelf).slots == 1 + 3 + 2 + 6 + 2 + 2
