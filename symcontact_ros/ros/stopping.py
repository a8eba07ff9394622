"""SIGINT and SIGTERM as a wish that is looked at between two pieces of work."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any


class StopSignals:
    """
    Inside ``with StopSignals() as stop:`` both signals only set ``stop.requested``.

    Nothing is interrupted half-way, so there is one way out for every ending. rclpy must be
    initialised with ``SignalHandlerOptions.NO``, or its own handlers take the signals away.
    """

    def __init__(self) -> None:
        self.requested = False
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
            signal.signal(number, handler)

    def _request(self, number: int, frame: FrameType | None) -> None:
        self.requested = True


def ignore_signals() -> None:
    """From here to the end of the process, let a second Ctrl-C change nothing."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
