"""Lockstep: each instant waits for a command with its stamp."""

from __future__ import annotations


class Lockstep:
    """
    Reply to the present instant.

    Parameters
    ----------
    timeout
        Time after which the instant is published again [s wall].

    """

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self.answered = False
        self.timeouts = 0
        self._stamp = -1  # [ns simulated]
        self._since = 0.0  # [s wall]

    def published(self, stamp: int, now: float) -> None:
        """Start waiting for the reply to a published instant, unless it is there."""
        if stamp != self._stamp:
            self.answered = False
        self._stamp = stamp
        self._since = now

    def renew(self) -> None:
        """Discard the reply: the next instant needs its own, whatever its stamp."""
        self._stamp = -1

    def offer(self, stamp: int) -> None:
        """Compare a stamp with that of the instant."""
        self.answered = self.answered or stamp == self._stamp

    def overdue(self, now: float) -> bool:
        """Return whether the reply is late; counted once per timeout."""
        if self.answered or now - self._since < self.timeout:
            return False
        self._since = now
        self.timeouts += 1
        return True
