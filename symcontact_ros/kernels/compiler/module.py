"""The IR of an entry and of all that it calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symcontact_ros.kernels.compiler.functions import Function
from symcontact_ros.kernels.compiler.operations import DECLARATIONS
from symcontact_ros.kernels.compiler.places import Checks
from symcontact_ros.kernels.compiler.values import Type
from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.memory import UNWRITTEN

DEEPEST = 200  # calls within calls
FAULT = 'symcontact_fault'  # three ints: 1 + the site of the first fault, and its two numbers

# Notes the first fault; all others are its consequences.
_CHECKS = f"""
@spare = internal global [4096 x double] zeroinitializer
@{FAULT} = global [3 x i64] zeroinitializer
define internal void @note(i64 %site, i64 %a, i64 %b) nounwind noinline {{
  %p = getelementptr [3 x i64], [3 x i64]* @{FAULT}, i64 0, i64 0
  %old = load i64, i64* %p
  %none = icmp eq i64 %old, 0
  br i1 %none, label %first, label %end
first:
  %number = add i64 %site, 1
  store i64 %number, i64* %p
  %q = getelementptr [3 x i64], [3 x i64]* @{FAULT}, i64 0, i64 1
  store i64 %a, i64* %q
  %r = getelementptr [3 x i64], [3 x i64]* @{FAULT}, i64 0, i64 2
  store i64 %b, i64* %r
  br label %end
end:
  ret void
}}
define internal i1 @in_range(i64 %site, i64 %index, i64 %count) nounwind {{
  %low = icmp sge i64 %index, 0
  %high = icmp slt i64 %index, %count
  %good = and i1 %low, %high
  br i1 %good, label %end, label %bad
bad:
  call void @note(i64 %site, i64 %index, i64 %count)
  br label %end
end:
  ret i1 %good
}}
define internal void @was_written(i64 %site, i64 %bits) nounwind {{
  %bad = icmp eq i64 %bits, {UNWRITTEN}
  br i1 %bad, label %tell, label %end
tell:
  call void @note(i64 %site, i64 0, i64 0)
  br label %end
end:
  ret void
}}
"""


class Module:
    """
    Functions that are compiled together.

    Parameters
    ----------
    debug
        Whether to check indices and reading of what was never written.

    Attributes
    ----------
    sites
        What is checked where; see `FAULT`.
    sources
        Files of all functions in it.
    """

    def __init__(self, debug: bool = False) -> None:
        self._checks = Checks(debug)
        self._texts: list[str] = []
        self._compiled: dict[tuple[int, Type], tuple[str, Type]] = {}
        self._begun: list[Any] = []  # functions that are being compiled, each called by the last
        self._kept: list[Any] = []  # functions, so that their ids stay theirs
        self.sources: set[str] = set()

    @property
    def sites(self) -> list[str]:
        """What is checked, by number."""
        return self._checks.sites

    def entry(self, function: Callable[..., None], types: Sequence[Type], symbol: str) -> None:
        """Add a function that is called from outside, and returns nothing."""
        _, result = self.compiled(function, tuple(types), symbol)
        if result is not None:
            raise KernelError(f'{function.__name__} is called from outside: it returns nothing')

    def compiled(self, function: Any, types: Type, symbol: str = '') -> tuple[str, Type]:
        """Return the symbol and the result of a function for given types of its arguments."""
        key = id(function), types
        if key not in self._compiled:
            if (function, types) in self._begun or len(self._begun) > DEEPEST:
                names = ' -> '.join(f.__name__ for f, _ in self._begun[-5:])
                place = f'{function.__code__.co_filename}:{function.__code__.co_firstlineno}'
                raise KernelError(f'{place}: kernels do not call themselves: {names}')
            self._begun.append((function, types))
            self._kept.append(function)
            self.sources.add(function.__code__.co_filename)
            name = symbol or f'{function.__name__}.{len(self._kept)}'
            writer = Function(function, types, self.compiled, self._checks)
            result = writer.run()
            self._texts.append(writer.text(name, bool(symbol)))
            self._compiled[key] = (name, result)
            self._begun.pop()
        return self._compiled[key]

    def text(self) -> str:
        """Return the module as LLVM IR."""
        checks = _CHECKS if self._checks.wanted else ''
        return '\n'.join([*DECLARATIONS, checks, *self._texts, '!0 = !{}']) + '\n'
