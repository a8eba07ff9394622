"""
Calls of machine code from Python, with arguments that stay.

A call through ctypes takes longer than a step of a small model. These are functions as modules in
C have them, which take half of its time.
"""

from __future__ import annotations

from collections.abc import Callable
import ctypes
import functools
import hashlib
import struct
import sys
from typing import Any, cast

from numpy.typing import NDArray

from symcontact_ros.kernels.cache import Cache, check_may_make
from symcontact_ros.kernels.targets.native import NATIVE, NativeLibrary

_VOID = ctypes.c_void_p
_NO_ARGUMENTS = 0x0004  # METH_NOARGS
_SYMBOL = 'symcontact_python_call'
_USED = ('PyBytes_AsString', 'PyEval_SaveThread', 'PyEval_RestoreThread', 'PyLong_FromLongLong')
# The owner of a function is its table: where the address of the code is, a number, an address, and
# where the number is that is returned.
_TEXT = f"""\
declare ptr @PyBytes_AsString(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare ptr @PyLong_FromLongLong(i64)
define ptr @{_SYMBOL}(ptr %owner, ptr %nothing) {{
  %table = call ptr @PyBytes_AsString(ptr %owner)
  %cell = load ptr, ptr %table
  %code = load ptr, ptr %cell
  %number.place = getelementptr i64, ptr %table, i64 1
  %number = load i64, ptr %number.place
  %address.place = getelementptr i64, ptr %table, i64 2
  %address = load ptr, ptr %address.place
  %result.place = getelementptr i64, ptr %table, i64 3
  %result = load ptr, ptr %result.place
  %thread = call ptr @PyEval_SaveThread()
  call void %code(i64 %number, ptr %address)
  call void @PyEval_RestoreThread(ptr %thread)
  %value = load i64, ptr %result
  %object = call ptr @PyLong_FromLongLong(i64 %value)
  ret ptr %object
}}
"""


class _Method(ctypes.Structure):
    """PyMethodDef of CPython."""

    _fields_ = (('name', ctypes.c_char_p), ('code', _VOID), ('flags', ctypes.c_int),
                ('doc', ctypes.c_char_p))  # fmt: skip


class _Table(bytes):
    """The numbers of a function, which keeps what they are addresses of."""

    kept: tuple[Any, ...]


def bound_call(
    native: Any, number: int, record: NDArray[Any], result: NDArray[Any]
) -> Callable[[], int]:
    """
    Return a function that runs code which takes a whole number and an address, with these.

    It runs without the interpreter lock.

    Parameters
    ----------
    native
        The code, as a function of ctypes; its address is read in every call.
    number, record
        Its arguments.
    result
        A 64-bit number that the code writes, and that is returned.
    """
    places = ctypes.addressof(native), number, record.ctypes.data, result.ctypes.data
    table = _Table(struct.pack('=4q', *places))
    table.kept = native, record, result
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, [_VOID, ctypes.py_object, _VOID]
    return cast(Callable[[], int], new(ctypes.addressof(_method()), table, None))


def can_bind() -> bool:
    """Return whether this Python is CPython, and the LLVM one that knows plain pointers."""
    return sys.implementation.name == 'cpython' and NATIVE.has_quick_code()


@functools.cache
def _method() -> _Method:
    """Return the description of all these functions: they differ in their owners."""
    return _Method(b'run', _library().address(_SYMBOL), _NO_ARGUMENTS, None)


@functools.cache
def _library() -> NativeLibrary:
    """Return the machine code of all these functions; compiled once, and cached."""
    for name in _USED:
        NATIVE.provide(name, int(ctypes.cast(getattr(ctypes.pythonapi, name), _VOID).value or 0))
    key = hashlib.sha256(f'{NATIVE.fingerprint()}\n{_TEXT}'.encode()).hexdigest()
    cache = Cache()
    code = cache.load(key, 'call')
    if code is None:
        check_may_make()
        code = NATIVE.object_code(_TEXT)
        cache.store(key, 'call', code)
    return NATIVE.link(code)
