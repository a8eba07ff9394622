"""
Compiled kernels: entries that are called from Python.

A kernel is an ordinary module-level function of floats, ints, tuples of them and memory (see
`memory` and `records`), and so is everything that it calls. It needs no decorator and also runs as
plain Python, with the same results bit for bit: no instruction is fused, reordered or
approximated. It must not divide by zero or raise. The subset of Python is described in `compiler`
and docs/kernels.md.

Kernels are inlined into each other, except those marked `separate`. The object code is stored in a
`Cache` under a key of all its sources. What is needed soon runs quickly made code first: see
`improving`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import ctypes
from functools import partial
import operator
import threading
from types import MethodType
from typing import Any, NamedTuple
import zlib

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.kernels.cache import Cache, check_may_make
from symcontact_ros.kernels.compiler.values import (
    argument_type,
    constant,
    FAULT,
    FLOAT,
    INT,
    leaves,
    Memory,
    Type,
)
from symcontact_ros.kernels.errors import KernelError, KernelFault
from symcontact_ros.kernels.improving import begins_quickly, Improvement, improves
from symcontact_ros.kernels.keys import key_of, sources_of
from symcontact_ros.kernels.memory import is_debugging, is_hurried, SLOT
from symcontact_ros.kernels.records import dtype_of, slots_of
from symcontact_ros.kernels.statics import Known
from symcontact_ros.kernels.targets.native import NATIVE
from symcontact_ros.kernels.targets.python_calls import bound_call, can_bind

Progress = Callable[[str], None]

SYMBOL = 'symcontact_kernel'
_BLOB = 'kernel'  # in an entry of the cache
_QUICK, _TEXT = 'quick', 'ir'  # in the same, until there is a kernel: quick code, and its IR
# Debug code and its checks, by key, for the lifetime of the process.
_debugged: dict[str, tuple[bytes, list[tuple[str, str]]]] = {}


def available() -> bool:
    """Return whether kernels can be compiled here."""
    return NATIVE.is_available()


def static(value: Any) -> Known:
    """Return the description of an argument that is fixed at compile time."""
    return Known(value)


class Kernel:
    """
    A compiled entry of numbers and memory; its results are written to memory.

    Parameters
    ----------
    function
        A kernel that returns nothing.
    arguments
        Types of its arguments: ``int``, ``float``, ``Floats``, ``Ints``, ``Rows[R]``, a
        record, or a `static` value.
    cache
        Cache of its object code.
    progress
        Called when something is compiled.
    soon
        Whether to have it soon, with code that takes two to three times as long, and has the same
        results, until there is better one.

    Attributes
    ----------
    function
        Takes numbers, the address of a record, and of a block its address and its count; without
        the statics. The interpreter lock is released meanwhile.
    """

    def __init__(
        self,
        function: Callable[..., None],
        arguments: Sequence[Any],
        cache: Cache | None = None,
        progress: Progress | None = None,
        soon: bool = False,
    ) -> None:
        if not available():
            raise ImportError('compiled kernels need the package llvmlite')
        plain, types = entry_of(function, arguments)
        debug = is_debugging()
        code = _code(plain, types, None if debug else cache, progress, begins_quickly(soon))
        library = NATIVE.link(code.bytes)
        self._types = [type_ for type_ in types if not isinstance(type_, Known)]
        self._c_types = [_c_type(leaf) for type_ in types for leaf in leaves(type_)]
        native: Any = ctypes.CFUNCTYPE(None, *self._c_types)(library.address(SYMBOL))
        native.libraries = [library]  # keeps the machine code alive
        self._native = native
        self.function: Callable[..., None] = _Checked(native, code.sites) if debug else native
        if code.better is not None and improves():
            Improvement(code.better, partial(_exchange, native, cache, code.key))

    @property
    def address(self) -> int:
        """Address of the machine code of now."""
        return int(ctypes.cast(self._native, ctypes.c_void_p).value or 0)

    def bound(self, number: int, record: NDArray[Any], result: NDArray[Any]) -> Callable[[], int]:
        """
        Return a function that calls this one with a number and a record, as fast as can be.

        It returns the int of ``result``, an array of one that the kernel writes, and keeps the
        memory of both.
        """
        if isinstance(self.function, _Checked) or not can_bind():
            function, address = self.function, record.ctypes.data

            def run() -> int:
                function(number, address)
                return int(result[0])

            run.kept = record  # type: ignore[attr-defined]
            return run
        return bound_call(self._native, number, record, result)

    def __call__(self, *arguments: Any) -> None:
        """Run; memory is given as contiguous arrays of 8-byte numbers, records as their memory."""
        self.function(*self.addressed(*arguments))

    def addressed(self, *arguments: Any) -> list[int | float]:
        """Return the arguments of `function`; their arrays must be kept alive."""
        given: list[int | float] = []
        for type_, argument in zip(self._types, arguments, strict=True):
            if type_ == FLOAT:
                given.append(float(argument))
            elif type_ == INT:
                given.append(operator.index(argument))
                constant(given[-1])  # or it does not fit
            else:
                given += _address(argument, *type_)
        return given


def _address(array: Any, kind: Any, member: Known) -> list[int]:
    """Return the address of memory, and the number of members of a block."""
    record = None if member.meaning in (float, int) else member.meaning
    slots = slots_of(member.meaning)
    wanted = np.dtype(np.int64 if member.meaning is int else np.float64)
    if not isinstance(array, np.ndarray) or not (array.flags.c_contiguous and array.flags.aligned):
        raise TypeError(f'a contiguous array is needed, got {type(array).__name__}')
    if array.dtype != wanted and (record is None or array.dtype != dtype_of(record)):
        raise TypeError(f'an array of {member!r} is needed, not of {array.dtype}')
    if kind is Memory:
        return [array.ctypes.data, array.nbytes // SLOT // max(slots, 1)]
    if array.nbytes < SLOT * slots:
        raise TypeError(f'{member!r} takes {slots} numbers, not {array.nbytes // SLOT}')
    return [array.ctypes.data]


class _Checked:
    """A kernel that was compiled for debugging."""

    def __init__(self, native: Any, sites: list[tuple[str, str]]) -> None:
        self._native = native
        self._fault = (ctypes.c_int64 * 3).from_address(native.libraries[0].address(FAULT))
        self._sites = sites
        self._lock = threading.Lock()  # only one fault can be stored

    def __call__(self, *arguments: Any) -> None:
        with self._lock:
            self._native(*arguments)
            site, *numbers = self._fault
            self._fault[0] = 0
        if site:
            place, text = self._sites[site - 1]
            raise KernelFault(f'{place}: {text.format(*numbers)}')


def is_stored(function: Callable[..., None], arguments: Sequence[Any], cache: Cache) -> bool:
    """Return whether a cache has the object code of an entry, as it runs for good."""
    plain, types = entry_of(function, arguments)
    return not is_debugging() and _stored(cache, key_of(plain, types), is_hurried()) is not None


def entry_of(function: Any, arguments: Sequence[Any]) -> tuple[Any, tuple[Type, ...]]:
    """Return a function and the types of its arguments; the owner of a method is the first."""
    types = tuple(map(argument_type, arguments))
    if isinstance(function, MethodType):
        return function.__func__, (argument_type(static(function.__self__)), *types)
    return function, types


def _c_type(leaf: str) -> Any:
    if leaf.endswith('*'):
        return ctypes.c_void_p
    return ctypes.c_int64 if leaf == INT else ctypes.c_double


class _Code(NamedTuple):
    """Object code of an entry."""

    bytes: bytes
    sites: list[tuple[str, str]]  # its checks
    key: str = ''
    better: str | None = None  # IR of which better code can be made


def _code(
    function: Callable[..., None],
    types: tuple[Type, ...],
    cache: Cache | None,
    progress: Progress | None,
    soon: bool,
) -> _Code:
    """Return the object code of an entry: stored, or made."""
    debug = is_debugging()
    key = '' if cache is None and not debug else key_of(function, types)
    if debug and key in _debugged:
        return _Code(*_debugged[key])
    stored = None if cache is None else _stored(cache, key, soon)
    if stored is not None:
        return stored
    check_may_make()
    if progress is not None:
        progress(f'compiling {getattr(function, "__name__", function)}')
    from symcontact_ros.kernels.compiler.module import Module  # not needed if the code is cached

    module = Module(debug)
    module.entry(function, types, SYMBOL)
    text = module.text()
    made = NATIVE.quick_code(text) if soon else NATIVE.object_code(text, optimized=True)
    if cache is not None:
        missing = module.sources - sources_of(function, types)
        if missing:  # an edit of these would not be noticed
            raise KernelError(f'no key is made of {", ".join(sorted(missing))}')
        if soon:
            cache.store(key, _TEXT, zlib.compress(text.encode(), 1))
        cache.store(key, _QUICK if soon else _BLOB, made)
    if debug:
        _debugged[key] = made, module.sites
    return _Code(made, module.sites, key, text if soon else None)


def _stored(cache: Cache, key: str, soon: bool) -> _Code | None:
    """Return what a cache has of an entry."""
    best = cache.load(key, _BLOB)
    if best is not None:
        return _Code(best, [])
    quick = cache.load(key, _QUICK) if soon else None
    text = None if quick is None else cache.load(key, _TEXT)
    if quick is None or text is None:
        return None
    return _Code(quick, [], key, zlib.decompress(text).decode())


def _exchange(native: Any, cache: Cache | None, key: str, code: bytes) -> None:
    """Let a function run other machine code from its next call on; calls that run go on."""
    if cache is not None:
        cache.store(key, _BLOB, code)
    library = NATIVE.link(code)
    native.libraries.append(library)
    # A function of ctypes holds an address, which it reads in every call.
    ctypes.c_void_p.from_address(ctypes.addressof(native)).value = library.address(SYMBOL)
