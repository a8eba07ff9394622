"""
Functions for kernels, besides other kernels, `math` and builtins.

Every function here also runs as plain Python, with the same results.
"""

from __future__ import annotations

from collections.abc import Callable
import itertools
import struct
from typing import Any, TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from symcontact_ros.kernels.memory import Block
    from symcontact_ros.kernels.records import Rows

F = TypeVar('F', bound=Callable[..., Any])

_programs: dict[int, Callable[..., None]] = {}
_numbers = itertools.count(1)


def separate(function: F) -> F:
    """Mark a kernel that is large or called in many places: it is compiled once, not inlined."""
    function.__dict__['separate'] = True
    return function


def bits_of(x: float) -> int:
    """Return the 64 bits of a float as an int."""
    return int(struct.unpack('<q', struct.pack('<d', x))[0])


def from_bits(n: int) -> float:
    """Return the float of 64 bits."""
    return float(struct.unpack('<d', struct.pack('<q', n))[0])


def call(address: int, *blocks: Block | Rows[Any] | int) -> None:
    """
    Run the program at an address with blocks of memory, arguments first, then results.

    An entry that is already compiled takes whole numbers, and memory where a record begins.
    """
    _programs[address](*map(_floats, blocks))


def _floats(block: Any) -> Block:
    """Return rows of records as the floats that they are made of."""
    return block.floats() if hasattr(block, 'floats') else block  # type: ignore[no-any-return]


def register(program: Callable[..., None], address: int | None) -> int:
    """
    Let kernels that run as plain Python `call` a program; return its address.

    Parameters
    ----------
    program
        Takes blocks of memory, and writes to the last of them.
    address
        Of its machine code; None: there is none, and the address is a number that only plain
        Python understands.
    """
    address = next(_numbers) if address is None else address
    _programs[address] = program
    return address


def forget(address: int) -> None:
    """Forget a registered program."""
    _programs.pop(address, None)
