"""What kernels may call besides Python's own operations: here as plain Python."""

from __future__ import annotations

from collections.abc import Callable
import struct
from typing import Any, TypeVar

F = TypeVar('F', bound=Callable[..., Any])

_FLOAT = struct.Struct('<d')
_INT = struct.Struct('<q')


def bits_of(x: float) -> int:
    """Return the 64 bits of a float as a signed int: those of -0.0 are -2**63."""
    bits: int = _INT.unpack(_FLOAT.pack(x))[0]
    return bits


def from_bits(bits: int) -> float:
    """Return the float that has the bits of a signed int."""
    x: float = _FLOAT.unpack(_INT.pack(bits))[0]
    return x


def separate(function: F) -> F:
    """Mark a kernel that is large or called in many places: it is compiled once, not inlined."""
    function.__dict__['separate'] = True
    return function
