"""Motion of bodies and joints: joint_states, odometry, and the energy balance."""

from __future__ import annotations

from nav_msgs.msg import Odometry
import numpy as np
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64

from symcontact_ros.expressions import Values
from symcontact_ros.model.model import Model
from symcontact_ros.recording.joint_columns import JointColumns
from symcontact_ros.recording.scene_topics import ENERGIES
from symcontact_ros.ros.publishing.serialized import Place, xyz, xyzw
from symcontact_ros.ros.publishing.topics import NumbersTopic, NumbersTopics, Topics
from symcontact_ros.ros.tf_frames import Frames
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.simulation import Simulation


class JointStates:
    """`joint_states`: joints with one degree of freedom, in the order of the model."""

    def __init__(self, topics: Topics, model: Model) -> None:
        self._columns = JointColumns(model)
        message = JointState(name=self._columns.names)
        count = len(message.name)
        message.position, message.velocity, message.effort = ([0.0] * count for _ in range(3))
        columns = (message.position, message.velocity, message.effort)
        places: list[Place] = [(column, i) for column in columns for i in range(count)]
        stamps = [message.header.stamp]
        self._topic = topics.add_numbers(message, 'joint_states', places, stamps, always=True)

    def publish(self, instant: Instant, time: int) -> None:
        """Send all joints; an empty message for models without joints."""
        self._topic.send_numbers(self._columns.of(instant.joints), time)

    def refresh(self, values: Values) -> None:
        """Take values of the live symbols."""
        self._columns.refresh(values)


class Odometries:
    """`~/bodies/<body>/odom`: pose in the world, twist of the body origin in body axes."""

    def __init__(self, topics: Topics, model: Model, frames: Frames) -> None:
        names = model.body_names
        self._rows = [row for row, name in enumerate(names) if name not in model.grounded]
        added = [_odometry(topics, names[row], frames) for row in self._rows]
        self._topics = NumbersTopics(added)

    def publish(self, instant: Instant, time: int) -> None:
        """Send the topics with subscribers, at one stamp [ns]."""
        if not self._topics.are_heard:
            return
        twist = np.stack([instant.origin_velocity, instant.rate], axis=1) @ instant.rotation
        numbers = np.concatenate([instant.pose, twist.reshape(-1, 6)], axis=1)
        self._topics.send_numbers(numbers[self._rows], time)


def _odometry(topics: Topics, name: str, frames: Frames) -> NumbersTopic:
    message = Odometry(child_frame_id=frames.of(name))
    message.header.frame_id = frames.world
    pose, twist = message.pose.pose, message.twist.twist
    places = [*xyz(pose.position), *xyzw(pose.orientation)]
    places += [*xyz(twist.linear), *xyz(twist.angular)]
    return topics.add_numbers(message, f'~/bodies/{name}/odom', places, [message.header.stamp])


class Energies:
    """`~/energy/<term>`: terms of the energy balance [J]."""

    def __init__(self, topics: Topics) -> None:
        self._topics = {term: topics.add(Float64(), f'~/energy/{term}') for term in ENERGIES}

    def publish(self, simulation: Simulation) -> None:
        """Send the topics with subscribers."""
        if any(topic.listeners for topic in self._topics.values()):
            energy = simulation.energy()
            for term, topic in self._topics.items():
                if topic.listeners:
                    topic.message.data = float(getattr(energy, term))
                    topic.send()
