"""
Contacts and proximities as point clouds: one point per contact or near pair of shapes.

All numbers are float32, as viewers of clouds require; bodies are indices into the parameter
``body_names`` (int32). A cloud without points means no contact, or no near pair.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from builtin_interfaces.msg import Time
import numpy as np
from sensor_msgs.msg import PointCloud2, PointField

from symcontact_ros.ros.publishing.topics import Topic, Topics
from symcontact_ros.simulation.observing.instant import Contacts, Indices, ProximityArrays
from symcontact_ros.types import Vector

CONTACT_FIELDS = ('x', 'y', 'z', 'nx', 'ny', 'nz', 'distance', 'fx', 'fy', 'fz')
PROXIMITY_FIELDS = ('x', 'y', 'z', 'bx', 'by', 'bz', 'nx', 'ny', 'nz', 'distance')
BODIES = ('body_a', 'body_b')


class Clouds:
    """`~/contacts` and `~/proximities`, in the world frame."""

    def __init__(self, topics: Topics, world: str) -> None:
        self.contacts = topics.add(_cloud(CONTACT_FIELDS, world), '~/contacts')
        self.proximities = topics.add(_cloud(PROXIMITY_FIELDS, world), '~/proximities')

    def publish_contacts(self, contacts: Contacts, time: Time) -> None:
        """Send points, normals from A to B, distances, and forces on B."""
        columns = (contacts.point, contacts.normal, contacts.distance[:, None], contacts.force)
        _send(self.contacts, columns, contacts.body_a, contacts.body_b, time)

    def publish_proximities(self, near: ProximityArrays, time: Time) -> None:
        """Send closest points on A (x y z) and B (bx by bz), normals and signed distances."""
        columns = (near.point_a, near.point_b, near.normal, near.distance[:, None])
        _send(self.proximities, columns, near.body_a, near.body_b, time)


def _cloud(names: Sequence[str], world: str) -> PointCloud2:
    kinds = [(name, PointField.FLOAT32) for name in names]
    kinds += [(name, PointField.INT32) for name in BODIES]
    step = 4 * len(kinds)
    message = PointCloud2(height=1, point_step=step, is_bigendian=False, is_dense=True)
    message.fields = [
        PointField(name=name, offset=4 * i, datatype=kind, count=1)
        for i, (name, kind) in enumerate(kinds)
    ]
    message.header.frame_id = world
    return message


def _send(
    topic: Topic, columns: Sequence[Vector], body_a: Indices, body_b: Indices, time: Time
) -> None:
    numbers = np.concatenate(columns, axis=1).astype('<f4')
    bodies = np.stack([body_a, body_b], axis=1).astype('<i4').view('<f4')
    message = topic.message
    message.header.stamp = time
    message.width = len(numbers)
    message.row_step = message.point_step * len(numbers)
    # An array is taken as it is; bytes would be checked one by one.
    message.data = array('B', np.concatenate([numbers, bodies], axis=1).tobytes())
    topic.send()
