"""
/tf, one message per instant, and /tf_static for what never moves relative to its parent.

``bodies``: every moving body in the world. ``base``: those alone that hang on no other body; the
rest comes from robot_state_publisher. Both have the frames of the wrenches. ``none``: nothing.
"""

from __future__ import annotations

from builtin_interfaces.msg import Time
from rclpy.qos import QoSProfile
from tf2_msgs.msg import TFMessage

from symcontact_ros.model.expressions import evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import WORLD
from symcontact_ros.ros.conversions import transform, write_rotation, write_vector
from symcontact_ros.ros.frames import Frames
from symcontact_ros.ros.topics import LATCHED, Topics
from symcontact_ros.simulation.instants import Instant

TF = QoSProfile(depth=100)  # as tf2_ros has it


class Transforms:
    """What `mode` says, of the bodies of a model."""

    def __init__(
        self, topics: Topics, model: Model, frames: Frames, mode: str, pairs: list[int]
    ) -> None:
        self._model = model
        self._frames = frames
        self._tf = topics.add(TFMessage(), '/tf', TF)
        self._static = topics.add(TFMessage(), '/tf_static', LATCHED)
        shown = [
            (row, body)
            for row, body in enumerate(model.bodies)
            if mode == 'bodies' or (mode == 'base' and body.joint.parent == WORLD)
        ]
        fixed = model.grounded
        world = frames.world
        self._moving = [row for row, body in shown if body.name not in fixed]
        self._still = [row for row, body in shown if body.name in fixed]
        # The frames of wrenches: of every body, and of the pairs that have topics.
        names = [] if mode == 'none' else model.body_names
        self._pairs = [] if mode == 'none' else pairs
        self._sites = mode != 'none'
        rows = model.body_names
        self._bodies = [transform(world, frames.of(rows[row])) for row in self._moving]
        self._coms = [transform(world, frames.com(name)) for name in names]
        self._contacts = [transform(world, frames.contact(*model.pairs[p])) for p in self._pairs]
        self._tf.message.transforms = [*self._bodies, *self._coms, *self._contacts]

    def publish_static(self, instant: Instant, values: Values, time: Time) -> None:
        """Send fixed bodies, and sites on their bodies: at the start, and when symbols change."""
        messages = []
        for row in self._still:
            name = self._model.body_names[row]
            message = transform(self._frames.world, self._frames.of(name))
            write_vector(message.transform.translation, instant.position[row].tolist())
            write_rotation(message.transform.rotation, instant.quaternion[row].tolist())
            messages.append(message)
        for body in self._model.bodies if self._sites else ():
            for site, placement in body.sites.items():
                message = transform(self._frames.of(body.name), self._frames.of(site))
                write_vector(
                    message.transform.translation, evaluate_all(placement.position, values)
                )
                write_rotation(message.transform.rotation, placement.rotation.evaluated(values))
                messages.append(message)
        for message in messages:
            message.header.stamp = time
        self._static.message.transforms = messages
        if messages:
            self._static.send()

    def publish(self, instant: Instant, time: Time) -> None:
        """Send every moving frame at one stamp."""
        if not self._tf.message.transforms:
            return
        places, turns = instant.position.tolist(), instant.quaternion.tolist()
        for row, message in zip(self._moving, self._bodies, strict=True):
            write_vector(message.transform.translation, places[row])
            write_rotation(message.transform.rotation, turns[row])
        for centre, turn, message in zip(instant.com.tolist(), turns, self._coms, strict=False):
            write_vector(message.transform.translation, centre)
            if self._frames.axes == 'body':
                write_rotation(message.transform.rotation, turn)
        points = instant.pair_point.tolist()
        for pair, message in zip(self._pairs, self._contacts, strict=True):
            write_vector(message.transform.translation, points[pair])
        for message in self._tf.message.transforms:
            message.header.stamp = time
        self._tf.send()
