"""
/tf, one message per instant, and /tf_static for frames fixed to their parents.

``bodies``: every moving body in the world. ``base``: of robots only root links and those on joints
with several degrees of freedom; the rest comes from robot_state_publisher. Both include the frames
of the wrenches. ``none``: nothing.
"""

from __future__ import annotations

from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
import numpy as np
from rclpy.qos import QoSProfile
from tf2_msgs.msg import TFMessage

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.description import RobotFile
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.model.urdf.joint_axes import carrier_of
from symcontact_ros.ros.conversions import transform, write_rotation, write_vector
from symcontact_ros.ros.publishing.serialized import Place, xyz, xyzw
from symcontact_ros.ros.publishing.topics import LATCHED, Topics
from symcontact_ros.ros.tf_frames import Frames
from symcontact_ros.simulation.observing.ground_reactions import GroundReactions
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.world.start_overlaps import body_pairs

TF = QoSProfile(depth=100)  # as tf2_ros has it


class Transforms:
    """Transforms of the bodies of a model, as selected by `mode`."""

    def __init__(
        self, topics: Topics, model: Model, frames: Frames, mode: str, pairs: list[int]
    ) -> None:
        self._model = model
        self._frames = frames
        fixed = model.grounded
        links = links_of(model)
        shown = [
            (row, body.name in fixed)
            for row, body in enumerate(model.bodies)
            if mode == 'bodies' or (mode == 'base' and body.name not in links)
        ]
        self._still = [row for row, still in shown if still]
        self._moving = [row for row, still in shown if not still]
        # The frames of wrenches: of every body, and of the pairs that have topics.
        self._coms = [] if mode == 'none' else list(range(len(model.bodies)))
        self._pairs = [] if mode == 'none' else pairs
        self._mode = mode
        names = model.body_names
        children = [frames.of(names[row]) for row in self._moving]
        children += [frames.com(names[row]) for row in self._coms]
        all_pairs = body_pairs(model).pairs
        children += [frames.contact(*all_pairs[pair]) for pair in self._pairs]
        self._plates = GroundReactions(model)
        plates = () if mode == 'none' else self._plates.sensors
        self._plate_start = len(children)
        children += [frames.pressure(sensor.name) for sensor in plates]
        messages = [transform(frames.world, child) for child in children]
        self._numbers = np.zeros((len(messages), 7))
        self._numbers[:, 6] = 1.0
        self._tf = topics.add_numbers(
            TFMessage(transforms=messages),
            '/tf',
            [p for m in messages for p in _places(m.transform)],
            [m.header.stamp for m in messages],
            TF,
            always=True,
        )
        self._static = topics.add(TFMessage(), '/tf_static', LATCHED)
        self._places: list[tuple[str, str, Any]] = []  # the last message

    def publish_static(self, instant: Instant, values: Values, time: Time) -> None:
        """Send fixed bodies, and sites on their bodies: at the start, and when symbols change."""
        messages = []
        for row in self._still:
            name = self._model.body_names[row]
            message = transform(self._frames.world, self._frames.of(name))
            write_vector(message.transform.translation, instant.position[row].tolist())
            write_rotation(message.transform.rotation, instant.quaternion[row].tolist())
            messages.append(message)
        messages += self._robot_worlds(values)
        links = links_of(self._model) if self._mode == 'base' else frozenset()
        for body in self._model.bodies if self._mode != 'none' else ():
            if body.name in links:
                continue
            for site, placement in body.sites.items():
                message = transform(self._frames.of(body.name), self._frames.of(site))
                place = evaluate_all(placement.position, values)
                write_vector(message.transform.translation, place)
                write_rotation(message.transform.rotation, placement.rotation.evaluated(values))
                messages.append(message)
        places = [(m.header.frame_id, m.child_frame_id, m.transform) for m in messages]
        if places != self._places:
            self._places = places
            for message in messages:
                message.header.stamp = time
            self._static.message.transforms = messages
            self._static.send()

    def _robot_worlds(self, values: Values) -> list[TransformStamped]:
        """Return the frames of the root links `world` of robots that stand elsewhere."""
        messages = []
        for robot in self._model.contents.robots if self._mode != 'none' else ():
            if robot.is_moved and robot.world_pose is not None:
                message = transform(self._frames.world, self._frames.of(robot.world_frame))
                place, turn = robot.world_pose.position, robot.world_pose.rotation
                write_vector(message.transform.translation, evaluate_all(place, values))
                write_rotation(message.transform.rotation, turn.evaluated(values))
                messages.append(message)
        return messages

    def publish(self, instant: Instant, time: int) -> None:
        """Send every moving frame at one stamp [ns]."""
        numbers = self._numbers
        if not len(numbers):
            return
        end = len(self._moving)
        numbers[:end] = instant.pose[self._moving]
        start, end = end, end + len(self._coms)
        numbers[start:end, :3] = instant.com[self._coms]
        if self._frames.axes == 'body':
            numbers[start:end, 3:] = instant.quaternion[self._coms]
        numbers[end : self._plate_start, :3] = instant.pair_point[self._pairs]
        if self._plate_start < len(numbers):
            numbers[self._plate_start :, :3] = self._plates.places(instant)
        self._tf.send_numbers(numbers, time)


def links_of(model: Model) -> frozenset[str]:
    """Return the bodies of robots whose frames robot_state_publisher knows from their parents."""
    return frozenset(
        name
        for robot in model.contents.robots
        for name in robot.bodies
        if _is_known(model.body(name), robot)
    )


def _is_known(body: Body, robot: RobotFile) -> bool:
    joint = body.joint
    # A root link `world` is in the URDF; any other root is placed by the model.
    has_parent = joint.parent in robot.bodies or (
        joint.parent == WORLD and robot.world_pose is not None
    )
    # robot_state_publisher moves joints of one degree of freedom only.
    return has_parent and joint.kind.speeds <= 1 and joint.parent != carrier_of(body.name)


def _places(message: Any) -> list[Place]:
    return [*xyz(message.translation), *xyzw(message.rotation)]
