"""Preparation of another model in a thread of its own, while the simulation goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
import sys
import threading
import time
from typing import Generic, TypeVar

T = TypeVar('T')
# [s wall] after which a thread that works lets others go on. By default it is 5 ms, which a tick
# would wait for at every compiled call and every message that it sends.
TURN = 2e-4
REST = 5e-4  # [s wall]


class Preparation(Generic[T]):
    """
    Work in a thread: ``await Preparation(make).result()``.

    What ``make`` raises, `result` raises. The thread ends with the work, or with the process.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name='preparation', daemon=True)

    def _run(self) -> None:
        try:
            self._made.append(self._make())
        except BaseException as error:  # told to whoever waits
            self._error = error

    async def result(self) -> T:
        """Work, and return what was made; ticks go on meanwhile."""
        usual = sys.getswitchinterval()
        sys.setswitchinterval(min(TURN, usual))
        try:
            self._thread.start()
            while self._thread.is_alive():
                time.sleep(REST)  # an executor may do nothing else than to continue this
                await asyncio.sleep(0)
        finally:
            sys.setswitchinterval(usual)
        if self._error is not None:
            raise self._error
        return self._made[0]
