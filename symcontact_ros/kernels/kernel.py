"""
Plain Python functions over numbers become machine code that can be called.

A kernel is an ordinary module-level function of floats, ints, tuples of them and memory (see
`memory` and `records`), and so is all that it calls. It needs no decorator and runs as it stands,
with the same results bit for bit: no instruction is fused, reordered or approximated. It must not
divide by zero or raise. What of Python it may use is said in `compiler` and docs/kernels.md.

Kernels are inlined into each other, except those marked `separate`. The object code is kept in a
`Cache` under a key of all its sources.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import ctypes
from typing import Any

import numpy as np

from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.compiler.module import FAULT, Module
from symcontact_ros.kernels.compiler.values import argument_type, INT, Known, leaves, Type
from symcontact_ros.kernels.errors import KernelError, KernelFault
from symcontact_ros.kernels.keys import key_of, sources_of
from symcontact_ros.kernels.memory import Floats, Ints, is_debugging, SLOT
from symcontact_ros.kernels.records import slots_of
from symcontact_ros.kernels.targets import Library
from symcontact_ros.kernels.targets.native import NATIVE

Progress = Callable[[str], None]

SYMBOL = 'symcontact_kernel'
_BLOB = 'kernel'  # in an entry of the cache


def available() -> bool:
    """Return whether kernels can be compiled here."""
    return NATIVE.is_available()


def static(value: Any) -> Known:
    """Return a value that an entry takes while it is compiled, and not when it is called."""
    return Known(value)


class Kernel:
    """
    A compiled entry: numbers and memory go in, nothing comes back but what it writes.

    Parameters
    ----------
    function
        A kernel that returns nothing.
    arguments
        What each of its arguments is: ``int``, ``float``, ``Floats``, ``Ints``, ``Rows[R]``, a
        record, or a `static` value.
    cache
        Where its object code is kept.
    progress
        Told when something is compiled.

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
    ) -> None:
        if not available():
            raise ImportError('compiled kernels need the package llvmlite')
        olds = {'memory': Floats, 'table': Ints, 'int': int, 'float': float}  # TRANSITIONAL
        words = list(arguments)
        old_style = any(isinstance(a, str) for a in words)
        arguments = [olds.get(a, a) if isinstance(a, str) else a for a in words]
        types = tuple(map(argument_type, arguments))
        debug = is_debugging()
        code, sites = _object_code(function, types, None if debug else cache, progress, debug)
        self._library = NATIVE.link(code)
        self.address = self._library.address(SYMBOL)
        self._types = [type_ for type_ in types if not isinstance(type_, Known)]
        native = ctypes.CFUNCTYPE(None, *map(_c_type, leaves(types)))(self.address)
        self.function: Callable[..., None] = native
        if debug:
            self.function = _Checked(native, self._library, sites)

        if old_style:  # TRANSITIONAL
            inner = self.function

            def expanded(*given: Any) -> None:
                out: list[Any] = []
                for word, value in zip(words, given, strict=True):
                    out.append(value)
                    if word in ('memory', 'table'):
                        out.append(2**40)
                inner(*out)

            self.function = expanded
            self.addressed = lambda *g: [  # type: ignore[method-assign]
                a.ctypes.data if isinstance(a, np.ndarray) else a for a in g
            ]

    def __call__(self, *arguments: Any) -> None:
        """Run; memory is given as contiguous arrays of 8-byte numbers, records as their memory."""
        self.function(*self.addressed(*arguments))

    def addressed(self, *arguments: Any) -> list[int | float]:
        """Return arguments as `function` takes them; their arrays must live as long."""
        given: list[int | float] = []
        for type_, argument in zip(self._types, arguments, strict=True):
            if isinstance(type_, str):
                given.append(argument)
            elif not isinstance(argument, np.ndarray) or not argument.flags.c_contiguous:
                raise TypeError(f'a contiguous array is needed, got {type(argument).__name__}')
            else:
                given.append(argument.ctypes.data)
                if len(leaves(type_)) > 1:
                    given.append(argument.nbytes // SLOT // slots_of(type_.member.meaning))
        return given


class _Checked:
    """A kernel that was compiled for debugging."""

    def __init__(self, native: Callable[..., None], library: Library, sites: list[str]) -> None:
        self._native = native
        self._library = library  # owns the code
        self._fault = (ctypes.c_int64 * 3).from_address(library.address(FAULT))
        self._sites = sites

    def __call__(self, *arguments: Any) -> None:
        self._native(*arguments)
        site, *numbers = self._fault
        if site:
            self._fault[0] = 0
            raise KernelFault(self._sites[site - 1].format(*numbers))


def is_stored(function: Callable[..., None], arguments: Sequence[Any], cache: Cache) -> bool:
    """Return whether a cache has the object code of an entry: then it need not be compiled."""
    olds = {'memory': Floats, 'table': Ints, 'int': int, 'float': float}  # TRANSITIONAL
    types = tuple(argument_type(olds.get(a, a) if isinstance(a, str) else a) for a in arguments)
    return not is_debugging() and cache.load(key_of(function, types), _BLOB) is not None


def _c_type(leaf: str) -> Any:
    if leaf.endswith('*'):
        return ctypes.c_void_p
    return ctypes.c_int64 if leaf == INT else ctypes.c_double


def _object_code(
    function: Callable[..., None],
    types: tuple[Type, ...],
    cache: Cache | None,
    progress: Progress | None,
    debug: bool,
) -> tuple[bytes, list[str]]:
    """Return the object file of an entry, and what is checked in it."""
    key = key_of(function, types)
    stored = cache.load(key, _BLOB) if cache is not None else None
    if stored is not None:
        return stored, []
    if progress is not None:
        progress(f'compiling {function.__name__}')
    module = Module(debug)
    module.entry(function, types, SYMBOL)
    code = NATIVE.object_code(module.text(), optimized=True)
    if cache is not None:
        missing = module.sources - sources_of(function, types)
        if missing:  # an edit of these would not be noticed
            raise KernelError(f'no key is made of {", ".join(sorted(missing))}')
        cache.store(key, _BLOB, code)
    return code, module.sites
