"""
Blocks of memory: 8-byte slots, each a float or an int.

In plain Python a block is a memoryview, whose slices share their numbers; compiled, it is an
address and a count. Access out of range is an error: plain Python raises, compiled code does not
check unless it is compiled for debugging (``SYMCONTACT_KERNELS=debug``).
"""

from __future__ import annotations

import os
from typing import cast, overload, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.errors import OptionError

SLOT = 8  # [byte]
MODE = 'SYMCONTACT_KERNELS'  # in the environment
# Content of uninitialised memory in debug mode: a NaN that no operation gives, and an int that is
# not a valid count.
UNWRITTEN = 0x7FF4_0BAD_0BAD_0BAD


class Floats(Protocol):
    """A block of floats."""

    @overload
    def __getitem__(self, index: int, /) -> float: ...
    @overload
    def __getitem__(self, index: slice, /) -> Floats: ...
    def __setitem__(self, index: int, value: float, /) -> None:
        """Write a member."""

    def __len__(self) -> int:
        """Return the number of members."""


class Ints(Protocol):
    """A block of 64-bit ints."""

    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> Ints: ...
    def __setitem__(self, index: int, value: int, /) -> None:
        """Write a member."""

    def __len__(self) -> int:
        """Return the number of members."""


Block: TypeAlias = Floats | Ints
Array: TypeAlias = NDArray[np.float64]


def floats_of(array: Array) -> Floats:
    """Return an array of contiguous doubles as memory for kernels that run as plain Python."""
    return cast(Floats, memoryview(array.reshape(-1)))  # type: ignore[arg-type]


def ints_of(block: Floats) -> Ints:
    """Return the same memory as 64-bit ints, one per float."""
    return cast(Ints, block.cast('B').cast('q'))  # type: ignore[attr-defined]


def is_debugging() -> bool:
    """Return whether kernels are to be compiled with checks: ``SYMCONTACT_KERNELS=debug``."""
    return _mode() == 'debug'


def is_patient() -> bool:
    """Return whether to wait for the fastest code always: ``SYMCONTACT_KERNELS=best``."""
    return _mode() == 'best'


def is_hurried() -> bool:
    """Return whether code without LLVM's passes is good enough: ``SYMCONTACT_KERNELS=quick``."""
    return _mode() == 'quick'


def _mode() -> str:
    mode = os.environ.get(MODE, '')
    if mode not in ('', 'best', 'quick', 'debug'):
        raise OptionError(f'{MODE} must be empty, best, quick or debug, got {mode!r}')
    return mode


def scratch(count: int) -> Array:
    """Return work memory for kernels; debug mode detects reading before writing."""
    if not is_debugging():
        return np.empty(count)
    return np.full(count, UNWRITTEN, dtype=np.int64).view(np.float64)
