"""Kernels that are compiled when they are worth it."""

from __future__ import annotations

from collections.abc import Callable
import time
from typing import Any
from weakref import WeakValueDictionary

from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import is_stored, Kernel
from symcontact_ros.kernels.memory import is_debugging

PATIENCE = 0.1  # [s] in plain Python before a kernel is compiled, which takes up to 2 s, once
# Kernels that are in use, for others with the same arguments.
_kernels: WeakValueDictionary[tuple[Any, ...], Kernel] = WeakValueDictionary()


class KernelOnDemand:
    """
    A kernel that runs as plain Python until that has cost more than compiling it would.

    Parameters
    ----------
    function, arguments
        As a `Kernel` has them.
    cache
        Where it may be stored: then it need not be compiled.
    compiles
        Whether it can be compiled at all.
    spent
        Time that was spent in plain Python before [s].
    """

    def __init__(
        self,
        function: Callable[..., None],
        arguments: list[Any],
        cache: Cache,
        compiles: bool,
        spent: float = 0.0,
    ) -> None:
        self._function = function
        self._arguments = arguments
        self._cache = cache
        self._key = (function, *arguments, is_debugging())
        self._kernel = _kernels.get(self._key)
        self._compiles = compiles
        self._asked = False  # whether the cache has it
        self.spent = spent

    def run(self, addresses: tuple[Any, ...], plain: Callable[[], tuple[Any, ...]]) -> None:
        """Run, with arguments as a `Kernel.function` takes them, or as plain Python does."""
        if self._kernel is None and self._compiles and self._pays():
            self._kernel = Kernel(self._function, self._arguments, self._cache)
            _kernels[self._key] = self._kernel
        if self._kernel is not None:
            self._kernel.function(*addresses)
            return
        start = time.perf_counter()
        self._function(*plain())
        self.spent += time.perf_counter() - start

    def _pays(self) -> bool:
        """Return whether to have machine code: after some time without, or where it is stored."""
        if self.spent > PATIENCE:
            return True
        first, self._asked = not self._asked, True
        return first and is_stored(self._function, self._arguments, self._cache)
