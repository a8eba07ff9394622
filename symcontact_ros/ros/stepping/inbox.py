"""
Subscriptions that are read once per tick.

Waking up an executor costs several times as much as reading a message, and many commands would
cost a core. Commands act from the next step on, which comes with the next tick: an executor need
not wake up for them. At most ``DEPTH`` messages per topic are read per tick, the latest: ticks may
be far apart, and messages for different joints do not replace each other.

A best-effort subscription would be compatible with all publishers, but lose what a reliable one
sends before both sides know each other: a single command, for example. So subscriptions are
reliable, until the middleware reports a publisher that is incompatible.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from rclpy.callback_groups import CallbackGroup
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy

from symcontact_ros.ros.conversions import nanoseconds
from symcontact_ros.ros.publishing.topics import overriding
from symcontact_ros.ros.stepping.commands import Commands
from symcontact_ros.ros.stepping.lockstep import Lockstep
from symcontact_ros.ros.stepping.rejections import Rejected

DEPTH = 100
RELIABLE = QoSProfile(depth=DEPTH, reliability=ReliabilityPolicy.RELIABLE)
BEST_EFFORT = QoSProfile(depth=DEPTH, reliability=ReliabilityPolicy.BEST_EFFORT)
Take = Callable[[Any, int], None]  # a message, and the number of the step


class Polled(CallbackGroup):
    """Callback group whose entities no executor waits for."""

    def can_execute(self, entity: Any) -> bool:
        """Return that it cannot."""
        return False

    def beginning_execution(self, entity: Any) -> bool:
        """Return that it must not."""
        return False

    def ending_execution(self, entity: Any) -> None:
        """Do nothing: nothing was executed."""


class AnyEvent:
    """Stand-in for a wait set, in which every event is ready: it is taken without waiting."""

    def add_event(self, event: Any) -> int:
        """Return an index."""
        return 0

    def is_ready(self, kind: str, index: int) -> bool:
        """Return that it is."""
        return True


@dataclass
class Subscribed:
    """A subscription, and what to do with its messages."""

    kind: Any  # of its messages
    name: str  # as given
    topic: str  # resolved
    take: Take
    is_stamped: bool  # whether the stamp of a message is that of its sending
    adapts: bool  # to the reliability of publishers, unless the user has chosen one
    refused: bool = False  # whether there is a publisher that is incompatible
    subscription: Any = None
    arrived: deque[Any] = field(default_factory=deque)  # messages that woke up an executor


class Inbox:
    """
    Subscriptions of a node, and the handling of their messages.

    Parameters
    ----------
    node
        Whose subscriptions they are.
    commands
        Checks stamps and counts rejected messages.
    lockstep
        Waits for stamps on ``lockstep_topic``; None without lockstep.
    lockstep_topic
        Name of the topic, resolved.
    wake
        Called when a message on it arrives, if an executor spins the node: the node then reads.

    """

    def __init__(
        self,
        node: Node,
        commands: Commands,
        lockstep: Lockstep | None,
        lockstep_topic: str,
        wake: Callable[[], None] | None = None,
    ) -> None:
        self._wake = wake
        self._node = node
        self._commands = commands
        self._lockstep = lockstep
        self._lockstep_topic = lockstep_topic
        self._group = Polled()
        self._subscribed: list[Subscribed] = []
        self.record: Callable[[str, Any], None] | None = None  # takes what was accepted

    def add(self, kind: Any, name: str, take: Take, is_stamped: bool = True) -> None:
        """
        Subscribe; ``take`` gets messages with valid stamps, and may raise `Rejected`.

        Where stamps mean something else than the time of sending, it gets all.
        """
        topic = self._node.resolve_topic_name(name)
        adapts = overriding(self._node, name, 'subscription') is None
        entry = Subscribed(kind, name, topic, take, is_stamped, adapts)
        entry.subscription = self._subscribe(entry, RELIABLE)
        self._subscribed.append(entry)

    def end(self, names: Collection[str]) -> None:
        """End subscriptions, by their names as given."""
        for entry in [entry for entry in self._subscribed if entry.name in names]:
            self._subscribed.remove(entry)
            self._node.destroy_subscription(entry.subscription)
            entry.subscription = None
        # The group of callbacks remembers, in weak references, all that was ever in it.
        self._group.entities = {known for known in self._group.entities if known() is not None}

    def _subscribe(self, entry: Subscribed, quality: QoSProfile) -> Any:
        def arrive(message: Any) -> None:
            entry.arrived.append(message)
            if self._wake is not None:
                self._wake()

        def refuse(status: Any) -> None:
            entry.refused = True

        is_waited_for = self._wake is not None and entry.topic == self._lockstep_topic
        return self._node.create_subscription(
            entry.kind,
            entry.name,
            arrive,
            quality,
            callback_group=None if is_waited_for else self._group,
            event_callbacks=SubscriptionEventCallbacks(
                incompatible_qos=refuse, use_default_callbacks=False
            ),
            qos_overriding_options=overriding(self._node, entry.name, 'subscription'),
        )

    @property
    def topics(self) -> list[str]:
        """Resolved names."""
        return [entry.topic for entry in self._subscribed]

    def adapt(self) -> None:
        """Take best-effort publishers too, on the topics that have one; called now and then."""
        for entry in self._subscribed:
            if entry.adapts:
                _take_events(entry.subscription)
            if entry.adapts and entry.refused:
                entry.adapts = False
                old = entry.subscription
                entry.subscription = self._subscribe(entry, BEST_EFFORT)
                self._node.destroy_subscription(old)
                self._node.get_logger().info(f'{entry.topic}: best-effort publishers are taken')

    def read(self, now: int, steps: int) -> None:
        """Read what was received until simulated time now [ns], before the step of that number."""
        for entry in self._subscribed:
            while entry.arrived:
                self._offer(entry, entry.arrived.popleft(), now, steps)
            take_message = entry.subscription.handle.take_message
            for _ in range(DEPTH):
                received = take_message(entry.kind, False)
                if received is None:
                    break
                self._offer(entry, received[0], now, steps)

    def _offer(self, entry: Subscribed, message: Any, now: int, steps: int) -> None:
        """Take a message, or reject it."""
        try:
            self._take(entry, message, now, steps)
            if self.record is not None:
                self.record(entry.topic, message)
        except Rejected as rejected:
            self._commands.rejections.add(entry.topic, rejected)

    def _take(self, entry: Subscribed, message: Any, now: int, steps: int) -> None:
        topic, take = entry.topic, entry.take
        header = getattr(message, 'header', message)
        if not (entry.is_stamped and hasattr(header, 'stamp')):  # on arrival
            take(message, steps)
            self._commands.taken += 1
            return
        is_reply = self._lockstep is not None and topic == self._lockstep_topic
        if is_reply:
            self._check_reply(nanoseconds(header.stamp), now)
        else:
            self._commands.check_stamp(topic, header.stamp, now)
        take(message, steps)
        self._commands.store_stamp(topic, header.stamp)
        if is_reply and self._lockstep is not None:
            self._lockstep.offer(nanoseconds(header.stamp))

    def _check_reply(self, stamp: int, now: int) -> None:
        """Reject what is no reply: in lockstep, commands act at their own instant only."""
        if self._lockstep is not None and (stamp != now or self._lockstep.answered):
            raise Rejected(
                'out_of_step',
                f'stamp {1e-9 * stamp:.9f} s: in lockstep it must be {1e-9 * now:.9f} s, '
                'and only the first reply counts',
            )


def _take_events(subscription: Any) -> None:
    """Call the handlers of what has happened to a subscription since the last call."""
    for handler in subscription.event_handlers:
        handler.add_to_wait_set(AnyEvent())
        handler.is_ready(AnyEvent())
        status = handler.take_data()
        if status is not None and status.total_count_change > 0:
            handler.callback(status)
