"""
Use of the memory of a world by one thread at a time.

Compiled calls release the interpreter lock, and all of them work in the same memory: two threads
in one simulation would give numbers that are wrong without a word. Whoever comes second gets an
error instead.
"""

from __future__ import annotations

from collections.abc import Callable
import functools
from threading import RLock
from typing import Any, TypeVar

from symcontact_ros.errors import BusyError

T = TypeVar('T')
HINT = 'give each thread its own simulation (`copy.copy(sim)`), or let them take turns by a lock'


def new_lock() -> Any:
    """Return a lock that a thread may take several times."""
    return RLock()


def busy(what: str) -> BusyError:
    """Return the error of a call that another thread stands in the way of."""
    return BusyError(f'{what}: another thread is using this simulation; {HINT}')


def alone(method: Callable[..., T]) -> Callable[..., T]:
    """Return a method that has the ``_lock`` of its object while it runs, or raises BusyError."""

    @functools.wraps(method)
    def run(self: Any, *arguments: Any, **options: Any) -> T:
        lock = self._lock
        if not lock.acquire(False):
            raise busy(method.__name__)
        try:
            return method(self, *arguments, **options)
        finally:
            lock.release()

    return run
