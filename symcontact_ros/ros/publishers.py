"""
What the node publishes of a snapshot.

Rule for every WrenchStamped: force and torque are in the axes of ``frame_id``, the torque is about
its origin, and that frame is on /tf at the same stamp.
"""

from __future__ import annotations

from builtin_interfaces.msg import Time
from geometry_msgs.msg import WrenchStamped
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, QoSProfile
from rosgraph_msgs.msg import Clock
from tf2_msgs.msg import TFMessage

from symcontact_ros.model.model import Model
from symcontact_ros.ros.conversions import (
    stamp,
    transform,
    write_pose,
    write_position,
    write_wrench,
)
from symcontact_ros.types import Snapshot, Wrench

WORLD = 'world'
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def com_frame(body: str) -> str:
    """Return the frame at a body's centre of mass, with world axes."""
    return f'{body}/com'


def contact_frame(a: str, b: str) -> str:
    """Return the frame at the contact of two bodies, with world axes."""
    return '/'.join((*sorted((a, b)), 'contact'))


class Transforms:
    """/tf, one message per instant, and /tf_static for what never moves."""

    def __init__(self, node: Node, model: Model, snapshot: Snapshot) -> None:
        self._tf = node.create_publisher(TFMessage, '/tf', 100)
        self._static = node.create_publisher(TFMessage, '/tf_static', LATCHED)
        moving = [name for name in model.body_names if name not in model.grounded]
        self._bodies = {name: transform(WORLD, name) for name in moving}
        self._coms = {name: transform(WORLD, com_frame(name)) for name in model.body_names}
        self._contacts = [transform(WORLD, contact_frame(a, b)) for a, b in model.pairs]
        self._message = TFMessage(
            transforms=[*self._bodies.values(), *self._coms.values(), *self._contacts]
        )
        fixed = [transform(WORLD, name) for name in sorted(model.grounded)]
        for message in fixed:
            write_pose(message, snapshot.poses[message.child_frame_id])
        self._static.publish(TFMessage(transforms=fixed))

    def publish(self, snapshot: Snapshot, time: Time) -> None:
        """Send every moving frame at one stamp."""
        for name, message in self._bodies.items():
            write_pose(message, snapshot.poses[name])
        for name, message in self._coms.items():
            write_position(message, snapshot.coms[name])
        for message, pair in zip(self._contacts, snapshot.pairs, strict=True):
            write_position(message, pair.point)
        for message in self._message.transforms:
            message.header.stamp = time
        self._tf.publish(self._message)


class ContactWrenches:
    """`~/bodies/<body>/contact_wrench`, net, and `.../<other>`, of one pair; on the body."""

    def __init__(self, node: Node, model: Model) -> None:
        self._net: dict[str, tuple[Publisher, WrenchStamped]] = {}
        self._by: dict[tuple[str, str], tuple[Publisher, WrenchStamped]] = {}
        for a, b in model.pairs:
            for body, other in ((a, b), (b, a)):
                topic = f'~/bodies/{body}/contact_wrench'
                if body not in self._net:
                    self._net[body] = _wrench_topic(node, topic, com_frame(body))
                frame = contact_frame(a, b)
                self._by[body, other] = _wrench_topic(node, f'{topic}/{other}', frame)
        self.topics = [topic.topic_name for topic, _ in (*self._net.values(), *self._by.values())]

    def publish(self, snapshot: Snapshot, time: Time) -> int:
        """Send what somebody listens to; return how many messages that were."""
        sent = 0
        for body, (publisher, message) in self._net.items():
            if publisher.get_subscription_count():
                sent += _send(publisher, message, snapshot.contact_wrench(body), 1.0, time)
        for pair in snapshot.pairs:
            for body, other, sign in (
                (pair.body_b, pair.body_a, 1.0),
                (pair.body_a, pair.body_b, -1.0),
            ):
                publisher, message = self._by[body, other]
                if publisher.get_subscription_count():
                    sent += _send(publisher, message, pair.wrench, sign, time)
        return sent


class SimulatedClock:
    """/clock, for nodes with ``use_sim_time``."""

    def __init__(self, node: Node) -> None:
        self._publisher = node.create_publisher(Clock, '/clock', 10)
        self._message = Clock()

    def publish(self, time: Time) -> None:
        """Send the time."""
        self._message.clock = time
        self._publisher.publish(self._message)


class Publishers:
    """Everything the node says of a snapshot, with one stamp."""

    def __init__(self, node: Node, model: Model, snapshot: Snapshot) -> None:
        self._clock = SimulatedClock(node)
        self._transforms = Transforms(node, model, snapshot)
        self._wrenches = ContactWrenches(node, model)
        self.topics = ['/clock', '/tf', '/tf_static', *self._wrenches.topics]
        self.sent = 1  # messages so far; /tf_static is out

    def publish(self, snapshot: Snapshot) -> None:
        """Send a snapshot: the clock first, so that no stamp is ahead of it."""
        time = stamp(snapshot.time)
        self._clock.publish(time)
        self._transforms.publish(snapshot, time)
        self.sent += 2 + self._wrenches.publish(snapshot, time)


def _wrench_topic(node: Node, topic: str, frame: str) -> tuple[Publisher, WrenchStamped]:
    message = WrenchStamped()
    message.header.frame_id = frame
    return node.create_publisher(WrenchStamped, topic, 10), message


def _send(
    publisher: Publisher, message: WrenchStamped, wrench: Wrench, sign: float, time: Time
) -> int:
    write_wrench(message, wrench, sign)
    message.header.stamp = time
    publisher.publish(message)
    return 1
