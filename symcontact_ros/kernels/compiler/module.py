"""IR of an entry and of everything that it calls."""

from __future__ import annotations

from collections.abc import Sequence
import sys
import threading
from types import FunctionType
from typing import Any

from symcontact_ros.kernels.compiler.functions import Function
from symcontact_ros.kernels.compiler.memory_access import Checks
from symcontact_ros.kernels.compiler.operations import DECLARATIONS
from symcontact_ros.kernels.compiler.values import described, FAULT, NOTHING, Type
from symcontact_ros.kernels.errors import KernelError

_DEEPEST = 200  # calls within calls
_FRAMES = 10_000  # of Python, for calls and expressions within each other

# Records a fault: only the first one, because every function returns after it.
_NOTE = f"""
@{FAULT} = global [3 x i64] zeroinitializer
define internal void @note(i64 %site, i64 %a, i64 %b) nounwind noinline {{
  store i64 %site, i64* getelementptr ([3 x i64], [3 x i64]* @{FAULT}, i64 0, i64 0)
  store i64 %a, i64* getelementptr ([3 x i64], [3 x i64]* @{FAULT}, i64 0, i64 1)
  store i64 %b, i64* getelementptr ([3 x i64], [3 x i64]* @{FAULT}, i64 0, i64 2)
  ret void
}}
"""


class Module:
    """
    Functions that are compiled together.

    Parameters
    ----------
    debug
        Whether to check indices, reading of what was never written, and all else that has no
        result in Python.

    Attributes
    ----------
    sources
        Files of all functions in it.
    """

    def __init__(self, debug: bool = False) -> None:
        self._checks = Checks(debug)
        self._texts: list[str] = []
        self._compiled: dict[tuple[int, Type], tuple[str, Type]] = {}
        self._begun: list[tuple[Any, Type, Function]] = []  # each called by the one before
        self._kept: list[Any] = []  # functions, so that their ids stay theirs
        self.sources: set[str] = set()

    @property
    def sites(self) -> list[tuple[str, str]]:
        """Locations and messages of the checks; see `FAULT`."""
        return self._checks.sites

    def entry(self, function: Any, types: Sequence[Type], symbol: str) -> None:
        """Add a function that is called from outside, and returns nothing."""
        if not isinstance(function, FunctionType):
            raise KernelError(f'{function!r} is no kernel')
        with _ROOM:
            try:
                _, result = self.compiled(function, tuple(types), symbol)
            except RecursionError:
                place = self._begun[-1][2].place
                raise KernelError(f'{place}: too much is nested in each other') from None
            finally:
                self._begun.clear()
        if result != NOTHING:
            code = function.__code__
            raise KernelError(
                f'{code.co_filename}:{code.co_firstlineno}: {function.__name__} is called from '
                f'outside and gives {described(result)}: it must return nothing'
            )

    def compiled(self, function: Any, types: Type, symbol: str = '') -> tuple[str, Type]:
        """Return the symbol and the result of a function for given types of its arguments."""
        key = id(function), types
        if key not in self._compiled:
            self._check_calls(function, types)
            writer = Function(function, types, self.compiled, self._checks)
            self._kept.append(function)
            self.sources.add(function.__code__.co_filename)
            name = symbol or f'{function.__code__.co_name}.{len(self._kept)}'
            self._begun.append((function, types, writer))
            result = writer.run()
            self._begun.pop()
            self._texts.append(writer.text(name, bool(symbol)))
            self._compiled[key] = (name, result)
        return self._compiled[key]

    def _check_calls(self, function: Any, types: Type) -> None:
        """Raise if a function is being compiled already: then it calls itself."""
        again = any(f is function and given == types for f, given, _ in self._begun)
        if again or len(self._begun) > _DEEPEST:
            names = ' -> '.join([*(f.__name__ for f, _, _ in self._begun[-5:]), function.__name__])
            raise KernelError(
                f'{self._begun[-1][2].place}: kernels do not call themselves: {names}'
            )

    def text(self) -> str:
        """Return the module as LLVM IR."""
        note = _NOTE if self._checks.wanted else ''
        return '\n'.join([*DECLARATIONS, note, *self._texts, '!0 = !{}']) + '\n'


class _Room:
    """Context with a higher recursion limit of Python, while any thread compiles."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._before = 0

    def __enter__(self) -> None:
        with self._lock:
            if self._count == 0:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._before, _FRAMES))
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._count -= 1
            if self._count == 0:
                sys.setrecursionlimit(self._before)


_ROOM = _Room()
