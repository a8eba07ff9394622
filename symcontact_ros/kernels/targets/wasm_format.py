"""
WebAssembly object files, and the modules that are made of them.

An object file of LLVM imports its memory, its table of functions and its stack pointer, and all
indices in its code are right as long as nothing else is linked to it. Here these three become its
own, functions get their places in the table, and names for the outside; what only a linker reads
is left out, and padded indices are written without their padding.

The format: WebAssembly Core Specification, 5 (binary format); the symbol table and relocations:
"WebAssembly Object File Linking" of the WebAssembly tool conventions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

HEADER = 8  # bytes: magic number and version
CUSTOM, TYPES, IMPORTS, FUNCTIONS, TABLES, MEMORY, GLOBALS, EXPORTS = range(8)
ELEMENTS, CODE, DATA, DATA_COUNT = 9, 10, 11, 12
STACK = 1 << 16  # bytes, below which constants are, too
PAGE = 1 << 16  # bytes
PADDED = 5  # bytes of an index in an object file

_OF_FUNCTIONS, _OF_DATA, _OF_GLOBALS, _OF_SECTIONS = range(4)  # kinds of symbols
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40  # flags of symbols
_SYMBOLS = 8  # subsection with the symbol table
_WITH_ADDEND = (3, 4, 5, 11, 13, 14, 15, 16, 17, 18, 21, 22, 23)  # types of relocations
# Types of relocations whose place is an index in five bytes: of a function, a type, a global, a
# table. Addresses of data (signed) keep their padding.
_INDICES = (0, 6, 7, 20)


class WasmError(ValueError):
    """Object code that needs a linker."""


class Reader:
    """Bytes, read one number or name after the other."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    @property
    def is_done(self) -> bool:
        """Whether all has been read."""
        return self.at >= len(self.data)

    def byte(self) -> int:
        """Return a byte."""
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """Return an unsigned number (LEB128)."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def bytes(self, size: int) -> bytes:
        """Return a number of bytes."""
        self.at += size
        return self.data[self.at - size : self.at]

    def name(self) -> str:
        """Return a name."""
        return self.bytes(self.number()).decode()


def unsigned(value: int) -> bytes:
    """Return a number as LEB128 has it."""
    out = bytearray()
    while True:
        byte, value = value & 127, value >> 7
        out.append(byte | (128 if value else 0))
        if not value:
            return bytes(out)


def signed(value: int) -> bytes:
    """Return a number >= 0 as signed LEB128 has it."""
    out = bytearray()
    while True:
        byte, value = value & 127, value >> 7
        if value == 0 and byte < 64:
            out.append(byte)
            return bytes(out)
        out.append(byte | 128)


def vector(items: Sequence[bytes]) -> bytes:
    """Return a number of items, each encoded already."""
    return unsigned(len(items)) + b''.join(items)


class Relocation(NamedTuple):
    """A place in the code that a linker may change."""

    kind: int
    offset: int  # in the code section


class ObjectFile:
    """
    Parts of an object file.

    Attributes
    ----------
    sections
        Contents by number, in the order of the file; without custom ones.
    functions
        Index of each function that it defines, by name.
    relocations
        Of the code.
    """

    def __init__(self, code: bytes) -> None:
        self.sections: dict[int, bytes] = {}
        self.functions: dict[str, int] = {}
        self.relocations: list[Relocation] = []
        reader = Reader(code, HEADER)
        while not reader.is_done:
            number = reader.byte()
            content = reader.bytes(reader.number())
            if number != CUSTOM:
                self.sections[number] = content
                continue
            custom = Reader(content)
            name = custom.name()
            if name == 'linking':
                self.functions = dict(_function_symbols(custom))
            elif name == 'reloc.CODE':
                self.relocations = list(_relocations(custom))

    def imported(self) -> Iterator[tuple[str, int]]:
        """Yield name and kind of everything that is imported."""
        reader = Reader(self.sections.get(IMPORTS, b'\0'))
        for _ in range(reader.number()):
            reader.name()
            name, kind = reader.name(), reader.byte()
            yield name, kind
            if kind == 1:  # a table: the type of its members
                reader.byte()
            if kind in (1, 2):  # limits of a table or a memory
                has_maximum = reader.byte() & 1
                for _ in range(1 + has_maximum):
                    reader.number()
            elif kind == 3:  # a global: its type, and whether it can change
                reader.bytes(2)
            else:
                reader.number()


def _function_symbols(reader: Reader) -> Iterator[tuple[str, int]]:
    reader.number()  # version
    while not reader.is_done:
        kind = reader.byte()
        size = reader.number()
        part = Reader(reader.bytes(size))
        if kind != _SYMBOLS:
            continue
        for _ in range(part.number()):
            symbol, flags = part.byte(), part.number()
            if symbol == _OF_DATA:
                part.name()
                if not flags & _UNDEFINED:
                    for _ in range(3):
                        part.number()
                continue
            index = part.number()
            is_named = symbol != _OF_SECTIONS and (
                not flags & _UNDEFINED or bool(flags & _EXPLICIT_NAME)
            )
            name = part.name() if is_named else ''
            if symbol == _OF_FUNCTIONS and name:
                yield name, index


def _relocations(reader: Reader) -> Iterator[Relocation]:
    reader.number()  # section
    for _ in range(reader.number()):
        kind, offset, _ = reader.byte(), reader.number(), reader.number()
        if kind in _WITH_ADDEND:
            reader.number()
        yield Relocation(kind, offset)


def linked(code: bytes, exports: Sequence[str], programs: Sequence[str], pages: int) -> bytes:
    """Return an object file as a module: see `WebAssembly.module`."""
    file = ObjectFile(code)
    missing = [name for name, kind in file.imported() if kind == 0]
    missing += [name for name in (*exports, *programs) if name not in file.functions]
    if missing:
        raise WasmError(f'no such function: {", ".join(missing)}')
    made = {
        **{
            n: file.sections[n] for n in (TYPES, FUNCTIONS, DATA, DATA_COUNT) if n in file.sections
        },
        TABLES: vector([b'\x70\0' + unsigned(1 + len(programs))]),
        MEMORY: vector([b'\0' + unsigned(pages)]),
        GLOBALS: vector([b'\x7f\1\x41' + signed(STACK) + b'\x0b']),  # the stack pointer
        EXPORTS: _exports(file.functions, exports),
        CODE: _shortened(file.sections[CODE], file.relocations),
    }
    if programs:
        members = vector([unsigned(file.functions[name]) for name in programs])
        made[ELEMENTS] = vector([b'\0\x41\1\x0b' + members])
    order = (TYPES, FUNCTIONS, TABLES, MEMORY, GLOBALS, EXPORTS, ELEMENTS, DATA_COUNT, CODE, DATA)
    parts = [bytes([n]) + unsigned(len(made[n])) + made[n] for n in order if n in made]
    return code[:HEADER] + b''.join(parts)


def _exports(functions: Mapping[str, int], names: Sequence[str]) -> bytes:
    def entry(name: str, kind: bytes, index: int) -> bytes:
        return unsigned(len(name)) + name.encode() + kind + unsigned(index)

    entries = [entry(name, b'\0', functions[name]) for name in names]
    return vector([*entries, entry('memory', b'\2', 0)])


def _shortened(code: bytes, relocations: Sequence[Relocation]) -> bytes:
    """Return the code section with its indices without padding."""
    places = [r.offset for r in relocations if r.kind in _INDICES]
    reader = Reader(code)
    bodies, next_place = [], 0
    for _ in range(reader.number()):
        size = reader.number()
        end = reader.at + size
        body = bytearray()
        while next_place < len(places) and places[next_place] < end:
            body += reader.bytes(places[next_place] - reader.at)
            body += unsigned(Reader(reader.bytes(PADDED)).number())
            next_place += 1
        body += reader.bytes(end - reader.at)
        bodies.append(unsigned(len(body)) + bytes(body))
    return vector(bodies)
