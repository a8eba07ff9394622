"""Types become messages, written in place: that is far cheaper than making new ones."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped, WrenchStamped

from symcontact_ros.types import Pose, Vector, Wrench


def stamp(time: float) -> Time:
    """Return simulated time [s] as a stamp, to the nearest nanosecond."""
    seconds, nanoseconds = divmod(round(time * 1e9), 1_000_000_000)
    return Time(sec=seconds, nanosec=nanoseconds)


def transform(parent: str, child: str) -> TransformStamped:
    """Return the identity of child in parent, to be written to."""
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    return message


def write_pose(message: TransformStamped, pose: Pose) -> None:
    """Set a transform to a pose."""
    write_position(message, pose.position)
    rotation = message.transform.rotation
    rotation.x, rotation.y, rotation.z, rotation.w = pose.quaternion.tolist()


def write_position(message: TransformStamped, position: Vector) -> None:
    """Set the translation of a transform and leave its rotation."""
    translation = message.transform.translation
    translation.x, translation.y, translation.z = position.tolist()


def write_wrench(message: WrenchStamped, wrench: Wrench, sign: float = 1.0) -> None:
    """Set a wrench message to sign * wrench."""
    force, torque = message.wrench.force, message.wrench.torque
    force.x, force.y, force.z = (sign * wrench.force).tolist()
    torque.x, torque.y, torque.z = (sign * wrench.torque).tolist()
