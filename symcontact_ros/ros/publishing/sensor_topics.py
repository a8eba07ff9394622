"""`~/sensors/<name>`: readings of the sensors of the model."""

from __future__ import annotations

from geometry_msgs.msg import WrenchStamped
from sensor_msgs.msg import Imu

from symcontact_ros.model.model import Model
from symcontact_ros.ros.conversions import stamp, write_rotation, write_vector
from symcontact_ros.ros.publishing.topics import Topics
from symcontact_ros.ros.tf_frames import Frames
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import GroundReaction, ImuReading

KINDS = {'imu': Imu, 'force_torque': WrenchStamped, 'ground_reaction': WrenchStamped}


class Sensors:
    """
    An Imu in the frame of its site, a WrenchStamped in that of the joint's child body.

    Ground reactions: a WrenchStamped in the frame at their centre of pressure.
    """

    def __init__(self, topics: Topics, model: Model, frames: Frames) -> None:
        self._frames = frames
        self._topics = {
            sensor.name: topics.add(KINDS[sensor.type](), f'~/sensors/{sensor.name}')
            for sensor in model.sensors
        }

    def publish(self, simulation: Simulation, time: int) -> None:
        """Send the topics with subscribers, at one stamp [ns]."""
        if not any(topic.listeners for topic in self._topics.values()):
            return
        for name, reading in simulation.sensors().items():
            topic = self._topics[name]
            if topic.listeners:
                topic.message.header.frame_id = (
                    self._frames.pressure(name)
                    if isinstance(reading, GroundReaction)
                    else self._frames.of(reading.frame)
                )
                topic.message.header.stamp = stamp(time)
                if isinstance(reading, ImuReading):
                    _write_imu(topic.message, reading)
                else:
                    write_vector(topic.message.wrench.force, reading.force.tolist())
                    write_vector(topic.message.wrench.torque, reading.torque.tolist())
                topic.send()


def _write_imu(message: Imu, reading: ImuReading) -> None:
    write_vector(message.linear_acceleration, reading.specific_force.tolist())
    write_vector(message.angular_velocity, reading.angular_velocity.tolist())
    write_rotation(message.orientation, reading.quaternion.tolist())
    for covariance, noise in (
        (message.linear_acceleration_covariance, reading.specific_force_noise),
        (message.angular_velocity_covariance, reading.angular_velocity_noise),
    ):
        covariance[0] = covariance[4] = covariance[8] = noise**2
