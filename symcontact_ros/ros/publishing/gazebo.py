"""
`~/gz_contacts`: contacts as the message of Gazebo, where it is installed.

One Contact per pair that touches, with one entry per point: normals point from collision1 to
collision2, ``body_1_wrench`` acts on collision1 and ``body_2_wrench`` on collision2, at the point,
in world axes. collision1 < collision2 by name, always.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from geometry_msgs.msg import Vector3
import numpy as np
from std_msgs.msg import Header

from symcontact_ros.model.model import Model
from symcontact_ros.ros.conversions import stamp, write_vector
from symcontact_ros.ros.publishing.topics import Topic, Topics
from symcontact_ros.simulation.observing.instant import Contacts, Instant
from symcontact_ros.simulation.world.start_overlaps import body_pairs


class GazeboContacts:
    """Publisher of ros_gz_interfaces/Contacts; without that package, of nothing."""

    def __init__(self, topics: Topics, model: Model, world: str) -> None:
        self._pairs = body_pairs(model).pairs
        self.topic: Topic | None = None
        try:
            self._kinds: Any = import_module('ros_gz_interfaces.msg')
        except ImportError:
            return
        self.topic = topics.add(self._kinds.Contacts(), '~/gz_contacts')
        self.topic.message.header.frame_id = world

    def publish(self, instant: Instant, time: int) -> None:
        """Send all contacts, if there is a subscriber."""
        if self.topic is None or not self.topic.listeners:
            return
        contacts = instant.contacts
        message = self.topic.message
        message.header.stamp = stamp(time)
        message.contacts = [
            self._contact(contacts, pair, message.header)
            for pair in np.unique(contacts.pair).tolist()
        ]
        self.topic.send()

    def _contact(self, contacts: Contacts, pair: int, header: Header) -> Any:
        rows = np.flatnonzero(contacts.pair == pair)
        message = self._kinds.Contact()
        message.collision1.name, message.collision2.name = self._pairs[pair]
        for entity in (message.collision1, message.collision2):
            entity.type = self._kinds.Entity.COLLISION
        message.positions = [_vector(row) for row in contacts.point[rows].tolist()]
        message.normals = [_vector(row) for row in contacts.normal[rows].tolist()]
        message.depths = (-contacts.distance[rows]).tolist()
        loads = zip(contacts.force[rows], contacts.torque[rows], strict=True)
        message.wrenches = [self._wrench(pair, *load, header) for load in loads]
        return message

    def _wrench(self, pair: int, force: Any, torque: Any, header: Header) -> Any:
        wrench = self._kinds.JointWrench(header=header)
        wrench.body_1_name.data, wrench.body_2_name.data = self._pairs[pair]
        write_vector(wrench.body_1_wrench.force, (-force).tolist())
        write_vector(wrench.body_2_wrench.force, force.tolist())
        write_vector(wrench.body_1_wrench.torque, (-torque).tolist())
        write_vector(wrench.body_2_wrench.torque, torque.tolist())
        return wrench


def _vector(row: list[float]) -> Vector3:
    x, y, z = row
    return Vector3(x=x, y=y, z=z)
