"""Pieces that a long run of steps is made in, so that it can be interrupted."""

from __future__ import annotations

PERIOD = 2e-3  # [s]: far below the 0.2 s that an interruption may take, if steps get slower


class Pieces:
    """
    How many steps to make in one compiled call, which no signal can interrupt.

    It follows the time that the last ones took.

    Attributes
    ----------
    size
        Steps of the next piece.
    """

    def __init__(self) -> None:
        self.size = 1

    def observe(self, count: int, seconds: float) -> None:
        """Take notice of the time that a number of steps took [s]."""
        if seconds > 2.0 * PERIOD:
            self.size = max(1, int(count * PERIOD / seconds))
        elif count >= self.size and seconds < 0.5 * PERIOD:
            self.size *= 2
