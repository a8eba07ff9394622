"""A recorded run as a node: its topics again, at their times, with /clock."""

from __future__ import annotations

from importlib import import_module
import time
from typing import Any

import rclpy
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rosgraph_msgs.msg import Clock

from symcontact_ros.errors import OptionError, shown
from symcontact_ros.recording.cdr import deserialize
from symcontact_ros.recording.definitions import DEFINITIONS
from symcontact_ros.recording.mcap_reader import Channel, Logged
from symcontact_ros.recording.run_reader import COMMAND, RunReader
from symcontact_ros.ros.conversions import stamp
from symcontact_ros.ros.publishing.topics import DEPTH, LATCHED
from symcontact_ros.ros.stop_signals import StopSignals

NODE_NAME = 'symcontact_replay'
LONGEST_WAIT = 0.05  # [s wall]: Ctrl-C is seen after it
DISCOVERY = 0.3  # [s wall] before the first message, for subscribers to find the topics


def replay(recording: RunReader, arguments: list[str], *, rate: float, loop: bool) -> int:
    """Publish a recording, until its end or a signal; return the exit code."""
    rclpy.init(args=arguments, signal_handler_options=rclpy.SignalHandlerOptions.NO)
    node = Node(NODE_NAME)
    try:
        with StopSignals() as stop:
            player = Player(node, recording, rate, stop)
            player.advertise()
            print(f'{recording.path}: {len(player.topics)} topics, {player.seconds:g} s')
            player.sleep_until(time.monotonic() + DISCOVERY)
            while player.play() and loop and player.seconds > 0.0:
                pass
        print(f'published {player.sent} messages')
    finally:
        node.destroy_node()
        rclpy.shutdown()
    return 0


class Player:
    """
    Publisher of the messages of a recording.

    Attributes
    ----------
    topics
        Names of what is published.
    sent
        Messages so far.
    seconds
        From the first to the last of them [s simulated].

    """

    def __init__(self, node: Node, recording: RunReader, rate: float, stop: StopSignals) -> None:
        self._node = node
        self._recording = recording
        self._rate = rate
        self._stop = stop
        self._publishers: dict[str, tuple[str, Any]] = {}  # type and publisher by topic
        self._clock = node.create_publisher(Clock, '/clock', DEPTH)
        self.sent = 0
        self.seconds = 0.0

    @property
    def topics(self) -> list[str]:
        """Names of the topics, in the order of the recording."""
        return list(self._publishers)

    def advertise(self) -> None:
        """Read the recording once: check it, advertise its topics."""
        first, last = None, 0
        for message in self._recording.messages():
            first, last = message.time if first is None else first, message.time
            self._advertise(message.channel)
        self.seconds = 1e-9 * (last - (first or 0))

    def _advertise(self, channel: Channel) -> None:
        name, kind = channel.topic, channel.kind
        if name in self._publishers or name == '/clock' or channel.metadata.get('role') == COMMAND:
            return
        if kind not in DEFINITIONS or channel.encoding != 'cdr':  # no other type is ever imported
            raise OptionError(
                f'{self._recording.path}: {shown(name)} has messages of {shown(kind)}'
            )
        package, _, short = kind.split('/')
        quality = channel.metadata.get('offered_qos_profiles', '')
        latched = 'transient_local' in quality or 'durability: 1' in quality
        try:
            publisher = self._node.create_publisher(
                getattr(import_module(f'{package}.msg'), short),
                name,
                LATCHED if latched else QoSProfile(depth=100),
            )
        except Exception as error:  # of rcl, with no common base
            raise OptionError(f'{self._recording.path}: topic {shown(name)}: {error}') from error
        self._publishers[name] = kind, publisher

    def play(self) -> bool:
        """Publish all; return False where it was stopped."""
        began, first, shown_at = time.monotonic(), None, -1
        for message in self._recording.messages():
            first = message.time if first is None else first
            if self._rate > 0.0:
                self.sleep_until(began + 1e-9 * (message.time - first) / self._rate)
            if self._stop.requested:
                return False
            if message.time != shown_at:  # before all that has this stamp
                shown_at = message.time
                self._clock.publish(Clock(clock=stamp(message.time)))
            self._send(message)
        return True

    def _send(self, message: Logged) -> None:
        if message.channel.topic not in self._publishers:
            return
        kind, publisher = self._publishers[message.channel.topic]
        deserialize(kind, message.data)  # what is no message of this type is not sent
        publisher.publish(message.data)
        self.sent += 1

    def sleep_until(self, end: float) -> None:
        """Wait for a time of the wall clock [s], or a signal."""
        while (left := end - time.monotonic()) > 0.0 and not self._stop.requested:
            time.sleep(min(left, LONGEST_WAIT))
