"""SIGINT and SIGTERM as a request that is checked between two ticks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import os
import signal
import threading
from types import FrameType, TracebackType
from typing import Any

PATIENCE = 0.5  # [s wall] for cleaning up after an interruption


class Interrupted(BaseException):
    """A signal during work that need not be finished; not an error, so no `Exception`."""


class StopSignals:
    """
    Inside ``with StopSignals() as stop:`` both signals only set ``stop.requested``.

    Nothing is interrupted half-way, so all endings take the same path. After the first signal,
    others have no effect, also after the block: the process is about to end. rclpy must be
    initialised with ``SignalHandlerOptions.NO``, or its own handlers take the signals away.
    """

    def __init__(self) -> None:
        self.requested = False
        self._at_once = False
        self._previous: dict[signal.Signals, Any] = {}

    def __enter__(self) -> StopSignals:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._previous[number] = signal.signal(number, self._request)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._previous.items():
            # `ros2 launch` forwards every Ctrl-C: a second one must not reach the old handlers.
            signal.signal(number, signal.SIG_IGN if self.requested else handler)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """
        Inside, a signal raises `Interrupted`; for slow work whose result is not needed then.

        Python runs its handlers between two instructions, and compiling is one that may last many
        seconds. So a thread waits for signals too, and ends the process, with exit code 0, if
        `Interrupted` does not come through.
        """
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        previous = signal.set_wakeup_fd(writer)
        left = threading.Event()

        def watch() -> None:
            if os.read(reader, 1) and not left.wait(PATIENCE):
                os._exit(0)

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        self._at_once = True
        try:
            if self.requested:
                raise Interrupted
            yield
        finally:
            self._at_once = False
            left.set()
            signal.set_wakeup_fd(previous)
            os.close(writer)  # ends the thread
            watcher.join()
            os.close(reader)

    def _request(self, number: int, frame: FrameType | None) -> None:
        self.requested = True
        if self._at_once:
            self._at_once = False
            raise Interrupted


def ignore_signals() -> None:
    """Ignore further signals until the end of the process."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
