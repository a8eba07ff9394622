"""
Contact wrenches: net per body, and per pair.

Rule for every WrenchStamped: force and torque are in the axes of ``frame_id``, the torque is about
its origin, and that frame is on /tf at the same stamp.
"""

from __future__ import annotations

from geometry_msgs.msg import WrenchStamped
import numpy as np

from symcontact_ros.model.model import Model
from symcontact_ros.ros.publishing.pair_topics import wrench_topic
from symcontact_ros.ros.publishing.serialized import xyz
from symcontact_ros.ros.publishing.topics import NumbersTopic, NumbersTopics, Topics
from symcontact_ros.ros.tf_frames import Frames
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.world.start_overlaps import body_pairs


class ContactWrenches:
    """`~/bodies/<body>/contact_wrench`, net, and `.../<other>`, of one pair; on the body."""

    def __init__(self, topics: Topics, model: Model, frames: Frames, pairs: list[int]) -> None:
        rows = {name: row for row, name in enumerate(model.body_names)}
        self._all, self._frames = topics, frames
        self._in_body_axes = frames.axes == 'body'
        self._names = body_pairs(model).pairs
        touching = sorted({name for pair in self._names for name in pair}, key=rows.__getitem__)
        self._rows = np.array([rows[name] for name in touching], dtype=np.int64)
        self._net = [
            self._topic(f'~/bodies/{name}/contact_wrench', frames.com(name)) for name in touching
        ]
        self._of_pairs: dict[int, list[NumbersTopic]] = {}  # on A and on B
        self.follow(pairs)

    def follow(self, pairs: list[int]) -> None:
        """Let these pairs have topics, and no others."""
        before = self._of_pairs
        self._of_pairs = {pair: before.pop(pair, []) or self._both(pair) for pair in pairs}
        self._all.end([topic for gone in before.values() for topic in gone])
        added = [*self._net, *(topic for both in self._of_pairs.values() for topic in both)]
        self._pairs = np.array(pairs, dtype=np.int64)
        self._topics = NumbersTopics(added)
        self._numbers = np.zeros((len(added), 6))

    def _both(self, pair: int) -> list[NumbersTopic]:
        a, b = self._names[pair]
        frame = self._frames.contact(a, b)
        return [self._topic(wrench_topic(*names), frame) for names in ((a, b), (b, a))]

    def _topic(self, name: str, frame: str) -> NumbersTopic:
        message = WrenchStamped()
        message.header.frame_id = frame
        places = [*xyz(message.wrench.force), *xyz(message.wrench.torque)]
        return self._all.add_numbers(message, name, places, [message.header.stamp])

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
