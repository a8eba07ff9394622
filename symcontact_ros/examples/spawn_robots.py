"""
Robots that are spawned in a running simulation, one after the other; then this node ends.

By default two quadrupeds on the slopes of the world `hills`. A robot is held by its servos from
the moment on at which it is there, if the simulation has `spawn_servo: auto`; servos of legs are
strong enough for what stands on them only where the feet start on the ground, within 2 cm.

  simulation:  ros2 run symcontact_ros simulation_node --ros-args -p model:=hills
               -p spawn_servo:=auto
  subscribes:  nothing
  commands:    ~/spawn_entity of the simulation (simulation_interfaces)
"""

from __future__ import annotations

from importlib import import_module
import math
from typing import Any, ClassVar

from geometry_msgs.msg import PoseStamped
from rclpy.exceptions import InvalidParameterValueException

from symcontact_ros.examples.controller import Controller, Parameter

# By name, as the package is optional: see package.xml.
SpawnEntity: Any = import_module('simulation_interfaces.srv').SpawnEntity
OK = 1
POSES = ['1.15 0 0.39 0 -0.14 0', '-1.25 0 0.27 0 -0.14 0']


class SpawnRobots(Controller):
    """Node that calls the service once for every name."""

    PARAMETERS: ClassVar = {
        'uri': Parameter('quadruped', 'Robot: a shipped one, or a file that the node may read.'),
        'names': Parameter(['first', 'second'], 'Names of the entities.'),
        'poses': Parameter(POSES, 'For each: x y z roll pitch yaw [m, rad].'),
    }

    def __init__(self) -> None:
        super().__init__('spawn_robots')
        self._poses = [pose_of(text) for text in self.value('poses')]
        self._names = list(self.value('names'))
        if len(self._names) != len(self._poses):
            raise InvalidParameterValueException(
                'poses', self.value('poses'), f'one is needed for each of {self._names}'
            )
        self._client = self.create_client(SpawnEntity, self.topic('spawn_entity'))
        self._next = 0
        self._is_waiting = False

    def wait(self) -> None:
        """Spawn the next robot when the service is there and has answered."""
        if self._next == len(self._names) and self.ended is None:
            self.ended = 0
        if self.ended is None and not self._is_waiting and self._client.service_is_ready():
            self._is_waiting = True
            request = SpawnEntity.Request(name=self._names[self._next])
            # Version 2 has the place of the model in a message of its own.
            getattr(request, 'entity_resource', request).uri = self.value('uri')
            request.initial_pose = self._poses[self._next]
            self._client.call_async(request).add_done_callback(self._answered)

    def _answered(self, future: Any) -> None:
        self._is_waiting = False
        response = future.result()
        if response.result.result != OK:
            self._fail(f'{self._names[self._next]}: {response.result.error_message}')
            return
        self.get_logger().info(f'{response.entity_name} is there')
        self._next += 1

    def _fail(self, reason: str) -> None:
        self.get_logger().error(reason)
        self.ended = 1


def pose_of(text: str) -> PoseStamped:
    """Return a pose in the world from x, y, z [m], roll, pitch, yaw [rad]."""
    try:
        x, y, z, *angles = map(float, text.split())
        if len(angles) != 3:
            raise ValueError
    except ValueError:
        reason = 'six numbers are needed: x y z roll pitch yaw'
        raise InvalidParameterValueException('poses', text, reason) from None
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(0.5 * a), math.sin(0.5 * a)) for a in angles)
    pose = PoseStamped()
    place, turn = pose.pose.position, pose.pose.orientation
    place.x, place.y, place.z = x, y, z
    turn.x = sr * cp * cy - cr * sp * sy
    turn.y = cr * sp * cy + sr * cp * sy
    turn.z = cr * cp * sy - sr * sp * cy
    turn.w = cr * cp * cy + sr * sp * sy
    return pose


CONTROLLER = SpawnRobots
