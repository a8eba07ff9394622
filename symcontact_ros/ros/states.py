"""How bodies and joints move: joint_states, odometry, and the energy ledger."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from nav_msgs.msg import Odometry
import numpy as np
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64

from symcontact_ros.model.model import Model
from symcontact_ros.ros.conversions import write_rotation, write_vector
from symcontact_ros.ros.frames import Frames
from symcontact_ros.ros.topics import Topics
from symcontact_ros.simulation.instants import Instant
from symcontact_ros.simulation.simulation import Simulation

ENERGIES = (
    'kinetic',
    'potential',
    'elastic',
    'dissipated',
    'work_in',
    'manifold',
    'mechanical',
    'residual',
)


class JointStates:
    """`joint_states`: joints with one degree of freedom, in the order of the model."""

    def __init__(self, topics: Topics, model: Model) -> None:
        self._topic = topics.add(JointState(name=list(model.joint_names)), 'joint_states')

    def publish(self, instant: Instant, time: Time) -> None:
        """Send all joints, also of models that have none: then it says so."""
        message = self._topic.message
        message.header.stamp = time
        message.position = instant.joint_position.tolist()
        message.velocity = instant.joint_velocity.tolist()
        message.effort = instant.joint_effort.tolist()
        self._topic.send()


class Odometries:
    """`~/bodies/<body>/odom`: pose in the world, twist of the body origin in body axes."""

    def __init__(self, topics: Topics, model: Model, frames: Frames) -> None:
        self._rows = []
        for row, name in enumerate(model.body_names):
            if name not in model.grounded:
                message = Odometry(child_frame_id=frames.of(name))
                message.header.frame_id = frames.world
                self._rows.append((row, topics.add(message, f'~/bodies/{name}/odom')))

    def publish(self, instant: Instant, time: Time) -> None:
        """Send what somebody listens to."""
        for row, topic in self._rows:
            if topic.listeners:
                message = topic.message
                message.header.stamp = time
                write_vector(message.pose.pose.position, instant.position[row].tolist())
                write_rotation(message.pose.pose.orientation, instant.quaternion[row].tolist())
                axes, rate = instant.rotation[row].T, instant.rate[row]
                arm = instant.position[row] - instant.com[row]
                velocity = instant.velocity[row] + np.cross(rate, arm)
                write_vector(message.twist.twist.linear, (axes @ velocity).tolist())
                write_vector(message.twist.twist.angular, (axes @ rate).tolist())
                topic.send()


class Energies:
    """`~/energy/<term>`: the ledger [J]."""

    def __init__(self, topics: Topics) -> None:
        self._topics = {term: topics.add(Float64(), f'~/energy/{term}') for term in ENERGIES}

    def publish(self, simulation: Simulation) -> None:
        """Send what somebody listens to."""
        if any(topic.listeners for topic in self._topics.values()):
            energy = simulation.energy()
            for term, topic in self._topics.items():
                if topic.listeners:
                    topic.message.data = float(getattr(energy, term))
                    topic.send()
