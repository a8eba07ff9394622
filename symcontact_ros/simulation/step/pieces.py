"""Pieces that a long run of steps is made in, so that it can be interrupted."""

from __future__ import annotations

PERIOD = 2e-3  # [s]: far below the 0.2 s that an interruption may take, if steps get slower


class Pieces:
    """
    How many steps to make in one compiled call, which no signal can interrupt.

    It follows the time that the last ones took.

    Parameters
    ----------
    period
        Time that a piece should take [s].

    Attributes
    ----------
    size
        Steps of the next piece.
    """

    def __init__(self, period: float = PERIOD) -> None:
        self.size = 1
        self._period = period

    def observe(self, count: int, seconds: float) -> None:
        """Take notice of the time that a number of steps took [s]."""
        if seconds > 2.0 * self._period:
            self.size = max(1, int(count * self._period / seconds))
        elif count >= self.size and seconds < 0.5 * self._period:
            self.size *= 2
