"""Lockstep: an instant waits until a command stamped with it has come."""

from __future__ import annotations


class Lockstep:
    """
    What the present instant waits for.

    Parameters
    ----------
    timeout
        How long to wait before the instant is to be published again [s wall].

    """

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self.answered = False
        self.timeouts = 0
        self._stamp = -1  # [ns simulated]
        self._since = 0.0  # [s wall]

    def published(self, stamp: int, now: float) -> None:
        """Note that an instant was published: from now on its answer is waited for, or there."""
        if stamp != self._stamp:
            self.answered = False
        self._stamp = stamp
        self._since = now

    def renew(self) -> None:
        """Forget the answer: the next instant wants its own, whatever its stamp."""
        self._stamp = -1

    def offer(self, stamp: int) -> None:
        """Take a stamp, which may be the answer."""
        self.answered = self.answered or stamp == self._stamp

    def overdue(self, now: float) -> bool:
        """Return whether the answer is late; counted, and asked anew after another timeout."""
        if self.answered or now - self._since < self.timeout:
            return False
        self._since = now
        self.timeouts += 1
        return True
