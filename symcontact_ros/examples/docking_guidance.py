"""
Guidance of the chaser of the model docking_probe_drogue into the drogue of the target.

The measurement is `~/proximities`, before contact: the distances from the probe to the plates of
the cone are equal when the probe is on its axis, and their differences give its lateral offset.
The smallest distance sets the closing speed. The odometry of both bodies gives velocities and
attitudes: the chaser follows the attitude of the target.

  simulation:  ros2 run symcontact_ros simulation_node --ros-args -p model:=docking_probe_drogue
  subscribes:  ~/proximities, ~/bodies/chaser/odom, ~/bodies/target/odom of the simulation
  commands:    ~/bodies/chaser/wrench_command of the simulation: thrust [N] and torque [N m]
  reads:       the parameter body_names of the simulation
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from geometry_msgs.msg import WrenchStamped
from nav_msgs.msg import Odometry
import numpy as np
from rcl_interfaces.srv import GetParameters
from sensor_msgs.msg import PointCloud2

from symcontact_ros.examples.controller import Controller, Parameter
from symcontact_ros.examples.reading import rotation, rows, seconds, triples, Vector, vector

CHASER, PROBE, TARGET = 'chaser', 'probe', 'target'
STALE = 0.25  # [s] simulated: older distances are not used
# For 10 kg and 0.1 kg m^2: well damped, and much slower than the message rate.
SIDEWAYS, BRAKE = 4.0, 13.0  # [N/m], [N s/m]
TURN, TURN_BRAKE = 0.04, 0.13  # [N m/rad], [N m s/rad]


@dataclass(frozen=True)
class Motion:
    """Attitude and velocity of a body, world axes."""

    attitude: Vector  # its axes as columns
    velocity: Vector  # [m/s]
    rates: Vector  # [rad/s]

    @staticmethod
    def of(message: Odometry) -> Motion:
        """Return the motion in an odometry message, whose twist is in body axes."""
        attitude = rotation(message.pose.pose.orientation)
        twist = message.twist.twist
        return Motion(attitude, attitude @ vector(twist.linear), attitude @ vector(twist.angular))


@dataclass(frozen=True)
class Sight:
    """Position of the probe relative to the drogue, from the distances."""

    distance: float  # of the nearest plate [m]; negative in contact
    sideways: Vector  # offset of the probe from the axis of the cone, world axes [m]

    @staticmethod
    def of(distances: Vector, normals: Vector, axis: Vector) -> Sight:
        """
        Return the offset of the probe from the axis.

        A shift s shortens the distance to a plate by s . n, where n points from the probe to the
        plate: a least-squares fit over all plates gives s.
        """
        across = normals - np.outer(normals @ axis, axis)
        columns = np.hstack([-across, np.ones((len(distances), 1))])
        found = np.linalg.lstsq(columns, distances, rcond=1e-6)[0][:3].astype(float)
        return Sight(float(distances.min()), found - (found @ axis) * axis)


def guidance(
    chaser: Motion, target: Motion, sight: Sight | None, closing_speed: float, push: float
) -> tuple[Vector, Vector]:
    """
    Return thrust [N] and torque [N m] on the chaser, world axes.

    Parameters
    ----------
    chaser, target
        Motion of both bodies.
    sight
        Position relative to the drogue; None: no lateral correction.
    closing_speed
        The fastest approach [m/s].
    push
        Thrust applied in contact, against the spring of the probe [N].

    """
    axis = target.attitude[:, 0]
    relative = chaser.velocity - target.velocity
    closing = float(relative @ axis)
    speed = closing_speed
    force = -BRAKE * (relative - closing * axis)
    if sight is not None:
        force = force - SIDEWAYS * sight.sideways
        # Slower when near, and slower off the axis: centred first, then inserted.
        off = float(np.linalg.norm(sight.sideways))
        speed *= min(max(0.3, 5.0 * sight.distance), 1.0) / (1.0 + (off / 0.02) ** 2)
    thrust = BRAKE * (speed - closing)
    if sight is not None and sight.distance <= 0.0:
        thrust = max(thrust, push)
    error = 0.5 * np.sum(np.cross(chaser.attitude.T, target.attitude.T), axis=0)
    torque = TURN * error - TURN_BRAKE * (chaser.rates - target.rates)
    return force + thrust * axis, torque


class DockingGuidance(Controller):
    """Node that replies to every odometry of the chaser with a wrench."""

    PARAMETERS: ClassVar = {
        'closing_speed': Parameter(0.05, 'Speed of the approach [m/s].', 1.0),
        'push': Parameter(0.2, 'Thrust applied in contact [N].', 10.0),
        'max_thrust': Parameter(1.0, 'Largest thrust [N].', 100.0),
        'max_torque': Parameter(0.1, 'Largest torque [N m].', 10.0),
    }

    def __init__(self) -> None:
        super().__init__('docking_guidance')
        self._target: Motion | None = None
        self._cloud: PointCloud2 | None = None
        self._names: list[str] = []
        self._nameless = True  # whether the names must be requested again
        self._commands = self.create_publisher(
            WrenchStamped, self.topic(f'bodies/{CHASER}/wrench_command'), 10
        )
        self._body_names = self.create_client(GetParameters, self.topic('get_parameters'))
        self.create_subscription(
            Odometry, self.topic(f'bodies/{TARGET}/odom'), self._see_target, 10
        )
        self.create_subscription(PointCloud2, self.topic('proximities'), self._see, 10)
        self.create_subscription(Odometry, self.topic(f'bodies/{CHASER}/odom'), self._answer, 10)

    def begin(self) -> None:
        """Discard all measurements, and request the names of the bodies."""
        self._target = self._cloud = None
        self._nameless = True

    def let_go(self) -> None:
        """Set the thrust to zero."""
        self._commands.publish(WrenchStamped())

    def _ask_for_names(self) -> None:
        if self._nameless and self._body_names.service_is_ready():  # a request would be lost
            self._nameless = False
            request = GetParameters.Request(names=['body_names'])
            self._body_names.call_async(request).add_done_callback(self._learn_names)

    def _learn_names(self, future: Any) -> None:
        values = future.result().values if future.result() is not None else []
        self._names = list(values[0].string_array_value) if values else []
        if PROBE not in self._names or TARGET not in self._names:
            self.get_logger().error(f'no {PROBE} and {TARGET} among the bodies {self._names}')

    def _see_target(self, message: Odometry) -> None:
        self._target = Motion.of(message)

    def _see(self, message: PointCloud2) -> None:
        self._cloud = message

    def _answer(self, message: Odometry) -> None:
        self.hear(message.header.stamp)
        self._ask_for_names()
        force, torque = np.zeros(3), np.zeros(3)
        if self._target is not None and self._names:
            force, torque = guidance(
                Motion.of(message),
                self._target,
                self._sight(message, self._target),
                self.value('closing_speed'),
                self.value('push'),
            )
        command = WrenchStamped()  # without a frame: world axes, at the centre of mass
        command.header.stamp = message.header.stamp
        for part, wanted, largest in (
            (command.wrench.force, force, self.value('max_thrust')),
            (command.wrench.torque, torque, self.value('max_torque')),
        ):
            size = float(np.linalg.norm(wanted))
            part.x, part.y, part.z = (wanted * min(1.0, largest / max(size, 1e-12))).tolist()
        self._commands.publish(command)

    def _sight(self, message: Odometry, target: Motion) -> Sight | None:
        """Return the position of the probe relative to the drogue, from the last cloud."""
        if self._cloud is None:
            return None
        age = seconds(message.header.stamp) - seconds(self._cloud.header.stamp)
        if abs(age) > STALE:
            return None
        cloud = rows(self._cloud)
        # A < B by name: the normal points from the probe to the target.
        own = cloud['body_a'] == self._names.index(PROBE)
        cloud = cloud[own & (cloud['body_b'] == self._names.index(TARGET))]
        if not len(cloud):
            return None
        normals = triples(cloud, 'nx', 'ny', 'nz')
        return Sight.of(cloud['distance'].astype(float), normals, target.attitude[:, 0])


CONTROLLER = DockingGuidance
