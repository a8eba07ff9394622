"""
What kernels are written with: blocks of doubles, and two ways to treat functions.

Kernels are plain functions that `compiled.kernels` turns into machine code. There, memory is a
bare address; in plain Python it is a memoryview, whose slices share their numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

# Reached by index only, and never beyond what was asked for: machine code does not check.
Memory: TypeAlias = Any
F = TypeVar('F', bound=Callable[..., Any])


def memory_of(array: NDArray[np.float64]) -> Memory:
    """Return an array of contiguous doubles as memory for kernels that run as plain Python."""
    return memoryview(array.reshape(-1))  # type: ignore[arg-type]


def shift(memory: Memory, count: int) -> Memory:
    """Return memory from an index on."""
    return memory[count:]


def integers(memory: Memory) -> Memory:
    """Return the same memory as 64-bit integers, one in the place of each double."""
    return memory.cast('B').cast('q')


def part(table: Any, index: int) -> Memory:
    """Return one of the blocks of memory of a table: a list of them, or of their addresses."""
    return table[index]


def run(table: Any, index: int, *blocks: Memory) -> None:
    """Call one of the functions of a table with blocks of memory."""
    table[index](*blocks)


def separate(function: F) -> F:
    """Mark a kernel that is large or called in many places: it is compiled once, not inlined."""
    function.__dict__['separate'] = True
    return function


def bound(function: F, within: str = '', **names: Any) -> F:
    """
    Return a function in which some global names mean something else.

    Parameters
    ----------
    function
        Stays as it is: a copy is bound.
    within
        Start of the names of modules whose functions are bound as well, wherever this one calls
        them; none unless given.
    names
        What they mean.
    """
    return _bound(function, within, names, {})  # type: ignore[no-any-return]


def _bound(function: Any, within: str, names: dict[str, Any], done: dict[int, Any]) -> Any:
    if id(function) in done:
        return done[id(function)]
    meaning = dict(function.__globals__)
    copy = FunctionType(function.__code__, meaning, function.__name__, function.__defaults__)
    copy.__dict__.update(function.__dict__)
    done[id(function)] = copy
    for name in function.__code__.co_names if within else ():
        value = meaning.get(name)
        if isinstance(value, FunctionType) and value.__module__.startswith(within):
            meaning[name] = _bound(value, within, names, done)
    meaning.update({name: value for name, value in names.items() if name in meaning})
    return copy
