"""
Allowance for messages that take unusually long, so that they do not hold up /clock.

Fast DDS sends to a subscriber through shared memory. For 20 s after its process was killed, or as
long as it is stopped, every message to it takes ten times as long: 0.25 ms. A recorder of 100
topics would hold up every instant by 25 ms. So an instant in which messages take unusually long
is left unfinished, and the next one begins where it ended: all topics come in turn.

A topic that keeps all messages (``qos_overrides``) has no more room once such a subscriber has not
received 5,000 of them. It is then tried once a second.
"""

from __future__ import annotations

from collections.abc import Callable
import math
import time
from typing import Any

from rclpy._rclpy_pybind11 import RCLError  # which rclpy raises, and does not export

LONGEST = 0.005  # [s of processor time] that unusually slow messages of an instant may take
PAUSE = 1.0  # [s wall] before a topic without room is tried again
UNUSUAL = 4.0  # times as long as the fastest message of that topic, for each subscriber


class Allowance:
    """
    Time that messages of an instant may take beyond what is usual.

    Processor time is measured, not time on the clock: on a busy machine nothing is left out.

    Attributes
    ----------
    active
        Whether it is limited: only while steps follow the wall clock.
    left_out
        Messages that were not sent.

    """

    def __init__(self) -> None:
        self.active = False
        self.left_out = 0
        self._spent = 0.0  # [s] in this instant
        self._position = 0  # of the message in the instant
        self._first = 0  # position of the first one to be sent
        self._next = 0  # the same of the next instant

    def begin(self) -> None:
        """Begin an instant."""
        self._spent, self._position = 0.0, 0
        self._first, self._next = self._next if self.active else 0, 0

    def grants(self) -> bool:
        """Return whether the next message of the instant is sent."""
        if not self.active:
            return True
        position = self._position
        self._position += 1
        if self._spent > LONGEST:
            self._next = self._next or position
        elif position >= self._first:
            return True
        self.left_out += 1
        return False

    def spend(self, taken: float) -> None:
        """Count the time of an unusually slow message [s]."""
        self._spent += taken


class Sending:
    """
    A publisher, and how long it usually takes.

    To read the processor time is a system call, so that messages are timed by the wall clock. One
    that takes unusually long may have been interrupted: then the next one of that topic is timed
    by the processor time, and counts if it is slow by that too.

    Parameters
    ----------
    publish
        Publishes a message.
    allowance
        Limits all messages of an instant.
    always
        Whether its messages are never left out.

    """

    def __init__(self, publish: Callable[[Any], None], allowance: Allowance, always: bool) -> None:
        self._publish = publish
        self._allowance = allowance
        self._always = always
        self._usual = math.inf  # shortest time of a message for each subscriber [s]
        self._is_slow = False  # whether the last one took unusually long
        self._full_since: float | None = None  # when there was no room last [s wall]

    def send(self, data: Any, listeners: int) -> bool:
        """Publish a message, unless there is no time for it; return whether it was sent."""
        allowance = self._allowance
        if not (self._always or allowance.grants()):
            return False
        if self._full_since is not None and self._is_full(self._full_since):
            return False
        was_slow = self._is_slow
        clock = time.thread_time if was_slow else time.perf_counter
        began = clock()
        try:
            self._publish(data)
        except RCLError:  # no room: after waiting for 10 ms
            allowance.left_out += 1
            self._full_since = time.monotonic()
            return False
        if listeners:
            taken = clock() - began
            each = taken / listeners
            self._usual = min(self._usual, each)
            self._is_slow = each > UNUSUAL * self._usual
            if self._is_slow and was_slow:
                allowance.spend(taken)
        return True

    def _is_full(self, since: float) -> bool:
        """Return whether there was no room a moment ago, and count what is not sent then."""
        if time.monotonic() - since >= PAUSE:
            self._full_since = None
            return False
        self._allowance.left_out += 1
        return True
