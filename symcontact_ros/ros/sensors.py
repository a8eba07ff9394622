"""`~/sensors/<name>`: what the sensors of the model measure."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import WrenchStamped
from sensor_msgs.msg import Imu

from symcontact_ros.model.model import Model
from symcontact_ros.ros.conversions import stamp, write_rotation, write_vector
from symcontact_ros.ros.frames import Frames
from symcontact_ros.ros.topics import Topics
from symcontact_ros.simulation.simulation import Simulation

KINDS = {'imu': Imu, 'force_torque': WrenchStamped}
UNKNOWN = -1.0  # first number of a covariance: this quantity is not measured


class Sensors:
    """An Imu in the frame of its site, a WrenchStamped in that of the joint's child body."""

    def __init__(self, topics: Topics, model: Model, frames: Frames) -> None:
        self._frames = frames
        self._topics = {
            sensor.name: topics.add(KINDS[sensor.type](), f'~/sensors/{sensor.name}')
            for sensor in model.sensors
        }

    def publish(self, simulation: Simulation, time: int) -> None:
        """Send what somebody listens to, at one stamp [ns]."""
        if not any(topic.listeners for topic in self._topics.values()):
            return
        if not hasattr(simulation, 'sensors'):
            return
        for name, reading in simulation.sensors().items():
            topic = self._topics[name]
            if topic.listeners:
                topic.message.header.frame_id = self._frames.of(reading.frame)
                topic.message.header.stamp = stamp(time)
                if isinstance(topic.message, Imu):
                    _write_imu(topic.message, reading)
                else:
                    write_vector(topic.message.wrench.force, reading.force.tolist())
                    write_vector(topic.message.wrench.torque, reading.torque.tolist())
                topic.send()


def _write_imu(message: Imu, reading: Any) -> None:
    write_vector(message.linear_acceleration, reading.specific_force.tolist())
    write_vector(message.angular_velocity, reading.angular_velocity.tolist())
    if hasattr(reading, 'quaternion'):
        write_rotation(message.orientation, reading.quaternion.tolist())
    else:
        message.orientation_covariance[0] = UNKNOWN
    for covariance, noise in (
        (message.linear_acceleration_covariance, getattr(reading, 'specific_force_noise', 0.0)),
        (message.angular_velocity_covariance, getattr(reading, 'angular_velocity_noise', 0.0)),
    ):
        covariance[0] = covariance[4] = covariance[8] = noise**2
