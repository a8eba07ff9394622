"""
Topics of the node: created once, written in place, sent only while there are subscribers.

Counting subscribers costs as much as a small message, so it is done a few times a second. Quality
of service: reliable, volatile, depth 10 unless stated otherwise; the user of the node may override
it with ``qos_overrides.<topic>.publisher.<policy>`` (subscriptions likewise).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from rclpy.event_handler import PublisherEventCallbacks
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.serialization import serialize_message

from symcontact_ros.errors import not_one_of, OptionError, shown_value
from symcontact_ros.ros.node_recorder import NodeRecorder, Tap
from symcontact_ros.ros.publishing.allowance import Allowance, Sending
from symcontact_ros.ros.publishing.serialized import Place, Serialized, Sheet
from symcontact_ros.types import Vector

DEPTH = 10
DEEPEST = 100_000  # messages; a queue takes memory, and the middleware counts in 32 bits
OVERRIDES = 'qos_overrides.'  # begins their names
POLICIES = {  # that can be overridden, in addition to `depth`
    'reliability': ('reliable', 'best_effort', 'system_default'),
    'history': ('keep_last', 'keep_all', 'system_default'),
}
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
# The handlers that rclpy adds by default are checked whenever it waits: four fifths of a core
# with 80 topics. Subscribers with incompatible quality of service get a warning on their side.
PUBLISHER_EVENTS = PublisherEventCallbacks(use_default_callbacks=False)


class Topic:
    """A publisher with its message, which is changed in place and sent again."""

    def __init__(self, publisher: Any, message: Any, sending: Sending) -> None:
        self.publisher = publisher
        self.message = message
        self._sending = sending
        self.listeners = 0  # the recording is one of them
        self.record: Tap | None = None
        self.sent = 0
        self.is_new = True  # whether its publisher is

    @property
    def name(self) -> str:
        """Full name, after remapping."""
        return str(self.publisher.topic_name)

    def send(self) -> None:
        """Publish the message as it is now."""
        self.sent += self._sending.send(self.message, self.listeners)
        if self.record is not None:
            self.record(serialize_message(self.message))


class NumbersTopic(Topic):
    """A topic of messages in which only numbers and stamps change."""

    def __init__(self, publisher: Any, serialized: Serialized, sending: Sending) -> None:
        super().__init__(publisher, None, sending)
        self.serialized = serialized

    def change_message(
        self, message: Any, numbers: Sequence[Place], stamps: Sequence[Any]
    ) -> None:
        """Send another message of the same type from now on."""
        self.serialized = Serialized(message, numbers, stamps)

    def send_numbers(self, numbers: Vector, time: int) -> None:
        """Publish numbers, stamped with a time [ns]."""
        self.serialized.write(numbers)
        self.serialized.stamp(time)
        self.send_data(self.serialized.data)

    def send_data(self, data: bytes) -> None:
        """Publish a serialised message."""
        self.sent += self._sending.send(data, self.listeners)
        if self.record is not None:
            self.record(data)


class NumbersTopics:
    """Topics whose messages are written at once, in their order."""

    def __init__(self, topics: Sequence[NumbersTopic]) -> None:
        self._topics = topics
        self._sheet = Sheet([topic.serialized for topic in topics])

    @property
    def are_heard(self) -> bool:
        """Whether any of them has subscribers."""
        return any(topic.listeners for topic in self._topics)

    def send_numbers(self, numbers: Vector, time: int) -> None:
        """Publish the topics with subscribers: numbers of all, stamped with a time [ns]."""
        self._sheet.write(numbers)
        self._sheet.stamp(time)
        data = self._sheet.data
        for topic, (start, end) in zip(self._topics, self._sheet.parts, strict=True):
            if topic.listeners:
                topic.send_data(data[start:end])


class Topics:
    """
    All publications of a node.

    Attributes
    ----------
    node
        Whose publications they are.
    all
        Topics in the order of creation.
    allowance
        Limits how long the messages of an instant take.

    """

    def __init__(self, node: Node, recorder: NodeRecorder | None = None) -> None:
        self.node = node
        self._recorder = recorder
        self.all: list[Topic] = []
        self._spare: dict[str, Topic] = {}  # of a model before, by name
        self._sent = 0  # messages of topics that have ended
        self.allowance = Allowance()
        check_overrides(node)  # at once: some topics come later

    def add(
        self, message: Any, name: str, quality: QoSProfile | int = DEPTH, *, recorded: bool = True
    ) -> Topic:
        """Advertise a topic with the message that will be sent on it."""
        publisher = self._publisher(message, name, quality)
        topic = Topic(publisher, message, Sending(publisher.publish, self.allowance, False))
        self._take(topic)
        if recorded:
            self._tap(topic, message, quality)
        return topic

    def add_numbers(
        self,
        message: Any,
        name: str,
        numbers: Sequence[Place],
        stamps: Sequence[Any],
        quality: QoSProfile | int = DEPTH,
        *,
        always: bool = False,
    ) -> NumbersTopic:
        """
        Advertise a topic on which only these numbers and stamps of a message change.

        ``always``: no message of it is left out, however long they take.
        """
        serialized = Serialized(message, numbers, stamps)
        publisher = self._publisher(message, name, quality)
        # `Publisher.publish` of rclpy first finds out what it was given.
        sending = Sending(publisher.handle.publish_raw, self.allowance, always)
        topic = NumbersTopic(publisher, serialized, sending)
        self._take(topic)
        self._tap(topic, message, quality)
        return topic

    def renew(self, but: str) -> None:
        """
        Begin anew, for another model: what is added again keeps its publisher.

        ``but``: a topic that stays as it is. `end_others` ends those that were not added again.
        """
        self._spare = {topic.name: topic for topic in self.all if topic.name != but}
        self.all = [topic for topic in self.all if topic.name == but]

    def end_others(self) -> None:
        """End the topics that were there before `renew` and have not been added again."""
        self._end(self._spare.values())
        self._spare = {}

    def end(self, topics: Collection[Topic]) -> None:
        """End topics that are wanted no longer."""
        self._end(topics)
        gone = {id(topic) for topic in topics}
        self.all = [topic for topic in self.all if id(topic) not in gone]

    def _end(self, topics: Iterable[Topic]) -> None:
        for topic in topics:
            self._sent += topic.sent
            self.node.destroy_publisher(topic.publisher)

    def _tap(self, topic: Topic, message: Any, quality: QoSProfile | int) -> None:
        """Let the recorder, if there is one, hear a topic."""
        if self._recorder is not None:
            latched = quality is LATCHED
            topic.record = self._recorder.tap(type(message), topic.name, latched)
            topic.listeners = int(topic.record is not None)

    def _take(self, topic: Topic) -> None:
        before = self._spare.pop(topic.name, None)
        if before is not None:
            topic.is_new, topic.listeners, topic.sent = False, before.listeners, before.sent
        self.all.append(topic)

    def _publisher(self, message: Any, name: str, quality: QoSProfile | int) -> Any:
        before = self._spare.get(self.node.resolve_topic_name(name))
        if before is not None and before.publisher.msg_type is type(message):
            return before.publisher
        return self.node.create_publisher(
            type(message),
            name,
            quality,
            event_callbacks=PUBLISHER_EVENTS,
            qos_overriding_options=overriding(self.node, name, 'publisher'),
        )

    def count_listeners(self) -> bool:
        """Count subscribers; return whether there is a new one."""
        news = False
        for topic in self.all:
            now = topic.publisher.get_subscription_count() + (topic.record is not None)
            news = news or now > topic.listeners
            topic.listeners = now
        return news

    @property
    def names(self) -> list[str]:
        """Full names, in the order of creation."""
        return [topic.name for topic in self.all]

    @property
    def sent(self) -> int:
        """Messages so far."""
        return self._sent + sum(topic.sent for topic in self.all)


def overriding(node: Node, name: str, role: str) -> QoSOverridingOptions | None:
    """Return options that declare the overrides of a topic, if the user gave any of them."""
    start = f'{OVERRIDES}{node.resolve_topic_name(name)}.{role}.'
    given = any(name.startswith(start) for name in node._parameter_overrides)
    return QoSOverridingOptions.with_default_policies() if given else None


def check_overrides(node: Node) -> None:
    """Raise OptionError for a policy that the user gave of any topic, and that is none."""
    for policy, parameter in node._parameter_overrides.items():
        if not policy.startswith(OVERRIDES):
            continue
        what, value = policy.rpartition('.')[2], parameter.value
        if what in POLICIES and value not in POLICIES[what]:
            raise OptionError(not_one_of(policy, POLICIES[what], value))
        if what == 'depth' and not (isinstance(value, int) and 0 < value <= DEEPEST):
            raise OptionError(
                f'{policy} must be a whole number 1 to {DEEPEST}, got {shown_value(value)}'
            )
