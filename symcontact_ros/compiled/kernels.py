"""
Plain Python functions over numbers become machine code.

A kernel is an ordinary module-level function of floats, ints, tuples of them and *memory* (see
`symcontact_ros.memory`), and so is all of this package that it calls. It needs no decorator and
runs as it stands, with the same results bit for bit: no instruction is fused, reordered or
approximated. It must not divide by zero or raise. What of Python it may use is said in
`kernel_compiler`.

Kernels are inlined into each other, except those marked `separate`. The object code is kept in a
`Cache` under a key of all its sources.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import ctypes
import functools
import hashlib
from importlib import util
import inspect
from pathlib import Path
import sys
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from symcontact_ros.compiled import kernel_compiler, kernel_values, llvm_backend
from symcontact_ros.compiled.cache import Cache
from symcontact_ros.compiled.kernel_expressions import is_kernel, PACKAGE
from symcontact_ros.errors import MissingPackageError

Progress = Callable[[str], None]

_COMPILERS = sorted(map(str, Path(__file__).parent.glob('kernel_*.py')))
SYMBOL = 'symcontact_kernel'
# What an entry may take: its type in LLVM and in ctypes.
_ARGUMENTS = {
    'memory': (kernel_values.MEMORY, ctypes.c_void_p),
    'table': (kernel_values.INTEGERS, ctypes.c_void_p),  # of addresses; see `memory.part`
    'int': (kernel_values.INT, ctypes.c_int64),
    'float': (kernel_values.FLOAT, ctypes.c_double),
}


def available() -> bool:
    """Return whether kernels can be compiled here."""
    return util.find_spec('llvmlite') is not None


class Kernel:
    """
    A compiled entry: numbers and memory go in, nothing comes back but what it writes.

    Parameters
    ----------
    function
        A kernel that returns nothing.
    arguments
        'memory', 'table', 'int' or 'float' for each of its arguments.
    cache
        Where its object code is kept.
    progress
        Told when something is compiled.
    """

    def __init__(
        self,
        function: Callable[..., None],
        arguments: Sequence[str],
        cache: Cache | None = None,
        progress: Progress | None = None,
    ) -> None:
        if not available():
            raise MissingPackageError('compiled kernels need the package llvmlite')
        code = _object_code(function, tuple(arguments), cache, progress)
        self._library = llvm_backend.link(code)
        self.address = self._library.address(SYMBOL, prefix='')
        types = [_ARGUMENTS[argument][1] for argument in arguments]
        self.function = ctypes.CFUNCTYPE(None, *types)(self.address)

    def __call__(self, *arguments: Any) -> None:
        """Run with the GIL released; memory is given as arrays of contiguous doubles."""
        self.function(*(a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments))


def is_stored(function: Callable[..., None], arguments: Sequence[str], cache: Cache) -> bool:
    """Return whether a cache has the object code of an entry: then it need not be compiled."""
    return cache.load(_key(function, tuple(arguments)), 'kernel') is not None


def _object_code(
    function: Callable[..., None],
    arguments: tuple[str, ...],
    cache: Cache | None,
    progress: Progress | None,
) -> bytes:
    """Return the object file of an entry."""
    key = _key(function, arguments)
    stored = cache.load(key, 'kernel') if cache is not None else None
    if stored is not None:
        return stored
    if progress is not None:
        progress(f'compiling {function.__name__}')
    module = kernel_compiler.Module()
    types = [_ARGUMENTS[argument][0] for argument in arguments]
    module.entry(function, types, SYMBOL)
    code = llvm_backend.object_code_of(module.text(), optimized=True)
    if cache is not None:
        cache.store(key, 'kernel', code)
    return code


def _key(function: Callable[..., None], arguments: tuple[str, ...]) -> str:
    """Return the key of all that the object code depends on: sources, compiler and CPU."""
    functions: dict[int, FunctionType] = {}
    _collect(function, functions)
    lines = [sys.version, *arguments, llvm_backend.machine_fingerprint()]
    for member in functions.values():
        lines.append(f'{member.__module__}.{member.__qualname__}')
        for name, value in sorted(_globals_of(member).items()):
            known = f'{value.__module__}.{value.__qualname__}' if is_kernel(value) else value
            if isinstance(known, str | int | float | tuple):
                lines.append(f'{name} = {known!r}')
    digest = hashlib.sha256('\n'.join(lines).encode())
    paths = {inspect.getfile(member) for member in functions.values()}
    for path in (*_COMPILERS, *sorted(paths)):
        digest.update(_source(path))
    return digest.hexdigest()


@functools.cache
def _source(path: str) -> bytes:
    with open(path, 'rb') as file:
        return file.read()


def _collect(function: Any, found: dict[int, FunctionType]) -> None:
    """Add a function and all that it calls in this package."""
    if id(function) not in found:
        found[id(function)] = function
        for value in _globals_of(function).values():
            if is_kernel(value):
                _collect(value, found)


def _globals_of(function: Any) -> dict[str, Any]:
    """Return the global values that a function uses, those of our modules by their full names."""
    names = function.__code__.co_names
    found = {name: function.__globals__[name] for name in names if name in function.__globals__}
    for name, value in list(found.items()):
        if isinstance(value, ModuleType) and value.__name__.split('.')[0] == PACKAGE:
            members = (member for member in names if hasattr(value, member))
            found.update({f'{name}.{member}': getattr(value, member) for member in members})
    return found
