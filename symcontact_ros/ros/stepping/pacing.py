"""Pacing: number of steps to make, by the wall clock or by request."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_CATCH_UP = 0.1  # [s wall]


@dataclass
class Run:
    """A number of steps after which the simulation is paused again."""

    left: int
    made: int = 0
    over: bool = False  # all are made, or the simulation was paused or continued before


class Pacer:
    """
    Conversion of wall time to whole steps of simulated time.

    Ticks may be skipped, so steps are counted from elapsed time, not from ticks. After a stall
    longer than ``LONGEST_CATCH_UP`` the rest is discarded: the simulation slows down instead of
    catching up in a burst.
    """

    def __init__(self, step_size: float, real_time_factor: float) -> None:
        self.overruns = 0  # number of times that time was discarded
        self.factor = real_time_factor
        self._step_size = step_size
        self._last: float | None = None  # wall time of the last call [s]
        self._owed = 0.0  # simulated time not yet stepped [s]

    def due(self, now: float, period: int = 1, early: float = 0.0) -> int:
        """
        Return the number of steps to make at wall time now [s]; none at the first call.

        Parameters
        ----------
        now
            Wall time [s].
        period
            The number is a multiple of this.
        early
            Time before it is due, at most, that a period is made [s wall]: half the time between
            ticks, so that each tick makes one period although no two ticks are equally far apart.

        """
        if self._pass(now):
            self.overruns += 1
        count = period * int((self._owed + early * self.factor) / (period * self._step_size))
        self._owed -= count * self._step_size
        return count

    def grants(self, now: float, count: int) -> bool:
        """Return whether count steps are due at wall time now, and subtract them if so."""
        if self.factor == 0.0:
            return True
        self._pass(now)
        if self._owed < count * self._step_size:
            return False
        self._owed -= count * self._step_size
        # No burst after waiting for something else.
        self._owed = min(self._owed, LONGEST_CATCH_UP * self.factor)
        return True

    def restart(self) -> None:
        """Restart: after a pause no steps are due."""
        self._last = None
        self._owed = 0.0

    def overrun(self) -> None:
        """Discard steps for which a tick had no time."""
        self.overruns += 1
        self.restart()

    def _pass(self, now: float) -> bool:
        """Add the time until now; return whether some of it was discarded."""
        elapsed = 0.0 if self._last is None else now - self._last
        self._last = now
        self._owed += min(elapsed, LONGEST_CATCH_UP) * self.factor
        return elapsed > LONGEST_CATCH_UP
