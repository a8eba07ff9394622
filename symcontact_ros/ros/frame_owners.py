"""
Frames on /tf that other nodes publish, too, with another parent.

A frame with two parents jumps between them, in RViz as in every controller. Other nodes may come
at any time, so the graph is asked once a second who publishes transforms. If someone new does, all
transforms are listened to for a while, and a frame with another parent than ours is left to the
other node: robot_state_publisher, as a rule, beside ``tf_mode: bodies``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
import math
import time
from typing import Any

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.subscription import Subscription
from tf2_msgs.msg import TFMessage

from symcontact_ros.errors import shown

TOPICS = {
    '/tf': QoSProfile(depth=100),
    '/tf_static': QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL),
}
MOST = 5  # frames in a warning
LISTENED = 5.0  # [s wall] during which a new publisher is listened to
AGAIN = 30.0  # [s wall] after which all are listened to again: some say nothing for long


class FrameOwners:
    """
    Watch over the frames of a node.

    Parameters
    ----------
    node
        That publishes them.
    parents
        Returns the parent of each of its frames.
    leave
        Called with frames that others publish with another parent.

    Attributes
    ----------
    warning
        One line on the frames that were left to others; empty: none were.
    """

    def __init__(
        self,
        node: Node,
        parents: Callable[[], Mapping[str, str]],
        leave: Callable[[Collection[str]], None],
    ) -> None:
        self._node = node
        self._parents, self._leave = parents, leave
        self._ours = node.get_fully_qualified_name()
        self._known: frozenset[Any] = frozenset()  # publishers that were listened to
        self._listening: list[Subscription[TFMessage]] = []
        self._mine: Mapping[str, str] = {}  # parents of our frames
        self._heard: dict[str, str] = {}  # other parents of them
        self._since = -math.inf  # when listening began [s wall]
        self._left: dict[str, str] = {}
        self.warning = ''

    @property
    def left(self) -> Collection[str]:
        """Frames that were left to others."""
        return self._left.keys()

    def check(self) -> None:
        """Look who publishes transforms, and at what was heard since the last time."""
        self._give_way()
        now, others = time.monotonic(), self._others()
        if others - self._known or (others and now > self._since + AGAIN):
            self._since = now
        self._known = others
        self._mine = self._parents()
        self._listen(bool(others) and now < self._since + LISTENED)

    def _listen(self, wanted: bool) -> None:
        if wanted and not self._listening:
            self._listening = [
                self._node.create_subscription(TFMessage, topic, self._hear, quality)
                for topic, quality in TOPICS.items()
            ]
        while self._listening and not wanted:
            self._node.destroy_subscription(self._listening.pop())

    def _others(self) -> frozenset[Any]:
        """Return who else publishes transforms."""
        if all(self._node.count_publishers(topic) < 2 for topic in TOPICS):
            return frozenset()  # which is cheaper than asking who
        return frozenset(
            bytes(publisher.endpoint_gid)
            for topic in TOPICS
            for publisher in self._node.get_publishers_info_by_topic(topic)
            if f'{publisher.node_namespace.rstrip("/")}/{publisher.node_name}' != self._ours
        )

    def _hear(self, message: TFMessage) -> None:
        for transform in message.transforms:
            child, parent = transform.child_frame_id, transform.header.frame_id
            # Our own messages are heard as well; a parent that is not ours is another node's.
            if self._mine.get(child, parent) != parent:
                self._heard[child] = parent

    def _give_way(self) -> None:
        """Leave frames to others that have another parent for them."""
        if not self._heard:
            return
        self._leave(self._heard.keys())
        self._left |= self._heard
        self._heard.clear()
        some = ', '.join(
            f'{shown(child)} (parent {shown(parent)})'
            for child, parent in sorted(self._left.items())[:MOST]
        )
        more = f' and {len(self._left) - MOST} more' if len(self._left) > MOST else ''
        self.warning = (
            f'another node publishes frames of this one with other parents: {some}{more}; they '
            'are left to it. With robot_state_publisher set tf_mode to base; for two '
            'simulations set frame_prefix'
        )
