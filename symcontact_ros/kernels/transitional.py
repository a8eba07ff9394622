"""What kernels were written with before records."""

from __future__ import annotations

from types import FunctionType
from typing import Any, TypeAlias

from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import floats_of as memory_of

__all__ = ['memory_of', 'separate']
Memory: TypeAlias = Any


def shift(memory: Memory, count: int) -> Memory:
    return memory[count:]


def integers(memory: Memory) -> Memory:
    return memory.cast('B').cast('q')


def part(table: Any, index: int) -> Memory:
    return table[index]


def run(table: Any, index: int, *blocks: Memory) -> None:
    table[index](*blocks)


def bound(function: Any, within: str = '', **names: Any) -> Any:
    return _bound(function, within, names, {})


def _bound(function: Any, within: str, names: dict[str, Any], done: dict[int, Any]) -> Any:
    if id(function) in done:
        return done[id(function)]
    meaning = dict(function.__globals__)
    copy = FunctionType(function.__code__, meaning, function.__name__, function.__defaults__)
    copy.__dict__.update(function.__dict__)
    copy.__qualname__ = function.__qualname__
    done[id(function)] = copy
    for name in function.__code__.co_names if within else ():
        value = meaning.get(name)
        if isinstance(value, FunctionType) and value.__module__.startswith(within):
            meaning[name] = _bound(value, within, names, done)
    meaning.update({name: value for name, value in names.items() if name in meaning})
    return copy
