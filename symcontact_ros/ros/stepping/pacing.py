"""How many steps to make: as many as the wall clock asks for, or somebody."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_CATCH_UP = 0.1  # [s wall]


@dataclass
class Run:
    """A number of steps after which the simulation is paused again."""

    left: int
    made: int = 0
    over: bool = False  # all are made, or somebody paused it, or let it go on, before


class Pacer:
    """
    Turns wall time into whole steps of simulated time.

    Ticks get lost, so steps are counted from elapsed time and never from ticks. After a stall
    longer than ``LONGEST_CATCH_UP`` the rest is let go: the simulation slows down, it never
    bursts.
    """

    def __init__(self, step_size: float, real_time_factor: float) -> None:
        self.overruns = 0  # how often time was let go
        self.factor = real_time_factor
        self._step_size = step_size
        self._last: float | None = None  # wall time of the last call [s]
        self._owed = 0.0  # simulated time not yet stepped [s]

    def due(self, now: float) -> int:
        """Return how many steps to take at wall time now [s]; none at the first call."""
        if self._pass(now):
            self.overruns += 1
        count = int(self._owed / self._step_size)
        self._owed -= count * self._step_size
        return count

    def grants(self, now: float, count: int) -> bool:
        """Return whether count steps are due at wall time now, and take them if so."""
        if self.factor == 0.0:
            return True
        self._pass(now)
        if self._owed < count * self._step_size:
            return False
        self._owed -= count * self._step_size
        # Whoever waited for something else must not burst now.
        self._owed = min(self._owed, LONGEST_CATCH_UP * self.factor)
        return True

    def restart(self) -> None:
        """Forget the past: after a pause nothing is owed."""
        self._last = None
        self._owed = 0.0

    def overrun(self) -> None:
        """Let go what a tick had no time for."""
        self.overruns += 1
        self.restart()

    def _pass(self, now: float) -> bool:
        """Let time pass until now; return whether some of it was let go."""
        elapsed = 0.0 if self._last is None else now - self._last
        self._last = now
        self._owed += min(elapsed, LONGEST_CATCH_UP) * self.factor
        return elapsed > LONGEST_CATCH_UP
