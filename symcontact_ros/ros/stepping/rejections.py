"""Rejected messages: reasons, counts, and the checks of names and numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
import math

from symcontact_ros.errors import shown, suggestion
from symcontact_ros.model.parts import Mimic

LARGEST = 1e30  # number in a command: beyond, products with levers and gains could overflow


class Rejected(Exception):  # noqa: N818 - of a message, not an error of the node
    """A message that is rejected: kind of reason, for the counters, and explanation."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


@dataclass
class Rejections:
    """Rejected messages by reason, and the latest explanation of each."""

    counts: dict[str, int] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def add(self, topic: str, rejected: Rejected) -> None:
        """Count one."""
        self.counts[rejected.reason] = self.counts.get(rejected.reason, 0) + 1
        self.texts[rejected.reason] = f'{topic}: {rejected}'


def check_finite(numbers: Collection[float]) -> None:
    """Reject numbers that are not finite, or so large that products could overflow."""
    if not all(map(math.isfinite, numbers)):
        raise Rejected('not_finite', f'{", ".join(map(str, numbers))}: all must be finite')
    if any(abs(number) > LARGEST for number in numbers):
        listed = ', '.join(map(str, numbers))
        raise Rejected('too_large', f'{listed}: all must be within {LARGEST:g}')


def check_names(names: list[str], known: tuple[str, ...], followers: Mapping[str, Mimic]) -> None:
    """Reject names of joints that are unknown, followers, or named twice."""
    led = [f'{name} mimics {followers[name].joint}' for name in names if name in followers]
    if led:
        raise Rejected('follower', f'{", ".join(led[:5])}: name the joint that it mimics instead')
    unknown = [name for name in names if name not in known]
    if unknown:
        there_are = suggestion(unknown[0], known, 'joints are')
        first = ', '.join(map(shown, unknown[:5]))
        there_are = there_are if known else 'this model has no joints'
        raise Rejected('unknown_joint', f'{first}: {there_are}')
    if not names:
        raise Rejected('wrong_size', 'no joint is named')
    if len(set(names)) < len(names):
        raise Rejected('wrong_size', 'each joint may be named only once')
