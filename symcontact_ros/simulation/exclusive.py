"""
Use of a simulation by one thread at a time.

Compiled calls release the interpreter lock, and all of them work in the same memory: two threads
in one simulation would give numbers that are wrong without a word. Whoever comes second gets an
error instead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
import functools
from threading import RLock
from types import FunctionType
from typing import Any, Protocol, TypeVar

from symcontact_ros.errors import BusyError

T = TypeVar('T')
HINT = 'give each thread its own simulation (`copy.copy(sim)`), or let them take turns by a lock'


class Locked(Protocol):
    """What has a lock."""

    @property
    def lock(self) -> Any:
        """An ``RLock`` of those who use the same memory."""


def new_lock() -> Any:
    """Return a lock that a thread may take several times."""
    return RLock()


def take(lock: Any, what: str) -> None:
    """Take a lock at once; BusyError if another thread has it."""
    if not lock.acquire(blocking=False):
        raise BusyError(f'{what}: another thread is using this simulation; {HINT}')


def alone(method: Callable[..., T]) -> Callable[..., T]:
    """Return a method that has the lock of its object while it runs, or raises BusyError."""

    @functools.wraps(method)
    def run(self: Locked, *arguments: Any, **options: Any) -> T:
        lock = self.lock
        take(lock, method.__name__)
        try:
            return method(self, *arguments, **options)
        finally:
            lock.release()

    return run


def used_alone(but: Collection[str]) -> Callable[[type[T]], type[T]]:
    """Return a decorator of classes: their public methods and properties run `alone`, but some."""

    def decorate(cls: type[T]) -> type[T]:
        for name, member in list(vars(cls).items()):
            if name.startswith('_') or name in but:
                continue
            if isinstance(member, FunctionType):
                setattr(cls, name, alone(member))
            elif isinstance(member, property) and member.fget is not None:
                setter = None if member.fset is None else alone(member.fset)
                setattr(cls, name, property(alone(member.fget), setter, doc=member.__doc__))
        return cls

    return decorate
