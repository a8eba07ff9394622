"""A bar that shows how far long work has come, at a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType

DELAY = 0.5  # [s] before it is shown
REFRESH = 0.1  # [s] between two updates
LENGTH = 30  # characters of the bar
LINE = 79  # characters of all


class ProgressBar:
    """A line at a terminal; ``with ProgressBar() as bar: bar.show(made, count, words)``."""

    def __init__(self, wanted: bool = True) -> None:
        self._is_wanted = wanted and sys.stderr.isatty()
        self.began = time.monotonic()
        self._shown = self.began + DELAY - REFRESH
        self._is_there = False

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._is_there:
            print(f'\r{"":<{LINE}}\r', end='', file=sys.stderr, flush=True)

    def show(self, made: int, count: int, words: str, before: int = 0) -> None:
        """Show how much of a count is made, some words, and the time that is left."""
        now = time.monotonic()
        if not self._is_wanted or now - self._shown < REFRESH:
            return
        self._shown, self._is_there = now, True
        rest = (now - self.began) * (count - made) / max(1, made - before)
        bar = '#' * round(LENGTH * made / count)
        line = f'[{bar:<{LENGTH}}] {100 * made / count:3.0f} %  {words}, {rest:.0f} s to go'
        print(f'\r{line:<{LINE}}', end='', file=sys.stderr, flush=True)
