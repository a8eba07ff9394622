"""Records: layouts of memory that kernels, plain Python and numpy share."""

from dataclasses import dataclass
from typing import ClassVar, Generic, NamedTuple, TypeVar

from helpers.kernel_sources import same
import numpy as np
import pytest

from symcontact_ros.kernels.memory import Floats, floats_of, Ints
from symcontact_ros.kernels.records import (
    dtype_of,
    embedded,
    Image,
    layout_of,
    Record,
    Rows,
    rows_of,
    specialized,
    Static,
)
from symcontact_ros.kernels.statics import is_same, Known


class Point(NamedTuple):
    x: float
    y: float


class Cell(Record):
    """A cell."""

    number: int
    flag: bool
    point: Point
    LIMIT: ClassVar[float] = 2.5


C = TypeVar('C', bound=Cell)
T = TypeVar('T')


class Holder(Record, Generic[C, T]):
    first: C
    cells: Rows[C]
    value: T


class Special(Cell):
    weight: float


class SpecialHolder(Holder[Special, int]):
    last: float


class Grid(Record):
    total: float
    cells: Rows[Cell] = embedded(2)
    numbers: Ints
    names: Floats
    others: Rows[Cell]


def sum_up(grid, out):
    for i in range(len(grid.cells)):
        cell = grid.cells[i]
        grid.total += cell.point.x * cell.LIMIT
        cell.flag = cell.number > 1
    for i in range(len(grid.others)):
        grid.others[i].point = grid.others[i].point._replace(y=float(i))
    grid.numbers[0] = len(grid.names) + len(grid.others)
    grid.names[0] = grid.total
    out[0] = grid.total


def test_fields_follow_each_other_in_slots():
    places = {name: (f.offset, f.slots) for name, f in layout_of(Grid).fields.items()}
    assert places == {
        'total': (0, 1),
        'cells': (1, 8),
        'numbers': (9, 2),
        'names': (11, 2),
        'others': (13, 2),
    }
    assert layout_of(Grid).slots == 15
    assert layout_of(Special).slots == 5
    assert layout_of(Cell).statics == frozenset()


def test_type_variables_mean_what_bases_say():
    fields = layout_of(SpecialHolder).fields
    assert fields['first'].kind is Special
    assert fields['cells'].kind.member is Special
    assert fields['value'].kind is int
    assert fields['last'].offset == 5 + 2 + 1
    with pytest.raises(TypeError, match='cannot be kept in memory'):
        layout_of(Holder)


def test_an_image_is_one_piece_of_memory():
    image = Image(Grid, {'numbers': 2, 'names': 3, 'others': 1})
    assert len(image.memory) == 15 + 2 + 3 + 4
    image['others']['point'] = [(1.5, 2.5)]
    image['names'][:] = 1.0, 2.0, 3.0
    image['numbers'][:] = 7, 8
    image.record.cells[1].point = Point(3.0, 4.0)
    image.record.cells[1].number = 5
    assert image.record.others[0].point == Point(1.5, 2.5)
    assert list(image.record.numbers) == [7, 8]
    memory, out = same(sum_up, [Grid, Floats], image.memory, np.zeros(1))
    assert out[0] == 7.5
    image.memory[:] = memory
    assert image.record.cells[1].flag is True
    assert image['numbers'].tolist() == [4, 8]
    assert image.counts == {'numbers': 2, 'names': 3, 'others': 1}


def test_an_image_is_resized_with_all_that_it_holds():
    image = Image(Grid, {'numbers': 2, 'names': 3, 'others': 1})
    image.memory[15:] = np.arange(9.0)
    image.record.total = 2.5
    image.record.cells[0].number = 9
    larger = image.resized(names=5)
    assert larger.counts == {'numbers': 2, 'names': 5, 'others': 1}
    assert larger['names'].tolist() == [0.0] * 5
    assert larger['others'].tobytes() == image['others'].tobytes()
    assert larger['numbers'].tolist() == image['numbers'].tolist()
    assert (larger.record.total, larger.record.cells[0].number) == (2.5, 9)
    with pytest.raises(ValueError, match='Grid has blocks'):
        Image(Grid, {'numbers': 2})


def test_numpy_sees_the_same_memory():
    array = np.zeros(2, dtype_of(Cell))
    array['number'] = 3, 4
    array['point'][1] = 5.0, 6.0
    rows = rows_of(Cell, array)
    assert [rows[0].number, rows[1].number] == [3, 4]
    assert rows[1].point == Point(5.0, 6.0)
    rows[0].flag = True
    assert array['flag'].tolist() == [1, 0]
    assert dtype_of(Grid)['cells'].shape == (2,)
    assert dtype_of(Grid)['names'].shape == (2,)


class Uneven(Record):
    pair: tuple[float, int]
    nested: tuple[tuple[float, float], float]


def test_tuples_of_several_kinds_are_none_of_numpy():
    uneven = Uneven.at(floats_of(np.zeros(5)))
    uneven.pair = 1.5, 2
    uneven.nested = (1.0, 2.0), 3.0
    assert (uneven.pair, uneven.nested) == ((1.5, 2), ((1.0, 2.0), 3.0))
    with pytest.raises(TypeError, match='one kind of number'):
        dtype_of(Uneven)


def test_what_is_no_field_is_not_taken():
    cell = Cell.at(floats_of(np.zeros(4)))
    with pytest.raises(AttributeError):
        cell.nothing = 1.0
    image = Image(Grid, {'numbers': 0, 'names': 0, 'others': 0})
    for name in ('cells', 'numbers', 'others'):
        with pytest.raises(TypeError, match=f'Grid.{name} stays where it is'):
            setattr(image.record, name, None)
    with pytest.raises(TypeError):
        cell.number = 1.5


def twice(x):
    return 2.0 * x


class Ruled(Record):
    x: float
    law: Static[object] = twice
    count: Static[int]

    def value(self):
        return self.law(self.x) * self.count


def run_ruled(ruled, out):
    out[0] = ruled.value()


def test_statics_are_values_of_the_class():
    kind = specialized(Ruled, count=3)
    assert kind is specialized(Ruled, count=3)
    assert kind is not specialized(Ruled, count=3.0)
    assert layout_of(kind).slots == 1
    (_, out) = same(run_ruled, [kind, Floats], np.array([1.5]), np.zeros(1))
    assert out[0] == 9.0
    with pytest.raises(TypeError, match='Ruled has no static field x'):
        specialized(Ruled, x=1.0)
    with pytest.raises(TypeError, match='unhashable'):
        specialized(Ruled, count=[])


@dataclass(frozen=True)
class Law:
    factor: object

    def of(self, x):
        return x


PAIRS = [
    (1, 1.0, False),
    (1, True, False),
    (0.0, -0.0, False),
    (float('nan'), float('nan'), True),
    ((1, 2), (1, 2), True),
    ((1, 2), (1, 2.0), False),
    ((1, 2), (1, 2, 3), False),
    ('a' * 3, 'aaa', True),
    (Law(1), Law(1), True),
    (Law(1), Law(1.0), False),
    (Law(Law(0.0)), Law(Law(-0.0)), False),
    (Law(1).of, Law(1).of, True),
    (Law(1).of, Law(2).of, False),
    (twice, twice, True),
    (twice, run_ruled, False),
    (None, None, True),
    (Point(1.0, 2.0), (1.0, 2.0), False),
]


@pytest.mark.parametrize(('one', 'other', 'expected'), PAIRS)
def test_statics_are_the_same_if_kernels_see_no_difference(one, other, expected):
    assert is_same(one, other) is expected
    assert (Known(one) == Known(other)) is expected
    if expected and not isinstance(one, float):  # a nan has a hash of its own
        assert hash(Known(one)) == hash(Known(other))
    assert Known(one) != one
