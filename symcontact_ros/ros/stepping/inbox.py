"""
Subscriptions that are read once per tick.

Waking up an executor costs several times as much as reading a message, and many commands would
cost a core. Commands act from the next step on, which comes with the next tick: an executor need
not wake up for them. At most ``topics.DEPTH`` messages per topic are read per tick, the latest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.callback_groups import CallbackGroup
from rclpy.node import Node

from symcontact_ros.ros.conversions import nanoseconds
from symcontact_ros.ros.publishing.topics import DEPTH, overriding, SUBSCRIPTION_EVENTS
from symcontact_ros.ros.stepping.commands import Commands, Rejected
from symcontact_ros.ros.stepping.lockstep import Lockstep

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

    """

    def __init__(
        self, node: Node, commands: Commands, lockstep: Lockstep | None, lockstep_topic: str
    ) -> None:
        self._node = node
        self._commands = commands
        self._lockstep = lockstep
        self._lockstep_topic = lockstep_topic
        self._group = Polled()
        self._subscriptions: list[tuple[Any, str, Take]] = []

    def add(self, kind: Any, name: str, take: Take) -> None:
        """Subscribe; ``take`` gets messages with valid stamps, and may raise `Rejected`."""
        subscription = self._node.create_subscription(
            kind,
            name,
            _never_called,
            DEPTH,
            callback_group=self._group,
            event_callbacks=SUBSCRIPTION_EVENTS,
            qos_overriding_options=overriding(self._node, name, 'subscription'),
        )
        topic = self._node.resolve_topic_name(name)
        self._subscriptions.append((subscription, topic, take))

    @property
    def topics(self) -> list[str]:
        """Resolved names."""
        return [topic for _, topic, _ in self._subscriptions]

    def read(self, now: int, steps: int) -> None:
        """Read what was received until simulated time now [ns], before the step of that number."""
        for subscription, topic, take in self._subscriptions:
            with subscription.handle:
                for _ in range(DEPTH):
                    received = subscription.handle.take_message(subscription.msg_type, False)
                    if received is None:
                        break
                    try:
                        self._take(topic, take, received[0], now, steps)
                    except Rejected as rejected:
                        self._commands.rejections.add(topic, rejected)

    def _take(self, topic: str, take: Take, message: Any, now: int, steps: int) -> None:
        header = getattr(message, 'header', message)
        if not hasattr(header, 'stamp'):  # on arrival
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


def _never_called(message: Any) -> None:
    """Do nothing: rclpy requires a callback; see `Polled`."""
