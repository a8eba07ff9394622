"""
Records: memory layouts, declared as classes with typed fields.

::

    class Track(Record):
        travelled: float  # largest distance that any of its points has moved since the start [m]
        is_active: bool  # whether it may be in contact in this step

A field is a float, an int or a bool (one 8-byte slot each), a tuple of them to any depth, another
record, or a block: ``Floats``, ``Ints`` or ``Rows[Other]``. A block is `embedded` with a fixed
count, or it is elsewhere in the same memory: then the field has two slots, the offset of the block
from the start of the record in slots, and its number of members. Memory that contains records can
therefore be copied, stored and moved as it is.

Kernels, compiled or not, read and write the fields; in numpy the same memory is a structured array
(`Image`). A field that is `Static` has no memory: it is a value of the class, given by
`specialized` and known at compile time, such as a module or a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
import functools
from types import FunctionType
from typing import (
    Annotated,
    Any,
    cast,
    ClassVar,
    Generic,
    get_args,
    get_origin,
    get_type_hints,
    NamedTuple,
    overload,
    TypeAlias,
    TypeVar,
)

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.kernels.memory import Array, Floats, floats_of, Ints, ints_of
from symcontact_ros.kernels.statics import Known

R = TypeVar('R', bound='Record')
R_co = TypeVar('R_co', bound='Record', covariant=True)
T = TypeVar('T')

_STATIC = 'static'
_new = object.__new__
Static: TypeAlias = Annotated[T, _STATIC]  # a field without memory, known while compiling


class TupleKind(NamedTuple):
    """A field that is a tuple or a named tuple."""

    maker: type[Any] | None  # the class of a named tuple
    parts: tuple[Any, ...]


_TRIPLE = TupleKind(None, (float, float, float))  # the most frequent case, with a faster reader


class BlockKind(NamedTuple):
    """A field that is a block of members."""

    member: type[Any]  # float, int or a record
    length: int | None  # of an embedded block; None: elsewhere


class FieldProperty(property):
    """Access to a field in plain Python."""


class Field(NamedTuple):
    """Offset and type of a field."""

    name: str
    kind: Any  # float, int, bool, a record, a TupleKind or a BlockKind
    offset: int  # [slot]
    slots: int


@dataclass(frozen=True)
class Layout:
    """Layout of the fields of a record."""

    fields: dict[str, Field]
    statics: frozenset[str]
    slots: int


@dataclass(frozen=True)
class _Embedded:
    count: int


def embedded(count: int) -> Any:
    """Declare a block of a fixed number of members inside its record."""
    if count < 0:
        raise ValueError(f'a block cannot have {count} members')
    return _Embedded(count)


class _RecordType(type):
    """Gives records no room for attributes that are no fields."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> Any:
        counts = {key: value.count for key, value in members.items() if type(value) is _Embedded}
        kept = {key: value for key, value in members.items() if key not in counts}
        return super().__new__(cls, name, bases, {'__slots__': (), **kept, '_counts': counts})


class Record(metaclass=_RecordType):
    """Base of all layouts; an instance is a view of memory, as plain Python has it."""

    __slots__ = ('_floats', '_ints', '_start')
    _counts: ClassVar[dict[str, int]]
    _floats: Floats
    _ints: Ints
    _start: int

    @classmethod
    def at(cls: type[R], block: Floats, start: int = 0) -> R:
        """Return the record that starts at an index of a block."""
        slots = layout_of(cls).slots
        if not 0 <= start <= len(block) - slots:
            raise IndexError(f'{cls.__name__} of {slots} slots at {start} of {len(block)}')
        return _view(cls, block, ints_of(block), start)


class Rows(Generic[R_co]):
    """A block of records of one class, in plain Python."""

    __slots__ = ('_count', '_floats', '_ints', '_record', '_slots', '_start')

    def __init__(
        self, record: type[R_co], floats: Floats, ints: Ints, start: int, count: int
    ) -> None:
        self._record = record
        self._floats = floats
        self._ints = ints
        self._start = start
        self._count = count
        self._slots = layout_of(record).slots

    def __len__(self) -> int:
        return self._count

    def floats(self) -> Floats:
        """Return the same memory as floats; not for kernels."""
        return self._floats[self._start : self._start + self._slots * self._count]

    @overload
    def __getitem__(self, index: int) -> R_co: ...
    @overload
    def __getitem__(self, index: slice) -> Rows[R_co]: ...
    def __getitem__(self, index: int | slice) -> R_co | Rows[R_co]:
        """Return a record, or the records from an index on."""
        if type(index) is slice:
            first = index.start or 0
            last = self._count if index.stop is None else index.stop
            if not 0 <= first <= last <= self._count or index.step is not None:
                raise IndexError(f'rows {index} of {self._count} of {self._record.__name__}')
            start = self._start + self._slots * first
            return Rows(self._record, self._floats, self._ints, start, last - first)
        if not 0 <= index < self._count:
            raise IndexError(f'row {index} of {self._count} of {self._record.__name__}')
        view = _new(self._record)
        view._floats = self._floats
        view._ints = self._ints
        view._start = self._start + self._slots * index
        return view


def rows_of(record: type[R], array: NDArray[Any]) -> Rows[R]:
    """Return an array of records, or of the floats that they are made of, for plain Python."""
    floats = floats_of(array.reshape(-1).view(np.float64))
    count = len(floats) // layout_of(record).slots
    return Rows(record, floats, ints_of(floats), 0, count)


def specialized(record: type[R], **statics: Any) -> type[R]:
    """Return a record class with values of static fields; equal values give the same class."""
    known = tuple((name, Known(statics[name])) for name in sorted(statics))
    return cast(type[R], _specialized(record, known))


@functools.cache
def _specialized(record: type[Record], statics: tuple[tuple[str, Known], ...]) -> type[Record]:
    unknown = {name for name, _ in statics} - layout_of(record).statics
    if unknown:
        raise TypeError(f'{record.__name__} has no static field {", ".join(sorted(unknown))}')
    own = {name: _plain(known.meaning) for name, known in statics}
    return cast(type[Record], _RecordType(record.__name__, (record,), own))


def _plain(static: Any) -> Any:
    """Return a static as stored in a class: a function must not become a method."""
    return staticmethod(static) if isinstance(static, FunctionType) else static


# Layouts -----------------------------------------------------------------------------------------


@functools.cache
def layout_of(record: type[Record]) -> Layout:
    """Return the layout of a record, and prepare the access to its fields."""
    try:
        return _laid_out(record)
    except RecursionError:
        raise TypeError(f'{record.__name__} cannot be a part of itself') from None


def _laid_out(record: type[Record]) -> Layout:
    counts: dict[str, int] = {}
    for base in reversed(record.__mro__):
        counts |= base.__dict__.get('_counts', {})
    _check_names(record)
    meanings = _type_arguments(record)
    fields: dict[str, Field] = {}
    statics: set[str] = set()
    offset = 0
    for name, hint in get_type_hints(record, include_extras=True).items():
        if name in Record.__annotations__ or get_origin(hint) is ClassVar:
            continue
        if get_origin(hint) is Annotated and _STATIC in hint.__metadata__:
            statics.add(name)
            for cls in record.__mro__:
                if isinstance(vars(cls).get(name), FunctionType):
                    setattr(cls, name, _plain(vars(cls)[name]))
            continue
        kind = _kind(hint, counts.get(name), meanings)
        if kind is None or (name in counts and not isinstance(kind, BlockKind)):
            raise TypeError(f'{record.__name__}.{name}: {hint} cannot be kept in memory')
        fields[name] = Field(name, kind, offset, slots_of(kind))
        offset += fields[name].slots
    for field in fields.values():
        access = FieldProperty(_getter(field.kind, field.offset), _setter(field))
        setattr(record, field.name, access)
    return Layout(fields, frozenset(statics), offset)


def _check_names(record: type[Record]) -> None:
    """Raise if a field is called like something that every record has."""
    for cls in record.__mro__:
        names = set(vars(cls).get('__annotations__', ())) & set(vars(Record))
        if names and cls is not Record:
            raise TypeError(f'{record.__name__}: no field can be called {", ".join(names)}')


def _type_arguments(record: type[Record]) -> dict[Any, Any]:
    """Return the values of the type variables of the bases of a record."""
    meanings: dict[Any, Any] = {}
    for cls in record.__mro__:
        for base in cls.__dict__.get('__orig_bases__', ()):
            names = getattr(get_origin(base), '__parameters__', ())
            for name, meaning in zip(names, get_args(base), strict=False):
                meanings.setdefault(name, meanings.get(meaning, meaning))
    return meanings


def _kind(hint: Any, count: int | None, meanings: Mapping[Any, Any]) -> Any:
    """Return the field type of an annotation, or None."""
    hint = meanings.get(hint, hint) if isinstance(hint, TypeVar) else hint
    if hint in (float, int, bool) or _is_record(hint):
        return hint
    if hint in (Floats, Ints):
        return BlockKind(float if hint is Floats else int, count)
    if get_origin(hint) is tuple:
        return _tuple_kind(None, get_args(hint), meanings)
    if isinstance(hint, type) and hasattr(hint, '_fields'):
        return _tuple_kind(hint, tuple(get_type_hints(hint).values()), meanings)
    if get_origin(hint) is not Rows:
        return None
    (member,) = get_args(hint)
    member = meanings.get(member, member) if isinstance(member, TypeVar) else member
    member = get_origin(member) or member
    return BlockKind(member, count) if _is_record(member) else None


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Record)


def _tuple_kind(maker: Any, hints: tuple[Any, ...], meanings: Mapping[Any, Any]) -> Any:
    parts = tuple(_kind(hint, None, meanings) for hint in hints)
    simple = all(part in (float, int, bool) or isinstance(part, TupleKind) for part in parts)
    return TupleKind(maker, parts) if simple else None


def slots_of(kind: Any) -> int:
    """Return the number of slots of a field."""
    if isinstance(kind, TupleKind):
        return sum(map(slots_of, kind.parts))
    if isinstance(kind, BlockKind):
        return 2 if kind.length is None else kind.length * slots_of(kind.member)
    return layout_of(kind).slots if issubclass(kind, Record) else 1


# Plain Python ------------------------------------------------------------------------------------


def _view(record: type[R], floats: Floats, ints: Ints, start: int) -> R:
    view = _new(record)
    view._floats = floats
    view._ints = ints
    view._start = start
    return view


def _getter(kind: Any, offset: int) -> Callable[[Any], Any]:
    """Return the reader of a field."""
    if isinstance(kind, TupleKind):
        return _tuple_getter(kind, offset)
    if isinstance(kind, BlockKind):
        return _block_getter(kind, offset)
    if kind is float:
        return lambda view: view._floats[view._start + offset]
    if kind is int:
        return lambda view: view._ints[view._start + offset]
    if kind is bool:
        return lambda view: view._ints[view._start + offset] != 0
    return lambda view: _view(kind, view._floats, view._ints, view._start + offset)


def _tuple_getter(kind: TupleKind, offset: int) -> Callable[[Any], Any]:
    if kind == _TRIPLE:

        def triple(view: Any) -> tuple[float, float, float]:
            floats, at = view._floats, view._start + offset
            return floats[at], floats[at + 1], floats[at + 2]

        return triple
    readers = [_getter(part, at) for part, at in _placed(kind, offset)]
    make = tuple if kind.maker is None else kind.maker._make
    return lambda view: make([read(view) for read in readers])


def _block_getter(kind: BlockKind, offset: int) -> Callable[[Any], Any]:
    member, length = kind

    def place(view: Any) -> tuple[int, int]:
        if length is not None:
            return view._start + offset, length
        ints, at = view._ints, view._start + offset
        return view._start + ints[at], ints[at + 1]

    def floats(view: Any) -> Any:
        start, count = place(view)
        return view._floats[start : start + count]

    def ints(view: Any) -> Any:
        start, count = place(view)
        return view._ints[start : start + count]

    def rows(view: Any) -> Any:
        return Rows(member, view._floats, view._ints, *place(view))

    return floats if member is float else ints if member is int else rows


def _setter(field: Field) -> Callable[[Any, Any], None]:
    """Return the writer of a field."""
    kind, offset = field.kind, field.offset
    if isinstance(kind, TupleKind):
        return _tuple_setter(kind, offset)

    def write_float(view: Any, value: float) -> None:
        view._floats[view._start + offset] = value

    def write_int(view: Any, value: int) -> None:
        view._ints[view._start + offset] = value

    def refuse(view: Any, value: Any) -> None:
        raise TypeError(f'{type(view).__name__}.{field.name} stays where it is')

    return write_float if kind is float else write_int if kind in (int, bool) else refuse


def _tuple_setter(kind: TupleKind, offset: int) -> Callable[[Any, Any], None]:
    if kind == _TRIPLE:

        def write_triple(view: Any, value: tuple[float, float, float]) -> None:
            floats, at = view._floats, view._start + offset
            floats[at], floats[at + 1], floats[at + 2] = value

        return write_triple
    setters = [_setter(Field('', part, at, slots_of(part))) for part, at in _placed(kind, offset)]

    def write(view: Any, value: Any) -> None:
        for put, member in zip(setters, value, strict=True):
            put(view, member)

    return write


def _placed(kind: TupleKind, offset: int) -> Iterator[tuple[Any, int]]:
    """Yield the parts of a tuple and their offsets."""
    for part in kind.parts:
        yield part, offset
        offset += slots_of(part)


# Numpy -------------------------------------------------------------------------------------------


@functools.cache
def dtype_of(record: type[Record]) -> np.dtype[Any]:
    """Return a record as numpy has it; blocks that lie elsewhere are two ints."""
    layout = layout_of(record)
    fields = layout.fields.values()
    return np.dtype(
        {
            'names': [field.name for field in fields],
            'formats': [_format(field.kind) for field in fields],
            'offsets': [8 * field.offset for field in fields],
            'itemsize': 8 * layout.slots,
        }
    )


def _format(kind: Any) -> Any:
    if isinstance(kind, BlockKind):
        if kind.length is None:
            return 'i8', (2,)
        return _format(kind.member), (kind.length,)
    if isinstance(kind, TupleKind):
        leaves = set(_leaves(kind))
        if len(leaves) > 1:
            raise TypeError(f'{kind}: numpy needs tuples of one kind of number')
        return _format(leaves.pop()), (slots_of(kind),)
    return {float: 'f8', int: 'i8', bool: 'i8'}.get(kind) or dtype_of(kind)


def _leaves(kind: TupleKind) -> Iterator[Any]:
    for part in kind.parts:
        yield from _leaves(part) if isinstance(part, TupleKind) else (part,)


class Image(Generic[R]):
    """
    A record with all of its blocks, contiguous in memory.

    ``image['name']`` is a block as an array: structured for records, or of floats or ints.

    Parameters
    ----------
    record
        The class; the record comes first.
    counts
        Number of members of each block that is not embedded.

    Attributes
    ----------
    memory
        All of it, as floats.
    record
        The record, to be read and written in plain Python.
    """

    def __init__(self, record: type[R], counts: Mapping[str, int]) -> None:
        layout = layout_of(record)
        blocks = {
            name: field.kind
            for name, field in layout.fields.items()
            if isinstance(field.kind, BlockKind) and field.kind.length is None
        }
        if set(counts) != set(blocks):
            raise ValueError(f'{record.__name__} has blocks {sorted(blocks)}, not {set(counts)}')
        self._locations: dict[str, tuple[int, int, Any]] = {}
        size = layout.slots
        for name, kind in blocks.items():
            length = counts[name] * slots_of(kind.member)
            self._locations[name] = size, length, kind.member
            size += length
        self.memory: Array = np.zeros(size)
        self.record: R = record.at(floats_of(self.memory))
        self._kind = record
        header = self.memory.view(np.int64)
        for name, (start, _, _) in self._locations.items():
            at = layout.fields[name].offset
            header[at : at + 2] = start, counts[name]
        self._arrays = {name: self._array(*place) for name, place in self._locations.items()}

    def _array(self, start: int, length: int, member: Any) -> NDArray[Any]:
        part = self.memory[start : start + length]
        if member is float:
            return part
        return part.view(np.int64 if member is int else dtype_of(member))

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a block as an array that shares its memory."""
        return self._arrays[name]

    def slot(self, name: str, index: int = 0, field: str = '') -> int:
        """Return where a block, a record in it, or a field of that record is in `memory`."""
        start, _, member = self._locations[name]
        offset = layout_of(member).fields[field].offset if field else 0
        return start + index * slots_of(member) + offset

    def copy(self, name: str, count: int | None = None) -> NDArray[Any]:
        """Return a copy of the first members of a block, or of all."""
        return self.copy_slots(name, count).view(self._arrays[name].dtype)

    def copy_slots(self, name: str, count: int | None = None) -> Array:
        """Return the slots of such a copy, as numbers."""
        start, length, member = self._locations[name]
        if count is not None:
            length = count * slots_of(member)
        # As numbers: numpy takes several times as long to copy records, or to make them of these.
        return self.memory[start : start + length].copy()

    def refer(
        self, name: str, index: int, field: str, *, target: str, start: int, count: int
    ) -> None:
        """
        Locate a block of a record in a block inside another block.

        Parameters
        ----------
        name, index, field
            Of the record: its block, its place there, and its field.
        target, start
            The block of floats that contains it, and its offset.
        count
            Of its members.
        """
        first, _, member = self._locations[name]
        place = first + index * slots_of(member)
        self._arrays[name][field][index] = self._locations[target][0] + start - place, count

    def field(self, name: str) -> NDArray[Any]:
        """Return an int or a float of the record as an array of one element that shares memory."""
        field = layout_of(self._kind).fields[name]
        return self.memory[field.offset : field.offset + 1].view(_format(field.kind))

    @property
    def counts(self) -> dict[str, int]:
        """Number of members of each block."""
        return {name: len(array) for name, array in self._arrays.items()}

    def duplicate(self) -> Image[R]:
        """Return a copy in memory of its own."""
        image = Image(self._kind, self.counts)
        image.memory.view(np.int64)[:] = self.memory.view(np.int64)
        return image

    def resized(self, **counts: int) -> Image[R]:
        """Return a copy with other counts of some blocks; new members are zero."""
        image = Image(self._kind, {**self.counts, **counts})
        for name, field in layout_of(self._kind).fields.items():
            if name in self._arrays:
                if name not in counts:
                    image[name][:] = self._arrays[name]
            else:
                own = slice(field.offset, field.offset + field.slots)
                image.memory.view(np.int64)[own] = self.memory.view(np.int64)[own]
        return image
