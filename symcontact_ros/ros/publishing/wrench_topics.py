"""
Contact wrenches: net per body, and per pair.

Rule for every WrenchStamped: force and torque are in the axes of ``frame_id``, the torque is about
its origin, and that frame is on /tf at the same stamp.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

from geometry_msgs.msg import WrenchStamped
import numpy as np

from symcontact_ros.model.model import Model
from symcontact_ros.ros.publishing.serialized import xyz
from symcontact_ros.ros.publishing.topics import NumbersTopic, NumbersTopics, Topics
from symcontact_ros.ros.tf_frames import Frames
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.world.start_overlaps import body_pairs


def pairs_with_topics(model: Model, most: int, globs: tuple[str, ...]) -> list[int]:
    """Return the rows of the pairs with topics: all, or of many pairs those that match."""
    names = [f'{a}/{b}' for a, b in body_pairs(model).pairs]
    if len(names) <= most:
        return list(range(len(names)))
    return [i for i, name in enumerate(names) if any(fnmatchcase(name, g) for g in globs if g)]


class ContactWrenches:
    """`~/bodies/<body>/contact_wrench`, net, and `.../<other>`, of one pair; on the body."""

    def __init__(self, topics: Topics, model: Model, frames: Frames, pairs: list[int]) -> None:
        rows = {name: row for row, name in enumerate(model.body_names)}
        self._in_body_axes = frames.axes == 'body'
        all_pairs = body_pairs(model).pairs
        touching = sorted({name for pair in all_pairs for name in pair}, key=rows.__getitem__)
        self._rows = np.array([rows[name] for name in touching], dtype=np.int64)
        self._pairs = np.array(pairs, dtype=np.int64)
        added = [
            _topic(topics, f'~/bodies/{name}/contact_wrench', frames.com(name))
            for name in touching
        ]
        for pair in pairs:
            a, b = all_pairs[pair]
            for body, other in ((a, b), (b, a)):
                name = f'~/bodies/{body}/contact_wrench/{other}'
                added.append(_topic(topics, name, frames.contact(a, b)))
        self._topics = NumbersTopics(added)
        self._numbers = np.zeros((len(added), 6))

    def publish(self, instant: Instant, time: int) -> None:
        """Send the topics with subscribers, at one stamp [ns]."""
        if not self._topics.are_heard:
            return
        net, numbers, count = instant.wrench, self._numbers, len(self._rows)
        if self._in_body_axes:
            net = (net.reshape(-1, 2, 3) @ instant.rotation).reshape(-1, 6)
        numbers[:count] = net[self._rows]
        both = instant.pair_wrench[self._pairs]
        # On the first of two bodies, then on the second; not -both: there are no negative zeros.
        numbers[count::2], numbers[count + 1 :: 2] = 0.0 - both, both
        self._topics.send_numbers(numbers, time)


def _topic(topics: Topics, name: str, frame: str) -> NumbersTopic:
    message = WrenchStamped()
    message.header.frame_id = frame
    places = [*xyz(message.wrench.force), *xyz(message.wrench.torque)]
    return topics.add_numbers(message, name, places, [message.header.stamp])
