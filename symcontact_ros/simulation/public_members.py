"""Public members of a simulation, which one thread at a time uses while its model is the same."""

from __future__ import annotations

from collections.abc import Callable, Collection
import functools
from types import FunctionType
from typing import Any, TypeVar

from symcontact_ros.errors import OptionError
from symcontact_ros.simulation.world.exclusive import busy

T = TypeVar('T')
CHANGED = 'the model was changed since this simulation was made of it: make a new Simulation'


def guarded_members(but: Collection[str]) -> Callable[[type[T]], type[T]]:
    """
    Return a decorator of the class: its public methods and properties are guarded, but some.

    They raise BusyError while another thread uses the simulation, and OptionError once its model
    was changed.
    """

    def decorate(cls: type[T]) -> type[T]:
        for name, member in list(vars(cls).items()):
            if name.startswith('_') or name in but:
                continue
            if isinstance(member, FunctionType):
                setattr(cls, name, _guarded(member))
            elif isinstance(member, property) and member.fget is not None:
                setter = None if member.fset is None else _guarded(member.fset)
                getter = _guarded_getter(member.fget)
                setattr(cls, name, property(getter, setter, doc=member.__doc__))
        return cls

    return decorate


def _guarded(method: Callable[..., T]) -> Callable[..., T]:
    @functools.wraps(method)
    def run(self: Any, *arguments: Any, **options: Any) -> T:
        if self.model.contents is not self._contents:
            raise OptionError(CHANGED)
        lock = self._lock
        if not lock.acquire(False):
            raise busy(method.__name__)
        try:
            return method(self, *arguments, **options)
        finally:
            lock.release()

    return run


def _guarded_getter(getter: Callable[[Any], T]) -> Callable[[Any], T]:
    """Return the same of a getter: without other arguments it is faster."""

    @functools.wraps(getter)
    def run(self: Any) -> T:
        if self.model.contents is not self._contents:
            raise OptionError(CHANGED)
        lock = self._lock
        if not lock.acquire(False):
            raise busy(getter.__name__)
        try:
            return getter(self)
        finally:
            lock.release()

    return run
