"""
Other nodes of the graph that a user should know of.

Nodes that get in the way of this one: of the same name, with a /clock, with its frames. And nodes
that wait for something that will never come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from rclpy.node import Node

from symcontact_ros.errors import counted, shown
from symcontact_ros.ros.frame_owners import FrameOwners

CLOCK = '/clock'
UNNAMED = '_NODE_NAME_UNKNOWN_'  # of a publisher that is no node of ROS, or whose node is unknown
MOST = 5  # names in a warning


class Neighbours:
    """
    Nodes that get in the way or wait in vain, which may come and go at any time.

    Parameters
    ----------
    node
        This one.
    clock
        Whether it publishes /clock.
    owners
        Watches over its frames.
    unanswered
        Returns a line on subscriptions that will hear nothing, or nothing.

    Attributes
    ----------
    warnings
        One line for each kind; none if this node is alone with its name and its clock.

    """

    def __init__(
        self, node: Node, clock: bool, owners: FrameOwners, unanswered: Callable[[], str]
    ) -> None:
        self._node = node
        self.owners = owners
        self._unanswered = unanswered
        self._clock = node.resolve_topic_name(CLOCK) if clock else None
        self.warnings: tuple[str, ...] = ()

    def check(self) -> None:
        """Look at the graph; log what has changed since the last time."""
        self.owners.check()
        lines = (self._namesakes(), self._other_clocks(), self.owners.warning, self._unanswered())
        found = tuple(filter(None, lines))
        for line in found:
            if line not in self.warnings:
                self._node.get_logger().warning(line)
        if self.warnings and not found:
            self._node.get_logger().info('no other node is in the way or waits in vain now')
        self.warnings = found

    def _namesakes(self) -> str:
        own = self._node.get_name(), self._node.get_namespace()
        count = self._node.get_node_names_and_namespaces().count(own)
        if count < 2:
            return ''
        name = self._node.get_fully_qualified_name()
        return (
            f'{counted(count - 1, "other node")} named {name}, too: services, parameters and '
            'topics of both are mixed up; start one with another name '
            '(--ros-args -r __node:=NAME) or namespace (-r __ns:=/NAME)'
        )

    def _other_clocks(self) -> str:
        if self._clock is None or self._node.count_publishers(self._clock) < 2:
            return ''  # which is cheaper than asking who
        publishers = Counter(map(_name, self._node.get_publishers_info_by_topic(self._clock)))
        publishers[self._node.get_fully_qualified_name()] -= 1  # this one
        others = sorted(name for name, count in publishers.items() if count > 0)
        if not others:
            return ''
        names = ', '.join([*map(shown, others[:MOST]), *(['...'] if len(others) > MOST else [])])
        return (
            f'another node publishes {self._clock}, too: {names}. Simulated time jumps to and '
            'fro: set publish_clock to false (--ros-args -p publish_clock:=false) in all but one'
        )


def _name(publisher: Any) -> str:
    """Return the full name of the node of a publisher, as far as the graph knows it."""
    if publisher.node_name == UNNAMED:
        return 'a publisher without a known node'
    return f'{publisher.node_namespace.rstrip("/")}/{publisher.node_name}'
