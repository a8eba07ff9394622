"""
/tf, one message per instant, and /tf_static for frames fixed to their parents.

``bodies``: every body in the world. ``tree``: every body in the parent of its joint. ``base``: of
robots only root links and those on joints with several degrees of freedom, in the world; the rest
comes from robot_state_publisher. All include the frames of the wrenches. ``none``: nothing.
A frame that another node publishes with another parent is left to it (``leave``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
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
from symcontact_ros.ros.conversions import (
    relative_poses,
    transform,
    write_rotation,
    write_vector,
)
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
        self,
        topics: Topics,
        model: Model,
        frames: Frames,
        mode: str,
        pairs: list[int],
        *,
        robots: Collection[str],
    ) -> None:
        self._model = model
        self._frames = frames
        self._mode = mode
        links = self._links = links_of(model, robots) if mode == 'base' else frozenset()
        self._shown = [
            row
            for row, body in enumerate(model.bodies)
            if mode != 'none' and body.name not in links
        ]
        # The frames of wrenches: of every body, and of the pairs that have topics.
        self._coms = [] if mode == 'none' else list(range(len(model.bodies)))
        self._pairs = [] if mode == 'none' else pairs
        self._plates = GroundReactions(model)
        self._parents = self._parent_rows()
        self._arrange()
        message, places, stamps = self._message()
        self._tf = topics.add_numbers(message, '/tf', places, stamps, TF, always=True)
        self._static = topics.add(TFMessage(), '/tf_static', LATCHED)
        self._places: list[tuple[str, str, Any]] = []  # the last message

    @property
    def parents(self) -> dict[str, str]:
        """Parents of the frames of bodies and sites that are published, by child."""
        found = {self._frame(row): self._parent(row) for row in self._shown}
        for body in self._bodies_with_sites():
            found |= {self._frames.of(site): self._frames.of(body.name) for site in body.sites}
        return found

    def follow_pairs(self, pairs: list[int]) -> None:
        """Send the frames of other pairs from now on."""
        if self._mode != 'none':
            self._pairs = pairs
            self._tf.change_message(*self._message())

    def leave(self, frames: Collection[str]) -> None:
        """Leave frames of bodies to another node; the others go on."""
        self._shown = [row for row in self._shown if self._frame(row) not in frames]
        self._arrange()
        self._tf.change_message(*self._message())

    def _frame(self, row: int) -> str:
        return self._frames.of(self._model.body_names[row])

    def _parent(self, row: int) -> str:
        parent = self._parents[row]
        return self._frames.world if parent < 0 else self._frame(parent)

    def _parent_rows(self) -> list[int]:
        """Return for each body the row of the body in which its frame is; -1: the world."""
        rows = {name: row for row, name in enumerate(self._model.body_names)}
        names = (body.joint.parent for body in self._model.bodies)
        return [rows.get(name, -1) if self._mode == 'tree' else -1 for name in names]

    def _arrange(self) -> None:
        """Tell frames that move in their parents from those that do not."""
        bodies = self._model.bodies
        grounded = self._model.grounded
        self._still = [
            row
            for row in self._shown
            if (bodies[row].joint.kind.is_fixed and self._parents[row] >= 0)
            or bodies[row].name in grounded
        ]
        still = set(self._still)
        self._moving = [row for row in self._shown if row not in still]
        self._nested = [i for i, row in enumerate(self._moving) if self._parents[row] >= 0]

    def _message(self) -> tuple[TFMessage, list[Place], list[Any]]:
        """Return the message of all that moves, its numbers and its stamps."""
        frames, names = self._frames, self._model.body_names
        pairs = body_pairs(self._model).pairs
        messages = [transform(self._parent(row), self._frame(row)) for row in self._moving]
        free = [frames.com(names[row]) for row in self._coms]
        free += [frames.contact(*pairs[pair]) for pair in self._pairs]
        self._plate_start = len(messages) + len(free)
        plates = () if self._mode == 'none' else self._plates.sensors
        free += [frames.pressure(sensor.name) for sensor in plates]
        messages += [transform(frames.world, child) for child in free]
        self._numbers = np.zeros((len(messages), 7))
        self._numbers[:, 6] = 1.0
        places = [place for m in messages for place in _places(m.transform)]
        return TFMessage(transforms=messages), places, [m.header.stamp for m in messages]

    def _bodies_with_sites(self) -> Iterator[Body]:
        for body in self._model.bodies if self._mode != 'none' else ():
            if body.name not in self._links:
                yield body

    def publish_static(self, instant: Instant, values: Values, time: Time) -> None:
        """Send fixed bodies, and sites on their bodies: at the start, and when symbols change."""
        messages = []
        for row in self._still:
            message = transform(self._parent(row), self._frame(row))
            parent = self._parents[row]
            pose = instant.pose[row]
            if parent >= 0:
                pose = relative_poses(instant.pose[[parent]], instant.pose[[row]])[0]
            write_vector(message.transform.translation, pose[:3].tolist())
            write_rotation(message.transform.rotation, pose[3:].tolist())
            messages.append(message)
        messages += self._robot_worlds(values)
        for body in self._bodies_with_sites():
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
        moving, count = self._moving, len(self._moving)
        pose = instant.pose
        if count:
            numbers[:count] = pose[moving]
        if self._nested:
            rows = [moving[i] for i in self._nested]
            parents = [self._parents[row] for row in rows]
            numbers[self._nested] = relative_poses(pose[parents], pose[rows])
        end = count + len(self._coms)
        if self._coms:  # of all bodies
            numbers[count:end, :3] = instant.com
            if self._frames.axes == 'body':
                numbers[count:end, 3:] = instant.quaternion
        if self._pairs:
            numbers[end : self._plate_start, :3] = instant.pair_point[self._pairs]
        if self._plate_start < len(numbers):
            numbers[self._plate_start :, :3] = self._plates.places(instant)
        self._tf.send_numbers(numbers, time)


def links_of(model: Model, robots: Collection[str]) -> frozenset[str]:
    """Return the bodies of some robots whose frames robot_state_publisher knows, by joints."""
    return frozenset(
        name
        for robot in model.contents.robots
        if robot.name in robots
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
