"""
A subscriber in the test's own process, on a domain of its own.

What tests may rely on: messages of one topic come in their order, and none is missing once the
first has come. Topics are taken one by one: what was sent first on one may come after what was
sent later on another, so tests wait for the stamp that they want to see.
"""

import contextlib
import time

from helpers.processes import LONG
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile


def seconds(stamp):
    """Return a stamp in seconds."""
    return stamp.sec + 1e-9 * stamp.nanosec


class Listener:
    """Collects what is published; ``messages[topic]`` is a list in the order of arrival."""

    def __init__(self, domain, topics, latched=()):
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain)
        self.node = Node('listener', context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self.messages = {topic: [] for topic in topics}
        for topic, kind in topics.items():
            qos = QoSProfile(depth=1000)
            if topic in latched:
                qos.durability = DurabilityPolicy.TRANSIENT_LOCAL
            self._subscribe(topic, kind, qos)

    def _subscribe(self, topic, kind, qos):
        def take(message):
            self.messages[topic].append(message)
            # And all that has come since: an executor takes one at a time, which is too slow.
            with subscription.handle:
                while (received := subscription.handle.take_message(kind, False)) is not None:
                    self.messages[topic].append(received[0])

        subscription = self.node.create_subscription(kind, topic, take, qos)

    def spin_until(self, condition, timeout=LONG):
        """Take messages until condition() holds; False when the time is over."""
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end:
                return False
            self.spin_once()
        return True

    def spin_once(self):
        """Take what comes next, if it comes soon."""
        self._executor.spin_once(timeout_sec=0.05)

    def close(self):
        """Leave the domain."""
        self._executor.remove_node(self.node)
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.try_shutdown(context=self._context)


@contextlib.contextmanager
def listening(domain, topics, latched=()):
    """Return a listener that leaves when the block ends."""
    listener = Listener(domain, topics, latched)
    try:
        yield listener
    finally:
        listener.close()
