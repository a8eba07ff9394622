"""
Browsers that watch: what waits to be sent to each of them, bounded.

Independent of ROS and of sockets. A browser that is slow misses instants, the oldest first, and
nothing else: of every kind of message it gets the latest.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
import json
from typing import Any

MOST_INSTANTS = 50  # that wait for a browser: half a second at the default rate
MOST_NOTES = 20  # that wait for a browser
KEPT = (
    'model',
    'geometry',
    'values',
    'state',
    'equations',
    'switches',
)  # of which only the latest counts


class Browser:
    """What waits for one browser."""

    def __init__(self) -> None:
        self._latest: dict[str, str] = {}  # by type, in the order of their first
        self._notes: deque[str] = deque(maxlen=MOST_NOTES)
        self._instants: deque[bytes] = deque(maxlen=MOST_INSTANTS)
        self._news = asyncio.Event()
        self.dropped = 0  # instants that were left out

    def put(self, kind: str, text: str) -> None:
        """Let a message wait."""
        if kind in KEPT:
            self._latest[kind] = text
        else:
            self._notes.append(text)
        self._news.set()

    def put_instant(self, numbers: bytes) -> None:
        """Let an instant wait, in place of the oldest one if there are too many."""
        self.dropped += len(self._instants) == MOST_INSTANTS
        self._instants.append(numbers)
        self._news.set()

    async def take(self) -> list[str | bytes]:
        """Wait for something; return it in the order in which a page needs it."""
        await self._news.wait()
        self._news.clear()
        found: list[str | bytes] = [self._latest[kind] for kind in KEPT if kind in self._latest]
        found += [*self._notes, *self._instants]
        self._latest.clear()
        self._notes.clear()
        self._instants.clear()
        return found


class Browsers:
    """
    All browsers that are connected.

    Its methods may be called from any thread once there is a loop; they act in that loop.
    """

    def __init__(self) -> None:
        self.all: set[Browser] = set()
        self.loop: asyncio.AbstractEventLoop | None = None
        self._kept: dict[str, str] = {}
        self._last: bytes | None = None  # instant: a paused simulation sends no other

    def add(self) -> Browser:
        """Return a new one that gets what the others have; called in the loop."""
        browser = Browser()
        for kind, text in self._kept.items():
            browser.put(kind, text)
        if self._last is not None:
            browser.put_instant(self._last)
        self.all.add(browser)
        return browser

    def tell(self, kind: str, **contents: Any) -> None:
        """Send a message to all."""
        text = json.dumps({'type': kind, **contents}, separators=(',', ':'), allow_nan=False)
        self._in_loop(lambda: self._tell(kind, text))

    def show(self, numbers: bytes) -> None:
        """Send an instant to all."""
        self._in_loop(lambda: self._show(numbers))

    def _in_loop(self, act: Callable[[], None]) -> None:
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(act)

    def _tell(self, kind: str, text: str) -> None:
        if kind in KEPT:
            self._kept[kind] = text
        for browser in self.all:
            browser.put(kind, text)

    def _show(self, numbers: bytes) -> None:
        self._last = numbers
        for browser in self.all:
            browser.put_instant(numbers)
