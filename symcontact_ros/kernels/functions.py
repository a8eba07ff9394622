"""Callable functions of programs: machine code if llvmlite is installed, else plain Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
import ctypes
from functools import partial
import hashlib
from itertools import accumulate
from pathlib import Path
import struct
from typing import Literal, TYPE_CHECKING
import weakref

from symcontact_ros.kernels import language, tape_ir, tape_python
from symcontact_ros.kernels.cache import Cache, check_may_make
from symcontact_ros.kernels.elementary.library import provide
from symcontact_ros.kernels.tape import Program
from symcontact_ros.kernels.targets import Library, native
from symcontact_ros.kernels.targets.native import NATIVE

if TYPE_CHECKING:
    from symcontact_ros.kernels.memory import Floats

Backend = Literal['auto', 'llvm', 'python']
Blocks = tuple[tuple[float, ...], ...]

_COMPILER = (Path(tape_ir.__file__), Path(native.__file__))  # sources of the code generation
_NUMBER = ctypes.sizeof(ctypes.c_double)  # [byte]


class Function(ABC):
    """
    A program that can be called: ``f(*blocks) -> (block, ...)``, from any thread.

    Attributes
    ----------
    name
        The program's.
    arguments, results
        Block -> count of numbers, in the order of the call.
    address
        Of ``void f(double* block, ..., double* result, ...)``, for compiled loops, good for as
        long as this object lives; None if there is no machine code. Blocks must not overlap.
    """

    def __init__(self, program: Program, address: int | None = None) -> None:
        self.name = program.name
        self.arguments = dict(program.arguments)
        self.results = {block: len(values) for block, values in program.results.items()}
        self.address = address
        self._registered: int | None = None

    @abstractmethod
    def __call__(self, *blocks: Sequence[float]) -> Blocks:
        """Return the result blocks; an argument block of a wrong length is a ValueError."""

    def register(self) -> int:
        """Return an address that kernels can `call`, for as long as this object lives."""
        if self._registered is None:
            run = weakref.WeakMethod(self._run)  # the registration must not keep it alive

            def program(*blocks: Floats) -> None:
                method = run()
                assert method is not None, 'the caller of a program must keep its function alive'
                method(*blocks)

            self._registered = language.register(program, self.address)
            weakref.finalize(self, language.forget, self._registered)
        return self._registered

    def _run(self, *blocks: Floats) -> None:
        """Run on blocks of memory, arguments first, then results."""
        counts = list(self.arguments.values())
        given = [[block[i] for i in range(n)] for block, n in zip(blocks, counts, strict=False)]
        for block, numbers in zip(blocks[len(counts) :], self(*given), strict=True):
            for i, number in enumerate(numbers):
                block[i] = number

    def _wrong(self, blocks: Sequence[Sequence[float]]) -> ValueError:
        lengths = [len(block) for block in blocks]
        return ValueError(f'{self.name} takes {self.arguments} numbers, not {lengths}')


def compile_functions(
    programs: Sequence[Program],
    cache: Cache | None = None,
    key: str | None = None,
    backend: Backend = 'auto',
) -> dict[str, Function]:
    """
    Return the functions of programs under their names.

    Parameters
    ----------
    programs
        They are compiled together; their names differ.
    cache
        Cache of machine code; default: none.
    key
        Key in the cache, a hexadecimal SHA-256; default: computed from the code.
        Code of other programs, or for another machine, is never taken, whatever the key.
    backend
        ``'llvm'``, ``'python'``, or ``'auto'``: LLVM if llvmlite is installed.
    """
    if backend not in ('auto', 'llvm', 'python'):
        raise ValueError(f'no such backend: {backend!r}')
    if backend == 'python' or (backend == 'auto' and not NATIVE.is_available()):
        return {program.name: _PythonFunction(program) for program in programs}
    if not NATIVE.is_available():
        raise ImportError('the backend llvm needs llvmlite: pip install llvmlite')
    provide(str(instruction[0]) for program in programs for instruction in program.instructions)
    library = NATIVE.link(_object_code(programs, cache, key))
    return {program.name: _MachineFunction(program, library) for program in programs}


def _object_code(programs: Sequence[Program], cache: Cache | None, key: str | None) -> bytes:
    """Return the programs as object code, from the cache if it is there."""
    if cache is None:
        return NATIVE.object_code(tape_ir.ir_text(programs))
    machine = NATIVE.fingerprint()
    # Of programs and code generator: five times faster than a hash of the code itself.
    digest = hashlib.sha256(f'{machine}\n{programs!r}'.encode())
    for path in _COMPILER:
        digest.update(path.read_bytes())
    key = key or digest.hexdigest()
    # A home folder may be shared by several machines: one blob for each.
    name = f'object-{hashlib.sha256(machine.encode()).hexdigest()[:16]}'
    kept = cache.load(key, name)
    if kept is not None and kept.startswith(digest.digest()):
        return kept[digest.digest_size :]
    check_may_make()
    code = NATIVE.object_code(tape_ir.ir_text(programs))
    cache.store(key, name, digest.digest() + code)
    return code


class _PythonFunction(Function):
    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._lengths = list(self.arguments.values())
        self._call = tape_python.compile_function(program)

    def __call__(self, *blocks: Sequence[float]) -> Blocks:
        if [len(block) for block in blocks] != self._lengths:
            raise self._wrong(blocks)
        return self._call(*blocks)


class _MachineFunction(Function):
    def __init__(self, program: Program, library: Library) -> None:
        address = library.address(tape_ir.PREFIX + program.name)
        super().__init__(program, address)
        self._library = library  # keeps the machine code alive
        lengths = [*self.arguments.values(), *self.results.values()]
        self._new_memory = partial(_Memory, address, lengths, len(self.arguments))
        # Taking from a list and putting back are atomic, so that threads (and signal handlers)
        # never share the memory of a call, and never wait for each other.
        self._idle = [self._new_memory()]

    def __call__(self, *blocks: Sequence[float]) -> Blocks:
        if len(blocks) != len(self.arguments):
            raise self._wrong(blocks)
        try:
            memory = self._idle.pop()
        except IndexError:
            memory = self._new_memory()
        written = memory.written
        try:
            for i, block in enumerate(blocks):
                if block is not written[i]:
                    memory.write[i](*block)
                    # A tuple never changes: its numbers stay for the next call. Constants are
                    # most of the arguments.
                    written[i] = block if type(block) is tuple else None
        except struct.error as error:
            raise self._wrong(blocks) from error
        memory.run()
        results = tuple([read() for read in memory.read])
        self._idle.append(memory)
        return results


class _Memory:
    """Memory for the blocks of one call, and the three steps of the call."""

    def __init__(self, address: int, lengths: list[int], arguments: int) -> None:
        numbers = (ctypes.c_double * sum(lengths))()
        starts = [_NUMBER * start for start in accumulate(lengths, initial=0)][:-1]
        blocks = [
            (struct.Struct(f'{length}d'), start)
            for length, start in zip(lengths, starts, strict=True)
        ]
        self.written: list[object] = [None] * arguments  # tuples whose numbers are there
        self.write = [partial(b.pack_into, numbers, start) for b, start in blocks[:arguments]]
        self.read = [partial(b.unpack_from, numbers, start) for b, start in blocks[arguments:]]
        # PYFUNCTYPE keeps the interpreter lock: these functions take microseconds, and giving the
        # lock away for so short a time only makes the caller wait for its turn.
        function = ctypes.PYFUNCTYPE(None, *[ctypes.c_void_p] * len(lengths))(address)
        self.run = partial(function, *(ctypes.addressof(numbers) + start for start in starts))
        self._numbers = numbers  # `run` has only their addresses
